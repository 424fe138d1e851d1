//! Masand, and #C: men change their color when a check is given.
//!
//! - *Masand*: when the man that moves gives check itself (no discovery, not the rook of a castling), all
//!   men that it observes, of both sides, change their color, kings apart, with the board as it is after
//!   the move. *MasandGeneralised*: all men that give check do so.
//! - *#C*: if a move would give mate, all men that give check change their color instead, unless that
//!   leaves the mover's king in check.
//!
//! Source: Popeye 4.104.
//!
//! *Bounds*: each capture removes one man, of either color. A ply puts a man of its kind on one square;
//! colors may change anywhere.

use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use crate::positions::rules::{BoundFacts, CaptureFacts};
use umbrail_chess::geometry::{Bitboard, Square};

/// Color changes by check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Masand {
    /// Men observed by the man that moved.
    Mover,
    /// Men observed by all men that give check.
    Generalised,
    /// Checking men, instead of a mate.
    Mate,
}

/// Returns the men that give check to the side to move.
fn checkers(rules: &FairyRules, position: &FairyPosition) -> Bitboard {
    let side = position.turn;
    let mut all = Bitboard::EMPTY;
    for king in rules.kings(position, side) {
        let observers = rules.observers(position, king, !side).squares();
        let checking: Bitboard =
            observers.filter(|&from| rules.gives_check(position, from, king)).collect();
        all |= checking;
    }
    all
}

fn flip(rules: &FairyRules, position: &mut FairyPosition, squares: Bitboard) {
    for square in squares {
        let man = position.remove(square);
        position.put(man.flipped(), square);
        rules.reinstate(position, square);
    }
}

impl FairyCondition for Masand {
    fn traits(&self) -> Traits {
        Traits { rights_return: true, acts_on_captures: true, effects: true, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.weaken_captures(CaptureFacts::JointExact);
        facts.fill_kinds_only();
        facts.give_up_steps();
    }

    fn effect(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        mut played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let next = &mut played.next;
        let checking = checkers(rules, next);
        if checking.is_empty() {
            return out.push(played);
        }
        let is_king = |square: &Square| next.at(*square).kind() == rules.king;
        if *self == Self::Mate {
            let squares: Bitboard = checking.squares().filter(|at| !is_king(at)).collect();
            if rules.king_is_attacked(next, before.turn) || rules.has_legal_reply(next) {
                return out.push(played);
            }
            let mut changed = *next;
            flip(rules, &mut changed, squares);
            if !rules.king_is_attacked(&changed, before.turn) {
                played.next = changed;
            }
            return out.push(played);
        }
        let observing = match self {
            Self::Mover => checking & Bitboard::of(played.at),
            _ => checking,
        };
        let mut observed = Bitboard::EMPTY;
        for from in observing {
            let all = next.occupied().squares();
            let seen = all.filter(|&at| at != from && !is_king(&at));
            let seen: Bitboard = seen.filter(|&at| rules.observes(next, from, at)).collect();
            observed |= seen;
        }
        flip(rules, next, observed);
        out.push(played);
    }
}
