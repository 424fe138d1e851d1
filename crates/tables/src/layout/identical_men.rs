//! Identical men of a layout, whose squares are numbered as one combination.

use super::{OTHERS_MAX, Others};
use umbrail_chess::geometry::Square;

/// No number of a square.
const OFF: u8 = u8::MAX;

/// Identical men, stored as one combination.
#[derive(Clone, Debug)]
pub(super) struct IdenticalMen {
    /// The first man of the group; the others follow it.
    pub(super) first: usize,
    pub(super) count: usize,
    /// The number of each square among those that these men may stand on: all, those of pawns, or
    /// those of pawns on some files.
    place: Box<[u8; 64]>,
    /// How many squares those are.
    pub(super) squares: usize,
    pub(super) stride: usize,
    /// Divides by the stride; see [`IdenticalMen::split`].
    pub(super) reciprocal: u64,
    pub(super) size: usize,
    /// The squares of each code.
    pub(super) unpack: Vec<Others>,
    /// For each symmetry of the layout, what each code becomes, times the stride.
    pub(super) images: [Vec<u32>; 8],
}

impl IdenticalMen {
    /// A group of one man that may stand on these squares, without its place in the word.
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

    /// Code of this group and what is left for the groups behind it: division by the stride as a
    /// product with its reciprocal, exact while stride times word is below 2^64 (Granlund and
    /// Montgomery 1994).
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
                // Two men on one square have no combination; their word is never legal and any
                // in-range number will do.
                let sum: usize = sorted.iter().enumerate().map(code).sum();
                sum.min(self.size - 1)
            }
        }
    }
}

/// The code of two identical men: all pairs with a lower higher square come first. Two men on one
/// square share the code of some pair; callers never pass such squares.
#[inline]
pub(super) fn pair(a: u8, b: u8) -> usize {
    let (low, high) = if a < b { (a as usize, b as usize) } else { (b as usize, a as usize) };
    (high * high.wrapping_sub(1) / 2 + low).min(2015)
}

/// Binomial coefficient.
pub(super) fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1))
}

/// All combinations of `count` of these squares, by code.
pub(super) fn combinations(squares: u64, count: usize) -> Vec<Others> {
    let own: Vec<u8> = (0..64).filter(|square| squares >> square & 1 != 0).collect();
    let squares = own.len() as u8;
    let mut all = Vec::with_capacity(choose(own.len(), count));
    let mut now: Others = [0; OTHERS_MAX];
    for (i, square) in now.iter_mut().enumerate().take(count) {
        *square = i as u8;
    }
    loop {
        let mut men: Others = [0; OTHERS_MAX];
        for (man, &number) in men.iter_mut().zip(&now[..count]) {
            *man = own[number as usize];
        }
        all.push(men);
        // The next combination in the order of the highest square first.
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
