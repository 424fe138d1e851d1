//! Records of the conversation in JSON: one object a line, with its kind in `"t"`. Programs that read
//! them can use the same types. Tasks write records of their own (`Message`).

use serde::{Deserialize, Serialize};

/// A line of output that does not belong to a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum Record {
    /// Variation of a search.
    Line(LineRecord),
    /// Command that could not be executed.
    Error {
        /// The reason.
        text: String,
    },
    /// Note for the user.
    Note {
        /// The note.
        text: String,
    },
    /// Text of several lines.
    Page {
        /// The lines.
        lines: Vec<String>,
    },
    /// All options.
    Options {
        /// The options with their values.
        options: Vec<OptionRecord>,
    },
    /// Number of sequences after a move.
    Branch {
        /// The move in coordinates.
        #[serde(rename = "move")]
        mv: String,
        /// Number of sequences.
        nodes: u64,
    },
    /// Position of a bench.
    BenchPosition {
        /// Number of the position, from 1.
        number: usize,
        /// The position.
        fen: String,
        /// Nodes searched.
        nodes: u64,
    },
    /// The current position.
    Position {
        /// FEN.
        fen: String,
        /// Hash key, 16 hexadecimal digits; null if the diagram cannot be played.
        key: Option<String>,
        /// Squares of the pieces that give check.
        checkers: Vec<String>,
    },
    /// Static evaluation of the current position.
    Evaluation {
        /// Value that the search uses, in centipawns for the side to move; null in check.
        cp: Option<i32>,
        /// Value of the hand-written evaluation, in centipawns for the side to move; null in check.
        handwritten_cp: Option<i32>,
        /// The network; null if the evaluation is hand-written.
        network: Option<String>,
        /// Value of each piece but the kings.
        pieces: Vec<PieceValueRecord>,
        /// Value by each output bucket of the network, in centipawns for the side to move.
        bucket_cp: Vec<i32>,
    },
    /// Build of the program.
    Build(BuildRecord),
    /// License of the program.
    License {
        /// SPDX identifier.
        license: String,
        /// The notice.
        text: String,
    },
    /// End of a search, a count or a bench.
    End(EndRecord),
}

/// Value of a piece to the evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceValueRecord {
    /// Square of the piece.
    pub square: String,
    /// Value for White, centipawns.
    pub cp: i32,
}

/// Build of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildRecord {
    /// Version.
    pub version: String,
    /// Commit of the source; null if unknown.
    pub commit: Option<String>,
    /// Version of the compiler; null if unknown.
    pub rustc: Option<String>,
    /// Target triple; null if unknown.
    pub target: Option<String>,
    /// `release` or `debug`.
    pub profile: String,
    /// Processor features that the whole program requires.
    pub features: Vec<String>,
    /// Instructions that the network uses on this processor; null if unknown.
    #[serde(default)]
    pub kernel: Option<String>,
    /// Memory allocator.
    pub allocator: String,
}

/// Variation of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineRecord {
    /// Depth in plies.
    pub depth: u32,
    /// Rank of the variation, from 1.
    pub multipv: usize,
    /// Score in centipawns for the side to move, unless it is a mate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// Mate in this number of moves; negative if the side to move is mated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// Meaning of the score.
    pub bound: ScoreBound,
    /// Chances of win, draw and loss for the side to move, in thousandths; with the option
    /// `UCI_ShowWDL`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wdl: Option<[u32; 3]>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time in milliseconds.
    pub elapsed_ms: u64,
    /// Moves in coordinates.
    pub uci: Vec<String>,
    /// Moves in standard notation.
    pub moves: Vec<String>,
}

/// Bound of a score, as UCI's `lowerbound` and `upperbound` have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreBound {
    /// The score is exact.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// An option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionRecord {
    /// Name.
    pub name: String,
    /// Current value.
    pub value: String,
    /// Description.
    pub help: String,
}

/// End of work that is not a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EndRecord {
    /// End of a bench. Percentages have two decimals.
    Bench {
        /// Nodes searched.
        nodes: u64,
        /// Time in milliseconds.
        elapsed_ms: u64,
        /// Nodes per second.
        nps: u64,
        /// Share of positions found in the transposition table, per cent.
        tt_hit_percent: f64,
        /// Share of nodes that fail high, per cent.
        fail_high_percent: f64,
        /// Share of these that fail high with the first move, per cent.
        first_fail_high_percent: f64,
        /// Share of moves that are searched again, per cent.
        researches_percent: f64,
        /// `complete` or `stopped`.
        status: String,
    },
    /// End of a count of sequences.
    Count {
        /// Length in plies.
        depth: u32,
        /// Number of sequences.
        nodes: u64,
        /// Time in milliseconds.
        elapsed_ms: u64,
        /// `complete` or `stopped`.
        status: String,
    },
    /// End of a search.
    Best {
        /// The best move in coordinates; null without legal moves.
        best: Option<String>,
        /// The expected reply.
        ponder: Option<String>,
    },
}
