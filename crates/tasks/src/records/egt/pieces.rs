//! Records of pieces of endgame tables.

use crate::records::kinds;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

kinds! {
    EgtPiece => "piece",
    PieceMoves => "piece_moves",
    PieceEndingRecord => "piece_ending",
}

/// A piece of `egt list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EgtPiece {
    /// Letter.
    pub piece: String,
    /// Movement in Betza's notation.
    pub betza: String,
}

/// The moves of a piece from one square, of `egt piece`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceMoves {
    /// Letter.
    pub piece: String,
    /// Movement in Betza's notation.
    pub betza: String,
    /// Movement as XBoard reads it, if XBoard can express it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub xboard: Option<String>,
    /// Movement as in a line of `piecedef.ini`, if it is a list of steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piecedef: Option<String>,
    /// Square of the piece.
    pub from: String,
    /// Moves with their conditions.
    pub moves: Vec<PieceMove>,
}

/// A move of `egt piece` with its conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceMove {
    /// Square where the move ends.
    pub to: String,
    /// Squares of the captured pieces.
    pub takes: Vec<String>,
    /// Squares that are empty.
    pub empty: Vec<String>,
    /// Squares that are all occupied.
    pub occupied: Vec<String>,
    /// Squares of which exactly one is occupied, if there are any.
    pub exactly_one: Vec<String>,
    /// Squares where a hurdle is an own piece.
    pub own: Vec<String>,
    /// The move in words.
    pub text: String,
}

/// An ending of `egt piece-report`. Shares are of the legal positions with that side to move; none
/// where there is no such position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PieceEndingRecord {
    /// The ending.
    pub material: String,
    /// Part of the piece: `alone`, `pair`, `partner` or `attacker`.
    pub role: String,
    /// White to move wins.
    pub white_wins_percent: Option<f64>,
    /// Black to move loses.
    pub black_loses_percent: Option<f64>,
    /// Black to move wins.
    pub black_wins_percent: Option<f64>,
    /// Longest win of White with the move.
    pub longest_plies: u64,
    /// FEN of a longest win, if there is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<String>,
    /// Number of mutual zugzwangs.
    pub zugzwangs: u64,
    /// Squares where Black's king is lost in less than half of the positions, in an ending that is
    /// mostly won.
    pub fortress_squares: Vec<String>,
    /// White to move wins with both pieces on squares of one color, if neither ever changes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_color_percent: Option<f64>,
    /// White to move wins with the pieces on squares of both colors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_color_percent: Option<f64>,
    /// White to move wins, by the square of the piece.
    pub piece_percent: BTreeMap<String, f64>,
    /// Black to move loses, by the square of Black's king.
    pub king_percent: BTreeMap<String, f64>,
}
