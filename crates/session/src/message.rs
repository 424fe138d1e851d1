//! Messages of a task: keys and values, which every protocol can write.

use super::domain::Domain;
use super::record_fields::RecordFields;
use super::status::Status;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::fmt;

/// Kind of a message; the word is the same in every protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The task has started.
    Start,
    /// A sample of the progress counters.
    Progress,
    /// A note on the method of the task, such as a file that it reads. Answers for other programs
    /// omit notes.
    Note,
    /// A result.
    Result,
    /// The task has ended; sent exactly once.
    Done,
    /// The task was refused or failed; nothing follows.
    Error,
}

impl Kind {
    /// Returns the word of this kind.
    pub fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Progress => "progress",
            Self::Note => "note",
            Self::Result => "result",
            Self::Done => "done",
            Self::Error => "error",
        }
    }
}

/// A value in a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Unknown.
    Null,
    /// True or false.
    Truth(bool),
    /// A whole number.
    Number(i64),
    /// A number as text: too large for [`Value::Number`], or with decimals.
    Digits(String),
    /// Text.
    Text(String),
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("-"),
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) | Self::Digits(text) => f.write_str(text),
        }
    }
}

/// One message of a task, ready for any protocol.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Domain that sent the message.
    pub domain: Domain,
    /// Kind of the message.
    pub kind: Kind,
    /// Keys and values of the line, for dialects that write lines.
    pub words: Vec<(&'static str, Value)>,
    /// Rest of the line, for dialects that write lines.
    pub text: Option<String>,
    /// Kind of the JSON object (`"t"`). Without it the object has no `"t"`, and a [`Kind::Done`]
    /// message is not written in JSON.
    pub record: Option<&'static str>,
    /// Fields of the typed record, which the JSON dialect writes.
    pub data: RecordFields,
    /// Page for a person at a terminal, in place of the line.
    pub page: Vec<String>,
    /// The page is the contents of a file: the time of the task does not follow it.
    pub page_is_file: bool,
    /// Only the JSON dialect writes the message: there are too many of this kind for a person.
    pub json_only: bool,
}

impl Message {
    /// Returns an empty message.
    pub fn new(domain: Domain, kind: Kind) -> Self {
        let record = Some(match kind {
            Kind::Done => "end",
            other => other.word(),
        });
        let (words, data, page) = (vec![], RecordFields::default(), vec![]);
        Self {
            domain,
            kind,
            words,
            text: None,
            record,
            data,
            page,
            page_is_file: false,
            json_only: false,
        }
    }

    /// Adds a key and its value.
    pub fn with(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.words.push((key, value.into()));
        self
    }

    /// Sets the record that the JSON dialect writes.
    pub fn holding(mut self, record: &impl Serialize) -> Self {
        self.data = RecordFields::of(record);
        self
    }

    /// Adds the text at the end of the line.
    pub fn printing(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// Returns the error message of a task that was refused or failed. A text of several lines is
    /// shown as a page where the dialect has pages.
    pub fn error(domain: Domain, text: impl Into<String>) -> Self {
        let text = text.into();
        let mut message = Self::new(domain, Kind::Error);
        if text.contains('\n') {
            message.page = text.lines().map(str::to_owned).collect();
        }
        message.printing(text)
    }
}

/// The JSON object of a message: its kind (`"t"`), the fields of its record, and its text. Words belong to
/// lines, and are not written.
impl Serialize for Message {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        if let Some(record) = self.record {
            map.serialize_entry("t", record)?;
        }
        debug_assert!(
            self.words.is_empty() || !self.data.is_empty(),
            "a message with words only has no fields in JSON: {self:?}"
        );
        self.data.write(&mut map)?;
        // A message that has only a page writes the page.
        let is_bare = self.words.is_empty() && self.data.is_empty();
        let only_page = is_bare && !self.page.is_empty();
        let page = || only_page.then(|| self.page.join("\n"));
        let text = self.text.clone().or_else(page);
        if let Some(text) = text.filter(|_| !self.data.has("text")) {
            map.serialize_entry("text", &text)?;
        }
        map.end()
    }
}

/// End of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// Last message, of [`Kind::Done`]; the session adds `id`, `status`, `time` and `nodes`.
    pub done: Message,
    /// Completeness of the answer.
    pub status: Status,
}

#[cfg(test)]
mod tests {
    use super::{Domain, Kind, Message, Value};

    #[test]
    fn json_has_the_record_and_the_text_but_no_words() {
        #[derive(serde::Serialize)]
        struct Times {
            elapsed_ms: u64,
        }
        let message = Message::new(Domain::Spg, Kind::Done).with("time", 2).printing("late");
        let message = message.holding(&Times { elapsed_ms: 3 });
        let text = serde_json::to_string(&message).unwrap();
        assert_eq!(text, r#"{"t":"end","elapsed_ms":3,"text":"late"}"#);
    }

    #[test]
    fn values_read_as_words() {
        let values = [Value::from(1), Value::from("two"), Value::Null, Value::Truth(true)];
        assert_eq!(values.map(|value| value.to_string()), ["1", "two", "-", "true"]);
    }
}
