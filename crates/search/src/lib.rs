//! Playing: alpha-beta search over orthodox chess and Chess960.
//!
//! [`solve`] takes a [`SearchRequest`] (position, game history, limits), the [`SearchParams`] and a control, tells
//! [`SearchInfo`]s while it works and gives one [`SearchAnswer`]. An [`Engine`] keeps what is worth keeping from
//! one search to the next.
//!
//! Modules: `root` deepens, `node` and `quiesce` search, `reductions` holds the numbers, `movepick` orders moves
//! by `history`, `tt` is the transposition table, `time` divides the clock, `parallel` sets several
//! workers to it, `mate` proves mates, `handicap` plays weaker on purpose, `sources` reads books,
//! experience and endgame tables, `statistics` counts what helped, `policy` holds the ten experiments, and
//! [`mod@evaluate`] judges quiet positions. `docs/search.md` tells it in plain words.

pub mod bench;
mod engine;
pub mod evaluate;
mod handicap;
mod history;
mod limits;
mod mate;
mod movepick;
mod node;
mod parallel;
mod policy;
mod quiesce;
mod reductions;
mod root;
mod score;
mod solve;
mod sources;
mod statistics;
mod time;
mod tt;
mod worker;

pub use engine::Engine;
pub use evaluate::evaluate;
pub use handicap::{ELO_MAX, ELO_MIN};
pub use limits::{GameClock, Limits, SearchParams, SearchRequest};
pub use policy::{EXPERIMENTS, Experiment, Experiments};
pub use score::{Bound, PLY_MAX, Score};
pub use solve::solve;
pub use statistics::SearchStatistics;

use std::time::Duration;
use umbrail_chess::Move;

/// A principal variation with its score and the figures of the search so far.
#[derive(Clone, Debug)]
pub struct PvLine {
    /// Plies searched in full.
    pub depth: u32,
    /// The deepest ply looked at.
    pub seldepth: u32,
    /// Rank among the best lines, from 1.
    pub multipv: usize,
    /// What it is worth to the side to move.
    pub score: Score,
    /// Whether that is exact.
    pub bound: Bound,
    /// Positions searched so far, by all workers.
    pub nodes: u64,
    /// Time since the request was heard.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// Positions found in endgame tables.
    pub tbhits: u64,
    /// The moves, the best root move first.
    pub pv: Vec<Move>,
}

/// Progress of a search.
#[derive(Clone, Debug)]
pub enum SearchInfo {
    /// A line is complete to this depth.
    Depth(PvLine),
    /// The search of a root move begins. The receiver decides from which moment on that is shown.
    CurrentMove {
        /// Depth of the iteration.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number in this iteration, from 1.
        number: usize,
    },
    /// There is no mate within this number of moves.
    NoMate {
        /// The number of moves that was asked for.
        moves: u32,
    },
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By its own decision or at its depth limit.
    Complete,
    /// By a stop, the clock or a node limit, in the middle of an iteration.
    Stopped,
}

/// What a search returns, once.
#[derive(Clone, Debug)]
pub struct SearchAnswer {
    /// The best move; none when there is no legal one.
    pub best: Option<Move>,
    /// The reply expected.
    pub ponder: Option<Move>,
    /// The best line with final statistics; none when stopped before the first iteration was done.
    pub line: Option<PvLine>,
    /// How it ended.
    pub ended: Ended,
}

#[cfg(test)]
mod tests;
