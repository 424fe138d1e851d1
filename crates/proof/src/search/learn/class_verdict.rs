//! What is known of strategies that differ only in promotion types (rule A21).

use crate::search::team::searching::SearchingTable;
use umbrail_control::Cancel;

/// What is known of strategies that differ in nothing but kinds.
#[derive(Clone, Debug)]
pub(crate) enum ClassVerdict {
    /// Somebody tries them.
    InProgress(SharedAttempt),
    /// None of them has a game.
    Infeasible,
    /// Nothing can be said of all of them.
    Unknown,
}

/// Players who try the same strategies together.
#[derive(Clone, Debug)]
pub(crate) struct SharedAttempt {
    /// The number of the common strategy in the table.
    pub(crate) number: u64,
    /// Where they are.
    pub(crate) searching: SearchingTable,
    /// Raised when one of them is done.
    pub(crate) over: Cancel,
}

impl SharedAttempt {
    /// The first one's.
    pub(crate) fn new(number: u64, cancel: &Cancel) -> Self {
        Self { number, searching: SearchingTable::default(), over: cancel.child() }
    }
}
