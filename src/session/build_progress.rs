//! How far the building of an endgame table is.

use std::time::Duration;

/// What the builder of a table that a game waits for tells the session.
#[derive(Clone, Debug)]
pub enum BuildProgress {
    /// A row of statistics.
    Row(BuildRow),
    /// The table can be asked, though the job has not ended.
    Ready,
}

/// A row of building statistics.
#[derive(Clone, Debug)]
pub struct BuildRow {
    /// Time since the build began.
    pub time: Duration,
    /// Positions settled so far.
    pub settled: u64,
    /// `12.` lost, won and time, with tabs between; or the name of the table that is begun.
    pub text: String,
}
