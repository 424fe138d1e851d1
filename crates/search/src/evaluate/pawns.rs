//! Pawn structure, which changes rarely and is therefore cached, and the value of passed pawns.

use super::tuned::WEIGHTS;
use super::weights::{
    BACKWARD, BLOCKED_PASSED, CONNECTED, DOUBLED, ISOLATED, MATERIAL, PASSED, PASSED_ENEMY_KING,
    PASSED_OWN_KING, PLACEMENT,
};
use super::{EvalTerms, Sum, Tally, seen_by};
use crate::score_pair::Pair;
use umbrail_chess::geometry::{Bitboard, Color, File};
use umbrail_chess::{Position, Role, attacks};

/// Value of a pawn structure, and its passed pawns by color.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Structure {
    white: Bitboard,
    black: Bitboard,
    pub(super) pair: Pair,
    pub(super) passed: [Bitboard; 2],
}

const SLOTS: usize = 1 << 13;

/// Cache of pawn structures.
#[derive(Debug)]
pub(super) struct Cache(Vec<Structure>);

impl Default for Cache {
    fn default() -> Self {
        Self(vec![Structure::default(); SLOTS])
    }
}

impl Cache {
    pub(super) fn look_up(&mut self, position: &Position) -> Structure {
        let pawns = |color| position.pieces(color, Role::Pawn);
        let (white, black) = (pawns(Color::White), pawns(Color::Black));
        let mixed = (white.0 ^ black.0.rotate_left(31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = &mut self.0[(mixed >> 51) as usize & (SLOTS - 1)];
        // An empty slot is the correct entry of the empty structure.
        if (slot.white, slot.black) != (white, black) {
            let mut sum =
                Sum { pair: Pair::default(), tally: &mut (), terms: EvalTerms::Base, phase: 0 };
            let passed = add(position, &mut sum);
            *slot = Structure { white, black, pair: sum.pair, passed };
        }
        *slot
    }
}

/// Returns the adjacent files.
fn next_files(file: File) -> Bitboard {
    let own = Bitboard::file(file);
    own.shift(1, 0) | own.shift(-1, 0)
}

/// Returns all squares ahead of a rank, from the view of this color.
fn ahead_of(color: Color, rank: u8) -> Bitboard {
    match color {
        Color::White if rank == 7 => Bitboard::EMPTY,
        Color::White => Bitboard(!0 << (8 * (rank + 1))),
        Color::Black => Bitboard((1 << (8 * rank)) - 1),
    }
}

/// Counts the features of all pawns; returns the passed ones.
pub(super) fn add<T: Tally>(position: &Position, sum: &mut Sum<'_, T>) -> [Bitboard; 2] {
    let mut passed = [Bitboard::EMPTY; 2];
    for color in Color::ALL {
        let own = position.pieces(color, Role::Pawn);
        let enemy = position.pieces(!color, Role::Pawn);
        let (guarded, threatened) = (attacks::pawns(color, own), attacks::pawns(!color, enemy));
        for square in own {
            let seen = seen_by(color, square);
            let (file, rank) = (square.file(), usize::from(seen.rank()));
            let (here, beside) = (Bitboard::file(file), next_files(file));
            let ahead = ahead_of(color, square.rank());
            sum.add(color, MATERIAL + Role::Pawn.index());
            sum.add(color, PLACEMENT + seen.index());
            if (own & here & ahead).any() {
                sum.add(color, DOUBLED);
            } else if (enemy & (here | beside) & ahead).is_empty() {
                passed[color.index()] = passed[color.index()].with(square);
            }
            let phalanx = (own & beside & Bitboard::rank(square.rank())).any();
            if phalanx || guarded.contains(square) {
                sum.add(color, CONNECTED + rank);
            } else if (own & beside).is_empty() {
                sum.add(color, ISOLATED);
            } else {
                let dy = if color.is_white() { 1 } else { -1 };
                let stop = square.offset(0, dy);
                let helpers = own & beside & !ahead;
                if helpers.is_empty() && stop.is_some_and(|stop| threatened.contains(stop)) {
                    sum.add(color, BACKWARD);
                }
            }
        }
    }
    passed
}

/// Counts the features of passed pawns that depend on other pieces: blockers and distances of the
/// kings.
pub(super) fn add_passed<T: Tally>(
    position: &Position,
    passed: &[Bitboard; 2],
    sum: &mut Sum<'_, T>,
) {
    let minors = position.by_role(Role::Knight) | position.by_role(Role::Bishop);
    for color in Color::ALL {
        for square in passed[color.index()] {
            let dy = if color.is_white() { 1 } else { -1 };
            let Some(stop) = square.offset(0, dy) else { continue };
            let rank = usize::from(seen_by(color, square).rank());
            let enemy = position.by_color(!color) & Bitboard::of(stop);
            let blocked = (enemy & (minors | position.by_role(Role::Rook))).any();
            let own = position.pieces(color, Role::Pawn);
            let files = next_files(square.file());
            let beside = own & files & Bitboard::rank(square.rank());
            let supported = beside.any() || attacks::pawns(color, own).contains(square);
            let bonus = sum.terms.passer(WEIGHTS[PASSED + rank], blocked, supported);
            sum.add_as(color, PASSED + rank, bonus);
            if position.occupied().contains(stop) {
                sum.add(color, BLOCKED_PASSED + rank);
            }
            if rank >= 3 {
                let moves = |king: Color| usize::from(position.king(king).distance(stop));
                sum.add(color, PASSED_ENEMY_KING + moves(!color));
                sum.add(color, PASSED_OWN_KING + moves(color));
            }
        }
    }
}
