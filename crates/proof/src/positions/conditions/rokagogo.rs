//! Rokagogo: the king castles with any rook.
//!
//! A king castles with any own rook on its rank or file, whether or not they have moved, if at least two squares
//! lie between them and all of these are empty: the king goes two squares towards the rook, the rook to the
//! square that the king passed. The king must not castle out of, through or into check. Source: Popeye 4.104.
//!
//! *Bounds*: captures are exact. A castling is an own move of the king by two squares, and moves a rook along its
//! line without a move of its own. It fills two squares; several castlings fill one for each rook and one
//! for the king.

use crate::positions::board::{Man, ManKind};
use crate::positions::fairy::{FairyCondition, FairyMove, FairyPosition, FairyRules, Traits};
use crate::positions::rules::{BoundFacts, ManStep};
use umbrail_chess::geometry::Square;

/// Rules of Rokagogo.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rokagogo;

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl FairyCondition for Rokagogo {
    fn traits(&self) -> Traits {
        Traits { is_base: true, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        (facts.rights_come_back, facts.castles_anywhere) = (true, true);
    }

    fn change_moves(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        moves: &mut Vec<FairyMove>,
    ) {
        moves.retain(|mv| !mv.is_castling());
        let us = position.turn;
        let rook_man = Man::of(us, rules.rook);
        for king in rules.kings(position, us) {
            for (dx, dy) in DIRECTIONS {
                let mut steps = 1;
                let rook = loop {
                    let Some(at) = king.offset(dx * steps, dy * steps) else { break None };
                    let man = position.at(at);
                    if !man.is_none() {
                        break (man == rook_man && steps > 2).then_some(at);
                    }
                    steps += 1;
                };
                let Some(rook) = rook else { continue };
                let squares = king.offset(dx, dy).zip(king.offset(2 * dx, 2 * dy));
                let Some((passed, to)) = squares else { continue };
                if rules.king_may_pass(position, king, king)
                    && rules.king_may_pass(position, king, passed)
                {
                    let rook = Some((rook, passed));
                    moves.push(FairyMove { rook, ..FairyMove::quiet(king, to) });
                }
            }
        }
    }

    fn steps(&self, rules: &FairyRules, man: Man, from: Square, steps: &mut Vec<ManStep>) {
        if man.kind() == rules.king {
            let two = DIRECTIONS.iter().filter_map(|&(dx, dy)| from.offset(2 * dx, 2 * dy));
            steps.extend(two.map(|to| ManStep { is_free: false, ..ManStep::free(man, to) }));
        } else if man.kind() == rules.rook && man.kind() == ManKind::ROOK {
            let along = |step: &&ManStep| step.man == man && !step.is_free;
            let free: Vec<ManStep> = steps.iter().filter(along).copied().collect();
            steps.extend(free.into_iter().map(|step| ManStep { is_free: true, ..step }));
        }
    }
}
