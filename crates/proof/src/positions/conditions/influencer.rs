//! Influencer: the man that moves changes the adjacent enemy men.
//!
//! Each enemy man (no king) adjacent to the man that moved (no king) becomes a pawn or, on its first or
//! last rank, a man of the mover's kind. Source: Popeye 4.104.
//!
//! *Bounds*: captures are exact. A ply fills one square of the mover and up to eight of the other side.

use crate::positions::board::{Man, ManKind};
use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use crate::positions::rules::BoundFacts;
use umbrail_chess::attacks;

/// Rules of Influencer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Influencer;

impl FairyCondition for Influencer {
    fn traits(&self) -> Traits {
        Traits { rights_return: true, effects: true, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.fill_more(0, 8, 8);
        facts.give_up_steps();
    }

    fn effect(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        mut played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let kind = played.next.at(played.at).kind();
        if kind != rules.king {
            for at in attacks::king(played.at) & played.next.by_color(!before.turn) {
                let man = played.next.at(at);
                if man.kind() == rules.king {
                    continue;
                }
                let on_edge = at.rank() == 0 || at.rank() == 7;
                let becomes = if on_edge { kind } else { ManKind::PAWN };
                if becomes != man.kind() {
                    played.next.remove(at);
                    played.next.put(Man::of(man.color(), becomes), at);
                    rules.reinstate(&mut played.next, at);
                }
            }
        }
        out.push(played);
    }
}
