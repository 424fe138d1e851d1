//! Progress of building an endgame table.

use std::time::Duration;

/// Report of the builder of a table that a game waits for.
#[derive(Clone, Debug)]
pub enum BuildProgress {
    /// A row of statistics.
    Row(BuildRow),
    /// The table can be probed, though the job has not ended.
    Ready,
}

/// A row of building statistics.
#[derive(Clone, Debug)]
pub struct BuildRow {
    /// Time since the build began.
    pub time: Duration,
    /// Positions with a known result so far.
    pub settled: u64,
    /// `12.` lost, won and time, separated by tabs; or the name of the table whose build starts.
    pub text: String,
}
