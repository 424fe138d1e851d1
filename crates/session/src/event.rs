//! Events of a session, independent of any protocol. A dialect writes an event, or nothing when its
//! protocol has no form for it.

use super::message::Message;
use super::options::{OptionError, Spec};
use super::sample::Sample;
use super::snapshot::Snapshot;
use std::sync::Arc;
use std::time::Duration;
use umbrail_chess::{DroppedCastling, Move, Position};
use umbrail_control::BuildFacts;
use umbrail_search::{PvLine, Score, SearchStatistics};
use umbrail_tables::fairy::Piece;

/// An event.
#[derive(Clone, Debug)]
pub enum Event {
    /// The program, and every option with its value at the start of the conversation.
    Identity(Vec<Offer>),
    /// All commands before the request are done.
    Ready,
    /// All commands before XBoard's `ping` are done; carries the number of the ping.
    Pong(u64),
    /// A principal variation with its score.
    Thought(Thought),
    /// The current root move.
    RootMove(RootMove),
    /// A sample of the progress counters of a search.
    Pulse(Sample),
    /// Answer of a search; the last [`Event::Thought`] before it has the complete statistics.
    Best(Best),
    /// The engine's move in a game.
    Moved(Played),
    /// The game is over by the rules, or by a draw that may be claimed.
    Over(Claim),
    /// The engine offers a draw, or accepts one.
    DrawOffered,
    /// The engine resigns.
    Resigned,
    /// The user's move was refused.
    Illegal {
        /// Move as given.
        given: String,
        /// Reason.
        why: String,
    },
    /// An option was not set.
    OptionRefused {
        /// Name as given.
        name: String,
        /// Value as given.
        value: Option<String>,
        /// Reason.
        error: OptionError,
    },
    /// A problem to show to the user: an unusable position, an internal error.
    Trouble(String),
    /// A note for a log window.
    Note(String),
    /// A diagram states castling rights of Chess960, but the game is standard chess.
    CastlingDropped(DroppedCastling),
    /// Progress of the analysis.
    Status(AnalysisStatus),
    /// Move suggested to the user.
    Hint(Played),
    /// Lines of the book; may be empty.
    Book(Vec<String>),
    /// Text for a person.
    Page(Vec<String>),
    /// Facts that were requested, and their text for a person.
    Facts(Facts, Vec<String>),
    /// Every option with its current value, for a person.
    Settings(Vec<Offer>),
    /// One root move of a perft, with its count.
    Branch {
        /// Move.
        played: Played,
        /// Number of sequences that start with the move.
        nodes: u64,
    },
    /// The end of a perft.
    Counted {
        /// Length of the sequences.
        depth: u32,
        /// Number of sequences; when stopped, those counted so far.
        nodes: u64,
        /// Elapsed time.
        time: Duration,
        /// False when it was stopped.
        complete: bool,
    },
    /// One position of the benchmark is done.
    BenchLine {
        /// Number of the position, from 1.
        number: usize,
        /// Number of positions.
        count: usize,
        /// FEN of the position.
        fen: String,
        /// Nodes searched.
        nodes: u64,
    },
    /// The end of the benchmark.
    BenchDone {
        /// Total nodes searched: the signature.
        nodes: u64,
        /// Search statistics of the transposition table and of move ordering.
        keys: SearchStatistics,
        /// Elapsed time.
        time: Duration,
        /// False when it was stopped.
        complete: bool,
    },
    /// Message from a task.
    Message(Message),
    /// State of a running task for the screen.
    Snapshot(Box<Snapshot>),
    /// Event of a game played from a table, whose pieces may be fairy pieces.
    FromTable(FromTable),
}

/// Value of a piece to the evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceValue {
    /// Square of the piece.
    pub square: String,
    /// Value for White, search centipawns.
    pub cp: i32,
}

