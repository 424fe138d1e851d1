//! Fairy conditions, as Popeye 4.104 plays them: one file for each family.
//!
//! A file has the definition, its source, the state that the condition uses, and what the bounds may
//! assume. `registry` builds a condition from its name.

mod alice;
mod anticirce;
mod back_home;
mod board_pattern;
mod cage_circe;
mod captures;
mod checks;
mod circe;
mod color_change;
mod contact;
mod danger_circe;
mod game;
mod influencer;
mod kind_change;
mod kings;
mod late_circe;
mod losses;
mod make_take;
mod masand;
mod movement;
mod must_capture;
mod neutral;
mod order;
mod paralysis;
mod rebirth;
mod registry;
mod rokagogo;
mod series_capture;
mod squares;
mod super_transmuting;

pub(crate) use neutral::{Anda, Neutral};
pub(crate) use registry::{ArrayChange, Built, build};
pub(crate) use squares::imitator_ends_on;
