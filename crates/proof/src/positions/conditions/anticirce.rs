//! Anticirce: the capturer is reborn.
//!
//! On a capture, the captured man vanishes and the capturer, kings included, goes to its rebirth
//! square for the square of capture; if that is occupied after the capturer left its square, the
//! capture is illegal. A promoted man is reborn as what it is. A king is attacked only if the capturer
//! could be reborn. A man that is reborn at home may castle.
//!
//! - *Calvet* (the default): a capture on the capturer's own rebirth square is legal.
//! - *Cheylan*: it is illegal.
//! - *Symmetry*, *Vertical* and *Horizontal Symmetry*: rebirth on the mirrored square of capture.
//! - *Mirror*: rebirth on the square of the other color.
//! - *Clone*: the capturer, kings apart, is reborn as a man of the captured kind.
//!
//! Source: Popeye 4.104.
//!
//! *Bounds*: captures are exact. In Anticirce itself, a capture is one own move to the rebirth square;
//! castling rights come back, and pawns return to their second rank. The other variants use numbers
//! and missing squares only.

use super::circe::Rebirth;
use super::rebirth::{home, put_reborn};
use crate::positions::board::Man;
use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use crate::positions::rules::{BoundFacts, ManStep};
use umbrail_chess::geometry::Square;

/// Rules of Anticirce.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anticirce {
    /// Square of rebirth.
    pub rebirth: Rebirth,
    /// True if a capture on the own rebirth square is illegal.
    pub cheylan: bool,
}

impl FairyCondition for Anticirce {
    fn traits(&self) -> Traits {
        Traits {
            check_by_capture: true,
            rights_return: true,
            acts_on_captures: true,
            effects: true,
            ..Traits::default()
        }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        match self.rebirth {
            Rebirth::Standard => {
                (facts.home_pawns_never_moved, facts.pawns_move_as_usual) = (false, false);
                facts.rights_come_back = true;
            }
            _ => facts.give_up_steps(),
        }
    }

    fn effect(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let Some(victim) = played.victim else { return out.push(played) };
        let capture = played.mv.to;
        let mut next = played.next;
        let mut man = next.remove(capture);
        if self.rebirth == Rebirth::Clone && man.kind() != rules.king && victim.kind() != rules.king
        {
            man = Man::of(man.color(), victim.kind());
        }
        let square = match self.rebirth {
            Rebirth::Standard | Rebirth::Clone => home(man.kind(), man.color(), capture),
            Rebirth::Mirror => home(man.kind(), !man.color(), capture),
            _ => self.rebirth.mirrored(capture),
        };
        if !next.at(square).is_none() || self.cheylan && square == capture {
            return;
        }
        debug_assert_eq!(before.at(played.mv.from).color(), man.color());
        for (choice, next) in put_reborn(rules, &next, man, square).into_iter().enumerate() {
            let mut reborn = PlayedMove { next, at: square, ..played };
            reborn.mv.choice = choice as u32;
            out.push(reborn);
        }
    }

    fn steps(&self, _: &FairyRules, _: Man, _: Square, steps: &mut Vec<ManStep>) {
        if self.rebirth == Rebirth::Standard {
            let reborn = |step: &ManStep| ManStep {
                to: home(step.man.kind(), step.man.color(), step.to),
                ..*step
            };
            let captures = steps.iter().filter(|step| !step.is_quiet && !step.is_free);
            let captures: Vec<_> = captures.map(reborn).collect();
            steps.extend(captures);
        }
    }
}
