//! Independent checks: the rules of chess alone, an exhaustive twin, a plain enumeration, and random games.

pub(crate) mod piece_moves;
pub(crate) mod plain;
pub(crate) mod random;
pub(crate) mod twin;
pub(crate) mod verify;
