//! Series Capture: the capturing man may move on.
//!
//! After a capture the capturing man may move again in the same turn, and so on as long as it captures; the
//! last move of the chain may be one without capture. Stopping is always allowed. A pawn that promotes goes on as
//! what it is. Check is orthodox, asked at the end of the chain. Source: Popeye 4.104.
//!
//! *Bounds*: a ply removes any number of men and fills one square of the mover; nothing is known about single
//! men.

use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use crate::positions::rules::{BoundFacts, CaptureFacts};

/// Rules of Series Capture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeriesCapture;

impl FairyCondition for SeriesCapture {
    fn traits(&self) -> Traits {
        Traits { acts_on_captures: true, is_base: true, effects: true, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.weaken_captures(CaptureFacts::Joint { most: 16, returns: false });
        facts.give_up_steps();
    }

    fn effect(
        &self,
        rules: &FairyRules,
        _: &FairyPosition,
        played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        out.push(played);
        if played.victim.is_none() {
            return;
        }
        let mut waiting = vec![played.next];
        let mut ats = vec![played.at];
        let mut choice = 0;
        while let (Some(mut before), Some(at)) = (waiting.pop(), ats.pop()) {
            (before.turn, before.en_passant) = (!before.turn, None);
            let mut moves = vec![];
            rules.moves_from(&before, at, &mut moves);
            for mv in moves {
                let mut next = before;
                next.turn = !before.turn;
                let man = next.remove(mv.from);
                if let Some(victim) = mv.victim {
                    next.remove(victim);
                }
                let promoted =
                    mv.promotion.map(|kind| crate::positions::board::Man::of(man.color(), kind));
                next.put(promoted.unwrap_or(man), mv.to);
                next.en_passant = mv.passed;
                choice += 1;
                let mut longer = PlayedMove { next, at: mv.to, ..played };
                longer.mv.choice = choice;
                out.push(longer);
                if mv.victim.is_some() {
                    waiting.push(next);
                    ats.push(mv.to);
                }
            }
        }
    }
}
