//! Shortest proof games: which games lead from the array to a diagram in a given number of plies?
//!
//! The modules, from the bottom up:
//!
//! - [`problem`]: a [`Problem`] is a [`Diagram`], a number of plies, and how strictly that number
//!   is meant; [`Census`] counts its men and refuses diagrams that no game can reach.
//! - [`distance`]: how many moves a man needs from square to square among obstacles that last.
//! - [`strategy`]: a [`Strategy`] is a [`Route`] of milestones for each [`Man`]; [`project()`]
//!   gives the strategy of a game. Strategies partition the games, so a problem is solved by
//!   enumerating all strategies and searching each of them.
//! - [`enumerate`]: all strategies that may have a game, each once.
//! - [`analyse`]: deductions about one strategy before it is searched.
//! - [`search`]: all games of one strategy, or the proof that there are none.
//! - [`run`]: a problem solved with all workers, and the verdict.
//! - [`files`]: problem sheets, archives of runs, strategy files.
//! - [`report`]: results as text, PGN, LaTeX and HTML.
//! - [`check`]: replay by the rules of chess alone, an exhaustive twin, random games.
//! - [`soundness`]: tests that no deduction loses a known game.
//!
//! The model is Stelvio 4.0 by Reto Aschwanden; its predecessors are Euclide (E. Dupuis) and Natch
//! (P. Wassong).

pub mod analyse;
pub mod check;
pub mod distance;
pub mod enumerate;
mod fast_map;
pub mod files;
pub mod problem;
pub mod report;
mod rules;
pub mod run;
pub mod search;
pub mod soundness;
pub mod strategy;

pub use check::verify::{GameFault, game_of, san_of, verify};
pub use problem::castling::Wing;
pub use problem::census::{Census, Refusal};
pub use problem::diagram::{Diagram, UnknownLetter};
pub use problem::man::{Man, MenSet, letter};
pub use problem::value::{LIGHT, PartitionValue};
pub use problem::{Length, PLIES_MAX, Problem};
pub use rules::{Rule, Rules, UnknownRule};
pub use strategy::condition::Condition;
pub use strategy::projection::{IllegalMove, project};
pub use strategy::route::{End, MILESTONES_MAX, Milestone, Route};
pub use strategy::waypoints::Waypoints;
pub use strategy::{Contradiction, Strategy};
