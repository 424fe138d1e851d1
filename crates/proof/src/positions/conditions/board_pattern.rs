//! Conditions that allow a step in view of its two squares only: Monochromatic, Bichromatic and
//! Grid Chess.
//!
//! - *Monochromatic*: both squares have the same color. Knights never move. Kingside castling is
//!   legal, queenside castling is not, because the rook would change its color. A pawn makes double
//!   steps and captures, also en passant, but no single steps.
//! - *Bichromatic*: the squares have different colors. Bishops never move, there is no castling,
//!   and a pawn makes single steps only.
//! - *Grid*: each move leaves its cell of 2×2 squares (a1, a2, b1, b2 are one). Castling needs only
//!   that king and rook change their cells.
//!
//! Checks are restricted in the same way. Source: Popeye 4.104.
//!
//! *Bounds*: the conditions only forbid moves, so those of orthodox chess hold, with the steps that
//! are left.

use crate::positions::fairy::FairyCondition;
use umbrail_chess::geometry::Square;

/// Relation of the two squares of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoardPattern {
    /// The same color.
    Monochromatic,
    /// Different colors.
    Bichromatic,
    /// Different cells of the grid.
    Grid,
}

impl FairyCondition for BoardPattern {
    fn step_ok(&self, from: Square, to: Square) -> bool {
        let cell = |square: Square| (square.file() / 2, square.rank() / 2);
        match self {
            Self::Monochromatic => from.is_light() == to.is_light(),
            Self::Bichromatic => from.is_light() != to.is_light(),
            Self::Grid => cell(from) != cell(to),
        }
    }
}
