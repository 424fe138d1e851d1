//! Random 128-bit numbers whose exclusive-or identifies a position (Zobrist keys).
//!
//! A table that answers for a whole game tree must not confuse two positions. With 10^12 positions,
//! the probability of a confusion is about 10^-15 with 128 bits, and near 1 with 64 bits.

use super::man::Man;
use umbrail_chess::SplitMix64;

/// Largest number of plies left, plus one.
const PLIES: usize = 256;

/// Random numbers for each feature of a position.
struct PositionKeys {
    men: [[u128; 64]; Man::CODES],
    rights: [u128; 16],
    en_passant: [u128; 8],
    black_to_move: u128,
    plies: [u128; PLIES],
}

const fn draw(numbers: &mut SplitMix64) -> u128 {
    (numbers.draw() as u128) << 64 | numbers.draw() as u128
}

const fn draw_row<const N: usize>(numbers: &mut SplitMix64) -> [u128; N] {
    let mut row = [0; N];
    let mut at = 0;
    while at < N {
        row[at] = draw(numbers);
        at += 1;
    }
    row
}

static KEYS: PositionKeys = {
    let mut numbers = SplitMix64::new(0x5047_706F_7369_7469);
    let mut men = [[0; 64]; Man::CODES];
    let mut code = 1;
    while code < Man::CODES {
        men[code] = draw_row(&mut numbers);
        code += 1;
    }
    PositionKeys {
        men,
        rights: draw_row(&mut numbers),
        en_passant: draw_row(&mut numbers),
        black_to_move: draw(&mut numbers),
        plies: draw_row(&mut numbers),
    }
};

/// Returns the key of a man on a square; 0 for an empty square.
#[inline]
pub(super) fn of_man(man: Man, square: usize) -> u128 {
    KEYS.men[man.code() & (Man::CODES - 1)][square & 63]
}

/// Returns the key of a set of castling rights, in four bits.
#[inline]
pub(crate) fn of_rights(rights: u8) -> u128 {
    KEYS.rights[usize::from(rights & 15)]
}

/// Returns the key of a file on which a pawn can be captured en passant.
#[inline]
pub(super) fn of_en_passant(file: u8) -> u128 {
    KEYS.en_passant[usize::from(file & 7)]
}

/// Returns the key of Black's turn.
#[inline]
pub(super) fn of_black_to_move() -> u128 {
    KEYS.black_to_move
}

/// Returns the key of a number of plies left.
#[inline]
pub(crate) fn of_plies(left: u16) -> u128 {
    KEYS.plies[usize::from(left) % PLIES]
}
