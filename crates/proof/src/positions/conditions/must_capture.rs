//! Losing chess, and compulsory captures of one side.
//!
//! - *LosingChess*: a side that can capture must, with a free choice among its captures, also en
//!   passant. There is no check: kings may be left en prise and captured, and pawns promote to king,
//!   too. Castling with an unmoved king and rook is legal from, to and through attacked squares, but
//!   only if no capture is possible.
//! - *WhiteMustCapture*, *BlackMustCapture*: captures of that side are compulsory; checks stay.
//!
//! Source: Popeye 4.104.
//!
//! *Bounds*: captures are exact, kings included, and a pawn may become a king. Otherwise moves are
//! only forbidden.

use crate::positions::board::ManKind;
use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use umbrail_chess::geometry::Color;

/// Compulsory captures.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MustCapture {
    /// Both sides, and kings are ordinary men.
    Losing,
    /// One side.
    Side(Color),
}

impl FairyCondition for MustCapture {
    fn traits(&self) -> Traits {
        Traits { filters: true, ..Traits::default() }
    }

    fn promotions(&self, kinds: &mut Vec<ManKind>) {
        if matches!(self, Self::Losing) {
            kinds.push(ManKind::KING);
        }
    }

    fn in_check(&self, _: &FairyRules, _: &FairyPosition, _: Color) -> Option<bool> {
        matches!(self, Self::Losing).then_some(false)
    }

    fn filter(&self, _: &FairyRules, before: &FairyPosition, legal: &mut Vec<PlayedMove>) {
        let concerned = match self {
            Self::Losing => true,
            Self::Side(side) => before.turn == *side,
        };
        if concerned && legal.iter().any(|one| one.victim.is_some()) {
            legal.retain(|one| one.victim.is_some());
        }
    }
}
