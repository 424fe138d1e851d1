//! Alpha-beta search for orthodox chess and Chess960.
//!
//! [`solve`] takes a [`SearchRequest`] (position, game history, limits), the [`SearchParams`] and a
//! [`Control`](umbrail_control::Control). It reports [`SearchInfo`] while it runs and returns one
//! [`SearchAnswer`]. An [`Engine`] keeps the transposition table and the histories from one search
//! to the next.
//!
//! ```
//! use std::time::Instant;
//! use umbrail_chess::{Position, to_uci};
//! use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
//! use umbrail_search::{Engine, Limits, Score, SearchParams, SearchRequest, solve};
//!
//! let position = Position::try_from(&"6k1/5ppp/8/8/8/8/8/R6K w - - 0 1".parse().unwrap()).unwrap();
//! let limits = Limits { depth: Some(4), ..Limits::default() };
//! let request = SearchRequest { position, history: vec![], limits, root_moves: None, multipv: 1 };
//! let (clock, progress, pool) = (Clock::started(Instant::now()), Progress::default(), Pool::new(1).unwrap());
//! let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {});
//! let answer = solve(&Engine::new(1), &request, &SearchParams::default(), &control);
//! assert_eq!(to_uci(&request.position, answer.best.unwrap(), false), "a1a8");
//! assert_eq!(answer.line.unwrap().score, Score::Mate(1));
//! ```
//!
//! # Modules
//!
//! | module | purpose |
//! |---|---|
//! | `solve`, `engine`, `parallel` | entry; state kept between searches; lazy SMP |
//! | `root` | iterative deepening and aspiration |
//! | `worker` | state of one search thread: search stack, path, node counter |
//! | `node` | principal variation search with extensions |
//! | `quiesce` | quiescence |
//! | `pruning` | null move, reverse futility, razoring, probcut |
//! | `movepick` | move ordering: stages, killers |
//! | `history` | butterfly, continuation, capture and correction histories |
//! | `tt` | transposition table |
//! | `reductions`, `policy` | late-move reductions; the ten experiments XP1 to XP10 |
//! | `time` | time management: limits of a move, time of a game |
//! | `mate` | exact proof of mates |
//! | `handicap` | limited strength |
//! | `sources` | opening books, experience file, Syzygy tables |
//! | `evaluate`, `network` | static evaluation: hand-written, or a neural network |
//!
//! `docs/search.md` names the idea and the source of each.

pub mod bench;
mod clock;
mod constants;
mod engine;
mod evaluate;
mod handicap;
mod history;
mod limits;
mod mate;
mod movepick;
mod network;
mod node;
mod parallel;
mod policy;
mod pruning;
mod quiesce;
mod reductions;
mod root;
mod score;
mod score_pair;
mod solve;
mod sources;
mod statistics;
mod time;
mod tt;
mod vote;
mod win_model;
mod worker;

pub use clock::GameClock;
pub use constants::{CONSTANTS, Constant, ConstantsError, SearchConstants};
pub use engine::Engine;
pub use evaluate::evaluate;
pub use limits::{ELO_MAX, ELO_MIN, Limits, SearchParams, SearchRequest};
pub use network::{Kernel, Network, NetworkError, NetworkWeights};
pub use policy::{EXPERIMENTS, Experiment, Experiments};
pub use score::{Bound, PLY_MAX, Score};
pub use solve::solve;
pub use sources::{ReadFile, SourceError, Sources};
pub use statistics::SearchStatistics;
pub use win_model::{WIN_MODEL, WinModel, material};

/// Features of both evaluations, for training. They change with the evaluation, also between
/// versions that are otherwise compatible.
///
/// The hand-written evaluation is a sum of [`COUNT`](features::COUNT) counted features, each with a
/// pair of weights. The network reads [`INPUTS`](features::INPUTS) inputs for each king bucket. Its
/// weights are integers: a unit of the first layer is 1/[`ACTIVATION`](features::ACTIVATION), one of
/// the output 1/[`OUTPUT`](features::OUTPUT).
pub mod features {
    pub use crate::evaluate::{Coefficients, WEIGHTS, coefficients, drive};
    pub use crate::network::{
        ACTIVATION, Accumulators, BUCKETS_MAX, INPUTS, KING_BUCKETS, OUTPUT, WIDTHS, bucket, inputs,
    };
    pub use crate::score_pair::Pair;

    /// Number of features of the hand-written evaluation.
    pub const COUNT: usize = crate::evaluate::weights::COUNT;
    /// First feature of pieces on squares.
    pub const PLACEMENT: usize = crate::evaluate::weights::PLACEMENT;
}

use std::time::Duration;
use umbrail_chess::Move;

/// Principal variation with its score and the statistics of the search so far.
#[derive(Clone, Debug)]
pub struct PvLine {
    /// Plies searched in full.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Rank among the best lines, from 1.
    pub multipv: usize,
    /// Score for the side to move.
    pub score: Score,
    /// Bound of the score.
    pub bound: Bound,
    /// Positions searched so far, by all workers.
    pub nodes: u64,
    /// Time since the request arrived.
    pub time: Duration,
    /// Occupancy of the transposition table, in thousandths.
    pub hashfull: u32,
    /// Positions found in endgame tables.
    pub tbhits: u64,
    /// Moves of the variation, starting at the root.
    pub pv: Vec<Move>,
}

/// Progress of a search.
#[derive(Clone, Debug)]
pub enum SearchInfo {
    /// A line was completed to this depth.
    Depth(PvLine),
    /// The search of a root move starts. The receiver decides when to start showing this.
    CurrentMove {
        /// Depth of the iteration.
        depth: u32,
        /// Root move.
        mv: Move,
        /// Number of the move in this iteration, from 1.
        number: usize,
    },
    /// There is no mate within this number of moves.
    NoMate {
        /// Requested number of moves.
        moves: u32,
    },
    /// A file of a source cannot be used: the experience file cannot be written, or an endgame
    /// table is damaged; the reason.
    Fault(String),
}

/// Reason for the end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Own decision or depth limit.
    Complete,
    /// Stop, clock or node limit, during an iteration.
    Stopped,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub struct SearchAnswer {
    /// Best move; none if there is no legal one.
    pub best: Option<Move>,
    /// Expected reply.
    pub ponder: Option<Move>,
    /// Best line with final statistics; none if the search stopped before the first iteration was
    /// complete.
    pub line: Option<PvLine>,
    /// Reason for the end of the search.
    pub ended: Ended,
}

#[cfg(test)]
mod tests;
