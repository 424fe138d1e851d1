//! JSON records that the session adds to the messages of every task. Times are in milliseconds.

use serde::{Deserialize, Serialize};

/// Start of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskStart {
    /// Number of the task in its session.
    pub id: u64,
}

/// What the session adds to the end of every task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct TaskTotals {
    /// Number of the task in its session.
    pub id: u64,
    /// Completeness of the answer, in one word.
    pub status: &'static str,
    /// Elapsed time, the reading of files included.
    pub elapsed_ms: u64,
    /// Nodes searched, or positions settled.
    pub nodes: u64,
}

/// A sample of the progress of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskProgress {
    /// Elapsed time.
    pub elapsed_ms: u64,
    /// Nodes searched, or positions settled.
    pub nodes: u64,
    /// Parts done, where they are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<u64>,
    /// Number of parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Share of the parts done, 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percent: Option<u64>,
    /// Expected time until the end; missing while nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<u64>,
    /// Parts that wait, or entries of the next layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queued: Option<u64>,
    /// Estimated size of the next layer of a steno.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<u64>,
}
