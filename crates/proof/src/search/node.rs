//! A node of the search as relaxations see it.

use crate::search::bound::MoveBound;
use crate::search::state::board::SearchBoard;

/// The array of a strategy: where everybody stands, what is needed, and all plies.
#[derive(Clone, Copy)]
pub(crate) struct SearchNode<'a> {
    pub(crate) board: &'a SearchBoard,
    pub(crate) bound: &'a MoveBound,
    pub(crate) plies: u16,
}
