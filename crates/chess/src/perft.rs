//! Counts leaves of the move tree: a test of move generation and of its speed.

use super::attacks;
use super::legal::CheckState;
use super::movegen::{MoveKinds, ahead};
use super::moves::{Move, Targets};
use super::piece::Role;
use super::position::Position;
use crate::geometry::{Bitboard, Square};

/// Returns the number of move sequences of this length; the last ply is counted, not made.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(count_moves(position)),
        _ => {
            let mut nodes = 0;
            each_child(position, |child, _| nodes += perft(child, depth - 1));
            nodes
        }
    }
}

/// Returns the number of [`perft()`], with every last move made: a test of [`Position::after`] and
/// of its speed.
pub fn perft_made(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    each_child(position, |child, _| {
        nodes += if depth == 1 {
            u64::from(child.turn() != position.turn())
        } else {
            perft_made(child, depth - 1)
        };
    });
    nodes
}

/// Returns the count after each legal move.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let mut parts = Vec::new();
    if depth > 0 {
        each_child(position, |child, mv| parts.push((mv, perft(child, depth - 1))));
    }
    parts
}

#[inline]
fn each_child(position: &Position, mut visit: impl FnMut(&Position, Move)) {
    position.targets(MoveKinds::All, Bitboard::FULL, |targets: Targets| {
        // One loop for each role, without irrelevant tests.
        match targets.role {
            Role::Pawn => targets.for_each(|mv| visit(&position.after_as(Role::Pawn, mv), mv)),
            Role::King => targets.for_each(|mv| visit(&position.after_as(Role::King, mv), mv)),
            Role::Knight => targets.for_each(|mv| visit(&position.after_as(Role::Knight, mv), mv)),
            role => targets.for_each(|mv| visit(&position.after_as(role, mv), mv)),
        }
    });
}

/// Returns the number of legal moves, counted set-wise without listing them.
pub fn count_moves(position: &Position) -> u32 {
    let us = position.turn();
    let check_state = position.check_state();
    let mut count = position.king_targets(check_state.king, Bitboard::FULL).len()
        + position.castling_targets(&check_state).len();
    if check_state.onto.is_empty() {
        return count;
    }
    let occupied = position.occupied();
    let pieces = position.by_color(us);
    let to = check_state.onto & !pieces;
    for from in position.by_role(Role::Knight) & pieces & !check_state.pinned {
        count += (attacks::knight(from) & to).len();
    }
    for from in position.diagonal_sliders(us) {
        count += (attacks::bishop(from, occupied) & to & pin_line(&check_state, from)).len();
    }
    for from in position.straight_sliders(us) {
        count += (attacks::rook(from, occupied) & to & pin_line(&check_state, from)).len();
    }
    count + count_pawn_moves(position, &check_state)
}

/// Returns the squares to which a pin restricts a piece.
#[inline]
fn pin_line(check_state: &CheckState, from: Square) -> Bitboard {
    if check_state.pinned.contains(from) {
        attacks::line(check_state.king, from)
    } else {
        Bitboard::FULL
    }
}

#[inline]
fn count_pawn_moves(position: &Position, check_state: &CheckState) -> u32 {
    let (us, them) = (position.turn(), !position.turn());
    let pawns = position.pieces(us, Role::Pawn);
    let last = Bitboard::rank(if us.is_white() { 7 } else { 0 });
    let third = Bitboard::rank(if us.is_white() { 2 } else { 5 });
    let empty = !position.occupied();
    let each = |to: Bitboard| to.len() + 3 * (to & last).len();
    let free = pawns & !check_state.pinned;
    let one = ahead(us, free) & empty;
    let two = ahead(us, one & third) & empty;
    let prey = position.by_color(them) & check_state.onto;
    let mut count = each(one & check_state.onto) + (two & check_state.onto).len();
    let (west, east) = (free & !Bitboard::file(0), free & !Bitboard::file(7));
    let (west, east) = if us.is_white() { (west << 7, east << 9) } else { (west >> 9, east >> 7) };
    count += each(west & prey) + each(east & prey);
    for from in pawns & check_state.pinned {
        let one = ahead(us, from.into()) & empty;
        let two = ahead(us, one & third) & empty;
        let to = (one | two) & check_state.onto | attacks::pawn(us, from) & prey;
        count += each(to & attacks::line(check_state.king, from));
    }
    if let Some(behind) = position.en_passant() {
        let takers = attacks::pawn(them, behind) & pawns;
        count += takers.squares().filter(|&from| position.may_pass(from, behind)).count() as u32;
    }
    count
}
