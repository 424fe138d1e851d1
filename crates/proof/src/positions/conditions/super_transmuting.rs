//! Super-transmuting king of one side: a king in check makes a move as one of the men that attack it, and is then such a
//! man for good, and no king any more.
//!
//! A side whose king is attacked has no other moves; the king gives check in the same ways. Without a king, a side cannot be
//! in check. Source: Popeye 4.104.
//!
//! *Bounds*: captures are exact, and a ply fills one square; nothing is known about single men.

use super::movement::{attacking_kinds, extend};
use crate::positions::board::{Man, ManKind};
use crate::positions::fairy::{
    FairyCondition, FairyMove, FairyPosition, FairyRules, Mover, Movers, PlayedMove, Traits,
};
use crate::positions::rules::BoundFacts;
use umbrail_chess::geometry::{Color, Square};

/// The side of the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SuperTransmuting(pub Color);

impl FairyCondition for SuperTransmuting {
    fn traits(&self) -> Traits {
        Traits { is_base: true, effects: true, movers: true, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.give_up_steps();
    }

    fn movers(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        from: Square,
        movers: &mut Movers,
    ) {
        let man = position.at(from);
        if man == Man::of(self.0, rules.king) {
            let kinds = attacking_kinds(rules, position, from);
            if !kinds.is_empty() {
                movers.clear();
                extend(movers, kinds);
            }
        }
    }

    fn change_moves(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        moves: &mut Vec<FairyMove>,
    ) {
        let own: Vec<_> = match position.turn == self.0 {
            true => rules.kings(position, self.0).collect(),
            false => return,
        };
        let ways = own.into_iter().map(|king| (king, attacking_kinds(rules, position, king)));
        let ways: Vec<_> = ways.filter(|(_, kinds)| !kinds.is_empty()).collect();
        if ways.is_empty() {
            return;
        }
        moves.clear();
        for (king, kinds) in ways {
            for kind in kinds {
                let mut found = vec![];
                rules.moves_as(position, king, Mover::both(kind), &mut found);
                let choice = kind.index() as u32 + 1;
                moves.extend(found.into_iter().map(|mv| FairyMove { choice, ..mv }));
            }
        }
    }

    fn effect(
        &self,
        _: &FairyRules,
        _: &FairyPosition,
        mut played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        if let Some(kind) = played.mv.choice.checked_sub(1).map(|at| ManKind::at(at as usize)) {
            let color = played.next.remove(played.at).color();
            played.next.put(Man::of(color, kind), played.at);
        }
        out.push(played);
    }
}
