//! Ranks and squares from the viewpoint of pawns.

use crate::problem::piece::PieceId;
use umbrail_chess::geometry::{Color, Square};

/// Returns the square behind `square` for a pawn of `color`: the square of the victim of an en
/// passant capture that lands on `square`.
pub(crate) const fn behind(color: Color, square: Square) -> Square {
    match color {
        Color::White => Square::at(square.file(), square.rank().wrapping_sub(1)),
        Color::Black => Square::at(square.file(), square.rank() + 1),
    }
}

/// Returns the rank of a square relative to a color: 0 is its own first rank.
pub(crate) const fn pawn_rank(color: Color, square: Square) -> u8 {
    match color {
        Color::White => square.rank(),
        Color::Black => 7 - square.rank(),
    }
}

/// Returns the ranks that a pawn gains between two squares; negative for a backward step.
pub(crate) fn rank_gain(piece: PieceId, from: Square, to: Square) -> i32 {
    i32::from(pawn_rank(piece.color(), to)) - i32::from(pawn_rank(piece.color(), from))
}
