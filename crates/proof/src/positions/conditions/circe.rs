//! Circe: a captured man is reborn. Variants differ in the square, and in what else happens there.
//!
//! A captured man (no king) is put on its rebirth square if that is empty after the move; otherwise
//! it vanishes. A pawn captured en passant is reborn on its own file. A man reborn on its home square
//! may castle, whatever moved before. The rebirth squares of the variants:
//!
//! - *Circe*: the square of the array (`rebirth.rs`).
//! - *Mirror*: that of the like man of the other color. A pawn reborn on its last rank promotes, as the
//!   capturing side chooses.
//! - *PWC*: the square that the capturer left, which is empty.
//! - *Couscous*: the rebirth square of the capturer, as it was before a promotion.
//! - *Symmetry*, *Vertical* and *Horizontal Symmetry*: the square of capture mirrored in the center, in
//!   the line between d and e, in the line between the fourth and fifth rank.
//! - *Diametral*: the rebirth square mirrored in the center.
//! - *Assassin*: as Circe; if the square is occupied, the man there vanishes. The move is illegal if that
//!   is the mover's king, and a king is in check by a capture that would let it vanish.
//! - *Clone*: reborn as a man of the capturer's kind, kings apart, on the rebirth square of that kind.
//!
//! *RexInclusive*: kings are reborn, too. A king is in check only if it could not be reborn.
//! Source: Popeye 4.104.
//!
//! *Bounds*: a capture removes at most one man and may fill a square of the captured side. In Circe, a
//! man reaches its rebirth squares without own moves, castling rights come back, so that castling
//! belongs to the steps of king and rook, and pawns on their second rank may have been reborn there. The
//! other variants use numbers and missing squares only.

use super::rebirth::{home, put_reborn};
use crate::positions::board::{Man, ManKind};
use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use crate::positions::rules::{BoundFacts, CaptureFacts, ManStep};
use umbrail_chess::geometry::{Color, Square};

/// Square on which a captured man is reborn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rebirth {
    /// Square of the array.
    Standard,
    /// Square of the array of the other color.
    Mirror,
    /// Square that the capturer left.
    Exchange,
    /// Rebirth square of the capturer.
    Couscous,
    /// Mirrored in the center.
    Symmetry,
    /// Mirrored in the line between the d- and the e-file.
    Vertical,
    /// Mirrored in the line between the fourth and the fifth rank.
    Horizontal,
    /// Square of the array, mirrored in the center.
    Diametral,
    /// Rebirth square of the capturer's kind, as that kind.
    Clone,
}

impl Rebirth {
    /// Returns a square mirrored as a symmetry variant mirrors it.
    pub(super) fn mirrored(self, at: Square) -> Square {
        let (file, rank) = (at.file(), at.rank());
        match self {
            Self::Vertical => Square::at(7 - file, rank),
            Self::Horizontal => Square::at(file, 7 - rank),
            _ => Square::at(7 - file, 7 - rank),
        }
    }
}

/// Rules of Circe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circe {
    /// Square of rebirth.
    pub rebirth: Rebirth,
    /// True if kings are reborn.
    pub kings: bool,
    /// True if a man on the square of rebirth vanishes.
    pub assassin: bool,
}

impl Circe {
    /// Circe itself.
    pub(crate) const STANDARD: Self =
        Self { rebirth: Rebirth::Standard, kings: false, assassin: false };

    fn reborn(
        &self,
        before: &FairyPosition,
        from: Square,
        capture: Square,
        victim: Man,
    ) -> Option<(Man, Square)> {
        let capturer = before.at(from);
        let is_king = victim.kind() == ManKind::KING;
        if is_king && !self.kings {
            return None;
        }
        let color = victim.color();
        let square = match self.rebirth {
            Rebirth::Standard => home(victim.kind(), color, capture),
            Rebirth::Mirror => home(victim.kind(), !color, capture),
            Rebirth::Exchange => from,
            Rebirth::Couscous => home(capturer.kind(), capturer.color(), capture),
            Rebirth::Diametral => Rebirth::Symmetry.mirrored(home(victim.kind(), color, capture)),
            Rebirth::Clone if is_king => home(ManKind::KING, color, capture),
            Rebirth::Clone if capturer.kind() == ManKind::KING => {
                return Some((victim, home(victim.kind(), color, capture)));
            }
            Rebirth::Clone => {
                let kind = capturer.kind();
                return Some((Man::of(color, kind), home(kind, color, capture)));
            }
            _ => self.rebirth.mirrored(capture),
        };
        Some((victim, square))
    }
}

impl FairyCondition for Circe {
    fn traits(&self) -> Traits {
        Traits {
            check_by_capture: self.kings,
            rights_return: true,
            acts_on_captures: true,
            effects: true,
            ..Traits::default()
        }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        facts.weaken_captures(match self.assassin {
            true => CaptureFacts::Joint { most: 1, returns: false },
            false => CaptureFacts::AtMostOne,
        });
        facts.fill_more(0, 1, 1);
        match (self.rebirth, self.assassin) {
            (Rebirth::Standard, false) => {
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
        let mv = played.mv;
        let reborn = played.victim.zip(mv.victim);
        let reborn = reborn.and_then(|(man, at)| self.reborn(before, mv.from, at, man));
        let Some((man, square)) = reborn else { return out.push(played) };
        let mut next = played.next;
        if !next.at(square).is_none() {
            if !self.assassin {
                return out.push(played);
            }
            let lost = next.remove(square);
            if lost == Man::of(before.turn, rules.king) {
                return;
            }
        }
        for (choice, next) in put_reborn(rules, &next, man, square).into_iter().enumerate() {
            let mut reborn = PlayedMove { next, ..played };
            reborn.mv.choice = choice as u32;
            out.push(reborn);
        }
    }

    fn in_check(&self, rules: &FairyRules, position: &FairyPosition, side: Color) -> Option<bool> {
        if !self.assassin {
            return None;
        }
        if rules.king_is_attacked(position, side) {
            return Some(true);
        }
        // A capture elsewhere whose rebirth falls on the king.
        let mut before = *position;
        (before.turn, before.en_passant) = (!side, None);
        let kings = |position: &FairyPosition| rules.kings(position, side).count();
        let there = kings(&before);
        if there == 0 {
            return Some(false);
        }
        let mut moves = vec![];
        for from in before.by_color(!side) {
            rules.moves_from(&before, from, &mut moves);
        }
        moves.retain(|mv| mv.victim.is_some());
        let mut played = vec![];
        for mv in moves {
            rules.play(&before, mv, &mut played);
        }
        Some(played.iter().any(|one| kings(&one.next) < there))
    }

    fn steps(&self, _: &FairyRules, man: Man, from: Square, steps: &mut Vec<ManStep>) {
        if self.rebirth == Rebirth::Standard && (man.kind() != ManKind::KING || self.kings) {
            steps.push(ManStep::free(man, home(man.kind(), man.color(), from)));
        }
    }
}
