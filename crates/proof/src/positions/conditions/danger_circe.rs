//! Danger Circe: an attacked man may go home.
//!
//! A man that an enemy man attacks, kings included, may also move or capture directly to its own rebirth
//! square, computed from the square on which it stands. Checks include these moves. Nothing is reborn
//! on a capture. Source: Popeye 4.104.
//!
//! *Bounds*: captures are exact; the way home is one own move. Pawns may stand at home again.

use super::rebirth::home;
use crate::positions::board::Man;
use crate::positions::fairy::{FairyCondition, FairyMove, FairyPosition, FairyRules, Traits};
use crate::positions::rules::{BoundFacts, ManStep};
use umbrail_chess::geometry::Square;

/// Rules of Danger Circe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DangerCirce;

/// Returns true if an enemy man attacks the man of a square by its kind.
fn is_attacked(rules: &FairyRules, position: &FairyPosition, at: Square) -> bool {
    let theirs = position.by_color(!position.at(at).color());
    theirs.squares().any(|from| rules.attacks_as(position, position.at(from).kind(), from, at))
}

impl FairyCondition for DangerCirce {
    fn traits(&self) -> Traits {
        Traits { movers: true, rights_return: true, is_base: true, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        (facts.home_pawns_never_moved, facts.pawns_move_as_usual) = (false, false);
        facts.rights_come_back = true;
    }

    fn observes(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        from: Square,
        at: Square,
    ) -> Option<bool> {
        let man = position.at(from);
        let goes_home = home(man.kind(), man.color(), from) == at && from != at;
        (goes_home && is_attacked(rules, position, from)).then_some(true)
    }

    fn change_moves(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        moves: &mut Vec<FairyMove>,
    ) {
        let us = position.turn;
        for from in position.by_color(us) {
            let to = home(position.at(from).kind(), us, from);
            if to == from || !is_attacked(rules, position, from) {
                continue;
            }
            let target = position.at(to);
            let mv = match target.is_none() {
                true => FairyMove::quiet(from, to),
                false if target.color() == us => continue,
                false => FairyMove::capture(from, to),
            };
            let is_known = |known: &FairyMove| FairyMove { passed: None, ..*known } == mv;
            if !moves.iter().any(is_known) {
                moves.push(mv);
            }
        }
    }

    fn steps(&self, _: &FairyRules, man: Man, from: Square, steps: &mut Vec<ManStep>) {
        let to = home(man.kind(), man.color(), from);
        steps.push(ManStep { is_free: false, ..ManStep::free(man, to) });
    }
}
