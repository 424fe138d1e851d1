//! Zobrist keys: one 64-bit number per fact about a position, joined by exclusive or.
//!
//! (Albert Zobrist, "A new hashing method with application for game playing", 1970.) The numbers
//! come from SplitMix64 with a fixed seed, so keys are identical in every run and on every machine,
//! and files may contain them.

use super::piece::Role;
use super::random::SplitMix64;
use crate::geometry::{Bitboard, Color, Square};

struct ZobristKeys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

const fn keys() -> ZobristKeys {
    let mut keys = ZobristKeys {
        pieces: [[[0; 64]; 6]; 2],
        castling: [0; 64],
        en_passant: [0; 8],
        black_to_move: 0,
    };
    let mut numbers = SplitMix64::new(0x556D_6272_6169_6C21);
    let mut i = 0;
    while i < 2 * 6 * 64 {
        keys.pieces[i / 384][i / 64 % 6][i % 64] = numbers.draw();
        i += 1;
    }
    i = 0;
    while i < 64 {
        keys.castling[i] = numbers.draw();
        i += 1;
    }
    i = 0;
    while i < 8 {
        keys.en_passant[i] = numbers.draw();
        i += 1;
    }
    keys.black_to_move = numbers.draw();
    keys
}

static KEYS: ZobristKeys = keys();

/// Returns the key of a piece on a square.
#[inline]
pub(super) fn piece(color: Color, role: Role, square: Square) -> u64 {
    KEYS.pieces[color.index()][role.index()][square.index()]
}

/// Returns the combined keys of rooks that may still castle.
#[inline]
pub(super) fn castling(rooks: Bitboard) -> u64 {
    rooks.squares().fold(0, |key, square| key ^ KEYS.castling[square.index()])
}

/// Returns the key of a pawn that can be captured en passant, by the square it passed over.
#[inline]
pub(super) fn en_passant(square: Square) -> u64 {
    KEYS.en_passant[(square.file() & 7) as usize]
}

/// Returns the key of Black to move.
#[inline]
pub(super) fn black_to_move() -> u64 {
    KEYS.black_to_move
}
