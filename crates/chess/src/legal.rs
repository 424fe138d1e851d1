//! Constraints of legal moves: checks and pins.

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

/// King of the side to move, its checkers and its pinned pieces.
#[derive(Clone, Copy, Debug)]
pub struct CheckState {
    /// Own king.
    pub king: Square,
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// Own pieces that shield the king from a slider; they may move on that line only.
    pub pinned: Bitboard,
    /// Allowed targets of pieces other than the king: every square without check; the checker and
    /// the squares between with one check; none with two.
    pub onto: Bitboard,
}

/// Squares from which the side to move would give check.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares {
    /// By role: squares from which a piece of this role attacks the enemy king; none for the king.
    from: [Bitboard; 6],
    /// Own pieces that give check when they leave the line they shield.
    shields: Bitboard,
    king: Square,
}

impl CheckSquares {
    /// Returns true when a legal move that is neither castling, promotion nor en passant gives
    /// check.
    #[inline]
    pub fn gives(&self, role: Role, mv: Move) -> bool {
        self.from[role.index()].contains(mv.to())
            || self.shields.contains(mv.from())
                && !attacks::line(self.king, mv.from()).contains(mv.to())
    }
}

impl Position {
    /// Computes the squares from which the side to move would give check; one result serves every
    /// move.
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

    /// Returns the pieces of either side that alone stand between the king of `color` and an enemy
    /// slider. Own ones are pinned; enemy ones give check when they leave the line.
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

    /// Returns the enemy sliders that would attack this king on an empty board.
    #[inline]
    fn snipers(&self, king: Square, color: Color) -> Bitboard {
        DIAGONALS[king.index()] & self.diagonal_sliders(!color)
            | STRAIGHTS[king.index()] & self.straight_sliders(!color)
    }

    /// Returns the constraints of legal moves in this position.
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

    /// Returns the legal target squares next to the king of the side to move, of those in `onto`.
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

    /// Returns the rooks with which the side to move may currently castle.
    #[inline]
    pub(super) fn castling_targets(&self, check_state: &CheckState) -> Bitboard {
        let (us, king) = (self.turn(), check_state.king);
        let rooks = self.castling_rooks() & self.by_color(us);
        if rooks.is_empty() || check_state.checkers.any() {
            return Bitboard::EMPTY;
        }
        rooks.squares().filter(|&rook| self.may_castle(king, rook)).collect()
    }

    /// Returns true when both paths are clear and the king crosses no attacked square (FIDE 3.8.2; for
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
        // The king's path is checked with the current occupancy, its last square with the occupancy
        // after castling: in Chess960 the rook that leaves may be the only shield.
        let (now, then) = (self.occupied().without(king), others.with(rook_to));
        !king_path.squares().any(|square| {
            let occupied = if square == king_to { then } else { now };
            self.is_attacked(square, them, occupied)
        })
    }

    /// Returns true when this legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        self.after(mv).in_check()
    }
}
