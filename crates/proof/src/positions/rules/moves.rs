//! Moves of the search, and the buffer that holds those of one position.

use arrayvec::ArrayVec;
use umbrail_chess::geometry::Square;
use umbrail_chess::{MOVES_MAX, Move, Role};

/// Special moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveShape {
    /// A man goes to a square, and captures what stands there.
    Plain,
    /// A pawn goes two squares ahead.
    DoubleStep,
    /// A pawn captures a pawn beside it.
    EnPassant,
    /// The king castles; `to` is the square of its rook.
    Castling,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoardMove {
    /// Square of departure.
    pub from: Square,
    /// Square of arrival; for castling, the square of the rook.
    pub to: Square,
    /// Role after a promotion.
    pub promotion: Option<Role>,
    /// Special move.
    pub shape: MoveShape,
}

impl BoardMove {
    /// Returns the move as the rules of orthodox chess write it.
    pub(crate) fn to_move(self) -> Move {
        match self.promotion {
            Some(role) => Move::promoting(self.from, self.to, role),
            None => Move::new(self.from, self.to),
        }
    }
}

/// Moves that are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveClass {
    /// All moves.
    All,
    /// Captures, also en passant.
    Captures,
    /// Moves that do not capture.
    Quiet,
}

/// Moves of one position.
pub(crate) type MoveBuffer = ArrayVec<BoardMove, { MOVES_MAX }>;
