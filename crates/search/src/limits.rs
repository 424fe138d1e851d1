//! Request and limits of a search.

use super::clock::GameClock;
use super::constants::SearchConstants;
use super::policy::Experiments;
use std::time::Duration;
use umbrail_chess::{Move, Position};

/// Position to search, with its history and limits.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// Root position.
    pub position: Position,
    /// Zobrist keys of the earlier positions of the game, oldest first, without the current one.
    pub history: Vec<u64>,
    /// Limits of the search.
    pub limits: Limits,
    /// Root moves to search; none means all. Illegal ones are ignored.
    pub root_moves: Option<Vec<Move>>,
    /// Number of best lines to report, at least one.
    pub multipv: usize,
}

/// Limits of a search. A limit that is none has no effect; the first limit reached ends the search.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Depth, plies.
    pub depth: Option<u32>,
    /// Number of positions; exact with one worker.
    pub nodes: Option<u64>,
    /// Number of positions after which no iteration starts.
    pub soft_nodes: Option<u64>,
    /// Number of moves of a mate that ends the search.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Game clock of the side to move.
    pub clock: Option<GameClock>,
    /// No time limit: the search stops only on request or at the maximum depth.
    pub infinite: bool,
}

/// Lowest `UCI_Elo`; level 0 is weaker still.
pub const ELO_MIN: u32 = 1_000;
/// `UCI_Elo` at full strength.
pub const ELO_MAX: u32 = 3_540;

/// Options of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchParams {
    /// Size of the transposition table, MiB, for the construction of [`super::Engine`].
    pub hash_mib: usize,
    /// Time lost per move between the engine and the clock, ms.
    pub move_overhead_ms: u64,
    /// Share of the usual time for a move, per cent.
    pub slow_mover: u32,
    /// Option `Blitz Slow Mover`: plays short games with small increments a little faster.
    pub blitz_slow_mover: bool,
    /// Positions that stand for a millisecond of the clock; 0 for real time.
    pub nodestime: u32,
    /// Value of a draw below 0, centipawns.
    pub contempt: i32,
    /// Level of strength, 0 to 20.
    pub skill: u8,
    /// Uses `elo` instead of `skill`.
    pub limit_strength: bool,
    /// Rating, [`ELO_MIN`] to [`ELO_MAX`].
    pub elo: u32,
    /// Plays moves from the book.
    pub own_book: bool,
    /// Polyglot book; empty for none.
    pub book_file: String,
    /// Last move number that is played from the book.
    pub book_depth: u32,
    /// Experience file; empty for none.
    pub experience_file: String,
    /// Folders with Syzygy tables; empty for none.
    pub syzygy_path: String,
    /// Least depth at which positions with as many pieces as the largest tables are probed.
    pub syzygy_probe_depth: u32,
    /// Largest number of pieces of positions that are probed.
    pub syzygy_probe_limit: u32,
    /// Treats wins that the fifty-move rule prevents as draws.
    pub syzygy_fifty: bool,
    /// Uses a network in place of the hand-written evaluation.
    pub use_nnue: bool,
    /// File of the network; empty for the built-in one.
    pub eval_file: String,
    /// Experiments that are enabled.
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
            elo: ELO_MAX,
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
