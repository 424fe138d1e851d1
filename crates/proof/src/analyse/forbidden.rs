//! Forbidden squares of a leg, as exchanged between deductions.

use crate::problem::piece::PieceId;
use umbrail_chess::geometry::Bitboard;

/// Squares on which a piece never stops during one of its legs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ForbiddenSquares {
    /// The piece.
    pub piece: PieceId,
    /// Number of the leg.
    pub leg: u8,
    /// The squares.
    pub squares: Bitboard,
}