/// Facts about the position or the program.
#[derive(Clone, Debug, PartialEq)]
pub enum Facts {
    /// The current position.
    Board {
        /// FEN.
        fen: String,
        /// Hash key; `None` if the diagram cannot be played.
        key: Option<u64>,
        /// Squares of the pieces that give check.
        checkers: Vec<String>,
    },
    /// The static evaluation of the current position, in centipawns for the side to move.
    Evaluation {
        /// Value that the search uses; `None` in check.
        cp: Option<i32>,
        /// Value of the hand-written evaluation; `None` in check.
        handwritten_cp: Option<i32>,
        /// The network, unless the evaluation is hand-written.
        network: Option<String>,
        /// Value of each piece but the kings for White: the evaluation less that without the piece. Empty without a
        /// network.
        pieces: Vec<PieceValue>,
        /// Value by each output bucket for the side to move; the one for the number of pieces is the evaluation.
        buckets: Vec<i32>,
    },
    /// The build of the program.
    Build(BuildFacts),
    /// The license.
    License,
}

/// Events of a game or an analysis from a table. Moves are coordinates.
#[derive(Clone, Debug)]
pub enum FromTable {
    /// Pieces of the endgame, for a GUI that displays them.
    Pieces {
        /// Letters of the pieces.
        letters: Vec<char>,
        /// Pieces that move differently from those of orthodox chess.
        unusual: Vec<Arc<Piece>>,
        /// Board to show.
        board: GuiBoard,
    },
    /// A row of building statistics.
    Row {
        /// Time since the build started.
        time: Duration,
        /// Positions with a known result so far, at least 1.
        nodes: u64,
        /// The row, with tabs between columns.
        text: String,
    },
    /// EGTgen's answer to a position, line by line.
    Listing(Vec<String>),
    /// A line of best play.
    Line {
        /// Plies to the end of the line, at least 2.
        depth: usize,
        /// Win or loss in moves by the metric, or draw.
        score: Score,
        /// Moves looked up.
        nodes: u64,
        /// Rank among the moves, from 1.
        rank: usize,
        /// The moves.
        pv: Vec<String>,
        /// Metric and distance in plies.
        distance: String,
    },
    /// The engine's move.
    Moved(String),
    /// Move suggested to the user.
    Hint(String),
    /// The answer to `go`.
    Best(String),
    /// Notice for the user.
    Notice(String),
}

/// Board that a GUI shows.
#[derive(Clone, Debug)]
pub struct GuiBoard {
    /// Size of the board and the variant that it inherits from, such as `10x8+0_fairy`.
    pub setup: String,
    /// Initial or example position; none when no position is known.
    pub fen: Option<String>,
    /// The pieces are all that the game has; otherwise the user may set up pieces of chess, too.
    pub only_these: bool,
}

/// An option with its value, ready for display.
#[derive(Clone, Debug)]
pub struct Offer {
    /// Its declaration.
    pub spec: &'static Spec,
    /// Its value as text; empty for a button.
    pub value: String,
}

/// A line of a search, with its root position.
#[derive(Clone, Debug)]
pub struct Thought {
    /// Root of the search.
    pub root: Position,
    /// Castling is written as king takes rook.
    pub chess960: bool,
    /// The line.
    pub line: PvLine,
    /// Probabilities of win, draw and loss in thousandths, if requested.
    pub wdl: Option<[u32; 3]>,
    /// The search reports more than one line (MultiPV).
    pub several: bool,
}

/// The current root move.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// Move and the position before it.
    pub played: Played,
    /// Current depth of the search.
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
    /// Castling is written as king takes rook.
    pub chess960: bool,
}

/// The answer of a search.
#[derive(Clone, Debug)]
pub struct Best {
    /// The best move, unless there is no legal one.
    pub best: Option<Played>,
    /// Expected reply.
    pub ponder: Option<Played>,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// Reason.
    pub reason: &'static str,
}

/// Progress of an analysis.
#[derive(Clone, Debug)]
pub struct AnalysisStatus {
    /// Time since the analysis started.
    pub time: Duration,
    /// Positions searched.
    pub nodes: u64,
    /// Current depth.
    pub depth: u32,
    /// Root moves not yet searched at this depth.
    pub left: usize,
    /// Number of root moves.
    pub total: usize,
    /// The current root move.
    pub played: Option<Played>,
}
