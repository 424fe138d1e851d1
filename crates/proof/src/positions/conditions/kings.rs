//! Conditions about kings: Royal Dynasty, Swapping Kings, and Extinction.
//!
//! - *Royal Dynasty*: pawns promote to king, too. A side is in check only while it has exactly one king; another
//!   king may be captured.
//! - *Swapping Kings*: after a move that leaves the enemy king attacked, both kings exchange their squares; the
//!   position after that decides about check.
//! - *Extinction*: a side is in check if the capture of its last man of any kind is threatened. Pawns promote to
//!   king, too.
//!
//! Source: Popeye 4.104.
//!
//! *Bounds*: captures are exact. Kings that exchange their squares fill two squares more, and nothing is known
//! about single men then.

use crate::positions::board::ManKind;
use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use crate::positions::rules::BoundFacts;
use umbrail_chess::geometry::Color;

/// Meaning of kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kings {
    /// Several kings.
    Dynasty,
    /// Kings exchange their squares.
    Swapping,
    /// The last man of a kind is royal.
    Extinction,
}

impl FairyCondition for Kings {
    fn traits(&self) -> Traits {
        Traits { acts_on_captures: *self == Self::Swapping, effects: true, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        if *self == Self::Swapping {
            facts.fill_more(1, 1, 2);
            facts.give_up_steps();
        }
    }

    fn promotions(&self, kinds: &mut Vec<ManKind>) {
        if *self != Self::Swapping {
            kinds.push(ManKind::KING);
        }
    }

    fn effect(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        mut played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let (us, next) = (before.turn, &mut played.next);
        if *self == Self::Swapping && rules.king_is_attacked(next, !us) {
            let first = |side| rules.kings(next, side).next();
            if let Some((own, theirs)) = first(us).zip(first(!us)) {
                let (king, other) = (next.remove(own), next.remove(theirs));
                next.put(king, theirs);
                next.put(other, own);
                if played.at == own {
                    played.at = theirs;
                }
            }
        }
        out.push(played);
    }

    fn in_check(&self, rules: &FairyRules, position: &FairyPosition, side: Color) -> Option<bool> {
        match self {
            Self::Dynasty => (rules.kings(position, side).count() != 1).then_some(false),
            Self::Swapping => None,
            Self::Extinction => {
                let men = position.by_color(side);
                let kind = |at| position.at(at).kind();
                let last = men.squares().filter(|&at| {
                    men.squares().filter(|&other| kind(other) == kind(at)).count() == 1
                });
                Some(last.into_iter().any(|at| {
                    let observers = rules.observers(position, at, !side).squares();
                    observers.into_iter().any(|from| rules.gives_check(position, from, at))
                }))
            }
        }
    }
}
