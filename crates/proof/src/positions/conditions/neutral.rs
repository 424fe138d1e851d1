//! Neutral men, and the conditions that make them: Anda.
//!
//! - A *neutral man* is moved and captured by both sides: on its turn, a side moves it as one of its own men, and
//!   captures it as one of the other side's, also with another neutral man. It gives check to a king as an enemy man.
//!   Pawns go and promote in the direction of the side that moves them, to neutral men.
//! - *Anda*: a man (no king) whose move gives check with itself changes between its color and neutral: an own man becomes
//!   neutral, a neutral man gets the color of the side that moved it. *AndaInverse*: a man whose move does not give
//!   check with itself.
//!
//! Source: Popeye 4.104.
//!
//! *State*: the squares of neutral men. The board stores them as white men. Moves and checks are generated on a copy of the
//! board, in which neutral men have the color of the side that uses them.
//!
//! *Bounds*: a capture removes one man of either side, a ply fills one square, and nothing is known about single men.
//! Moves of a neutral man by Black put a man that is white on the board, so colors of filled squares are open.

use crate::positions::board::{CastlingRights, Man};
use crate::positions::fairy::{
    FairyCondition, FairyMove, FairyPosition, FairyRules, PlayedMove, Traits,
};
use crate::positions::problem::TargetBoard;
use crate::positions::rules::{BoundFacts, CaptureFacts};
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Neutral men of a problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Neutral {
    /// Squares of neutral men at the start.
    pub start: Bitboard,
    /// Squares of neutral men at the end.
    pub target: Bitboard,
    /// Moves that make men neutral; none without Anda.
    pub anda: Option<Anda>,
}

/// Moves that make a man neutral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anda {
    /// Those that give check.
    Check,
    /// All others.
    Inverse,
}

/// Returns the position in which neutral men, all but one, have a color.
fn colored(position: &FairyPosition, color: Color, except: Option<Square>) -> FairyPosition {
    let mut copy = *position;
    for square in Bitboard(position.extra.marks) {
        let color = if except == Some(square) { !color } else { color };
        let man = Man::of(color, copy.at(square).kind());
        if man != copy.at(square) {
            copy.remove(square);
            copy.put(man, square);
        }
    }
    copy
}

impl FairyCondition for Neutral {
    fn traits(&self) -> Traits {
        Traits { state: true, is_base: true, effects: true, neutral: true, ..Traits::default() }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.weaken_captures(CaptureFacts::JointExact);
        facts.fill_either_color();
        facts.give_up_steps();
        if self.anda.is_some() {
            facts.fill_kinds_only();
        }
    }

    fn begin(&self, _: &FairyRules, start: &mut FairyPosition) {
        start.extra.marks = self.start.0;
        // A neutral rook does not castle.
        for (square, right) in [
            (Square::H1, CastlingRights::one(Color::White, true)),
            (Square::A1, CastlingRights::one(Color::White, false)),
            (Square::H8, CastlingRights::one(Color::Black, true)),
            (Square::A8, CastlingRights::one(Color::Black, false)),
        ] {
            if self.start.contains(square) {
                start.rights = CastlingRights(start.rights.0 & !right.0);
            }
        }
    }

    fn change_moves(
        &self,
        rules: &FairyRules,
        position: &FairyPosition,
        moves: &mut Vec<FairyMove>,
    ) {
        moves.retain(FairyMove::is_castling);
        let us = position.turn;
        let neutral = Bitboard(position.extra.marks);
        let theirs = colored(position, !us, None);
        for from in position.by_color(us) - neutral {
            if rules.may_move(&theirs, from) {
                rules.moves_from(&theirs, from, moves);
            }
        }
        for from in neutral {
            let own = colored(position, !us, Some(from));
            if rules.may_move(&own, from) {
                rules.moves_from(&own, from, moves);
            }
        }
    }

    fn effect(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        mut played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let mut neutral = Bitboard(before.extra.marks);
        let mut is_neutral = neutral.contains(played.mv.from);
        for gone in [Some(played.mv.from), played.mv.victim].into_iter().flatten() {
            neutral = neutral.without(gone);
        }
        let at = played.at;
        let with = |is_neutral| if is_neutral { neutral.with(at) } else { neutral };
        played.next.extra.marks = with(is_neutral).0;
        let man = played.next.at(at);
        if let Some(anda) = self.anda
            && man.kind() != rules.king
        {
            let us = before.turn;
            let own = colored(&played.next, us, None);
            let gives_check =
                rules.kings(&own, !us).any(|king| rules.observers(&own, king, us).contains(at));
            if gives_check == (anda == Anda::Check) {
                is_neutral = !is_neutral;
                let color = if is_neutral { Color::White } else { us };
                let changed = Man::of(color, man.kind());
                if changed != man {
                    played.next.remove(at);
                    played.next.put(changed, at);
                }
                played.next.extra.marks = with(is_neutral).0;
            }
        }
        out.push(played);
    }

    fn in_check(&self, rules: &FairyRules, position: &FairyPosition, side: Color) -> Option<bool> {
        Some(rules.king_is_attacked(&colored(position, !side, None), side))
    }

    fn is_target(&self, position: &FairyPosition, _: &TargetBoard) -> bool {
        position.extra.marks == self.target.0
    }
}
