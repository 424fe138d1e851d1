//! What a user or a GUI asks for, independent of any protocol.

use super::domain::{Domain, Task, Topic};
use crate::geometry::{Color, Setup, SetupError, Square};
use std::time::Duration;

/// A command for the session.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Who are you, and what can be set?
    Identify,
    /// Say that the program listens; behind perft and bench, when they are done.
    Ready,
    /// Say more about what is going on, or less.
    Debug(bool),
    /// Set an option, or press a button.
    SetOption {
        /// The name as given.
        name: String,
        /// The value as given.
        value: Option<String>,
    },
    /// The next position is from another game.
    NewGame,
    /// Set up a position and play these moves.
    Position {
        /// Where the game starts.
        base: Base,
        /// Moves in long algebraic notation.
        moves: Vec<String>,
    },
    /// Search the present position and answer with a move.
    Go(Go),
    /// Count the move sequences of this length.
    Perft(u32),
    /// Search the fixed positions of the benchmark.
    Bench(BenchRequest),
    /// Stop what is running; its answer is still given.
    Stop,
    /// The move that was pondered on was played.
    PonderHit,
    /// Show something to a person.
    Show(Show),
    /// Exchange the colors of the present position.
    Flip,
    /// A move of a game partner's conversation.
    Play(Play),
    /// Run a task of a solver module.
    Task(Task),
    /// The running task skips its present part and continues.
    Skip(Domain),
    /// Leave when it is this command's turn; a search or a domain command that runs then is stopped.
    Quit,
    /// The input has ended: leave when all bounded work is done.
    End,
    /// Leave now, whatever runs or waits.
    Exit,
}

/// Where a position command starts.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// The game array.
    Start,
    /// A diagram, or why there is none.
    Setup(Result<Setup, SetupError>),
    /// The present position.
    GameState,
}

/// The limits of one search, as given; a missing one has no influence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Think on the opponent's time: no answer before [`Command::PonderHit`] or [`Command::Stop`].
    pub ponder: bool,
    /// No answer before [`Command::Stop`].
    pub infinite: bool,
    /// What the clocks show, White's first, in ms; may be negative after lag.
    pub clocks: [Option<i64>; 2],
    /// What is added per move, White's first, in ms.
    pub increments: [Option<i64>; 2],
    /// Moves to the next time control; sudden death without.
    pub moves_to_go: Option<u32>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Look for a mate in this many moves.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The only first moves to look at.
    pub search_moves: Option<Vec<String>>,
}

impl Go {
    /// Whether the search ends by itself, once it does not ponder any more.
    pub fn is_limited(&self) -> bool {
        let is_said = self.clocks != [None; 2]
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.movetime.is_some();
        is_said && !self.infinite
    }
}

/// The limit of each search of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchLimit {
    /// Depth in plies.
    Depth(u32),
    /// Positions to look at.
    Nodes(u64),
    /// Time for each search.
    MoveTime(Duration),
    /// No search: the move sequences of this length are counted.
    Perft(u32),
}

/// What the benchmark searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BenchPositions {
    /// The fixed positions, whose node count is the signature.
    #[default]
    Fixed,
    /// The present position.
    Current,
    /// The positions of a file, one FEN or EPD a line.
    File(String),
}

/// The parameters of the benchmark.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchRequest {
    /// Limit of each search; the usual depth without.
    pub limit: Option<BenchLimit>,
    /// What is searched.
    pub positions: BenchPositions,
    /// Workers; one without, because only then the node count means something.
    pub threads: Option<usize>,
    /// Transposition table in MiB; the usual one without.
    pub hash_mib: Option<usize>,
}

/// What is shown to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// The board, its FEN and key.
    Board,
    /// What the evaluation says.
    Eval,
    /// The options and their values.
    Options,
    /// The commands, the verbs of a domain, or the keys of a verb.
    Help(Topic),
    /// What this program was built with.
    Compiler,
    /// Its licence.
    License,
}

/// What is asked of a table in EGTgen's dialogue.
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
    /// A new game from the start array; the engine has Black.
    New,
    /// The rules of the game that was just begun.
    Variant(String),
    /// Neither side is the engine's.
    Force,
    /// The engine has the side to move, and moves.
    Go,
    /// The engine has the other side, and waits.
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
    /// A position, or why there is none.
    Setup(Result<Setup, SetupError>),
    /// Changes to the present board; the side to move stays.
    Edit(Vec<Edit>),
    /// A table's information on a position, as in EGTgen's dialogue.
    Ask(Ask),
    /// Search without moving until [`Play::Leave`].
    Analyze,
    /// Leave analysis.
    Leave,
    /// How far is the analysis?
    Status,
    /// What would you play for me?
    Hint,
    /// What does the book say?
    Book,
    /// Moves per session (0: the whole game), base time and increment.
    Level {
        /// Moves per session; 0 for the whole game.
        moves: u32,
        /// Time per session.
        base: Duration,
        /// Added per move.
        increment: Duration,
    },
    /// So much time per move.
    PerMove(Duration),
    /// Never deeper than this.
    Depth(u32),
    /// Count this many positions as one second; 0 for real time.
    Rate(u64),
    /// What the engine's clock shows.
    Clock(Duration),
    /// What the user's clock shows.
    OtherClock(Duration),
    /// Do not look at this first move; at none when it is `None`.
    Exclude(Option<String>),
    /// Look at this first move again; at all when it is `None`.
    Include(Option<String>),
    /// Say so when everything before is done, and not before a move that is due.
    Ping(u64),
    /// Memory for everything, MiB.
    Memory(u64),
    /// Where tables of this kind lie.
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
    /// Take everything off.
    Clear,
    /// Put a man on a square.
    Put(Color, char, Square),
    /// Remove the man on this square.
    Remove(Square),
}
