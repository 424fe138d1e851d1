//! Queue and results of a run, as its collector sees them.

use crate::presence::WorkerReport;
use std::collections::BTreeSet;

/// Reason for queuing a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publication<'a> {
    /// For the first time, as far as this collector knows; an earlier one may have queued the unit,
    /// and then it stays in the queue once.
    First,
    /// Again, since no worker has the unit.
    Again,
    /// To be repeated by a worker other than these, without a division.
    Audit(&'a BTreeSet<String>),
}

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
    /// A worker failed at the unit.
    Failed {
        /// Text of the unit.
        unit: String,
        /// Reason of the failure.
        why: String,
        /// No other worker can do better, for example because the result is too long.
        is_final: bool,
    },
}

/// Message about a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultMessage {
    /// Worker that sent the message.
    pub worker: String,
    /// Identifier of the unit, as the server has it.
    pub unit_id: String,
    /// Number of the message, to discard it.
    pub number: u64,
    /// Contents of the message.
    pub outcome: UnitOutcome,
}

/// Queue and results of a run on a server.
pub trait RunQueue {
    /// Queues a unit. Returns false if the queue is full or the server is unavailable.
    fn publish(&mut self, unit: &str, publication: Publication<'_>) -> bool;

    /// Returns the results since the last call, oldest first, after a short wait if necessary.
    fn results(&mut self) -> Vec<ResultMessage>;

    /// Returns the numbers of waiting and of running units; none while the server is unavailable
    /// or has lost the run.
    fn queue(&self) -> Option<(u64, u64)>;

    /// Recreates whatever a server lost: queue, results, and the record of the run.
    fn repair(&mut self, is_over: &dyn Fn() -> bool);

    /// Lets [`results`](Self::results) return all results again: the server may have lost some and
    /// reused their numbers.
    fn read_again(&mut self);

    /// Deletes the message with this number, so that the unit can have another result.
    fn discard(&mut self, number: u64);

    /// Returns true if the run was closed by another program.
    fn is_closed(&self) -> bool;

    /// Returns the workers that report to the run.
    fn workers(&self) -> Vec<WorkerReport>;

    /// Returns the last error of the server.
    fn error(&self) -> Option<String>;
}
