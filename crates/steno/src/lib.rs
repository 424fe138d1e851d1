//! Steno-Chess: a game is given as one character per half-move, and all games that fit are found.
//!
//! - Language: a [`Steno`] in a [`Vocabulary`]; [`genre`] translates related kinds of puzzles.
//! - Solving: a [`StenoRequest`] and [`StenoParams`] go into [`solve`], and a [`StenoOutcome`] comes out. Inside, a
//!   steno is compiled to masks and to demands of later marks; layers of merged positions carry exact numbers of games.
//! - [`checkpoint`]: saved searches; [`compose`](mod@compose) and [`workbench`]: tools for composers; [`game`]: the
//!   marks of a given game; [`report`]: outcomes as text, JSON, PGN and HTML.
//!
//! Every listed game passes a plain verifier that shares no code with the solver.
//!
//! The language is Éric Angelini's (2005), extended by Manus Hand, whose StenoSolver's manual this
//! crate follows; `docs/steno.md` states the decisions where the manual is silent.
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

/// What is to be solved.
#[derive(Clone, Debug)]
pub struct StenoRequest {
    /// What the text says.
    pub steno: Steno,
    /// The text as it was written; listed games are verified against it.
    pub text: String,
    /// In PGN, `+` excludes mate.
    pub(crate) strict: bool,
    /// Where the game starts.
    pub start: Position,
    /// The game the composer has in mind: it is not listed, only those that differ from it.
    pub intended: Option<Vec<Move>>,
    /// Where to continue; made by [`checkpoint::resume`].
    pub resume: Option<Arc<Checkpoint>>,
    /// Layers of the previous search, to save time.
    pub reusable_layers: Option<Arc<ReusableLayers>>,
}

impl StenoRequest {
    /// A text to be solved from this start.
    ///
    /// # Errors
    /// The parser's [`StenoError`].
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

    /// The same with `+` read as strict notation has it.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self.steno = self.steno.strict();
        self
    }
}

/// How to solve it.
#[derive(Clone, Debug)]
pub struct StenoParams {
    /// Whether later marks may rule out earlier moves. Affects the time, not the result.
    pub lookahead: bool,
    /// Bytes that layers of positions may hold. With less the result is the same, but takes longer.
    pub memory_bytes: u64,
    /// Give up when more positions than this satisfy a mark.
    pub positions_max: Option<u64>,
    /// Most games to list.
    pub games_max: usize,
    /// Stop as soon as this number of games is known to exist.
    pub enough: Option<u64>,
    /// Stop when this number of moves was made, a few thousand more or less.
    pub moves_max: Option<u64>,
    /// Tell the unfinished work when a turn is done and this time has passed since it was last told.
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

/// What a solver reports while it works.
#[derive(Clone, Debug)]
pub enum StenoEvent {
    /// All games up to a mark are known.
    Mark(MarkReport),
    /// Memory is too short for all positions after a turn (from 1): from here on in parts.
    Split(usize),
    /// `$`: the work up to there. It is in the answer, too.
    Saved(Arc<Checkpoint>),
    /// The work so far; see [`StenoParams::unfinished_every`].
    Unfinished(UnfinishedSteno),
    /// A game was found.
    Game(Vec<Move>),
}

/// How many positions and games satisfy the first marks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkReport {
    /// The turn's number, from 1.
    pub turn: usize,
    /// Different positions after it, as far as the later marks can tell them apart. None when they
    /// were counted without being kept.
    pub positions: Option<u64>,
    /// Games up to it that may still satisfy the later marks.
    pub games: BigUint,
    /// Moves made for it.
    pub made: u64,
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StenoEnd {
    /// Everything was searched: the count is exact.
    Complete,
    /// Stopped by the control, or out of time.
    Stopped,
    /// The number of games asked for is reached; there may be more.
    Enough,
    /// The number of moves asked for was made.
    Moves,
    /// Too many positions satisfy the mark with this number, from 1.
    Positions(usize),
}

/// A final position and the games that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Final {
    /// One of the games.
    pub example: Vec<Move>,
    /// How many there are.
    pub games: BigUint,
}

/// What a solver has found.
#[derive(Clone, Debug)]
pub struct StenoOutcome {
    /// How it ended.
    pub ended: StenoEnd,
    /// Number of games: exact when complete, else a lower bound.
    pub count: BigUint,
    /// Games, up to the number asked for. The intended one is left out.
    pub games: Vec<Vec<Move>>,
    /// All final positions, men on squares alone, when there are not too many of them.
    pub finals: Option<Vec<Final>>,
    /// One for each turn that was reached.
    pub marks: Vec<MarkReport>,
    /// The first turn, from 1, whose marks contradict each other.
    pub contradiction: Option<usize>,
    /// The turn that rules out every game, if it has been determined; see [`workbench::dead_turn`].
    pub dead_turn: Option<usize>,
    /// Moves made in all.
    pub made: u64,
    /// Games that the solver found and the verifier refused, with the reason: a fault of this program.
    pub refuted: Vec<(Vec<Move>, verify::Mismatch)>,
    /// What the next search may use again.
    pub reusable_layers: Arc<ReusableLayers>,
    /// What `$` saved. Nothing when memory was too short for all positions up to there.
    pub checkpoint: Option<Arc<Checkpoint>>,
}

impl StenoOutcome {
    /// The number of the turn (from 1) that rules out every game, when there is none. Until [`workbench::dead_turn`] has
    /// been asked, it is the first turn that contradicts itself or past which nothing leads, perhaps because of a
    /// later one.
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
