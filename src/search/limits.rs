//! What to search and when to stop, as somebody asked.

use super::policy::Experiments;
use crate::chess::{Move, Position};
use std::time::Duration;

/// What to search.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where to start.
    pub position: Position,
    /// Zobrist keys of the earlier positions of the game, oldest first, without the present one.
    pub history: Vec<u64>,
    /// When to stop.
    pub limits: Limits,
    /// The only root moves to look at; none means all. Illegal ones are ignored.
    pub root_moves: Option<Vec<Move>>,
    /// How many best lines to report, at least one.
    pub multipv: usize,
}

/// When to stop. Whatever is none has no influence; the first limit reached ends the search.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions; exact with one worker.
    pub nodes: Option<u64>,
    /// A mate in this many moves is enough.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The game clock of the side to move.
    pub clock: Option<GameClock>,
    /// Nobody waits for a move: use no time limit and stop only when told or when all is known.
    pub infinite: bool,
}

/// What the own clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Time left.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves to the next time control; none when there is none.
    pub moves_to_go: Option<u32>,
}

/// The options of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// Size of the transposition table, MiB. [`super::Engine`] is built with it.
    pub hash_mib: usize,
    /// Time lost per move between the engine and the clock, ms.
    pub move_overhead_ms: u64,
    /// Which experiments are on.
    pub experiments: Experiments,
}

impl Default for Params {
    fn default() -> Self {
        Self { hash_mib: 16, move_overhead_ms: 20, experiments: Experiments::default() }
    }
}
