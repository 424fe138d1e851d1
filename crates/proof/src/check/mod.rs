//! Independent checks: the rules of chess alone, an exhaustive twin, and random games.

pub mod random;
pub mod twin;
pub(crate) mod verify;
