//! Moves of games with conditions.

use super::state::FairyPosition;
use crate::positions::board::{Man, ManKind};
use umbrail_chess::geometry::Square;

/// A move. All that distinguishes two games is part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FairyMove {
    /// Square of departure.
    pub from: Square,
    /// Square of arrival, before any effect.
    pub to: Square,
    /// Square of the captured man.
    pub victim: Option<Square>,
    /// Kind after a promotion.
    pub promotion: Option<ManKind>,
    /// Squares of departure and arrival of the rook of a castling.
    pub rook: Option<(Square, Square)>,
    /// Square behind a pawn's double step, on which it can be captured.
    pub passed: Option<Square>,
    /// Choice of the mover among effects, as its condition numbers them; 0 if there is none.
    pub choice: u32,
}

impl FairyMove {
    /// Returns a move to an empty square.
    pub(crate) const fn quiet(from: Square, to: Square) -> Self {
        Self { from, to, victim: None, promotion: None, rook: None, passed: None, choice: 0 }
    }

    /// Returns the capture of the man on the square of arrival.
    pub(crate) const fn capture(from: Square, to: Square) -> Self {
        Self { victim: Some(to), ..Self::quiet(from, to) }
    }

    /// Returns true for a castling.
    pub(crate) const fn is_castling(&self) -> bool {
        self.rook.is_some()
    }
}

/// A move that was played on the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayedMove {
    /// The move.
    pub mv: FairyMove,
    /// Square of the man that moved; an effect may displace it.
    pub at: Square,
    /// The captured man.
    pub victim: Option<Man>,
    /// Position after the move and the effects so far.
    pub next: FairyPosition,
}
