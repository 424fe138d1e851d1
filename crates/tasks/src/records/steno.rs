//! Records of Steno-Chess.

use super::kinds;
use serde::{Deserialize, Serialize};
use serde_json::Number;

kinds! {
    StenoSolution => "solution",
    StenoMark => "mark",
    StenoMarks => "marks",
    StenoTurn => "turn",
    StenoRemark => "remark",
    ComposedSteno => "composed",
}

/// A game that a steno describes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StenoSolution {
    /// Number of the game.
    pub index: u64,
    /// Moves in standard notation.
    pub moves: Vec<String>,
    /// Moves in coordinates.
    pub uci: Vec<String>,
    /// FEN of the last position.
    pub fen: String,
    /// Turn at which the game leaves the intended game, if there is one.
    pub leaves: Option<u64>,
    /// Numbered moves.
    pub text: String,
}

/// Positions and games after a mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StenoMark {
    /// Turn of the mark.
    pub turn: u64,
    /// Different positions; null if they were not counted.
    pub positions: Option<u64>,
    /// Games so far; rounded from 2^64 on.
    pub games: Number,
    /// Moves made so far.
    pub made: u64,
}

/// Marks that describe a move of a game, of `steno marks`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StenoMarks {
    /// Ply of the move.
    pub ply: u64,
    /// The move in standard notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The marks.
    pub marks: String,
}

/// A mark of a steno and its meaning, of `steno explain`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StenoTurn {
    /// Turn of the mark.
    pub turn: u64,
    /// The mark.
    pub mark: String,
    /// Its meaning.
    pub text: String,
}

/// Consequence of a mark for an earlier turn, of `steno explain`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StenoRemark {
    /// The earlier turn.
    pub turn: u64,
    /// Turn of the mark.
    pub because: u64,
    /// The consequence.
    pub text: String,
}

/// Result of `steno compose` for a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComposedSteno {
    /// Number of the game.
    pub game: u64,
    /// `found`, `none` or `open`.
    pub verdict: String,
    /// Length of the game in plies.
    pub plies: u64,
    /// Strings tried.
    pub trials: u64,
    /// Other games met.
    pub cooks: u64,
    /// Choices that could not be decided within their limits.
    pub banned: u64,
    /// No such steno has more `~`; only if the task asks for it.
    pub best: Option<bool>,
    /// The steno, if one was found.
    pub steno: Option<String>,
    /// Moves of the game in standard notation.
    pub moves: Vec<String>,
    /// The steno, or why there is none.
    pub text: String,
}

/// Joined mark or condition of a steno, of `steno whittle`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum WhittledPart {
    /// It is not needed.
    Dropped {
        /// Its turn.
        turn: u64,
        /// The part.
        part: String,
    },
    /// The steno has several games without it.
    Needed {
        /// Its turn.
        turn: u64,
        /// The part.
        part: String,
    },
}
