//! Types of the JSON records of tasks. Tasks write them, and the local page and tests read them. A record is one
//! line of the JSON dialect with its kind in `"t"`. `umbrail_protocol::records` has the records of the conversation.
//!
//! `docs/json.md` lists all fields. A type does not name every key of its record: further keys are
//! ignored, and an alias is the name of a key in logs of earlier builds. Times are in milliseconds; turns, plies and games are numbered from 1, unless a field states otherwise.

pub mod cluster;
pub mod egt;
pub mod spg;
pub mod spg_counted;
pub mod spg_legal;
pub mod steno;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use umbrail_session::domain::Domain;
use umbrail_session::message::{Kind, Message};

/// Records of one kind.
pub trait TaskRecord: DeserializeOwned + Serialize {
    /// Kind of the records (`"t"`); empty if they have none.
    const KIND: &'static str;
}

/// Returns the message that holds a record of this kind.
pub(crate) fn message<R: TaskRecord>(domain: Domain, kind: Kind, record: &R) -> Message {
    Message { record: Some(R::KIND), ..Message::new(domain, kind) }.holding(record)
}

/// States the kind of the records of each type.
macro_rules! kinds {
    ($($record:ty => $kind:literal),* $(,)?) => {
        $(impl $crate::records::TaskRecord for $record {
            const KIND: &'static str = $kind;
        })*
    };
}
use kinds;

kinds! {
    TaskEnd => "end",
    ErrorRecord => "error",
    NoteRecord => "note",
}

/// End of any task. Each task adds keys of its own: [`egt::NeedEnd`], [`egt::ProbeEnd`],
/// [`spg::SheetEnd`], [`spg::SpgVerdict`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskEnd {
    /// Number of the task in its session.
    pub id: u64,
    /// Completeness of the answer.
    pub status: StatusWord,
    /// Elapsed time.
    #[serde(alias = "time")]
    pub elapsed_ms: u64,
    /// Nodes searched, or positions settled.
    pub nodes: u64,
    /// The answer in words.
    pub text: Option<String>,
    /// Processor time of all threads, where the system reports it.
    pub processor_ms: Option<u64>,
}

/// Processor time of a task, in its end.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct ProcessorTime {
    /// Processor time of all threads.
    pub processor_ms: u64,
}

/// Completeness of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StatusWord {
    /// The whole request was answered.
    Complete,
    /// The task was stopped.
    Stopped,
    /// A limit was reached.
    Limit,
    /// The task was refused or has failed.
    #[default]
    Error,
}

impl StatusWord {
    /// Returns true for a task that ended before its answer was complete, without a fault.
    pub fn is_early(self) -> bool {
        matches!(self, Self::Stopped | Self::Limit)
    }
}

/// Task that was refused, or has failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ErrorRecord {
    /// The reason.
    pub text: String,
}

/// Note on the method of a task.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NoteRecord {
    /// The note.
    pub text: String,
}

#[cfg(test)]
mod tests;
