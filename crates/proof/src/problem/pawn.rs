//! Ranks and squares as pawns see them.

use crate::problem::man::Man;
use umbrail_chess::geometry::{Color, Square};

/// The square behind `square` as seen by a pawn of `color`: where the victim of an en passant capture
/// that lands on `square` stands.
pub(crate) const fn behind(color: Color, square: Square) -> Square {
    match color {
        Color::White => Square::at(square.file(), square.rank().wrapping_sub(1)),
        Color::Black => Square::at(square.file(), square.rank() + 1),
    }
}

/// The rank of a square as its pawns count it: 0 is the own first rank.
pub(crate) const fn pawn_rank(color: Color, square: Square) -> u8 {
    match color {
        Color::White => square.rank(),
        Color::Black => 7 - square.rank(),
    }
}

/// Ranks that a pawn gains between two squares; negative when it would go back.
pub(crate) fn rank_gain(man: Man, from: Square, to: Square) -> i32 {
    i32::from(pawn_rank(man.color(), to)) - i32::from(pawn_rank(man.color(), from))
}
