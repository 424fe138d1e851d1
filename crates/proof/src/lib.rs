//! Shortest proof games: which games lead from the array to a diagram in a given number of plies?
//!
//! - A [`Problem`] is a [`Diagram`], a number of plies, and how strictly that number is meant;
//!   [`Retraction`] adds last moves that are taken back first.
//! - [`run::solve`] finds all its games, or proves that there are none; a [`run::RunMonitor`] shows
//!   the run while it works.
//! - A [`Strategy`] says where each [`PieceId`] captures, promotes, castles and ends; [`project`] gives
//!   the strategy of a game, an [`Explainer`] says what becomes of one, and a [`Condition`] selects
//!   some. [`Rules`] switch the deductions.
//! - [`files`]: problem sheets, archives of runs, strategy files. [`report`]: results as text, PGN,
//!   LaTeX and HTML. [`verify`] replays a game by the rules of chess alone.
//!
//! ```
//! use std::time::Instant;
//! use umbrail_chess::geometry::Setup;
//! use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
//! use umbrail_proof::run::{Params, Persistence, RunControl, solve};
//! use umbrail_proof::{Diagram, Length, Problem, report};
//!
//! let setup: Setup = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR".parse()?;
//! let problem = Problem { diagram: Diagram::from_setup(&setup)?, plies: 3, length: Length::Exact };
//!
//! let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
//! let pool = Pool::new(1)?;
//! let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {});
//! let (run_control, persistence) = (RunControl::default(), Persistence::default());
//! let found = solve(&problem, &Params::default(), &run_control, persistence, &control);
//!
//! let games: Vec<_> = found.games().map(|(_, game)| report::text::numbered(game, 'S')).collect();
//! assert_eq!((found.is_complete(), games), (true, vec!["1. e4 e5 2. Ke2".to_owned()]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Strategies partition the games, so a problem is solved by enumerating all strategies and searching
//! each of them. Inside, from the bottom up:
//!
//! | module | what |
//! |---|---|
//! | `problem` | diagrams, men, the census that refuses diagrams that no game can reach |
//! | `distance` | how many moves a man needs from square to square among obstacles that last |
//! | `strategy` | routes of milestones, their notation, conditions on them |
//! | `enumerate` | all strategies that may have a game, each once |
//! | `analyse` | deductions about one strategy before it is searched |
//! | `search` | all games of one strategy, or the proof that there are none |
//! | `run` | a problem solved with all workers, and the verdict |
//! | [`units`] | the same as units of work, for other processes and machines |
//! | [`positions`] | another solver: exact numbers of games from any position, without strategies |
//! | [`recount`] | an archive compared with its tree, and strategies searched again |
//! | `choice` | which of the two solvers works on a problem |
//! | `check`, `soundness` | an exhaustive twin, a plain enumeration, random games; tests that no deduction loses a known game |
//!
//! The model is Stelvio 4.0 by Reto Aschwanden; its predecessors are Euclide (E. Dupuis) and Natch
//! (P. Wassong).

mod analyse;
mod check;
mod choice;
mod distance;
mod enumerate;
mod explain;
pub mod files;
pub mod legality;
pub mod positions;
mod problem;
pub mod recount;
pub mod report;
mod rules;
pub mod run;
mod search;
mod soundness;
mod strategy;
pub mod units;

pub use analyse::{Effort, StrategyRefutation};
pub use check::verify::{GameFault, game_of, san_from, san_of, verify};
pub use choice::{SolverEstimate, SolverPlan};
pub use enumerate::NodeRefutation;
pub use explain::{Explainer, StrategyFacts};
pub use problem::castling::Wing;
pub use problem::census::Refusal;
pub use problem::diagram::{Diagram, UnknownLetter};
pub use problem::piece::{PieceId, letter};
pub use problem::retraction::{EarlierProblem, Retraction, earlier};
pub use problem::{Length, PLIES_MAX, Problem};
pub use rules::{Rule, Rules, UnknownRule};
pub use search::PlayResult;
pub use strategy::condition::{Condition, SyntaxError};
pub use strategy::projection::{IllegalMove, project};
pub use strategy::reading::ReadError;
pub use strategy::waypoints::Waypoints;
pub use strategy::{Contradiction, Strategy};

/// For the tests and examples of this crate; no part of its interface, and free to change.
#[doc(hidden)]
pub mod internals {
    pub use crate::check::random::{GameStyle, STYLES, SplitMix, random_game};
    pub use crate::check::twin::all_games;
    pub use crate::enumerate::{AllClaims, EnumerationOptions, enumerate_strategies, follow};
    pub use crate::search::{RefutationTable, SearchOptions, StrategySearcher};
    pub use crate::soundness::{CheckLimits, CheckOutcome, CheckStage, check, rule_sets};
}
