//! Moves on a fairy board.

use crate::fairy::Piece;
use std::fmt;
use std::sync::Arc;
use umbrail_chess::geometry::Square;

/// Move on a [`FairyBoard`](super::FairyBoard).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FairyMove {
    /// Square of origin.
    pub from: Square,
    /// Target square.
    pub to: Square,
    /// Piece that a pawn promotes to.
    pub promotion: Option<Arc<Piece>>,
    /// Square of the captured piece.
    pub captured: Option<Square>,
}

impl FairyMove {
    /// Returns a pass of the side whose royal stands on this square, where the rules allow one.
    pub const fn pass(royal: Square) -> Self {
        Self { from: royal, to: royal, promotion: None, captured: None }
    }

    /// Returns true for a pass.
    pub(crate) fn is_pass(&self) -> bool {
        self.from == self.to
    }

    /// Returns true for captures and promotions.
    pub(crate) fn is_conversion(&self) -> bool {
        self.captured.is_some() || self.promotion.is_some()
    }
}

impl fmt::Display for FairyMove {
    /// Writes coordinates, as in UCI: `e2e4`, `e7e8q`, and `0000` for a pass.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            return f.write_str("0000");
        }
        write!(f, "{}{}", self.from, self.to)?;
        match &self.promotion {
            Some(piece) => write!(f, "{}", piece.letter.to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}
