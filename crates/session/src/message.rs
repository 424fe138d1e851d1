//! Messages of a task: keys and values, which every protocol can write.

use super::domain::Domain;
use super::record_fields::RecordFields;
use super::status::Status;
use serde::Serialize;
use serde::ser::{Error, SerializeMap, Serializer};
use serde_json::value::RawValue;
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

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => to.serialize_none(),
            Self::Truth(truth) => to.serialize_bool(*truth),
            Self::Number(number) => to.serialize_i64(*number),
            Self::Digits(digits) => {
                RawValue::from_string(digits.clone()).map_err(S::Error::custom)?.serialize(to)
            }
            Self::Text(text) => to.serialize_str(text),
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
    /// Keys and values that every dialect writes.
    pub words: Vec<(&'static str, Value)>,
    /// Rest of the line, for dialects that write lines.
    pub text: Option<String>,
    /// Kind of the JSON object (`"t"`). Without it the object has no `"t"`, and a [`Kind::Done`]
    /// message is not written in JSON.
    pub record: Option<&'static str>,
    /// Fields of the typed record that only the JSON dialect writes. They replace words of the same name.
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

/// Returns the name that a word has in JSON. Lines have short words, as UCI does; names in JSON
/// contain the unit and are the same in all records.
fn json_name(word: &'static str) -> &'static str {
    match word {
        "time" => "elapsed_ms",
        "confirmed-units" => "confirmed_units",
        "confirmed-strategies" => "confirmed_strategies",
        "endgame" | "table" => "material",
        "kind" => "metric",
        "dtx" => "plies",
        // As a word, `moves` is a length; lists of moves are data.
        "moves" => "length_moves",
        "white" => "white_plies",
        "black" => "black_plies",
        other => other,
    }
}

/// The JSON object of a message: its kind (`"t"`), all keys and values, and its text.
impl Serialize for Message {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        if let Some(record) = self.record {
            map.serialize_entry("t", record)?;
        }
        for (word, value) in &self.words {
            let name = json_name(word);
            // The data of a problem has its own time, which excludes the reading of files.
            if !self.data.has(name) {
                map.serialize_entry(name, value)?;
            }
        }
        self.data.write(&mut map)?;
        // A message that has only a page writes the page.
        let is_bare = self.words.is_empty() && self.data.is_empty();
        let only_page = is_bare && !self.page.is_empty();
        let page = || only_page.then(|| self.page.join("\n"));
        let text = self.text.clone().or_else(page);
        let has_text = self.data.has("text") || self.words.iter().any(|(word, _)| *word == "text");
        if let Some(text) = text.filter(|_| !has_text) {
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
    fn no_name_is_written_twice() {
        #[derive(serde::Serialize)]
        struct Times {
            elapsed_ms: u64,
        }
        let message = Message::new(Domain::Spg, Kind::Done).with("time", 2).with("dtx", 1);
        let message = message.holding(&Times { elapsed_ms: 3 });
        let text = serde_json::to_string(&message).unwrap();
        assert_eq!(text, r#"{"t":"end","plies":1,"elapsed_ms":3}"#);
    }

    #[test]
    fn values_read_as_words() {
        let values = [Value::from(1), Value::from("two"), Value::Null, Value::Truth(true)];
        assert_eq!(values.map(|value| value.to_string()), ["1", "two", "-", "true"]);
    }
}
