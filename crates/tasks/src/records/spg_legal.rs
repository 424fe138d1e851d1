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
}
