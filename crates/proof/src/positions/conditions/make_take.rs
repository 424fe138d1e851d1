//! Captures in two parts: Make & Take, and Take & Make.
//!
//! - *Make & Take*: a capture begins with a move without capture in the way of the man to be captured (a pawn
//!   goes in the direction of its own side), and continues with the capture from there in the own way. Several ways
//!   to one capture are one move. There is no capture without the first part. Check likewise.
//! - *Take & Make*: after a capture, the capturer makes a move without capture in the way of the captured man from
//!   the square of capture. Without one, the capture is illegal. A pawn must not end on its first rank; on its
//!   last rank it promotes. Check is orthodox.
//!
//! Source: Popeye 4.104.
//!
//! *Bounds*: captures are exact, and a ply fills one square; nothing is known about single men.

use crate::positions::fairy::{
    FairyCondition, FairyMove, FairyPosition, FairyRules, Mover, Traits,
};
use crate::positions::rules::BoundFacts;
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Square};

/// Order of the two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TwoParts {
    /// First the move, then the capture.
    MakeTake,
    /// First the capture, then the move.
    TakeMake,
}

/// Returns the empty squares that the man on `from` reaches in the way of the man on `like`.
fn makes(rules: &FairyRules, position: &FairyPosition, from: Square, like: Square) -> Bitboard {
    let other = position.at(like);
    let mut board = *position;
    // The direction of a pawn is that of its own side.
    board.remove(from);
    board.put(other, from);
    (board.turn, board.en_passant) = (other.color(), None);
    let mut moves = vec![];
    let mover = Mover { kind: other.kind(), quiet: true, captures: false };
    rules.moves_as(&board, from, mover, &mut moves);
    moves.iter().map(|mv| mv.to).collect()
}

/// Returns true if the man on `from` can capture the man on `at` in two parts.
fn takes(rules: &FairyRules, position: &FairyPosition, from: Square, at: Square) -> bool {
    let kind = position.at(from).kind();
    makes(rules, position, from, at).squares().any(|via| {
        let mut board = *position;
        let man = board.remove(from);
        board.put(man, via);
        // A pawn on its first rank does not capture.
        let first = if man.color().is_white() { 0 } else { 7 };
        !(rules.is_pawn(kind) && via.rank() == first) && rules.attacks_as(&board, kind, via, at)
    })
}

impl FairyCondition for TwoParts {
    fn traits(&self) -> Traits {
        Traits { movers: *self == Self::MakeTake, is_base: true, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.give_up_steps();
    }

    fn observes(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        from: Square,
        at: Square,
    ) -> Option<bool> {
        (*self == Self::MakeTake).then(|| takes(rules, position, from, at))
    }

    fn change_moves(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        moves: &mut Vec<FairyMove>,
    ) {
        let us = position.turn;
        let last = if us.is_white() { 7 } else { 0 };
        let push = |mv: FairyMove, moves: &mut Vec<FairyMove>| {
            let is_pawn = rules.is_pawn(position.at(mv.from).kind());
            if is_pawn && mv.to.rank() == last {
                let promoted = |&kind| FairyMove { promotion: Some(kind), ..mv };
                moves.extend(rules.promotions().iter().map(promoted));
            } else if !(is_pawn && mv.to.rank() == 7 - last) {
                moves.push(FairyMove { promotion: None, ..mv });
            }
        };
        if *self == Self::TakeMake {
            let all = std::mem::take(moves);
            let first = rules.promotions().first().copied();
            for mv in all {
                let Some(victim) = mv.victim else {
                    moves.push(mv);
                    continue;
                };
                // The pawn promotes where it ends.
                if mv.promotion.is_some() && mv.promotion != first {
                    continue;
                }
                let taken = position.at(victim);
                let mut board = *position;
                let man = board.remove(mv.from);
                board.remove(victim);
                board.put(man, mv.to);
                let mut like = board;
                like.remove(mv.to);
                like.put(taken, mv.to);
                for to in makes(rules, &like, mv.to, mv.to) {
                    let made = FairyMove { to, choice: u32::from(mv.to.number()) + 1, ..mv };
                    push(made, moves);
                }
            }
            return;
        }
        moves.retain(|mv| mv.victim.is_none());
        for from in position.by_color(us) {
            for at in position.by_color(!us) {
                if takes(rules, position, from, at) {
                    push(FairyMove::capture(from, at), moves);
                }
            }
            let Some(passed) = position.en_passant else { continue };
            let victim = Square::at(passed.file(), if us.is_white() { 4 } else { 3 });
            if rules.is_pawn(position.at(from).kind()) && position.by_color(!us).contains(victim) {
                let vias = makes(rules, position, from, victim);
                if vias.squares().any(|via| attacks::pawn(us, via).contains(passed)) {
                    let mv = FairyMove { victim: Some(victim), ..FairyMove::quiet(from, passed) };
                    push(mv, moves);
                }
            }
        }
    }
}
