//! The state of a search: the script of a plan, the board, and the moves.

pub(crate) mod board;
pub(crate) mod moves;
pub(crate) mod script;

/// No man.
pub(crate) const NOBODY: u8 = 32;
/// The square of men that are gone.
pub(crate) const GONE: u8 = 64;
