//! Castling rules of a game.

use crate::geometry::Square;

/// Castling rules of a game: squares from which a king may castle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingMode {
    /// Standard chess: from the e-file, with a rook on the a- or h-file (FIDE 3.8.2).
    #[default]
    Standard,
    /// Chess960 and Double Fischer Random: from any square, with any rook of the first rank.
    Chess960,
}

impl CastlingMode {
    /// Returns the mode selected by a switch such as `UCI_Chess960`.
    pub const fn of(chess960: bool) -> Self {
        if chess960 { Self::Chess960 } else { Self::Standard }
    }

    /// Returns true for [`CastlingMode::Chess960`].
    pub const fn is_chess960(self) -> bool {
        matches!(self, Self::Chess960)
    }

    /// Returns true when a king on `king` can have the right to castle with a rook on `rook`. Both
    /// are on the king's first rank.
    pub(crate) fn allows(self, king: Square, rook: Square) -> bool {
        self.is_chess960() || king.file() == 4 && matches!(rook.file(), 0 | 7)
    }
}
