//! Men that vanish besides those that are captured: Breton, and Lost Pieces.
//!
//! - *Breton*: on a capture of a man of kind X, one more man of kind X of the capturing side is removed, as the mover
//!   chooses; without one, nothing. *Adverse*: of the captured side. *Chromatic*: that man changes its color instead. Kings
//!   are not removed.
//! - *Lost Pieces*: after a move, each enemy man (no king) that would be mate if it were a king is removed.
//!
//! Source: Popeye 4.104.
//!
//! *Bounds*: a ply removes two men (Breton) or any number (Lost Pieces). No other man changes its square, so bounds by
//! assignment remain valid. With *Chromatic*, a capture removes one man and changes the color of another: bounds for single
//! men are not valid, and a ply fills one more square of a color.

use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use crate::positions::rules::{BoundFacts, CaptureFacts};
use umbrail_chess::geometry::Square;

/// Further losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Losses {
    /// A man of the captured kind.
    Breton {
        /// True for a man of the captured side.
        adverse: bool,
        /// The man changes its color, and does not vanish.
        chromatic: bool,
    },
    /// Men that are mate.
    Mated,
}

impl FairyCondition for Losses {
    fn traits(&self) -> Traits {
        let rights_return = matches!(self, Self::Breton { chromatic: true, .. });
        Traits { acts_on_captures: true, effects: true, rights_return, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        if let Self::Breton { chromatic: true, .. } = self {
            facts.weaken_captures(CaptureFacts::JointExact);
            facts.fill_more(1, 1, 1);
            return facts.give_up_steps();
        }
        let most = if *self == Self::Mated { 16 } else { 2 };
        facts.weaken_captures(CaptureFacts::Joint { most, returns: false });
    }

    fn effect(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        mut played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let us = before.turn;
        match *self {
            Self::Breton { adverse, chromatic } => {
                let Some(victim) = played.victim.filter(|man| man.kind() != rules.king) else {
                    return out.push(played);
                };
                let side = if adverse { !us } else { us };
                let like = played.next.by_color(side).squares();
                let like = like.filter(|&at| played.next.at(at).kind() == victim.kind());
                let mut found = false;
                for at in like {
                    found = true;
                    let mut removed = played;
                    let man = removed.next.remove(at);
                    if chromatic {
                        removed.next.put(man.flipped(), at);
                        rules.reinstate(&mut removed.next, at);
                    }
                    removed.mv.choice = u32::from(at.number()) + 1;
                    out.push(removed);
                }
                if !found {
                    out.push(played);
                }
            }
            Self::Mated => {
                let next = &mut played.next;
                let theirs = next.by_color(!us).squares();
                let lost: Vec<Square> = theirs
                    .filter(|&at| next.at(at).kind() != rules.king && is_mate(rules, next, at))
                    .collect();
                for at in lost {
                    next.remove(at);
                }
                out.push(played);
            }
        }
    }
}

/// Returns true if the man of a square of the side to move would be mate as a king.
fn is_mate(rules: &FairyRules, position: &FairyPosition, at: Square) -> bool {
    let us = position.turn;
    let is_attacked = |position: &FairyPosition, at| rules.observers(position, at, !us).any();
    is_attacked(position, at)
        && rules.pseudo_legal(position).into_iter().all(|mv| {
            let mut after = *position;
            if let Some(victim) = mv.victim {
                after.remove(victim);
            }
            let man = after.remove(mv.from);
            after.put(man, mv.to);
            if let Some((from, to)) = mv.rook {
                let rook = after.remove(from);
                after.put(rook, to);
            }
            let now = match mv.rook {
                _ if mv.from == at => mv.to,
                Some((from, to)) if from == at => to,
                _ => at,
            };
            is_attacked(&after, now)
        })
}
