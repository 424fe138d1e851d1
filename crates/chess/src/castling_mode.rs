//! Which castling rights a game can have.

use crate::geometry::Square;

/// The castling rules of a game: from which squares a king may castle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingMode {
    /// Standard chess: from the e-file, with a rook on the a- or h-file (FIDE 3.8.2).
    #[default]
    Standard,
    /// Chess960 and Double Fischer Random: from any square, with any rook of the first rank.
    Chess960,
}

impl CastlingMode {
    /// The mode that a switch such as `UCI_Chess960` selects.
    pub const fn of(chess960: bool) -> Self {
        if chess960 { Self::Chess960 } else { Self::Standard }
    }

    /// True for [`CastlingMode::Chess960`].
    pub const fn is_chess960(self) -> bool {
        matches!(self, Self::Chess960)
    }

    /// True when a king on this square can have the right to castle with a rook on that one. Both are on the king's
    /// first rank.
    pub(crate) fn allows(self, king: Square, rook: Square) -> bool {
        self.is_chess960() || king.file() == 4 && matches!(rook.file(), 0 | 7)
    }
}
