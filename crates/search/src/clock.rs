//! Game clock, and the time of one move.

use std::time::Duration;

/// State of the own game clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Time left.
    pub left: Duration,
    /// Largest time that this clock has shown in this game: the time at the start.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control; none if there is no control.
    pub moves_to_go: Option<u32>,
}

/// Limits of one move, counted from the start of its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeBudget {
    /// No new iteration starts after this, times the scale of [`TimeBudget::is_spent`].
    pub soft: Duration,
    /// The search stops at this time.
    pub hard: Duration,
    /// True if the soft limit is scaled; false for a fixed time per move.
    pub(super) flexible: bool,
}
