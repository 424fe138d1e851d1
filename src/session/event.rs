//! What the session reports, independent of any protocol. A dialect writes it, or nothing when its
//! protocol has no word for it.

use super::message::Message;
use super::options::{OptionError, Spec};
use super::sample::Sample;
use super::snapshot::Snapshot;
use crate::chess::{DroppedCastling, Move, Position};
use crate::fairy::Piece;
use crate::search::{PvLine, Score, SearchStatistics};
use std::sync::Arc;
use std::time::Duration;

/// An event.
#[derive(Clone, Debug)]
pub enum Event {
    /// Who this is, and every option with the value it had at the start.
    Identity(Vec<Offer>),
    /// Everything before the question has been done.
    Ready,
    /// The same, with the question's number.
    Pong(u64),
    /// A principal variation with its score.
    Thought(Thought),
    /// The current root move.
    RootMove(RootMove),
    /// A look at the gauges of a search.
    Pulse(Sample),
    /// The answer of a search; the last [`Event::Thought`] before it has the complete statistics.
    Best(Best),
    /// The engine's move in a game.
    Moved(Played),
    /// The game is over by the rules.
    Over(Claim),
    /// The user's move was refused.
    Illegal {
        /// The move as given.
        said: String,
        /// Why not.
        why: String,
    },
    /// An option was not set.
    OptionRefused {
        /// The name as given.
        name: String,
        /// The value as given.
        value: Option<String>,
        /// Why not.
        error: OptionError,
    },
    /// Something the user should see: an unusable position, an internal error.
    Trouble(String),
    /// Something worth a line in a log window.
    Note(String),
    /// A diagram states castling rights of Chess960, and the game is one of standard chess.
    CastlingDropped(DroppedCastling),
    /// How far the analysis is.
    Status(AnalysisStatus),
    /// What the engine would play for the user.
    Hint(Played),
    /// The lines of the book, possibly none.
    Book(Vec<String>),
    /// Text for a person.
    Page(Vec<String>),
    /// Every option, with the value it has now, for a person.
    Settings(Vec<Offer>),
    /// One root move of a perft, with its count.
    Branch {
        /// The move.
        played: Played,
        /// How many sequences begin with it.
        nodes: u64,
    },
    /// The end of a perft.
    Counted {
        /// Length of the sequences.
        depth: u32,
        /// How many there are; of those begun when it was stopped.
        nodes: u64,
        /// How long it took.
        time: Duration,
        /// False when it was stopped.
        complete: bool,
    },
    /// One position of the benchmark is done.
    BenchLine {
        /// Number, from 1.
        number: usize,
        /// How many there are.
        count: usize,
        /// The position.
        fen: String,
        /// Positions searched.
        nodes: u64,
    },
    /// The end of the benchmark.
    BenchDone {
        /// Positions searched in all: the signature.
        nodes: u64,
        /// How often the table and the first move helped.
        keys: SearchStatistics,
        /// How long it took.
        time: Duration,
        /// False when it was stopped.
        complete: bool,
    },
    /// Message from a task.
    Message(Message),
    /// What a screen shows of a running task.
    Snapshot(Box<Snapshot>),
    /// Events of a game that is played from a table; its men need not be those of orthodox chess.
    FromTable(FromTable),
}

/// Events of a game or an analysis that is played from a table. Moves are coordinates.
#[derive(Clone, Debug)]
pub enum FromTable {
    /// The men of the endgame, for a GUI that shows them.
    Pieces {
        /// Their letters.
        letters: Vec<char>,
        /// Those that move otherwise than in orthodox chess.
        unusual: Vec<Arc<Piece>>,
        /// A position with these men.
        fen: Option<String>,
    },
    /// A row of building statistics.
    Row {
        /// Time since the build began.
        time: Duration,
        /// Positions settled so far, at least 1.
        nodes: u64,
        /// The row, with tabs between figures.
        text: String,
    },
    /// EGTgen's answer to a position, line by line.
    Listing(Vec<String>),
    /// A line of best play.
    Line {
        /// Plies to the end, at least 2.
        depth: usize,
        /// A win or loss in moves by the metric, or a draw.
        score: Score,
        /// Moves looked up.
        nodes: u64,
        /// Rank among the moves, from 1.
        rank: usize,
        /// The moves.
        pv: Vec<String>,
        /// The metric and the distance in plies.
        distance: String,
    },
    /// The engine's move.
    Moved(String),
    /// What the engine would play for the user.
    Hint(String),
    /// The answer to `go`.
    Best(String),
    /// Something worth a notice to the user.
    Notice(String),
}

/// An option with its value, ready to be shown.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Its declaration.
    pub spec: &'static Spec,
    /// Its value as text; empty for a button.
    pub value: String,
}

/// A line of a search, with the position it starts from.
#[derive(Clone, Debug)]
pub struct Thought {
    /// Where the search started.
    pub root: Position,
    /// Castling is written as king takes own rook.
    pub chess960: bool,
    /// The line.
    pub line: PvLine,
    /// Chances of win, draw and loss in thousandths, if wanted.
    pub wdl: Option<[u32; 3]>,
    /// Several best lines were asked for.
    pub several: bool,
}

/// The current root move.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move and the position before it.
    pub played: Played,
    /// Depth of the search at work.
    pub depth: u32,
    /// Number of the move, from 1.
    pub number: usize,
}

/// A move with the position before it.
#[derive(Clone, Debug)]
pub struct Played {
    /// The position before the move.
    pub before: Position,
    /// The move.
    pub mv: Move,
    /// Castling is written as king takes own rook.
    pub chess960: bool,
}

/// The answer of a search.
#[derive(Clone, Debug)]
pub struct Best {
    /// The best move, unless there is no legal one.
    pub best: Option<Played>,
    /// The reply expected.
    pub ponder: Option<Played>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// Why.
    pub reason: &'static str,
}

/// How far an analysis is.
#[derive(Clone, Debug)]
pub struct AnalysisStatus {
    /// Time since it began.
    pub time: Duration,
    /// Positions searched.
    pub nodes: u64,
    /// Depth at work.
    pub depth: u32,
    /// Root moves not yet looked at in this depth.
    pub left: usize,
    /// Root moves.
    pub total: usize,
    /// The current root move.
    pub played: Option<Played>,
}
