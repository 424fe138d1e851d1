//! Losing chess: captures are compulsory, and kings are ordinary men.
//!
//! A side that can capture must, with a free choice among its captures, also en passant. There is
//! no check: kings may be left en prise and captured, and pawns promote to king, too. Castling with
//! an unmoved king and rook is legal from, to and through attacked squares, but only if no capture
//! is possible. Source: Popeye 4.104 (`LosingChess`).
//!
//! *Bounds*: captures are exact, kings included, and a pawn may become a king. Otherwise moves are
//! only forbidden.

use crate::positions::rules::{MoveBuffer, PositionOf, RuleSet};
use umbrail_chess::Role;
use umbrail_chess::geometry::{Color, Square};

/// Rules of losing chess.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LosingChess;

impl RuleSet for LosingChess {
    type Extra = ();

    const FILTERS: bool = true;
    const PROMOTIONS: &'static [Role] =
        &[Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::King];

    fn filter(&self, position: &PositionOf<Self>, moves: &mut MoveBuffer) {
        if moves.iter().any(|mv| mv.captures(position)) {
            moves.retain(|mv| mv.captures(position));
        }
    }

    fn in_check(&self, _position: &PositionOf<Self>, _side: Color) -> bool {
        false
    }

    fn is_guarded(&self, _position: &PositionOf<Self>, _square: Square, _by: Color) -> bool {
        false
    }
}
