//! The state of a search: the script of a plan, the board, and the moves.

pub(crate) mod board;
pub(crate) mod moves;
pub(crate) mod script;
