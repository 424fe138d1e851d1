//! Queue and results of a run, as its collector sees them.

/// Contents of a message about a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitOutcome {
    /// Result of a unit, or the second result of an audited unit.
    Done {
        /// Text of the result.
        text: String,
        /// True for the second result.
        audit: bool,
    },
    /// The unit was given up: workers failed at it or disappeared.
    Failed {
        /// Text of the unit.
        unit: String,
        /// Reason of the failure.
        why: String,
    },
}

/// Message about a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultMessage {
    /// Worker that sent the message.
    pub worker: String,
    /// Contents of the message.
    pub outcome: UnitOutcome,
}

/// Queue and results of a run on a server.
pub trait RunQueue {
    /// Queues a unit. With `first`, a worker other than `first` is to run it. Returns false if the
    /// queue is full or the server is unavailable.
    fn publish(&mut self, unit: &str, first: Option<&str>) -> bool;

    /// Returns the results since the last call, oldest first, after a short wait if necessary.
    fn results(&mut self) -> Vec<ResultMessage>;

    /// Returns the numbers of waiting and of running units; none while the server is unavailable
    /// or has lost the run.
    fn queue(&self) -> Option<(u64, u64)>;

    /// Recreates the queue and the results after a server lost them.
    fn repair(&mut self, is_over: &dyn Fn() -> bool);
}
