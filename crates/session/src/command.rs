//! Commands of a user or a GUI, independent of any protocol.

use super::domain::{Domain, Task, Topic};
use std::time::Duration;
use umbrail_chess::geometry::{Color, Setup, SetupError, Square};

/// A command for the session.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Identify the program and list its options.
    Identify,
    /// Confirm that the program reads commands; after perft and bench, when these are done.
    Ready,
    /// Switch more detailed reports on or off.
    Debug(bool),
    /// Set an option, or press a button option.
    SetOption {
        /// Name as given.
        name: String,
        /// Value as given.
        value: Option<String>,
    },
    /// The next position belongs to another game.
    NewGame,
    /// Set up a position and play these moves.
    Position {
        /// Start of the game.
        base: Base,
        /// Moves in long algebraic notation.
        moves: Vec<String>,
    },
    /// Search the current position and answer with a move.
    Go(Go),
    /// Count the move sequences of this length.
    Perft(u32),
    /// Search the fixed positions of the benchmark.
    Bench(BenchRequest),
    /// Stop the running job, which still gives its answer.
    Stop,
    /// The opponent played the move that the engine ponders on.
    PonderHit,
    /// Show something to a person.
    Show(Show),
    /// Swap the colors of the current position.
    Flip,
    /// A command of a game against the user.
    Play(Play),
    /// Run a task of a solver module.
    Task(Task),
    /// Skip the current part of the running task and continue.
    Skip(Domain),
    /// Quit when the command's turn comes; a search or a domain command that runs then is stopped.
    Quit,
    /// End of input: quit when all bounded work is done.
    End,
    /// Quit at once, regardless of running and waiting commands.
    Exit,
}

/// A diagram: the text, which may show the board of another game, and the board of chess in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    /// Text as given.
    pub text: String,
    /// Board of chess, or the reason why the text is none.
    pub setup: Result<Setup, SetupError>,
}

impl Diagram {
    /// Reads a FEN.
    pub fn of_fen(text: &str) -> Self {
        Self { text: text.to_owned(), setup: text.parse() }
    }
}

impl From<Setup> for Diagram {
    fn from(setup: Setup) -> Self {
        Self { text: setup.to_string(), setup: Ok(setup) }
    }
}

/// Base of a position command.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// The initial position of chess.
    Start,
    /// A diagram.
    Setup(Diagram),
    /// The current position.
    GameState,
}

/// Limits of one search, as given; a missing limit has no effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Think on the opponent's time: no answer before [`Command::PonderHit`] or [`Command::Stop`].
    pub ponder: bool,
    /// No answer before [`Command::Stop`].
    pub infinite: bool,
    /// Clocks in ms, White's first; may be negative after lag.
    pub clocks: [Option<i64>; 2],
    /// Increments per move in ms, White's first.
    pub increments: [Option<i64>; 2],
    /// Moves to the next time control; `None` for sudden death.
    pub moves_to_go: Option<u32>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Number of nodes to search.
    pub nodes: Option<u64>,
    /// Number of moves of the mate to find.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Root moves to search, if restricted.
    pub search_moves: Option<Vec<String>>,
}

impl Go {
    /// Returns true if the search ends without `stop`, once it no longer ponders.
    pub fn is_limited(&self) -> bool {
        let is_given = self.clocks != [None; 2]
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.movetime.is_some();
        is_given && !self.infinite
    }
}

/// Limit of each search of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchLimit {
    /// Depth in plies.
    Depth(u32),
    /// Number of nodes to search.
    Nodes(u64),
    /// Time for each search.
    MoveTime(Duration),
    /// No search: count the move sequences of this length.
    Perft(u32),
}

/// Number of the fixed positions of the benchmark.
pub const FIXED_POSITIONS: usize = umbrail_search::bench::POSITIONS.len();

/// Positions of the benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BenchPositions {
    /// Fixed positions, whose node count is the signature.
    #[default]
    Fixed,
    /// The current position.
    Current,
    /// Positions of a file, one FEN or EPD a line.
    File(String),
}

/// Parameters of the benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchRequest {
    /// Limit of each search; `None` for the default depth.
    pub limit: Option<BenchLimit>,
    /// Positions to search.
    pub positions: BenchPositions,
    /// Number of workers; `None` for one, because only then the node count is reproducible.
    pub threads: Option<usize>,
    /// Size of the transposition table in MiB; `None` for the default.
    pub hash_mib: Option<usize>,
}

/// Information shown to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Show {
    /// The board, its FEN and key.
    Board,
    /// The evaluation.
    Eval,
    /// The options and their values.
    Options,
    /// The commands, the verbs of a domain, or the keys of a verb.
    Help(Topic),
    /// Compiler and features of the build.
    Compiler,
    /// The license.
    License,
}

/// Request to a table in EGTgen's dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The position of an octal index, White to move.
    Index(u64),
    /// The position on the board, White to move.
    Board,
    /// The position after this reply to the move that was reported.
    Reply(String),
}

/// Commands of a game: the vocabulary of XBoard, independent of the protocol.
#[derive(Clone, Debug, PartialEq)]
pub enum Play {
    /// A new game from the initial position; the engine has Black.
    New,
    /// The variant of the game that was just started.
    Variant(String),
    /// Let the engine play neither side.
    Force,
    /// Let the engine play the side to move, and move.
    Go,
    /// Let the engine play the other side, and wait.
    Other,
    /// The user's move.
    Move(String),
    /// Take back one ply.
    Undo,
    /// Take back two plies; the engine keeps its side.
    Remove,
    /// Move now.
    MoveNow,
    /// The game is over.
    Result,
    /// The user offers a draw.
    Draw,
    /// A position.
    Setup(Diagram),
    /// Changes to the current board; the side to move stays.
    Edit(Vec<Edit>),
    /// A request to a table, as in EGTgen's dialogue.
    Ask(Ask),
    /// Search without moving until [`Play::Leave`].
    Analyze,
    /// Leave analysis.
    Leave,
    /// Report the progress of the analysis.
    Status,
    /// Suggest a move to the user.
    Hint,
    /// List the book moves.
    Book,
    /// Time control: moves per session (0: the whole game), base time and increment.
    Level {
        /// Moves per session; 0 for the whole game.
        moves: u32,
        /// Time per session.
        base: Duration,
        /// Increment per move.
        increment: Duration,
    },
    /// A fixed time per move.
    PerMove(Duration),
    /// Depth limit in plies.
    Depth(u32),
    /// Nodes that count as one second; 0 for real time.
    Rate(u64),
    /// Time on the engine's clock.
    Clock(Duration),
    /// Time on the user's clock.
    OtherClock(Duration),
    /// Exclude this root move, or all of them when it is `None`.
    Exclude(Option<String>),
    /// Include this root move again, or all of them when it is `None`.
    Include(Option<String>),
    /// Reply when all earlier commands are done and a due move has been made.
    Ping(u64),
    /// Total memory in MiB.
    Memory(u64),
    /// Location of the tables of a kind.
    TablePath {
        /// `syzygy`, `nalimov`, …
        kind: String,
        /// The folder.
        path: String,
    },
}

/// One change to a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Clear the board.
    Clear,
    /// Put a piece on a square.
    Put(Color, char, Square),
    /// Remove the piece on this square.
    Remove(Square),
}
