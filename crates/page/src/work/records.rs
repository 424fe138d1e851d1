//! Records of a session: the lines that the JSON dialect writes. They are parsed when a page reads
//! them, because a log has thousands of games and a page shows few of them.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::borrow::Cow;
use umbrail_tasks::records::{ErrorRecord, TaskEnd, TaskRecord};

/// Records in order.
#[derive(Debug, Default)]
pub(crate) struct Records(Vec<Record>);

/// A line, and its kind (`"t"`), which may be empty.
#[derive(Debug)]
struct Record {
    kind: String,
    line: Box<RawValue>,
}

/// The part of a line that is parsed at once.
#[derive(Deserialize)]
struct RecordKind<'a> {
    #[serde(borrow, default, rename = "t")]
    kind: Cow<'a, str>,
}

impl<L: Into<String>> FromIterator<L> for Records {
    /// Reads lines; those that are not JSON objects are left out.
    fn from_iter<I: IntoIterator<Item = L>>(lines: I) -> Self {
        let record = |line: L| {
            let line = RawValue::from_string(line.into()).ok()?;
            let kind = serde_json::from_str::<RecordKind<'_>>(line.get()).ok()?.kind.into_owned();
            Some(Record { kind, line })
        };
        Self(lines.into_iter().filter_map(record).collect())
    }
}

impl Records {
    /// Returns all records that have this type; an enumeration may cover several kinds.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> impl Iterator<Item = T> {
        self.0.iter().filter_map(Record::read)
    }

    /// Returns all records of this kind.
    pub(crate) fn all<T: TaskRecord>(&self) -> impl DoubleEndedIterator<Item = T> {
        self.0.iter().filter(|record| record.kind == T::KIND).filter_map(Record::read)
    }

    /// Returns the first record of this kind.
    pub(crate) fn first<T: TaskRecord>(&self) -> Option<T> {
        self.all().next()
    }

    /// Returns the last record of this kind.
    pub(crate) fn last<T: TaskRecord>(&self) -> Option<T> {
        self.all().next_back()
    }

    /// Returns the end, if the task has ended and its end has this type.
    pub(crate) fn end<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.end_line()?.get()).ok()
    }

    /// Returns the line of the end.
    pub(crate) fn end_line(&self) -> Option<&RawValue> {
        let end = self.0.iter().rfind(|record| record.kind == TaskEnd::KIND);
        end.map(|record| &*record.line)
    }

    /// Returns the reason for a missing answer.
    pub(crate) fn fault(&self) -> Option<String> {
        self.first::<ErrorRecord>().map(|error| error.text)
    }

    /// Returns the number of records.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Record {
    fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.line.get()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Records;
    use umbrail_tasks::records::spg::{SpgSolution, SpgVerdict};
    use umbrail_tasks::records::{StatusWord, TaskEnd};

    #[test]
    fn records_are_found_by_their_kind() {
        let lines = [
            r#"{"t":"solution","moves":["e4"]}"#,
            "nonsense",
            r#"{"material":"KQ.K"}"#,
            r#"{"t":"solution","moves":["d4"]}"#,
            r#"{"t":"error","text":"a \"fault\""}"#,
            r#"{"t":"end","status":"limit","text":"partial"}"#,
        ];
        let records: Records = lines.into_iter().collect();
        assert_eq!(records.len(), 5);
        let moves = records.all::<SpgSolution>().map(|game| game.moves.concat());
        assert_eq!(moves.collect::<Vec<_>>(), ["e4", "d4"]);
        assert_eq!(records.last::<SpgSolution>().unwrap().moves, ["d4"]);
        assert_eq!(records.first::<SpgVerdict>(), None);
        assert_eq!(records.fault().as_deref(), Some("a \"fault\""));
        assert_eq!(records.end::<TaskEnd>().unwrap().status, StatusWord::Limit);
        assert_eq!(records.end_line().unwrap().get(), lines[5]);
    }
}
