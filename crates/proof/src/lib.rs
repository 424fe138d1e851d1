//! Shortest proof games: which games lead from the array to a diagram in so many plies?
//!
//! - [`Problem`]: a [`Diagram`], a number of plies, and how strictly it is meant. [`Census`] counts its
//!   men and refuses what no game can reach.
//! - [`Strategy`]: a [`Route`] of milestones for each [`Man`]; [`project()`] tells which one a game has.
//!   Strategies part the games, so solving is seeking all strategies and playing each of them.
//! - [`seek::seek`] finds all strategies that may have a game, each once, over the distances among men that
//!   never move ([`distance`], [`still`]).
//! - [`analysis`] thinks about one strategy, [`play`] plays all its games or shows that there are none;
//!   [`reading`] reads strategies back.
//! - [`solve::solve`] does both with all workers and comes to a verdict; [`archive`] keeps what is finished,
//!   [`report`] writes it down; [`sheet`] reads problems.
//! - [`verify()`] replays a game by the rules alone; [`twin`] tries every move, slowly.
//!
//! The model is Stelvio 4.0 by Reto Aschwanden; Euclide (E. Dupuis) and Natch (P. Wassong) are the elders.

pub mod analysis;
pub mod archive;
mod bars;
pub mod census;
pub mod condition;
mod diagram;
pub mod distance;
mod man;
pub mod notation;
mod order;
pub mod play;
mod problem;
mod project;
pub mod random;
pub mod reading;
pub mod report;
pub mod retract;
mod route;
mod rules;
pub mod seek;
pub mod sheet;
pub mod solve;
pub mod soundness;
pub mod still;
pub mod strategies;
pub mod strategy;
pub mod twin;
mod value;
mod verify;
mod ways;

pub use census::{Census, Refusal};
pub use condition::Condition;
pub use diagram::{Diagram, UnknownLetter};
pub use man::{Man, MenSet, letter};
pub use problem::{Length, PLIES_MAX, Problem};
pub use project::{IllegalMove, project};
pub use route::{End, NODES_MAX, Node, Route, Wing};
pub use rules::{Rule, Rules, UnknownRule};
pub use strategy::{Contradiction, Strategy};
pub use value::{LIGHT, Value};
pub use verify::{Fault, game_of, san_of, verify};
pub use ways::Ways;
