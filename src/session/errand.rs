//! Errands: what the three rooms beside the search (endgame tables, proof games, Steno-Chess) are
//! sent to do, and the news they bring back.
//!
//! The grammar is the same everywhere: a domain, a verb, keys with values, and perhaps a last text
//! (`spg solve moves 23.0 max 2`). A [`Room`] declares its verbs and keys once; sessions parse them
//! in [`crate::protocol`], and the command line turns the same table into subcommands and flags.
//!
//! To furnish a room: write `session/<room>.rs` with a `pub const ROOM: Room`, whose [`Room::prepare`]
//! checks the words of an [`Errand`] and turns it into [`Prepared`] work, and add it to [`ROOMS`].
//! Files are read and written by the job only, never while a task is prepared.

use super::desk::Desk;
use super::job::{Stage, Status};
use super::options::Options;
use std::fmt;

/// The subject of an errand; also the first word of its command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Endgame tables.
    Egt,
    /// Shortest proof games.
    Spg,
    /// Steno-Chess.
    Steno,
}

impl Domain {
    /// All domains.
    pub const ALL: [Self; 3] = [Self::Egt, Self::Spg, Self::Steno];

    /// The word that users type.
    pub fn word(self) -> &'static str {
        match self {
            Self::Egt => "egt",
            Self::Spg => "spg",
            Self::Steno => "steno",
        }
    }

    /// The domain of this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|domain| domain.word() == word)
    }

    /// What it is about, in words.
    pub fn about(self) -> &'static str {
        match self {
            Self::Egt => "endgame tables",
            Self::Spg => "shortest proof games",
            Self::Steno => "Steno-Chess",
        }
    }
}

/// One command of a domain, as it was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errand {
    /// What it is about.
    pub domain: Domain,
    /// The declared name of the verb.
    pub verb: &'static str,
    /// Words before the first key (`egt build KQ.KR`).
    pub subject: Vec<String>,
    /// Declared key names with their values, in the order said; a flag's value is empty.
    pub keys: Vec<(&'static str, String)>,
    /// The text behind `text`, or the here-document.
    pub text: Option<String>,
}

impl Errand {
    /// The last value said for this key.
    pub fn key(&self, name: &str) -> Option<&str> {
        self.keys.iter().rev().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }
}

/// How far the value of a key reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// No value: being there is the value.
    Flag,
    /// One word.
    Word,
    /// Up to six words, ending before the next key: a FEN.
    Fen,
    /// All words up to the next key: moves.
    Words,
}

/// A key that a verb knows.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name in sessions; `--name` on the command line.
    pub name: &'static str,
    /// Other spellings.
    pub aliases: &'static [&'static str],
    /// How far its value reaches.
    pub reach: Reach,
    /// One line of help.
    pub help: &'static str,
}

/// A verb of a domain.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// Its word.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// What may stand before the keys, if anything may (`MATERIAL`).
    pub subject: Option<&'static str>,
    /// What the text at the end is, if there may be one (`KING-STRING`).
    pub text: Option<&'static str>,
    /// Without a text, the command line reads it from standard input.
    pub input: bool,
    /// It goes on while the board changes and games are played (building tables), and only an outright
    /// stop ends it.
    pub background: bool,
    /// Its own keys.
    pub keys: &'static [Key],
}

/// Keys that every verb knows; the session itself honours them.
pub const COMMON_KEYS: &[Key] = &[
    Key { name: "time", aliases: &[], reach: Reach::Word, help: "stop after this many ms" },
    Key { name: "threads", aliases: &[], reach: Reach::Word, help: "workers, instead of Threads" },
];

impl Verb {
    /// Its own keys, and the common ones.
    pub fn all_keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().chain(COMMON_KEYS)
    }

    /// The key of this name or alias.
    pub fn key(&self, word: &str) -> Option<&'static Key> {
        self.all_keys().find(|key| key.name == word || key.aliases.contains(&word))
    }
}

