//! Men that change their kind when they move.
//!
//! - *Einstein*: a move without capture turns Q→R→B→S→P, a capture P→S→B→R→Q; pawns that do not capture and
//!   queens that do stay what they are, and so do kings. Pawns do not promote: on the last rank, a pawn that
//!   captured is a knight, any other stays a pawn. Pawns on their first rank go one, two or three steps.
//!   The rook of a castling becomes a bishop.
//! - *Reversal Einstein*: the other way round.

//! - *Norsk Sjakk*: queen and knight, rook and bishop exchange their kinds with each move; pawns that
//!   promote and kings do not. Captures are between men of one kind only, and kings never capture; check is
//!   orthodox.
//! - *Chameleon Chess*: Q→S→B→R→Q with each move of an officer.
//!
//! Source: Popeye 4.104.
//!
//! *Bounds*: captures are exact and a ply fills one square; nothing is known about single men.

use crate::positions::board::{Man, ManKind};
use crate::positions::fairy::{
    FairyCondition, FairyMove, FairyPosition, FairyRules, PlayedMove, Traits, up,
};
use crate::positions::rules::BoundFacts;
use umbrail_chess::geometry::Square;

/// Change of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KindChange {
    /// Einstein chess.
    Einstein,
    /// Reversal Einstein chess.
    Reversal,
    /// Norsk Sjakk.
    Norsk,
    /// Chameleon chess.
    Chameleon,
}

/// Kinds from the weakest to the strongest.
const LADDER: [ManKind; 5] =
    [ManKind::PAWN, ManKind::KNIGHT, ManKind::BISHOP, ManKind::ROOK, ManKind::QUEEN];

fn step(kind: ManKind, by: isize) -> ManKind {
    match LADDER.iter().position(|&one| one == kind) {
        Some(at) => LADDER[at.saturating_add_signed(by).min(LADDER.len() - 1)],
        None => kind,
    }
}

impl KindChange {
    fn changed(self, kind: ManKind, captures: bool) -> ManKind {
        let by = if captures { 1 } else { -1 };
        match (self, kind) {
            (Self::Einstein, _) => step(kind, by),
            (Self::Reversal, _) => step(kind, -by),
            (Self::Norsk, ManKind::QUEEN) => ManKind::KNIGHT,
            (Self::Norsk, ManKind::KNIGHT) => ManKind::QUEEN,
            (Self::Norsk, ManKind::ROOK) => ManKind::BISHOP,
            (Self::Norsk, ManKind::BISHOP) => ManKind::ROOK,
            (Self::Chameleon, ManKind::QUEEN) => ManKind::KNIGHT,
            (Self::Chameleon, ManKind::KNIGHT) => ManKind::BISHOP,
            (Self::Chameleon, ManKind::BISHOP) => ManKind::ROOK,
            (Self::Chameleon, ManKind::ROOK) => ManKind::QUEEN,
            _ => kind,
        }
    }

    fn has_ladder(self) -> bool {
        matches!(self, Self::Einstein | Self::Reversal)
    }
}

impl FairyCondition for KindChange {
    fn traits(&self) -> Traits {
        Traits { is_base: true, effects: true, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.give_up_steps();
    }

    fn may_capture(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        from: Square,
        victim: Square,
    ) -> bool {
        let kind = position.at(from).kind();
        let taken = position.at(victim).kind();
        *self != Self::Norsk || taken == rules.king || kind == taken && kind != rules.king
    }

    fn change_moves(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        moves: &mut Vec<FairyMove>,
    ) {
        if !self.has_ladder() {
            return;
        }
        // No promotion: one move for all kinds, and none to distinguish.
        let first = rules.promotions().first().copied();
        moves.retain(|mv| mv.promotion.is_none() || mv.promotion == first);
        moves.iter_mut().for_each(|mv| mv.promotion = None);
        // Pawns on their first rank.
        let us = position.turn;
        let rank = if us.is_white() { 0 } else { 7 };
        for from in position.by_color(us) {
            if from.rank() != rank || position.at(from).kind() != ManKind::PAWN {
                continue;
            }
            let (mut at, mut passed) = (from, None);
            for _ in 0..3 {
                let next = at.offset(0, up(us)).filter(|&next| position.at(next).is_none());
                let Some(to) = next else { break };
                moves.push(FairyMove { passed, ..FairyMove::quiet(from, to) });
                (at, passed) = (to, Some(to));
            }
            for dx in [-1, 1] {
                if let Some(to) = from.offset(dx, up(us))
                    && position.by_color(!us).contains(to)
                {
                    moves.push(FairyMove::capture(from, to));
                }
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
        let (mv, next) = (played.mv, &mut played.next);
        let mut change = |at: Square| {
            let man = next.at(at);
            let kind = self.changed(man.kind(), played.victim.is_some());
            if kind != man.kind() && mv.promotion.is_none() {
                next.remove(at);
                next.put(Man::of(man.color(), kind), at);
            }
        };
        change(played.at);
        if let Some((_, rook)) = mv.rook {
            change(rook);
        }
        out.push(played);
    }
}
