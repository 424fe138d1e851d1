//! Men of one kind that attack each other: Madrasi and Isardam.
//!
//! - *Madrasi*: a man (no king) that an enemy man of its kind attacks is paralyzed: it neither moves nor
//!   captures nor gives check, but paralyzes. Attacks are those of the movements alone. A paralyzed rook may
//!   castle. *RexInclusive*: kings, too.
//! - *Isardam*: a move is illegal if two enemy men of one kind (kings apart) attack each other afterwards.
//!   Type A (the default): a king is attacked only if its capture would be legal in this sense.
//!   Type B: always. *RexInclusive*: kings, too.
//!
//! Source: Popeye 4.104.
//!
//! *Bounds*: the conditions only forbid moves and change check.

use crate::positions::fairy::{FairyCondition, FairyMove, FairyPosition, FairyRules, Traits};
use umbrail_chess::geometry::Square;

/// Effect of two men of one kind that attack each other.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Paralysis {
    /// They are paralyzed.
    Madrasi {
        /// True if kings are, too.
        kings: bool,
    },
    /// They must not arise.
    Isardam {
        /// True for type A.
        in_check: bool,
        /// True if kings count.
        kings: bool,
    },
}

/// Returns true if an enemy man of the same kind attacks the man of a square.
fn faces_its_like(rules: &FairyRules, position: &FairyPosition, at: Square) -> bool {
    let man = position.at(at);
    let like = position.by_color(!man.color());
    like.squares()
        .any(|from| position.at(from).kind() == man.kind() && rules.observes(position, from, at))
}

impl FairyCondition for Paralysis {
    fn traits(&self) -> Traits {
        let check_by_capture = matches!(self, Self::Isardam { in_check: true, .. });
        Traits { check_by_capture, ..Traits::default() }
    }

    fn may_move(&self, rules: &FairyRules, position: &FairyPosition, from: Square) -> bool {
        match self {
            Self::Madrasi { kings } => {
                !*kings && position.at(from).kind() == rules.king
                    || !faces_its_like(rules, position, from)
            }
            Self::Isardam { .. } => true,
        }
    }

    fn is_legal(
        &self,
        rules: &FairyRules,
        _: &FairyPosition,
        _: &FairyMove,
        after: &FairyPosition,
    ) -> bool {
        let Self::Isardam { kings, .. } = *self else { return true };
        let men = after.by_color(umbrail_chess::geometry::Color::White).squares();
        let mut men = men.filter(|&at| kings || after.at(at).kind() != rules.king);
        // Pawns attack each other, and so do men of all other kinds.
        !men.any(|at| faces_its_like(rules, after, at))
    }
}
