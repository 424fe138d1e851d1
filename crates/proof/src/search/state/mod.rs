//! State of a search: the script of a plan, the board, and views of it.

pub(crate) mod board;
pub(crate) mod compiled;
pub(crate) mod view;

/// Number that stands for no piece.
pub(crate) const NOBODY: u8 = 32;
/// Square number of pieces that are off the board.
pub(crate) const GONE: u8 = 64;
