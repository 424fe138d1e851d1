//! Cage Circe: a captured man is reborn in a cage.
//!
//! The captured man (no king) is put on any empty square on which it has no legal move without capture
//! in the position after the move; with several such squares the mover chooses, without any the man
//! vanishes. Pawns move from their first rank, too. On its last rank a pawn promotes, to each kind for which the square is a cage.
//! Source: Popeye 4.104.
//!
//! *Bounds*: as for the other variants of Circe: a capture removes at most one man, and fills a square of
//! the captured side.

use super::rebirth::put_reborn;
use crate::positions::board::ManKind;
use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use crate::positions::rules::{BoundFacts, CaptureFacts};
use umbrail_chess::geometry::Square;

/// Rules of Cage Circe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CageCirce;

impl FairyCondition for CageCirce {
    fn traits(&self) -> Traits {
        Traits { rights_return: true, acts_on_captures: true, effects: true, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.weaken_captures(CaptureFacts::AtMostOne);
        facts.fill_more(0, 1, 1);
        facts.give_up_steps();
    }

    fn frees_pawn(&self, _: Square) -> bool {
        true
    }

    fn effect(
        &self,
        rules: &FairyRules,
        _: &FairyPosition,
        played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let Some(victim) = played.victim.filter(|man| man.kind() != ManKind::KING) else {
            return out.push(played);
        };
        let first = out.len();
        let mut choice = 0;
        for square in !played.next.occupied() {
            for next in put_reborn(rules, &played.next, victim, square) {
                choice += 1;
                if is_cage(rules, &next, square) {
                    let mut reborn = PlayedMove { next, ..played };
                    reborn.mv.choice = choice;
                    out.push(reborn);
                }
            }
        }
        if out.len() == first {
            out.push(played);
        }
    }
}

/// Returns true if the man of a square has no legal move without capture.
fn is_cage(rules: &FairyRules, position: &FairyPosition, square: Square) -> bool {
    let mut before = *position;
    (before.turn, before.en_passant) = (position.at(square).color(), None);
    let mut moves = vec![];
    rules.moves_from(&before, square, &mut moves);
    !moves.into_iter().filter(|mv| mv.victim.is_none()).any(|mv| {
        let mut after = before;
        let man = after.remove(mv.from);
        after.put(man, mv.to);
        !rules.king_is_attacked(&after, before.turn)
    })
}
