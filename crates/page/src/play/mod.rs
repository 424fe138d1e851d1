//! The player: live analysis of a game, and a comparison of two search configurations.

mod compare;
mod configuration;
mod engines;
mod game;
mod live;
mod moves;
mod number;
mod page;
mod panels;
mod record;
mod review;
mod rules;
mod tree;

pub(super) use engines::Engines;
pub(super) use game::{game_address, played, read};
pub(super) use live::live;
pub(super) use moves::moves;
pub(super) use page::play;
pub(super) use review::review;
