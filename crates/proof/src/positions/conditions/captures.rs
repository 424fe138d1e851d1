//! Restrictions of captures: NoCapture, Lortap, and MultiCaptures.
//!
//! - *NoCapture*, *NoWhiteCapture*, *NoBlackCapture*: no side, White or Black does not capture. Checks stay.
//! - *Lortap*: a man that a man of its own side guards captures nothing and gives no check.
//! - *MultiCaptures*: a man may be captured only if at least two different moves capture it, promotions not
//!   counted; a check needs two checking men.
//!
//! Source: Popeye 4.104.
//!
//! *Bounds*: the conditions only forbid moves and change check.

use crate::positions::fairy::{FairyCondition, FairyMove, FairyPosition, FairyRules};
use umbrail_chess::geometry::{Color, Square};

/// Restriction of captures.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Captures {
    /// These sides do not capture: White, Black.
    None([bool; 2]),
    /// Only unguarded men capture.
    Lortap,
    /// Only men that two moves capture are captured.
    Multi,
}

impl FairyCondition for Captures {
    fn may_capture(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        from: Square,
        _: Square,
    ) -> bool {
        let own = position.at(from).color();
        !matches!(self, Self::Lortap) || rules.observers(position, from, own).is_empty()
    }

    fn change_moves(&self, _: &FairyRules, position: &FairyPosition, moves: &mut Vec<FairyMove>) {
        match self {
            Self::None(sides) if sides[position.turn.index()] => {
                moves.retain(|mv| mv.victim.is_none());
            }
            Self::Multi => {
                let all = moves.clone();
                let is_other = |one: &FairyMove, mv: &FairyMove| {
                    one.victim == mv.victim && (one.from, one.to) != (mv.from, mv.to)
                };
                moves.retain(|mv| mv.victim.is_none() || all.iter().any(|one| is_other(one, mv)));
            }
            _ => {}
        }
    }

    fn in_check(&self, rules: &FairyRules, position: &FairyPosition, side: Color) -> Option<bool> {
        matches!(self, Self::Multi).then(|| {
            let mut kings = rules.kings(position, side);
            kings.any(|king| {
                let observers = rules.observers(position, king, !side).squares();
                observers.filter(|&from| rules.gives_check(position, from, king)).count() >= 2
            })
        })
    }
}
