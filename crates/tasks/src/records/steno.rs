//! Records of Steno-Chess.

use super::kinds;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;
use serde_json::value::RawValue;

kinds! {
    StenoSolution => "solution",
    StenoMark => "mark",
    StenoMarks => "marks",
    StenoTurn => "turn",
    StenoRemark => "remark",
    ComposedSteno => "composed",
    SplitTurn => "split",
    SavedTurn => "saved",
    ReplacedMark => "replaced",
    DroppedPart => "dropped",
    NeededPart => "needed",
    StenoEnd => "end",
    MatchEnd => "end",
    MarksEnd => "end",
    ExplainedEnd => "end",
    WhittledEnd => "end",
    ComposedEnd => "end",
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
    #[serde(skip_serializing_if = "Option::is_none")]
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
    /// Games so far.
    pub games: GameCount,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<bool>,
    /// The steno, if one was found.
    pub steno: Option<String>,
    /// Moves of the game in standard notation.
    pub moves: Vec<String>,
    /// The steno, or why there is none.
    pub text: String,
}

/// Step of a search in parts, at this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SplitTurn {
    /// Turn.
    pub turn: u64,
}

/// Turn up to which the work is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedTurn {
    /// Turn.
    pub turn: u64,
}

/// Turn of which no mark could be kept, of `steno convert`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplacedMark {
    /// Turn.
    pub turn: u64,
}

/// Joined mark or condition that a steno does not need, of `steno whittle`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedPart {
    /// Its turn.
    pub turn: u64,
    /// The part.
    pub part: String,
}

/// Joined mark or condition without which a steno has several games, of `steno whittle`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeededPart {
    /// Its turn.
    pub turn: u64,
    /// The part.
    pub part: String,
}

/// End of `steno solve`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StenoEnd {
    /// Number of games.
    pub count: GameCount,
    /// The number is exact.
    pub exact: bool,
    /// Number of games listed.
    pub listed: u64,
    /// The steno.
    pub steno: String,
    /// Name of its vocabulary.
    pub vocabulary: String,
    /// Its length.
    pub plies: u64,
    /// Moves made.
    pub made: u64,
    /// Turn that rules out all games.
    pub dead_turn: Option<u64>,
    /// Final positions; null if they were not counted.
    pub finals: Option<StenoFinals>,
    /// Positions and games after each mark.
    pub marks: Vec<StenoMark>,
}

/// Final positions of a steno.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StenoFinals {
    /// Number of different positions.
    pub count: u64,
    /// The first ones.
    pub list: Vec<StenoFinal>,
}

/// A final position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StenoFinal {
    /// FEN of the position.
    pub fen: String,
    /// Number of games that end in it.
    pub games: GameCount,
}

/// Number of games in decimal digits. It may exceed 64 bits, and is rounded from 2^64 on where it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameCount(pub String);

impl From<u128> for GameCount {
    fn from(games: u128) -> Self {
        Self(games.to_string())
    }
}

impl GameCount {
    /// Returns the number; none from 2^64 on.
    pub fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }
}

impl Serialize for GameCount {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let digits = RawValue::from_string(self.0.clone());
        digits.map_err(serde::ser::Error::custom)?.serialize(to)
    }
}

impl<'de> Deserialize<'de> for GameCount {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Number::deserialize(from).map(|number| Self(number.to_string()))
    }
}

/// End of `steno match`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchEnd {
    /// The game fits the steno.
    pub fits: bool,
    /// First ply that does not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u64>,
}

/// End of `steno marks`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarksEnd {
    /// Length of the game.
    pub plies: u64,
}

/// End of `steno explain`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainedEnd {
    /// Number of consequences.
    pub count: u64,
}

/// End of `steno whittle`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhittledEnd {
    /// The steno has one game.
    pub unique: bool,
}

/// End of `steno compose`: numbers of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComposedEnd {
    /// Games with a steno of their own.
    pub found: u64,
    /// Games without one.
    pub none: u64,
    /// Games that are not decided.
    pub open: u64,
}
