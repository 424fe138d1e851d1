//! Steno-Chess: finds all games that fit a string of one character per half-move.
//!
//! - Language: a [`Steno`] in a [`Vocabulary`]; [`genre`] translates related kinds of puzzles.
//! - Solving: [`solve`] takes a [`StenoRequest`] and [`StenoParams`], and returns a
//!   [`StenoOutcome`]. Internally, a steno is compiled to masks and to demands of later marks;
//!   layers of merged positions carry exact numbers of games.
//! - [`checkpoint`]: saved searches; [`compose`](mod@compose) and [`workbench`]: tools for
//!   composers; [`game`]: the marks of a given game; [`report`]: outcomes as text, PGN and HTML.
//!
//! Every listed game passes a plain verifier that shares no code with the solver.
//!
//! The language is Éric Angelini's (2005), extended by Manus Hand, whose StenoSolver's manual this
//! crate follows; `docs/steno.md` documents the decisions where the manual is silent.
//!
//! ```
//! use std::time::Instant;
//! use umbrail_chess::Position;
//! use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
//! use umbrail_steno::{BigUint, StenoEnd, StenoParams, StenoRequest, Vocabulary, report, solve};
//!
//! let start = Position::startpos();
//! let request = StenoRequest::new("ghLxLR3xo#", Vocabulary::Classic, start)?;
//!
//! let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
//! let pool = Pool::new(1)?;
//! let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {});
//! let outcome = solve(&request, &StenoParams::default(), &control);
//!
//! assert_eq!((outcome.ended, outcome.count), (StenoEnd::Complete, BigUint::from(1u32)));
//! let game = report::numbered(&start, &outcome.games[0]);
//! assert_eq!(game, "1. g4 h5 2. Bg2 hxg4 3. Bxb7 Rxh2 4. Nh3 Bxb7 5. O-O Rh1#");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod checkpoint;
mod checkpoint_error;
mod compiled_steno;
#[cfg(feature = "compose")]
pub mod compose;
mod condition;
mod count;
mod explain;
mod filter;
pub mod game;
mod game_history;
pub mod genre;
mod last_turns;
mod layer;
mod layer_bytes;
mod link_check;
mod lookahead;
mod mark;
mod parse;
mod partial;
mod partial_bytes;
mod reconstruct;
mod remark;
pub mod report;
mod search;
mod successors;
mod unfinished;
mod verify;
mod vocabulary;
mod words;
pub mod workbench;

pub use num_bigint::BigUint;
pub use parse::{ParseFault, Steno, StenoError, TURNS_MAX, Turn};
pub use remark::Remark;
pub use search::solve;
pub use unfinished::UnfinishedSteno;
pub use verify::Mismatch;
pub use vocabulary::Vocabulary;

use checkpoint::{Checkpoint, ReusableLayers};
use std::sync::Arc;
use std::time::Duration;
use umbrail_chess::{Move, Position};

/// Input of the solver.
#[derive(Clone, Debug)]
pub struct StenoRequest {
    /// Parsed text.
    pub steno: Steno,
    /// Text as written; listed games are verified against it.
    pub text: String,
    /// True if `+` excludes mate in the PGN vocabulary.
    pub(crate) strict: bool,
    /// Start position of the game.
    pub start: Position,
    /// Game that the composer intends: only games that differ from it are listed.
    pub intended: Option<Vec<Move>>,
    /// Checkpoint to continue from; set by [`checkpoint::resume`].
    pub resume: Option<Arc<Checkpoint>>,
    /// Layers of the previous search, to save time.
    pub reusable_layers: Option<Arc<ReusableLayers>>,
}

impl StenoRequest {
    /// Creates a request to solve a text from this start.
    ///
    /// # Errors
    /// Returns the parser's [`StenoError`].
    pub fn new(text: &str, vocabulary: Vocabulary, start: Position) -> Result<Self, StenoError> {
        let steno = Steno::parse(text, vocabulary)?;
        Ok(Self {
            steno,
            text: text.to_owned(),
            strict: false,
            start,
            intended: None,
            resume: None,
            reusable_layers: None,
        })
    }

    /// Returns the request with `+` interpreted as in strict notation.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self.steno = self.steno.strict();
        self
    }
}

