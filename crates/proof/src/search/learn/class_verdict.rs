//! Verdicts on promotion classes: strategies that differ only in promotion types (rule A21).

use crate::search::team::searching::SearchingTable;
use umbrail_control::Cancel;

/// What is known of a class of strategies.
#[derive(Clone, Debug)]
pub(crate) enum ClassVerdict {
    /// A player is searching the class.
    InProgress(SharedAttempt),
    /// No strategy of the class has a game.
    Infeasible,
    /// Nothing was shown for the class as a whole.
    Unknown,
}

/// The search of one class by several players.
#[derive(Clone, Debug)]
pub(crate) struct SharedAttempt {
    /// The key of the common strategy in the table.
    pub(crate) number: u64,
    /// The positions that the players are searching.
    pub(crate) searching: SearchingTable,
    /// Raised when one of them is done.
    pub(crate) over: Cancel,
}

impl SharedAttempt {
    /// The attempt of the first player.
    pub(crate) fn new(number: u64, cancel: &Cancel) -> Self {
        Self { number, searching: SearchingTable::default(), over: cancel.child() }
    }
}
