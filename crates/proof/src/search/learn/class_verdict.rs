//! Verdicts on promotion classes: strategies that differ only in promotion types (rule A21).

use crate::search::searching_table::SearchingTable;
use umbrail_control::Cancel;

/// State of a class of strategies.
#[derive(Clone, Debug)]
pub(crate) enum ClassVerdict {
    /// A player is searching the class.
    InProgress(SharedAttempt),
    /// No strategy of the class has a game.
    Infeasible,
    /// Nothing is known of the class as a whole.
    Unknown,
}

/// Search of one class by several players.
#[derive(Clone, Debug)]
pub(crate) struct SharedAttempt {
    /// Key of the common strategy in the table.
    pub(crate) number: u64,
    /// Positions that the players are searching.
    pub(crate) searching: SearchingTable,
    /// Raised when one player is done.
    pub(crate) over: Cancel,
}

impl SharedAttempt {
    /// Creates the attempt of the first player.
    pub(crate) fn new(number: u64, cancel: &Cancel) -> Self {
        Self { number, searching: SearchingTable::default(), over: cancel.child() }
    }
}
