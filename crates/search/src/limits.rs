//! What to search, and when to stop.

use super::constants::SearchConstants;
use super::policy::Experiments;
use std::time::Duration;
use umbrail_chess::{Move, Position};

/// What to search.
#[derive(Clone, Debug)]
pub struct SearchRequest {
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
    /// No iteration begins after this many positions.
    pub soft_nodes: Option<u64>,
    /// A mate in this many moves is enough.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The game clock of the side to move.
    pub clock: Option<GameClock>,
    /// No time limit: stop only when told to, or at the maximum depth.
    pub infinite: bool,
}

/// What the own clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Time left.
    pub left: Duration,
    /// The most that this clock has shown in this game: what the game began with.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves to the next time control; none when there is none.
    pub moves_to_go: Option<u32>,
}

/// The options of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchParams {
    /// Size of the transposition table, MiB. [`super::Engine`] is built with it.
    pub hash_mib: usize,
    /// Time lost per move between the engine and the clock, ms.
    pub move_overhead_ms: u64,
    /// Share of the usual time for a move, per cent.
    pub slow_mover: u32,
    /// Whether short games with small increments are played a little faster.
    pub blitz_slow_mover: bool,
    /// Positions that stand for a millisecond of the clock; 0 for real time.
    pub nodestime: u32,
    /// How much worse than 0 the engine thinks of a draw, centipawns.
    pub contempt: i32,
    /// Strength, 0 to 20.
    pub skill: u8,
    /// Whether `elo` rules instead of `skill`.
    pub limit_strength: bool,
    /// Strength as a rating, [`super::ELO_MIN`] to [`super::ELO_MAX`].
    pub elo: u32,
    /// Whether moves are played from the book.
    pub own_book: bool,
    /// A Polyglot book; empty for none.
    pub book_file: String,
    /// The last move number that is played from the book.
    pub book_depth: u32,
    /// Where experience is kept; empty for nowhere.
    pub experience_file: String,
    /// Folders with Syzygy tables; empty for none.
    pub syzygy_path: String,
    /// Positions with the most men that the tables have are looked up from this depth on.
    pub syzygy_probe_depth: u32,
    /// Positions with more men are not looked up.
    pub syzygy_probe_limit: u32,
    /// Whether wins that the fifty-move rule spoils are draws.
    pub syzygy_fifty: bool,
    /// Whether a network takes the place of the hand-written evaluation.
    pub use_nnue: bool,
    /// The file of the network; empty for the one that is built in.
    pub eval_file: String,
    /// Which experiments are on.
    pub experiments: Experiments,
    /// Margins, depths and weights of the search.
    pub constants: SearchConstants,
}

impl Default for SearchParams {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            move_overhead_ms: 20,
            slow_mover: 100,
            blitz_slow_mover: true,
            nodestime: 0,
            contempt: 0,
            skill: 20,
            limit_strength: false,
            elo: super::ELO_MAX,
            own_book: false,
            book_file: String::new(),
            book_depth: 20,
            experience_file: String::new(),
            syzygy_path: String::new(),
            syzygy_probe_depth: 1,
            syzygy_probe_limit: 7,
            syzygy_fifty: true,
            use_nnue: true,
            eval_file: String::new(),
            experiments: Experiments::default(),
            constants: SearchConstants::default(),
        }
    }
}
