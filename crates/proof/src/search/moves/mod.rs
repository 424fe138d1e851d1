//! Moves of the pieces of a script in any view of the board: their lists, and how they are made.

pub(crate) mod generate;
pub(crate) mod make;
#[cfg(test)]
mod tests;

use crate::problem::castling::Wing;
use arrayvec::ArrayVec;
use umbrail_chess::geometry::Square;

/// Effect of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveEffect {
    /// Quiet move.
    Quiet,
    /// First step of an excursion.
    Leave,
    /// Capture of this piece, possibly with promotion.
    Capture(u8),
    /// Promotion without capture.
    Promote,
    /// Stop where a visit is assumed.
    Visit,
    /// Castling of king and rook.
    Castle(Wing),
}

/// A move of a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceMove {
    pub(crate) piece: u8,
    pub(crate) to: Square,
    pub(crate) effect: MoveEffect,
}

/// Capacity of a move list: enough for every move of a side, as queens have 27 and promotions are
/// at most eight.
pub(crate) const MOVE_LIST_MAX: usize = 256;

/// A list of moves.
pub(crate) type MoveList = ArrayVec<PieceMove, MOVE_LIST_MAX>;
