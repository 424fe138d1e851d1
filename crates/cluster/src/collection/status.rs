//! Reports of a collection.

use crate::audits::AuditTotals;
use crate::presence::WorkerReport;
use std::time::Duration;

/// Status of a run in its collector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionStatus {
    /// Number of units with a result, and number of known units without one.
    pub units: (u64, u64),
    /// Number of finished parts, and of all parts if known.
    pub parts: (u64, Option<u64>),
    /// Number of waiting and of running units.
    pub queue: (u64, u64),
    /// Number of results since the last status.
    pub rate: u64,
    /// Number of units that a second worker confirmed.
    pub audited: u64,
    /// Time since the collector started.
    pub elapsed: Duration,
    /// Workers that report to the run.
    pub workers: Vec<WorkerReport>,
}

/// Report of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectionEvent {
    /// Units wait, and no worker takes them.
    NoWorker,
    /// A worker sent a damaged result, which was discarded.
    Damaged {
        /// The worker.
        worker: String,
        /// The damage.
        why: String,
    },
    /// Nothing has been received for half a minute, and the server reports this error.
    Stalled {
        /// Error of the server.
        why: String,
    },
    /// Status, once a second.
    Status(CollectionStatus),
}

/// End of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionEnd {
    /// Contradictions, or the closing by another program; the first one ends a collection.
    pub faults: Vec<String>,
    /// The run is over: finished, enough is known, or there was a fault.
    pub is_over: bool,
    /// Extent of the audits.
    pub audits: AuditTotals,
}
