//! Keys of a position and of its parts, for tables of what a search has learned about them.

use super::Position;
use crate::geometry::Color;
use crate::piece::{Piece, Role};
use crate::zobrist;

/// Returns the index of a piece in [`Position::structures`].
#[inline]
pub(super) const fn structure(color: Color, role: Role) -> usize {
    if matches!(role, Role::Pawn) { 0 } else { 1 + color.index() }
}

impl Position {
    /// Computes the key from scratch; always equal to [`Position::key`].
    pub fn computed_key(&self) -> u64 {
        let pieces = self.occupied().squares().filter_map(|square| {
            self.piece_at(square).map(|piece| zobrist::piece(piece.color, piece.role, square))
        });
        let mut key = pieces.fold(zobrist::castling(self.castling), |key, piece| key ^ piece);
        if let Some(square) = self.en_passant() {
            key ^= zobrist::en_passant(square);
        }
        if self.turn == Color::Black {
            key ^= zobrist::black_to_move();
        }
        key
    }

    /// Returns short Zobrist keys of all pawns, of White's other pieces and of Black's. They have no
    /// meaning where the [key](Position::key) has none.
    #[inline]
    pub const fn structures(&self) -> [u16; 3] {
        self.structures
    }

    /// Returns the [`Position::structures`] computed from the pieces.
    pub(crate) fn computed_structures(&self) -> [u16; 3] {
        let mut keys = [0; 3];
        for square in self.occupied().squares() {
            if let Some(Piece { color, role }) = self.piece_at(square) {
                keys[structure(color, role)] ^= zobrist::piece(color, role, square) as u16;
            }
        }
        keys
    }
}