/// Parameters of the solver.
#[derive(Clone, Debug)]
pub struct StenoParams {
    /// True if later marks may rule out earlier moves. Affects the time, not the result.
    pub lookahead: bool,
    /// Memory limit for layers of positions, in bytes. Less memory takes more time, with an equal
    /// result.
    pub memory_bytes: u64,
    /// Maximum number of positions that satisfy a mark, at which the search is given up.
    pub positions_max: Option<u64>,
    /// Maximum number of listed games.
    pub games_max: usize,
    /// Number of games known to exist at which the search stops.
    pub enough: Option<u64>,
    /// Number of moves made at which the search stops, give or take a few thousand.
    pub moves_max: Option<u64>,
    /// Minimum interval between two reports of unfinished work, which follow the end of a turn.
    pub unfinished_every: Option<Duration>,
}

impl Default for StenoParams {
    fn default() -> Self {
        Self {
            lookahead: true,
            memory_bytes: 2 << 30,
            positions_max: None,
            games_max: 10,
            enough: None,
            moves_max: None,
            unfinished_every: None,
        }
    }
}

/// A progress report of the solver.
#[derive(Clone, Debug)]
pub enum StenoEvent {
    /// All games up to a mark are counted.
    Mark(MarkReport),
    /// The positions after a turn (from 1) exceed the memory limit; from there they are followed in
    /// parts.
    Split(usize),
    /// The layers up to `$` are saved; they are also in the outcome.
    Saved(Arc<Checkpoint>),
    /// Unfinished work; see [`StenoParams::unfinished_every`].
    Unfinished(UnfinishedSteno),
    /// A game was found.
    Game(Vec<Move>),
}

/// Number of positions and games that satisfy the first marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkReport {
    /// Number of the turn, from 1.
    pub turn: usize,
    /// Distinct positions after the turn, as far as later marks can distinguish them. `None` if
    /// they were counted without being kept.
    pub positions: Option<u64>,
    /// Games up to the turn that may still satisfy the later marks.
    pub games: BigUint,
    /// Moves made for the turn.
    pub made: u64,
}

/// Reason for the end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StenoEnd {
    /// Everything was searched: the count is exact.
    Complete,
    /// Stopped by the control, or out of time.
    Stopped,
    /// The requested number of games is reached; there may be more.
    Enough,
    /// The limit of moves is reached.
    Moves,
    /// Too many positions satisfy the mark with this number, from 1.
    Positions(usize),
}

/// A final position and the games that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Final {
    /// One of the games.
    pub example: Vec<Move>,
    /// Number of these games.
    pub games: BigUint,
}

/// Result of the solver.
#[derive(Clone, Debug)]
pub struct StenoOutcome {
    /// Reason for the end of the search.
    pub ended: StenoEnd,
    /// Number of games: exact if complete, otherwise a lower bound.
    pub count: BigUint,
    /// Games, up to the requested number, without the intended one.
    pub games: Vec<Vec<Move>>,
    /// All final positions (placements only), if there are not too many of them.
    pub finals: Option<Vec<Final>>,
    /// Reports of the turns that were reached.
    pub marks: Vec<MarkReport>,
    /// First turn, from 1, whose marks contradict each other.
    pub contradiction: Option<usize>,
    /// Turn that rules out every game, if it has been determined; see [`workbench::dead_turn`].
    pub dead_turn: Option<usize>,
    /// Total number of moves made.
    pub made: u64,
    /// Games that the solver found and the verifier rejected, with the reason: a fault of this
    /// program.
    pub refuted: Vec<(Vec<Move>, verify::Mismatch)>,
    /// Layers that the next search may reuse.
    pub reusable_layers: Arc<ReusableLayers>,
    /// Checkpoint saved at `$`. `None` if the positions up to there exceeded the memory limit.
    pub checkpoint: Option<Arc<Checkpoint>>,
}

impl StenoOutcome {
    /// Returns the number of the turn (from 1) that rules out every game, if there is no game.
    /// Unless [`workbench::dead_turn`] has determined it, this is the first turn that contradicts
    /// itself or that no game passes, perhaps because of a later one.
    pub fn dead_turn(&self) -> Option<usize> {
        let none = BigUint::ZERO;
        if self.ended != StenoEnd::Complete || self.count != none {
            return None;
        }
        let stuck = self.marks.iter().find(|mark| mark.games == none).map(|mark| mark.turn);
        self.dead_turn.or(self.contradiction).or(stuck)
    }
}

#[cfg(test)]
mod tests;
