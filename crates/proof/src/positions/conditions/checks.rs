//! Conditions about check: Checkless Chess, Ultraschachzwang, and Vogtländer Chess.
//!
//! - *Checkless*: a move that gives check is illegal unless it mates. Replies must obey the condition, too.
//! - *Ultraschachzwang* of White or Black: that side plays only moves that give check.
//! - *Vogtländer*: check is turned round. A side is in check if its men attack the enemy king.
//!
//! Source: Popeye 4.104.
//!
//! *Bounds*: the conditions only forbid moves and change check.

use crate::positions::fairy::{FairyCondition, FairyMove, FairyPosition, FairyRules};
use umbrail_chess::geometry::Color;

/// Meaning of check.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Checks {
    /// Only mates give check.
    Checkless,
    /// This side must give check.
    Compulsory(Color),
    /// Attacking the enemy king is being in check.
    Vogtlander,
}

/// Number of checks in a row that are followed in search of a mate; a longer row counts as no mate.
const MATE_DEPTH: u32 = 6;

/// Returns true if the side to move, which is in check, has no reply under Checkless Chess.
fn is_mate(rules: &FairyRules, position: &FairyPosition, depth: u32) -> bool {
    let us = position.turn;
    let mut played = vec![];
    for mv in rules.pseudo_legal(position) {
        rules.play(position, mv, &mut played);
    }
    !played.iter().any(|one| {
        !rules.king_is_attacked(&one.next, us)
            && (!rules.king_is_attacked(&one.next, !us)
                || depth > 0 && is_mate(rules, &one.next, depth - 1))
    })
}

impl FairyCondition for Checks {
    fn in_check(&self, rules: &FairyRules, position: &FairyPosition, side: Color) -> Option<bool> {
        matches!(self, Self::Vogtlander).then(|| rules.king_is_attacked(position, !side))
    }

    fn is_legal(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        _: &FairyMove,
        after: &FairyPosition,
    ) -> bool {
        let us = before.turn;
        match self {
            Self::Checkless if rules.king_is_attacked(after, !us) => {
                let mut reply = *after;
                reply.turn = !us;
                is_mate(rules, &reply, MATE_DEPTH)
            }
            Self::Compulsory(side) if *side == us => rules.king_is_attacked(after, !us),
            _ => true,
        }
    }
}
