//! Men that change their color when they move.
//!
//! - *Andernach*: a capturing man becomes the opponent's. A pawn that promotes does so first.
//! - *Anti-Andernach*: a man that moves without capturing becomes the opponent's; castling changes no
//!   color. A pawn may be captured en passant after its double step, though it is the capturer's own.
//! - *Tibet*: a black man that captures a man of another kind becomes white; kinds are compared after a
//!   promotion. *Double Tibet*: men of both sides.
//! - *Volage*: a man changes its color with its first move. *Hypervolage*: a man changes its color when
//!   it moves to a square of the other square color.
//!
//! Kings never change their color. A man that becomes the opponent's rook on a home square may castle.
//! Source: Popeye 4.104.
//!
//! *State*: Volage marks the squares of men that have not moved yet.
//!
//! *Bounds*: each capture removes one man, of either color; a ply fills one square, of either color.

use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use crate::positions::rules::{BoundFacts, CaptureFacts};
use umbrail_chess::geometry::{Bitboard, Color};

/// Reason why a man changes its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColorChange {
    /// Capture.
    Andernach,
    /// Move without capture.
    AntiAndernach,
    /// Capture of another kind, by Black or by both sides.
    Tibet {
        /// True for both sides.
        both: bool,
    },
    /// First move.
    Volage,
    /// Change of the square color.
    Hypervolage,
}

impl FairyCondition for ColorChange {
    fn traits(&self) -> Traits {
        Traits {
            rights_return: true,
            state: *self == Self::Volage,
            acts_on_captures: true,
            effects: true,
            ..Traits::default()
        }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.weaken_captures(CaptureFacts::JointExact);
        facts.fill_either_color();
        facts.give_up_steps();
    }

    fn begin(&self, _: &FairyRules, start: &mut FairyPosition) {
        if *self == Self::Volage {
            start.extra.marks = start.occupied().0;
        }
    }

    fn effect(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        mut played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let (mv, at, next) = (played.mv, played.at, &mut played.next);
        let man = next.at(at);
        let changes = man.kind() != rules.king
            && match self {
                Self::Andernach => played.victim.is_some(),
                Self::AntiAndernach => played.victim.is_none() && !mv.is_castling(),
                Self::Tibet { both } => {
                    (*both || before.turn == Color::Black)
                        && played.victim.is_some_and(|victim| victim.kind() != man.kind())
                }
                Self::Volage => Bitboard(before.extra.marks).contains(mv.from),
                Self::Hypervolage => mv.from.is_light() != at.is_light(),
            };
        if *self == Self::Volage {
            let rook = mv.rook.map_or(Bitboard::EMPTY, |(from, _)| Bitboard::of(from));
            let gone = rook.with(mv.from).with(mv.victim.unwrap_or(mv.from));
            next.extra.marks &= !(gone.with(mv.to)).0;
        }
        if changes {
            next.remove(at);
            next.put(man.flipped(), at);
            rules.reinstate(next, at);
        }
        // The rook of a castling is a man of its own.
        if let Some((from, to)) = mv.rook {
            let rook_changes = match self {
                Self::Volage => Bitboard(before.extra.marks).contains(from),
                Self::Hypervolage => from.is_light() != to.is_light(),
                _ => false,
            };
            if rook_changes {
                let rook = next.remove(to);
                next.put(rook.flipped(), to);
            }
        }
        out.push(played);
    }
}
