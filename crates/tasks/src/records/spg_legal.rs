//! Record of the legality of a position.

use super::kinds;
use serde::{Deserialize, Serialize};

kinds! {
    LegalEnd => "end",
}

/// End of `spg legal`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LegalEnd {
    /// `legal`, `illegal` or `undecided`.
    pub legality: String,
    /// Side to move for which this holds; none if it holds for both.
    pub turn: Option<String>,
    /// Arguments against any game.
    pub arguments: Vec<String>,
    /// Length of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u64>,
    /// Moves of the game in standard notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// Moves of the game in coordinates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uci: Option<Vec<String>>,
    /// The game with numbers of moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Positions from which moves were taken back without finding a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// Estimated moves from the nearest of them to the initial position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest_plies: Option<u64>,
    /// Least lengths, with each side to move that the FEN allows; none of an illegal position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub least: Vec<LeastOfSide>,
}

/// Least length of games to a position with one side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeastOfSide {
    /// Side to move at the end.
    pub turn: String,
    /// Least length in plies, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u64>,
    /// No game has fewer plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least_plies: Option<u64>,
    /// Moves of a shortest game in standard notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<String>>,
    /// Arguments against any game with this side to move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
}
