//! Identical pieces of a layout; their squares are numbered as one combination.

use super::{OTHERS_MAX, Others};
use umbrail_chess::geometry::Square;

/// Marker of a square that has no number.
const OFF: u8 = u8::MAX;

/// Identical pieces, stored as one combination.
#[derive(Clone, Debug)]
pub(super) struct IdenticalPieces {
    /// First piece of the group; the others follow it.
    pub(super) first: usize,
    pub(super) count: usize,
    /// Number of each square among those allowed for these pieces: all, those of pawns, or those of
    /// pawns on some files.
    place: Box<[u8; 64]>,
    /// Number of allowed squares.
    pub(super) squares: usize,
    pub(super) stride: usize,
    /// Reciprocal of the stride, for division; see [`IdenticalPieces::split`].
    pub(super) reciprocal: u64,
    pub(super) size: usize,
    /// Squares of each code.
    pub(super) unpack: Vec<Others>,
    /// For each symmetry of the layout, the image of each code, times the stride.
    pub(super) images: [Vec<u32>; 8],
}

impl IdenticalPieces {
    /// Creates a group of one piece with these allowed squares, without its stride in the word.
    pub(super) fn new(first: usize, squares: u64) -> Self {
        let mut place = Box::new([OFF; 64]);
        let own = Square::all().map(Square::index).filter(|square| squares >> square & 1 != 0);
        for (number, square) in own.enumerate() {
            place[square] = number as u8;
        }
        let (unpack, images) = (Vec::new(), Default::default());
        let squares = squares.count_ones() as usize;
        let (count, stride, reciprocal, size) = (1, 0, 0, 0);
        Self { first, count, place, squares, stride, reciprocal, size, unpack, images }
    }

    /// Returns the code of this group and the remainder for the groups after it: division by the
    /// stride as a product with its reciprocal. It is exact while stride times word is below 2^64
    /// (Granlund and Montgomery 1994).
    #[inline(always)]
    pub(super) fn split(&self, rest: usize) -> (usize, usize) {
        if self.stride == 1 {
            return (rest, 0);
        }
        let code = ((u128::from(self.reciprocal) * rest as u128) >> 64) as usize;
        (code, rest - code * self.stride)
    }

    #[inline]
    pub(super) fn number(&self, square: u8) -> u8 {
        self.place[square as usize & 63]
    }

    pub(super) fn holds(&self, square: u8) -> bool {
        self.number(square) != OFF
    }

    #[inline]
    pub(super) fn code(&self, squares: &[u8]) -> usize {
        match *squares {
            [a] => self.number(a) as usize,
            [a, b] => pair(self.number(a), self.number(b)),
            _ => {
                let mut sorted = [0; OTHERS_MAX];
                let sorted = &mut sorted[..squares.len()];
                sorted.copy_from_slice(squares);
                sorted.sort_unstable();
                let code = |(i, &s)| choose(self.number(s) as usize, i + 1);
                // Two pieces on one square have no combination; their word is never legal and any
                // in-range number is correct.
                let sum: usize = sorted.iter().enumerate().map(code).sum();
                sum.min(self.size - 1)
            }
        }
    }
}

/// Returns the code of two identical pieces: all pairs with a lower higher square come first. Two
/// pieces on one square share the code of some pair; callers never pass such squares.
#[inline]
pub(super) fn pair(a: u8, b: u8) -> usize {
    let (low, high) = if a < b { (a as usize, b as usize) } else { (b as usize, a as usize) };
    (high * high.wrapping_sub(1) / 2 + low).min(2015)
}

/// Returns the binomial coefficient.
pub(super) fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1))
}

/// Returns all combinations of `count` of these squares, by code.
pub(super) fn combinations(squares: u64, count: usize) -> Vec<Others> {
    let own: Vec<u8> = (0..64).filter(|square| squares >> square & 1 != 0).collect();
    let squares = own.len() as u8;
    let mut all = Vec::with_capacity(choose(own.len(), count));
    let mut now: Others = [0; OTHERS_MAX];
    for (i, square) in now.iter_mut().enumerate().take(count) {
        *square = i as u8;
    }
    loop {
        let mut pieces: Others = [0; OTHERS_MAX];
        for (piece, &number) in pieces.iter_mut().zip(&now[..count]) {
            *piece = own[number as usize];
        }
        all.push(pieces);
        // Next combination in the order of the highest square first.
        let Some(up) =
            (0..count).find(|&i| now[i] + 1 < if i + 1 < count { now[i + 1] } else { squares })
        else {
            return all;
        };
        now[up] += 1;
        for (i, square) in now.iter_mut().enumerate().take(up) {
            *square = i as u8;
        }
    }
}
