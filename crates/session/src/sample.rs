//! Sample of the progress counters of a job.

use std::time::Duration;
use umbrail_control::{Clock, Progress};

/// A sample of the progress counters of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Time since the line of the command was received.
    pub time: Duration,
    /// Work done, in the solver's unit.
    pub nodes: u64,
    /// Number of parts done; 0, like `total`, when unknown.
    pub done: u64,
    /// Number of parts expected.
    pub total: u64,
    /// Expected time until the end, in milliseconds; 0 when unknown.
    pub left_ms: u64,
    /// Number of items in a queue.
    pub queued: u64,
    /// Memory use in thousandths.
    pub fullness: u64,
    /// Number of probes answered by an endgame table.
    pub table_hits: u64,
}

impl Sample {
    /// Samples the counters now.
    pub fn take(progress: &Progress, clock: &Clock) -> Self {
        Self {
            time: clock.elapsed(),
            nodes: progress.nodes.get(),
            done: progress.done.get(),
            total: progress.total.get(),
            left_ms: progress.left_ms.get(),
            queued: progress.queued.get(),
            fullness: progress.fullness.get(),
            table_hits: progress.table_hits.get(),
        }
    }

    /// Returns the work done per second.
    pub fn rate(&self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

/// Returns a count per second.
pub fn per_second(count: u64, time: Duration) -> u64 {
    let per = u128::from(count) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(per).unwrap_or(u64::MAX)
}
