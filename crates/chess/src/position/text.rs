//! Conversion of a position to a setup and to text (FEN).

use super::Position;
use crate::geometry::{Bitboard, Color, Setup};
use crate::piece::Role;
use std::fmt;

impl Position {
    /// Returns the castling field of the FEN: `KQkq` where the outermost rook is meant, else the
    /// rook's file (X-FEN); always the file when `shredder`.
    pub(crate) fn castling_field(&self, shredder: bool) -> String {
        let mut field = String::new();
        for color in Color::ALL {
            for kingside in [true, false] {
                let Some(rook) = self.castling_rook(color, kingside) else { continue };
                let rooks = self.pieces(color, Role::Rook) & Bitboard::rank(rook.rank());
                let outermost = if kingside { rooks.last() } else { rooks.first() } == Some(rook);
                let letter = match (outermost && !shredder, kingside) {
                    (true, true) => 'K',
                    (true, false) => 'Q',
                    (false, _) => (b'A' + rook.file()) as char,
                };
                field.push(if color.is_white() { letter } else { letter.to_ascii_lowercase() });
            }
        }
        if field.is_empty() { "-".to_owned() } else { field }
    }

    /// Returns the position as letters on squares, castling in the orthodox letters where they are
    /// unambiguous (X-FEN), otherwise by the rook's file.
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup::default();
        setup.turn = self.turn;
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                setup.put(square, piece.color, piece.role.letter());
            }
        }
        setup.castling = self.castling_field(false);
        setup.en_passant = self.en_passant();
        (setup.halfmoves, setup.fullmoves) = (self.halfmoves, self.fullmoves);
        setup
    }
}

impl fmt::Display for Position {
    /// Writes the position as a FEN of six fields (X-FEN castling).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_setup().fmt(f)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}
