//! The player: analysis of a position, and a comparison of two search configurations.

mod configuration;
mod moves;
mod page;

pub(super) use moves::moves;
pub(super) use page::play;
