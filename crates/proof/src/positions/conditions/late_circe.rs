//! Circe with a later rebirth: Parrain, and CaptureSquare WaitCapture.
//!
//! - *Parrain*: the captured man (no king) appears after the next move, of the other side, on the
//!   square of capture shifted by the vector of that move (for castling, the sum of both vectors);
//!   off the board or on an occupied square it vanishes. *ContraParrain*: by the opposite vector.
//! - *CaptureSquare WaitCapture* ("Schlagfeld, nächster Schlag"): at each capture, the man captured by
//!   the capture before, of either side, reappears on the square on which it stood, if that is empty.
//!
//! A pawn that appears on its last rank promotes, as the side that moves chooses. Source: Popeye 4.104.
//!
//! *State*: the man that waits, and its square of capture.
//!
//! *Bounds*: a ply removes at most one man, and a man may return, so numbers of men may grow. A ply fills
//! one square more, of either color. Nothing is known about single men.

use super::rebirth::put_reborn;
use crate::positions::board::{Man, ManKind};
use crate::positions::fairy::{
    FairyCondition, FairyMove, FairyPosition, FairyRules, PlayedMove, Traits,
};
use crate::positions::rules::{BoundFacts, CaptureFacts};
use umbrail_chess::geometry::Square;

/// Circe with a later rebirth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LateCirce {
    /// By the vector of the next move, or by the opposite one.
    Parrain {
        /// True for the opposite vector.
        contra: bool,
    },
    /// At the next capture.
    WaitCapture,
}

impl LateCirce {
    /// Returns the square on which a waiting man appears after a move, if it does then.
    fn square(self, mv: &FairyMove, captures: bool, at: Square) -> Option<Option<Square>> {
        match self {
            Self::WaitCapture => captures.then_some(Some(at)),
            Self::Parrain { contra } => {
                let vector = |from: Square, to: Square| {
                    let part = |a: u8, b: u8| i32::from(b) - i32::from(a);
                    (part(from.file(), to.file()), part(from.rank(), to.rank()))
                };
                let (mut dx, mut dy) = vector(mv.from, mv.to);
                if let Some((from, to)) = mv.rook {
                    let rook = vector(from, to);
                    (dx, dy) = (dx + rook.0, dy + rook.1);
                }
                let sign = if contra { -1 } else { 1 };
                Some(at.offset(sign * dx, sign * dy))
            }
        }
    }
}

impl FairyCondition for LateCirce {
    fn traits(&self) -> Traits {
        Traits {
            rights_return: true,
            state: true,
            acts_on_captures: true,
            effects: true,
            ..Traits::default()
        }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.weaken_captures(CaptureFacts::Joint { most: 1, returns: true });
        facts.fill_more(1, 1, 1);
        facts.give_up_steps();
    }

    fn effect(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        let waiting = before.extra.pending;
        let mut base = played;
        let victim = played.victim.filter(|man| man.kind() != ManKind::KING);
        let captured = victim.zip(played.mv.victim);
        let appears = waiting.and_then(|(man, at)| {
            self.square(&played.mv, played.victim.is_some(), at).map(|square| (man, square))
        });
        base.next.extra.pending = match self {
            Self::Parrain { .. } => captured,
            Self::WaitCapture if played.victim.is_some() => captured,
            Self::WaitCapture => waiting,
        };
        let free = |square: &Square| base.next.at(*square).is_none();
        let put: Option<(Man, Square)> =
            appears.and_then(|(man, square)| Some((man, square.filter(free)?)));
        let Some((man, square)) = put else { return out.push(base) };
        for (choice, next) in put_reborn(rules, &base.next, man, square).into_iter().enumerate() {
            let mut reborn = PlayedMove { next, ..base };
            reborn.mv.choice = choice as u32;
            out.push(reborn);
        }
    }
}
