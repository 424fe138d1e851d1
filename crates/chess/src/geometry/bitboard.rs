//! Sets of squares as 64-bit words, bit 0 = a1.

use super::{File, Rank, Square};
use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr, Sub,
};

/// Set of squares. Set operations are the bit operators; `a - b` is set difference.
///
/// ```
/// use umbrail_chess::geometry::{Bitboard, Square};
/// let corners: Bitboard = [Square::A1, Square::H1, Square::A8, Square::H8].into_iter().collect();
/// assert_eq!(corners.len(), 4);
/// assert!((corners & Bitboard::rank(0)).contains(Square::H1));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const FULL: Self = Self(!0);
    /// Squares of h1's color.
    pub const LIGHT: Self = Self(0x55AA_55AA_55AA_55AA);
    /// Squares of a1's color.
    pub const DARK: Self = Self(0xAA55_AA55_AA55_AA55);

    /// Returns the set of one square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Returns all squares of a file, a = 0.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << (file & 7))
    }

    /// Returns all squares of a rank, the first = 0.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xFF << ((rank & 7) * 8))
    }

    /// Returns true when the square is a member.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Returns true when there is no member.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true when there is at least one member.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Returns true when there are two members or more.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns the number of members.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the member with the lowest number.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(self.0.trailing_zeros() as u8)) }
    }

    /// Returns the member with the lowest number of a non-empty set; a1 for the empty set.
    #[inline]
    pub const fn lowest(self) -> Square {
        Square::new(self.0.trailing_zeros() as u8)
    }

    /// Returns the member with the highest number.
    #[inline]
    pub(crate) const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(63 - self.0.leading_zeros() as u8)) }
    }

    /// Returns the set with this square added.
    #[inline]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square.index())
    }

    /// Returns the set with this square removed.
    #[inline]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square.index()))
    }

    /// Returns true when every member is also in the other set.
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Moves every member by (dx, dy); those that leave the board are dropped. |dx| ≤ 7.
    #[inline]
    pub const fn shift(self, dx: i32, dy: i32) -> Self {
        let mut kept = self.0;
        let mut file = 0;
        while file < 8 {
            if file + dx < 0 || file + dx > 7 {
                kept &= !(0x0101_0101_0101_0101 << file);
            }
            file += 1;
        }
        let by = dy * 8 + dx;
        if by >= 64 || by <= -64 {
            Self(0)
        } else if by >= 0 {
            Self(kept << by)
        } else {
            Self(kept >> -by)
        }
    }

    /// Iterates over the members in ascending order.
    #[inline]
    pub const fn squares(self) -> Squares {
        Squares(self.0)
    }

    /// Iterates over every subset of this set, the empty one first (carry-rippler).
    #[cfg(test)]
    pub(crate) fn subsets(self) -> impl Iterator<Item = Self> {
        let mut next = Some(0u64);
        std::iter::from_fn(move || {
            let now = next?;
            let after = now.wrapping_sub(self.0) & self.0;
            next = (after != 0).then_some(after);
            Some(Self(now))
        })
    }
}

/// Members of a [`Bitboard`] in ascending order.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square::new(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        self.squares()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

macro_rules! operator {
    ($($tr:ident $method:ident |$a:ident, $b:ident| $value:expr;)*) => {
        $(impl $tr for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($value)
            }
        })*
    };
}

operator! {
    BitAnd bitand |a, b| a & b;
    BitOr bitor |a, b| a | b;
    BitXor bitxor |a, b| a ^ b;
    Sub sub |a, b| a & !b;
}

macro_rules! assign {
    ($($tr:ident $method:ident $op:tt;)*) => {
        $(impl $tr for Bitboard {
            #[inline]
            fn $method(&mut self, other: Self) {
                self.0 $op other.0;
            }
        })*
    };
}

assign! {
    BitAndAssign bitand_assign &=;
    BitOrAssign bitor_assign |=;
    BitXorAssign bitxor_assign ^=;
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Shl<u32> for Bitboard {
    type Output = Self;

    #[inline]
    fn shl(self, by: u32) -> Self {
        Self(self.0 << by)
    }
}

impl Shr<u32> for Bitboard {
    type Output = Self;

    #[inline]
    fn shr(self, by: u32) -> Self {
        Self(self.0 >> by)
    }
}

impl fmt::Debug for Bitboard {
    /// Draws the board, eighth rank on top, `X` for members.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Bitboard({:#018x})", self.0)?;
        for rank in (0..8).rev() {
            for file in 0..8 {
                let member = self.contains(Square::at(file, rank));
                write!(
                    f,
                    "{}{}",
                    if member { 'X' } else { '.' },
                    if file == 7 { "\n" } else { " " }
                )?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Bitboard, Square};

    #[test]
    fn squares_come_back_in_order() {
        let set: Bitboard = [Square::H8, Square::C3, Square::A1].into_iter().collect();
        let listed: Vec<_> = set.squares().collect();
        assert_eq!(listed, [Square::A1, Square::C3, Square::H8]);
        assert_eq!((set.first(), set.last()), (Some(Square::A1), Some(Square::H8)));
    }

    #[test]
    fn shift_agrees_with_offset() {
        for square in Square::all() {
            for dx in -7..=7 {
                for dy in -7..=7 {
                    let by_set = Bitboard::of(square).shift(dx, dy).first();
                    assert_eq!(by_set, square.offset(dx, dy), "{square} by ({dx}, {dy})");
                }
            }
        }
    }

    #[test]
    fn light_squares_are_light() {
        assert!(Square::all().all(|s| Bitboard::LIGHT.contains(s) == s.is_light()));
        assert_eq!(!Bitboard::LIGHT, Bitboard::DARK);
    }

    #[test]
    fn a_set_of_n_has_two_to_the_n_subsets() {
        let set = Bitboard::rank(3);
        assert_eq!(set.subsets().count(), 256);
        assert!(set.subsets().all(|part| part.is_subset(set)));
    }
}
