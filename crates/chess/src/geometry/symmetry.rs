//! The eight symmetries of the square board, as maps of squares and of whole words of squares.
//!
//! A symmetry is an optional reflection in the long diagonal a1–h8, followed by an optional mirror
//! left–right and an optional mirror top–bottom. Pieces determine which of the eight an endgame may
//! use.

use super::Square;
use std::fmt;

/// Symmetry of the board, one of eight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(u8);

/// Image of each square under each symmetry.
static IMAGES: [[u8; 64]; 8] = {
    let mut images = [[0; 64]; 8];
    let mut at = 0;
    while at < 64 * 8 {
        let square = Square::new((at % 64) as u8);
        images[at / 64][at % 64] = Symmetry((at / 64) as u8).square(square).number();
        at += 1;
    }
    images
};

const FILES: u8 = 1;
const RANKS: u8 = 2;
const DIAGONAL: u8 = 4;

impl Symmetry {
    /// Symmetry that leaves every square in place.
    pub const IDENTITY: Self = Self(0);
    /// Left–right mirror: a1 ↔ h1.
    pub const FLIP_FILES: Self = Self(FILES);
    /// Iterates over all eight symmetries, the identity first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self)
    }

    /// Returns the image of a square.
    #[inline]
    pub const fn square(self, square: Square) -> Square {
        let mut s = square.number();
        if self.0 & DIAGONAL != 0 {
            s = s >> 3 | (s & 7) << 3;
        }
        if self.0 & FILES != 0 {
            s ^= 7;
        }
        if self.0 & RANKS != 0 {
            s ^= 56;
        }
        Square::new(s)
    }

    /// Returns the numbers of the images of a1, b1 … h8, as a table.
    #[inline]
    pub fn images(self) -> &'static [u8; 64] {
        &IMAGES[self.0 as usize & 7]
    }

    /// Returns the image of a set of squares, bit 0 = a1.
    #[inline]
    pub const fn word(self, word: u64) -> u64 {
        let mut w = word;
        if self.0 & DIAGONAL != 0 {
            w = transpose(w);
        }
        if self.0 & FILES != 0 {
            w = mirror_files(w);
        }
        if self.0 & RANKS != 0 {
            w = w.swap_bytes();
        }
        w
    }

    /// Replaces many sets by their images in place.
    #[inline(always)]
    pub fn words(self, words: &mut [u64]) {
        if self.0 & DIAGONAL != 0 {
            words.iter_mut().for_each(|w| *w = transpose(*w));
        }
        if self.0 & FILES != 0 {
            words.iter_mut().for_each(|w| *w = mirror_files(*w));
        }
        if self.0 & RANKS != 0 {
            words.iter_mut().for_each(|w| *w = w.swap_bytes());
        }
    }

    /// Returns the image of a step of `dx` files and `dy` ranks.
    pub const fn step(self, dx: i8, dy: i8) -> (i8, i8) {
        let (x, y) = if self.0 & DIAGONAL != 0 { (dy, dx) } else { (dx, dy) };
        (if self.0 & FILES != 0 { -x } else { x }, if self.0 & RANKS != 0 { -y } else { y })
    }

    /// Returns the inverse symmetry.
    pub const fn inverse(self) -> Self {
        if self.0 & DIAGONAL == 0 {
            return self;
        }
        // The inverse of "transpose, then mirror files" is "mirror files, then transpose", which is
        // "transpose, then mirror ranks": the two mirrors are exchanged.
        Self(DIAGONAL | (self.0 & FILES) << 1 | (self.0 & RANKS) >> 1)
    }

    /// Returns 0 to 7, as an array index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[inline]
const fn mirror_files(word: u64) -> u64 {
    const PAIRS: u64 = 0x5555_5555_5555_5555;
    const QUADS: u64 = 0x3333_3333_3333_3333;
    const HALVES: u64 = 0x0F0F_0F0F_0F0F_0F0F;
    let w = (word >> 1 & PAIRS) | (word & PAIRS) << 1;
    let w = (w >> 2 & QUADS) | (w & QUADS) << 2;
    (w >> 4 & HALVES) | (w & HALVES) << 4
}

/// 8×8 bit transposition by three delta swaps (Warren, Hacker's Delight, 7-3).
#[inline]
const fn transpose(word: u64) -> u64 {
    let t = (word ^ (word >> 7)) & 0x00AA_00AA_00AA_00AA;
    let w = word ^ t ^ (t << 7);
    let t = (w ^ (w >> 14)) & 0x0000_CCCC_0000_CCCC;
    let w = w ^ t ^ (t << 14);
    let t = (w ^ (w >> 28)) & 0x0000_0000_F0F0_F0F0;
    w ^ t ^ (t << 28)
}

/// Set of symmetries that forms a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SymmetryGroup(u8);

impl SymmetryGroup {
    /// Group of all eight symmetries.
    pub const FULL: Self = Self(0xFF);
    /// Group of the identity alone.
    pub const TRIVIAL: Self = Self(1);

    /// Returns the group of symmetries for which `keeps` returns true. The caller's test must
    /// define a group: the set of symmetries that leave something unchanged always does.
    pub fn of(keeps: impl Fn(Symmetry) -> bool) -> Self {
        Self(Symmetry::all().filter(|&s| keeps(s)).fold(1, |set, s| set | 1 << s.0))
    }

    /// Returns the symmetries that are in both groups.
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns true when the symmetry belongs to the group.
    pub(crate) const fn contains(self, symmetry: Symmetry) -> bool {
        self.0 >> symmetry.0 & 1 != 0
    }

    /// Returns the number of symmetries: 8, 4, 2 or 1.
    pub const fn order(self) -> u32 {
        self.0.count_ones()
    }

    /// Iterates over the members, the identity first.
    pub fn members(self) -> impl Iterator<Item = Symmetry> {
        Symmetry::all().filter(move |&s| self.contains(s))
    }

    /// Returns the members as a bit mask, bit = [`Symmetry::index`].
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the lowest-numbered square that the group maps this one to, and a member that maps
    /// it there.
    pub fn home(self, square: Square) -> (Square, Symmetry) {
        self.members()
            .map(|s| (s.square(square), s))
            .min_by_key(|&(image, s)| (image, s))
            .unwrap_or((square, Symmetry::IDENTITY))
    }
}

impl fmt::Debug for SymmetryGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SymmetryGroup(order {})", self.order())
    }
}

#[cfg(test)]
mod tests {
    use super::{Symmetry, SymmetryGroup};
    use crate::geometry::Square;

    #[test]
    fn words_go_where_their_squares_go() {
        for symmetry in Symmetry::all() {
            for square in Square::all() {
                let image = symmetry.square(square);
                assert_eq!(symmetry.word(1 << square.index()), 1 << image.index());
                assert_eq!(symmetry.inverse().square(image), square);
                assert_eq!(symmetry.images()[square.index()], image.number());
            }
        }
    }

    #[test]
    fn steps_go_where_their_squares_go() {
        for symmetry in Symmetry::all() {
            let (dx, dy) = symmetry.step(1, 2);
            let from = symmetry.square(Square::D4);
            assert_eq!(from.offset(dx.into(), dy.into()), Some(symmetry.square(Square::E6)));
        }
    }

    #[test]
    fn the_full_group_sends_every_square_to_the_triangle() {
        let mut homes: Vec<Square> = Square::all().map(|s| SymmetryGroup::FULL.home(s).0).collect();
        homes.sort_unstable();
        homes.dedup();
        assert_eq!(homes.len(), 10);
        assert!(homes.iter().all(|s| s.rank() <= s.file() && s.file() < 4));
    }
}
