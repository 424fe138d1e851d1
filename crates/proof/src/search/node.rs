//! A node of the search as relaxations see it, and the effort spent on it.

use crate::search::bound::MoveBound;
use crate::search::state::board::SearchBoard;

/// A position with its bound and the plies left; at the root these are the array and all plies.
#[derive(Clone, Copy)]
pub(crate) struct SearchNode<'a> {
    pub(crate) board: &'a SearchBoard,
    pub(crate) bound: &'a MoveBound,
    pub(crate) plies: u16,
}

/// The effort of a search when a node was refuted, in moves.
#[derive(Clone, Copy)]
pub(crate) struct SearchEffort {
    /// Moves of the search so far.
    pub(crate) played: u64,
    /// Moves below the refuted node.
    pub(crate) below: u64,
}
