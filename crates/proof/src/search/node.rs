//! A node of the search in the form that relaxations use, and the effort spent on it.

use crate::search::bound::MoveBound;
use crate::search::state::board::SearchBoard;

/// A position with its bound and the plies left; at the root, the initial position and all plies.
#[derive(Clone, Copy)]
pub(crate) struct SearchNode<'a> {
    pub(crate) board: &'a SearchBoard,
    pub(crate) bound: &'a MoveBound,
    pub(crate) plies: u16,
}

/// Effort of a search when a node was refuted, in moves.
#[derive(Clone, Copy)]
pub(crate) struct SearchEffort {
    /// Moves of the search so far.
    pub(crate) played: u64,
    /// Moves below the refuted node.
    pub(crate) below: u64,
}
