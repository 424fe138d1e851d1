//! Magic bitboards: the squares a rook or bishop reaches, by one multiplication and one look-up.
//!
//! The idea is Lasse Hansen's and Pradu Kannan's (2006–2007); the "plain" layout, one table slice
//! per square. `build.rs` fills the table, the tests compare it with a ray walk.

use crate::geometry::{Bitboard, Square};

include!("magic_numbers.in");

/// Table entries: Σ 2^(relevant bits), 102,400 for rooks and 5,248 for bishops.
const ENTRIES: usize = 107_648;

#[repr(align(64))]
struct Aligned([u8; ENTRIES * 8]);

static BYTES: Aligned = Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/slider_attacks.bin")));

/// One square's magic.
#[derive(Clone, Copy)]
struct Magic {
    /// Squares whose occupation matters.
    mask: u64,
    multiplier: u64,
    /// First table entry.
    base: u32,
    /// 64 less the number of mask bits.
    shift: u32,
}

const fn ray_mask(square: usize, dx: i32, dy: i32) -> u64 {
    let mut mask = 0;
    let (mut x, mut y) = ((square % 8) as i32 + dx, (square / 8) as i32 + dy);
    while x + dx >= 0 && x + dx < 8 && y + dy >= 0 && y + dy < 8 {
        mask |= 1 << (y * 8 + x);
        x += dx;
        y += dy;
    }
    mask
}

/// Masks and bases for one kind of slider; `(1, 0)` rotated gives rooks, `(1, 1)` bishops.
const fn magics(multipliers: [u64; 64], (dx, dy): (i32, i32), mut base: u32) -> [Magic; 64] {
    let mut all = [Magic { mask: 0, multiplier: 0, base: 0, shift: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let mask = ray_mask(square, dx, dy)
            | ray_mask(square, -dy, dx)
            | ray_mask(square, -dx, -dy)
            | ray_mask(square, dy, -dx);
        let bits = mask.count_ones();
        all[square] = Magic { mask, multiplier: multipliers[square], base, shift: 64 - bits };
        base += 1 << bits;
        square += 1;
    }
    all
}

static ROOKS: [Magic; 64] = magics(ROOK_MAGICS, (1, 0), 0);
static BISHOPS: [Magic; 64] = magics(BISHOP_MAGICS, (1, 1), 102_400);

#[inline]
fn look_up(magic: &Magic, occupied: Bitboard) -> Bitboard {
    let slot = (occupied.0 & magic.mask).wrapping_mul(magic.multiplier) >> magic.shift;
    let entry = magic.base as usize + slot as usize;
    let (entries, _) = BYTES.0.as_chunks::<8>();
    debug_assert!(entry < ENTRIES);
    // SAFETY: `slot` is below 2^bits of this magic (a shift by 64 - bits), and `base + 2^bits` is at
    // most `ENTRIES` by construction of `magics`; the test `every_slot_lies_in_the_table` checks it.
    Bitboard(u64::from_ne_bytes(*unsafe { entries.get_unchecked(entry) }))
}

/// The squares a rook on `square` attacks when these squares are occupied.
#[inline]
pub(super) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&ROOKS[square.index()], occupied)
}

/// The squares a bishop on `square` attacks when these squares are occupied.
#[inline]
pub(super) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&BISHOPS[square.index()], occupied)
}

#[cfg(test)]
mod tests {
    use super::{BISHOPS, ENTRIES, ROOKS, bishop, rook};
    use crate::geometry::{Bitboard, Square};

    fn walk(from: Square, occupied: Bitboard, steps: [(i32, i32); 4]) -> Bitboard {
        let mut reached = Bitboard::EMPTY;
        for (dx, dy) in steps {
            let mut at = from.offset(dx, dy);
            while let Some(square) = at {
                reached = reached.with(square);
                at = if occupied.contains(square) { None } else { square.offset(dx, dy) };
            }
        }
        reached
    }

    #[test]
    fn every_blocker_set_gives_the_walked_squares() {
        for square in Square::all() {
            for blockers in Bitboard(ROOKS[square.index()].mask).subsets() {
                let steps = [(1, 0), (-1, 0), (0, 1), (0, -1)];
                assert_eq!(rook(square, blockers), walk(square, blockers, steps));
            }
            for blockers in Bitboard(BISHOPS[square.index()].mask).subsets() {
                let steps = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
                assert_eq!(bishop(square, blockers), walk(square, blockers, steps));
            }
        }
    }

    #[test]
    fn every_slot_lies_in_the_table() {
        for magic in ROOKS.iter().chain(&BISHOPS) {
            let size = 1usize << (64 - magic.shift);
            assert!(magic.base as usize + size <= ENTRIES);
        }
        assert_eq!(BISHOPS[0].base as usize, 102_400);
    }
}