/// What a task does once everything it needs is at hand: called once, on the job's thread.
pub type Work = Box<dyn FnOnce(&Stage<'_>) -> Ending + Send>;

/// Reads the files that a task names, on the job's thread; what is wrong with them refuses the task.
pub type Load = Box<dyn FnOnce(&Stage<'_>) -> Result<Work, String> + Send>;

/// The steps of a task on the job's thread.
pub enum Steps {
    /// Everything it needs is at hand.
    Work(Work),
    /// Files have to be read first. The task has begun when that is done.
    Load(Load),
}

/// A task whose words are checked.
pub struct Prepared {
    /// What the job does.
    pub steps: Steps,
    /// The number of workers that its keys ask for; none for the option `Threads`.
    pub workers: Option<usize>,
}

impl Prepared {
    /// A task that needs no file.
    pub fn work(work: impl FnOnce(&Stage<'_>) -> Ending + Send + 'static) -> Self {
        Self { steps: Steps::Work(Box::new(work)), workers: None }
    }

    /// A task that reads files first.
    pub fn load(load: impl FnOnce(&Stage<'_>) -> Result<Work, String> + Send + 'static) -> Self {
        Self { steps: Steps::Load(Box::new(load)), workers: None }
    }
}

impl From<Work> for Prepared {
    fn from(work: Work) -> Self {
        Self { steps: Steps::Work(work), workers: None }
    }
}

/// What a task may look at; a copy, which a job can take with it.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The options as they are now.
    pub options: Options,
    /// What lies on the table: the diagram, the game, and what outlives games.
    pub desk: Desk,
    /// Somebody looks at pictures of the work.
    pub watched: bool,
}

/// One domain that is built into this version.
#[derive(Clone, Copy)]
pub struct Room {
    /// What it is about.
    pub domain: Domain,
    /// Its verbs.
    pub verbs: &'static [Verb],
    /// Checks the words of a task, or says what is wrong with them; reads no file.
    pub prepare: fn(&Errand, &Surroundings) -> Result<Prepared, String>,
    /// The errand that `go` means for the diagram on the board when the option `Solver` names this
    /// domain.
    pub from_board: fn(&Surroundings) -> Result<Errand, String>,
}

impl Room {
    /// The verb of this name.
    pub fn verb(&self, word: &str) -> Option<&'static Verb> {
        self.verbs.iter().find(|verb| verb.name == word)
    }
}

/// The rooms that are furnished.
pub const ROOMS: &[Room] = &[super::egt::ROOM, super::spg::ROOM, super::steno::ROOM];

/// The room of a domain, if it is furnished.
pub fn room(rooms: &'static [Room], domain: Domain) -> Option<&'static Room> {
    rooms.iter().find(|room| room.domain == domain)
}

/// What kind of news it is; the word is the same in every protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The errand has begun.
    Start,
    /// A look at the gauges.
    Progress,
    /// How it goes about it, which is worth knowing beside what is found: a file that is read, say. It stays out
    /// of answers that other programs read.
    Note,
    /// Something found.
    Result,
    /// The errand has ended; said exactly once.
    Done,
    /// The errand was refused or failed; nothing follows.
    Error,
}

impl Kind {
    /// Its word.
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

/// A value in news.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing is known.
    Null,
    /// True or false.
    Truth(bool),
    /// A whole number.
    Number(i64),
    /// A number as it is written: too large for [`Value::Number`], or with decimals.
    Digits(String),
    /// Text.
    Text(String),
    /// Several values.
    List(Vec<Value>),
    /// Named values.
    Record(Vec<(String, Value)>),
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
            Self::List(values) => {
                for (index, value) in values.iter().enumerate() {
                    write!(f, "{}{value}", if index > 0 { " " } else { "" })?;
                }
                Ok(())
            }
            Self::Record(fields) => {
                for (index, (name, value)) in fields.iter().enumerate() {
                    write!(f, "{}{name} {value}", if index > 0 { " " } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

/// One piece of news from an errand, ready to be said by any protocol.
#[derive(Clone, Debug, PartialEq)]
pub struct News {
    /// Which domain it comes from.
    pub domain: Domain,
    /// What kind of news it is.
    pub kind: Kind,
    /// Keys and values that every voice says.
    pub words: Vec<(&'static str, Value)>,
    /// The rest of the line, for voices that speak lines.
    pub text: Option<String>,
    /// The kind of the JSON object (`"t"`); without it the object has no `"t"`, and news that is
    /// [`Kind::Done`] is not said in JSON at all.
    pub record: Option<&'static str>,
    /// Keys and values that only JSON says.
    pub data: Vec<(&'static str, Value)>,
    /// What a person at a terminal reads instead of the line.
    pub page: Vec<String>,
}

impl News {
    /// News with nothing in it yet.
    pub fn new(domain: Domain, kind: Kind) -> Self {
        let record = Some(match kind {
            Kind::Done => "end",
            other => other.word(),
        });
        Self { domain, kind, words: vec![], text: None, record, data: vec![], page: vec![] }
    }

    /// Adds a key and its value.
    pub fn with(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.words.push((key, value.into()));
        self
    }

    /// Adds the text at the end of the line.
    pub fn saying(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// An errand that was refused or failed. A text of several lines is shown as such where there is a
    /// page.
    pub fn error(domain: Domain, text: impl Into<String>) -> Self {
        let text = text.into();
        let mut news = Self::new(domain, Kind::Error);
        if text.contains('\n') {
            news.page = text.lines().map(str::to_owned).collect();
        }
        news.saying(text)
    }
}

/// How an errand ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// The last news, of [`Kind::Done`]; the session adds `id`, `status`, `time` and `nodes`.
    pub done: News,
    /// Whether everything asked for was answered.
    pub status: Status,
}

#[cfg(test)]
mod tests {
    use super::{Domain, Value};

    #[test]
    fn every_domain_is_found_by_its_word() {
        for domain in Domain::ALL {
            assert_eq!(Domain::from_word(domain.word()), Some(domain));
        }
        assert_eq!(Domain::from_word("uci"), None);
    }

    #[test]
    fn values_read_as_words() {
        let list = Value::List(vec![Value::from(1), Value::from("two"), Value::Null]);
        let record = Value::Record(vec![("max".into(), list), ("ok".into(), Value::Truth(true))]);
        assert_eq!(record.to_string(), "max 1 two - ok true");
    }
}
