//! The player: analysis of a position, and two configurations of the search side by side.

mod configuration;
mod moves;
mod page;

pub(super) use moves::moves;
pub(super) use page::play;
