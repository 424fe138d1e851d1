//! A node of the search as relaxations see it.

use crate::search::bound::MoveBound;
use crate::search::state::board::SearchBoard;

/// A position with its bound and the plies left; at the root these are the array and all plies.
#[derive(Clone, Copy)]
pub(crate) struct SearchNode<'a> {
    pub(crate) board: &'a SearchBoard,
    pub(crate) bound: &'a MoveBound,
    pub(crate) plies: u16,
}
