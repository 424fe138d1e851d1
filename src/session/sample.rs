//! A reading of the gauges of a job.

use crate::control::{Clock, Progress};
use std::time::Duration;

/// A look at the gauges of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Time since its line was heard.
    pub time: Duration,
    /// Work done, in the solver's own unit.
    pub nodes: u64,
    /// Parts done and expected; 0 and 0 when that is not known.
    pub done: u64,
    /// See `done`.
    pub total: u64,
    /// Things waiting in a queue.
    pub queued: u64,
    /// Fullness of the memory in thousandths.
    pub fullness: u64,
    /// Probes answered by an endgame table.
    pub table_hits: u64,
}

impl Sample {
    /// Reads the gauges now.
    pub fn take(progress: &Progress, clock: &Clock) -> Self {
        Self {
            time: clock.elapsed(),
            nodes: progress.nodes.get(),
            done: progress.done.get(),
            total: progress.total.get(),
            queued: progress.queued.get(),
            fullness: progress.fullness.get(),
            table_hits: progress.table_hits.get(),
        }
    }

    /// Work done per second.
    pub fn rate(&self) -> u64 {
        per_second(self.nodes, self.time)
    }
}

/// How many per second this is.
pub fn per_second(count: u64, time: Duration) -> u64 {
    let per = u128::from(count) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(per).unwrap_or(u64::MAX)
}
