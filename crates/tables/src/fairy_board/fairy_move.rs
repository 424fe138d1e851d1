//! Moves on a fairy board.

use crate::fairy::{Piece, Template};
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
    /// Square of the piece captured at the end of the move, or en passant.
    pub captured: Option<Square>,
    /// Squares of the pieces captured on the way, in order.
    pub on_the_way: [Option<Square>; 2],
}

impl FairyMove {
    /// Returns a pass of the side whose royal stands on this square, where the rules allow one.
    pub const fn pass(royal: Square) -> Self {
        Self::quiet(royal, royal)
    }

    /// Returns a move without capture.
    pub(super) const fn quiet(from: Square, to: Square) -> Self {
        Self { from, to, promotion: None, captured: None, on_the_way: [None; 2] }
    }

    /// Returns the move of a template. Of two pieces captured on the way, the nearer comes first.
    pub(super) fn of(template: &Template) -> Self {
        let (from, to) = (Square::new(template.from), Square::new(template.to));
        let takes = |square: &Square| template.take >> square.index() & 1 != 0;
        let mut passed: Vec<Square> = Square::all().filter(|s| takes(s) && *s != to).collect();
        passed.sort_by_key(|square| square.distance(from));
        let on_the_way = [passed.first().copied(), passed.get(1).copied()];
        Self { captured: Some(to).filter(takes), on_the_way, ..Self::quiet(from, to) }
    }

    /// Returns true when the move captures the piece on this square.
    pub fn takes(&self, square: Square) -> bool {
        self.captured == Some(square) || self.on_the_way.contains(&Some(square))
    }

    /// Returns true for a pass.
    pub(crate) fn is_pass(&self) -> bool {
        self.from == self.to && self.on_the_way == [None; 2]
    }

    /// Returns true for captures and promotions.
    pub(crate) fn is_conversion(&self) -> bool {
        self.captured.is_some() || self.on_the_way != [None; 2] || self.promotion.is_some()
    }
}

impl fmt::Display for FairyMove {
    /// Writes coordinates, as in UCI: `e2e4`, `e7e8q`, and `0000` for a pass. A capture on the way
    /// divides the move, as in XBoard: `c3d4,d4e5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            return f.write_str("0000");
        }
        let mut from = self.from;
        for taken in self.on_the_way.into_iter().flatten() {
            write!(f, "{from}{taken},")?;
            from = taken;
        }
        write!(f, "{from}{}", self.to)?;
        match &self.promotion {
            Some(piece) => write!(f, "{}", piece.letter.to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}
