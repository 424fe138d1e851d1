//! The player: analysis of a position, and two configurations of the search side by side.

mod configuration;
mod page;

pub(super) use page::play;
