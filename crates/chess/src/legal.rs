//! What a legal move must respect: checks to answer and pins to keep.

use super::attacks;
use super::moves::Move;
use super::piece::Role;
use super::position::Position;
use crate::geometry::{Bitboard, Color, Square};

const fn rays(diagonal: bool) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let square = Square::new(from as u8);
        let steps = if diagonal {
            [(1, 1), (-1, 1), (-1, -1), (1, -1)]
        } else {
            [(1, 0), (0, 1), (-1, 0), (0, -1)]
        };
        let mut i = 0;
        while i < 4 {
            let mut at = square;
            while let Some(next) = at.offset(steps[i].0, steps[i].1) {
                table[from] = table[from].with(next);
                at = next;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

static DIAGONALS: [Bitboard; 64] = rays(true);
static STRAIGHTS: [Bitboard; 64] = rays(false);

/// The king of the side to move, the checks to answer and the pins to keep.
#[derive(Clone, Copy, Debug)]
pub struct CheckState {
    /// The own king.
    pub king: Square,
    /// Enemy men that give check.
    pub checkers: Bitboard,
    /// Own men that shield the king from a slider; they may move on its line only.
    pub pinned: Bitboard,
    /// Where a man other than the king must go: anywhere without check; onto the checker or between
    /// with one check; nowhere with two.
    pub onto: Bitboard,
}

/// From where the side to move would give check.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    /// By role: squares from which such a man attacks the enemy king; none for the king.
    from: [Bitboard; 6],
    /// Own men that give check when they leave the line they shield.
    shields: Bitboard,
    king: Square,
}

impl CheckSquares {
    /// True when a legal move that is neither castling, promotion nor en passant gives check.
    #[inline]
    pub fn gives(&self, role: Role, mv: Move) -> bool {
        self.from[role.index()].contains(mv.to())
            || self.shields.contains(mv.from())
                && !attacks::line(self.king, mv.from()).contains(mv.to())
    }
}

impl Position {
    /// From where the side to move would give check: computed once, it serves every move.
    pub fn check_squares(&self) -> CheckSquares {
        let (us, king) = (self.turn(), self.king(!self.turn()));
        let occupied = self.occupied();
        let (diagonal, straight) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let from = [
            attacks::pawn(!us, king),
            attacks::knight(king),
            diagonal,
            straight,
            diagonal | straight,
            Bitboard::EMPTY,
        ];
        CheckSquares { from, shields: self.shields(!us) & self.by_color(us), king }
    }

    /// Men of `color`'s own side and the other's that alone stand between its king and an enemy
    /// slider. Own ones are pinned, enemy ones give check when they leave the line.
    #[inline]
    pub fn shields(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        let occupied = self.occupied();
        let mut shields = Bitboard::EMPTY;
        for sniper in self.snipers(king, color) {
            let line = attacks::between(king, sniper) & occupied;
            if !line.more_than_one() {
                shields |= line;
            }
        }
        shields
    }

    /// Enemy sliders that would attack this king on an empty board.
    #[inline]
    fn snipers(&self, king: Square, color: Color) -> Bitboard {
        DIAGONALS[king.index()] & self.diagonal_sliders(!color)
            | STRAIGHTS[king.index()] & self.straight_sliders(!color)
    }

    /// What a legal move must respect here.
    #[inline]
    pub fn check_state(&self) -> CheckState {
        let us = self.turn();
        let (king, occupied) = (self.king(us), self.occupied());
        let (mut checkers, mut pinned) = (self.leaping_checkers(king, !us), Bitboard::EMPTY);
        for sniper in self.snipers(king, us) {
            let line = attacks::between(king, sniper) & occupied;
            if line.is_empty() {
                checkers = checkers.with(sniper);
            } else if !line.more_than_one() {
                pinned |= line;
            }
        }
        let onto = match checkers.first() {
            None => Bitboard::FULL,
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker) | checkers,
        };
        CheckState { king, checkers, pinned: pinned & self.by_color(us), onto }
    }

    /// Squares next to the own king onto which it may go.
    #[inline]
    pub(super) fn king_targets(&self, king: Square, onto: Bitboard) -> Bitboard {
        let (us, them) = (self.turn(), !self.turn());
        let mut to = attacks::king(king) & !self.by_color(us) & onto;
        if to.is_empty() {
            return to;
        }
        to &= !(attacks::pawns(them, self.pieces(them, Role::Pawn))
            | attacks::knights(self.pieces(them, Role::Knight))
            | attacks::king(self.king(them)));
        let occupied = self.occupied().without(king);
        let (diagonal, straight) = (self.diagonal_sliders(them), self.straight_sliders(them));
        for square in to {
            if (attacks::bishop(square, occupied) & diagonal
                | attacks::rook(square, occupied) & straight)
                .any()
            {
                to = to.without(square);
            }
        }
        to
    }

    /// Own rooks with which the king may castle now.
    #[inline]
    pub(super) fn castling_targets(&self, check_state: &CheckState) -> Bitboard {
        let (us, king) = (self.turn(), check_state.king);
        let rooks = self.castling_rooks() & self.by_color(us);
        if rooks.is_empty() || check_state.checkers.any() {
            return Bitboard::EMPTY;
        }
        rooks.squares().filter(|&rook| self.may_castle(king, rook)).collect()
    }

    /// True when nothing stands in the way and the king crosses no attacked square (FIDE 3.8.2; for
    /// Chess960, guidelines II.2).
    fn may_castle(&self, king: Square, rook: Square) -> bool {
        let them = !self.turn();
        let king_to = Self::king_after_castling(king, rook);
        let rook_to = Self::rook_after_castling(king, rook);
        let others = self.occupied().without(king).without(rook);
        let king_path = attacks::between(king, king_to).with(king_to);
        let rook_path = attacks::between(rook, rook_to).with(rook_to);
        if (others & (king_path | rook_path)).any() {
            return false;
        }
        // The king's path is looked at as the board stands, its last square as the board will stand:
        // in Chess960 the rook that leaves may be all that shields it.
        let (now, then) = (self.occupied().without(king), others.with(rook_to));
        !king_path.squares().any(|square| {
            let occupied = if square == king_to { then } else { now };
            self.is_attacked(square, them, occupied)
        })
    }

    /// True when this move, from any source, is legal here.
    pub fn is_legal(&self, mv: Move) -> bool {
        if !self.by_color(self.turn()).contains(mv.from()) {
            return false;
        }
        let mut found = false;
        self.targets_of(mv.from(), |targets| {
            let promotes = targets.promotes();
            found |= targets.to.contains(mv.to()) && promotes == mv.promotion().is_some();
        });
        found
    }

    /// True when this legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        self.after(mv).in_check()
    }
}
