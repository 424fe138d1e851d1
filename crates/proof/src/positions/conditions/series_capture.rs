//! Series Capture: the capturing man may move on.
//!
//! After a capture the capturing man may move again in the same turn, and so on as long as it captures; the
//! last move of the chain may be one without capture. Stopping is always allowed. A pawn that promotes goes on as
//! what it is. Check is orthodox, asked at the end of the chain. Source: Popeye 4.104.
//!
//! *Length*: a queen among sixteen men has more chains than fit into memory. They are passed on one by one, so that a run
//! can be stopped between any two, and no chain captures more men than the target lacks: nothing brings men back.
//!
//! *Bounds*: a ply removes any number of men and fills one square of the mover; nothing is known about single
//! men.

use crate::positions::board::Man;
use crate::positions::fairy::{
    FairyCondition, FairyPosition, FairyRules, OutcomeVisitor, PlayedMove, Traits,
};
use crate::positions::rules::{BoundFacts, CaptureFacts};
use umbrail_control::Stopped;

/// Rules of Series Capture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeriesCapture;

impl FairyCondition for SeriesCapture {
    fn traits(&self) -> Traits {
        Traits {
            acts_on_captures: true,
            is_base: true,
            effects: true,
            chains: true,
            ..Traits::default()
        }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.weaken_captures(CaptureFacts::Joint { most: 16, returns: false });
        facts.give_up_steps();
    }

    fn effect(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        // The visitor never stops.
        let _ = self.go_on(rules, before, played, &mut |one| {
            out.push(one);
            Ok(())
        });
    }

    fn go_on(
        &self,
        rules: &FairyRules,
        _: &FairyPosition,
        played: PlayedMove,
        visit: &mut OutcomeVisitor<'_>,
    ) -> Result<(), Stopped> {
        visit(played)?;
        match played.victim {
            Some(_) => longer(rules, played, &mut 0, visit),
            None => Ok(()),
        }
    }
}

/// Passes all continuations of a chain that ended with a capture. Each level removes a man, so there are 31 at most.
fn longer(
    rules: &FairyRules,
    played: PlayedMove,
    choice: &mut u32,
    visit: &mut OutcomeVisitor<'_>,
) -> Result<(), Stopped> {
    let mut before = played.next;
    (before.turn, before.en_passant) = (!before.turn, None);
    // No rule that is combined with this one puts men on the board, so a further capture would leave too few.
    let may_capture = before.occupied().len() > rules.fewest;
    let mut moves = vec![];
    rules.moves_from(&before, played.at, &mut moves);
    for mv in moves {
        if mv.victim.is_some() && !may_capture {
            continue;
        }
        let mut next = before;
        next.turn = !before.turn;
        let man = next.remove(mv.from);
        if let Some(victim) = mv.victim {
            next.remove(victim);
        }
        let promoted = mv.promotion.map(|kind| Man::of(man.color(), kind));
        next.put(promoted.unwrap_or(man), mv.to);
        next.en_passant = mv.passed;
        // Chains beyond this number would take years.
        *choice = choice.saturating_add(1);
        let mut one = PlayedMove { next, at: mv.to, ..played };
        one.mv.choice = *choice;
        visit(one)?;
        if mv.victim.is_some() {
            longer(rules, one, choice, visit)?;
        }
    }
    Ok(())
}
