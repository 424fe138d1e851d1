//! Koeko ("Kontaktkoppel"): a man that moved must touch another man.
//!
//! After its move, a man must stand on a square adjacent to at least one other man of either color; after
//! castling, king and rook both. A king is attacked only if the capturer would touch a man afterwards.
//! Source: Popeye 4.104.
//!
//! *Bounds*: the condition only forbids moves and changes check.

use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use umbrail_chess::attacks;
use umbrail_chess::geometry::Square;

/// Rules of Koeko.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Koeko;

impl FairyCondition for Koeko {
    fn traits(&self) -> Traits {
        Traits { check_by_capture: true, effects: true, ..Traits::default() }
    }

    fn effect(
        &self,
        _: &FairyRules,
        _: &FairyPosition,
        played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let men = played.next.occupied();
        let touches = |at: Square| (attacks::king(at) & men).any();
        if touches(played.at) && played.mv.rook.is_none_or(|(_, rook)| touches(rook)) {
            out.push(played);
        }
    }
}
