//! Castling: the wings, the rook of each, and the squares of king and rook afterwards.

use crate::problem::piece::PieceId;
use umbrail_chess::geometry::{Color, Square};

/// Wing on which a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wing {
    /// To the g-file.
    King,
    /// To the c-file.
    Queen,
}

impl Wing {
    /// Both wings.
    pub(crate) const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// Returns the target files of the king (6 or 2) and of the rook (5 or 3).
    pub(crate) const fn files(self) -> (u8, u8) {
        match self {
            Self::King => (6, 5),
            Self::Queen => (2, 3),
        }
    }

    /// Returns the file on which the rook starts.
    pub(crate) const fn rook_file(self) -> u8 {
        match self {
            Self::King => 7,
            Self::Queen => 0,
        }
    }
}

/// Returns the rook that castles on a wing.
pub(crate) const fn castling_rook(color: Color, wing: Wing) -> PieceId {
    PieceId::new(16 * color as u8 + wing.rook_file())
}

/// Returns the square of a king or rook after castling.
pub(crate) fn castled_square(piece: PieceId, wing: Wing) -> Square {
    let (king, rook) = wing.files();
    let file = if piece == PieceId::king(piece.color()) { king } else { rook };
    Square::at(file, piece.origin().rank())
}
