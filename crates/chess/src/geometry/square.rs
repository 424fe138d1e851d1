//! Squares, files and ranks: a1 is 0, b1 is 1, …, h8 is 63.

use std::fmt;
use std::str::FromStr;

/// Square of the 8×8 board, numbered rank by rank from a1 = 0 to h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

/// File of the board, a = 0 to h = 7.
pub type File = u8;
/// Rank of the board, 0 for the first to 7 for the eighth.
pub type Rank = u8;

macro_rules! squares {
    ($($name:ident = $number:expr),* $(,)?) => {
        impl Square {
            $(#[doc = concat!("The square ", stringify!($name), ".")]
            pub const $name: Self = Self($number);)*
        }
    };
}

squares! {
    A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
    A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
    A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
    A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
    A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
    A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
    A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
    A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
}

impl Square {
    /// Returns the square with this number, taken modulo 64, so that the result is always a square.
    #[inline]
    pub const fn new(number: u8) -> Self {
        Self(number & 63)
    }

    /// Returns the square on this file and rank, each taken modulo 8.
    #[inline]
    pub const fn at(file: File, rank: Rank) -> Self {
        Self((file & 7) | ((rank & 7) << 3))
    }

    /// Returns the square on this file and rank, or none when either lies off the board.
    #[inline]
    pub(crate) const fn try_at(file: i32, rank: i32) -> Option<Self> {
        if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
            Some(Self((rank * 8 + file) as u8))
        } else {
            None
        }
    }

    /// Iterates over every square from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..64u8).map(Self)
    }

    /// Returns 0 for a1 to 63 for h8. The mask lets the compiler drop bounds checks on arrays of
    /// 64.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Returns the number 0..=63 as a byte.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the file, a = 0.
    #[inline]
    pub const fn file(self) -> File {
        self.0 & 7
    }

    /// Returns the rank, the first = 0.
    #[inline]
    pub const fn rank(self) -> Rank {
        self.0 >> 3
    }

    /// Returns the square (dx, dy) away, or none when that is off the board.
    #[inline]
    pub const fn offset(self, dx: i32, dy: i32) -> Option<Self> {
        Self::try_at(self.file() as i32 + dx, self.rank() as i32 + dy)
    }

    /// Returns the square mirrored top–bottom: a1 ↔ a8.
    #[inline]
    pub const fn flip_rank(self) -> Self {
        Self(self.0 ^ 56)
    }

    /// Returns true for squares of h1's color.
    #[inline]
    pub const fn is_light(self) -> bool {
        (self.file() + self.rank()) & 1 == 1
    }

    /// Returns the number of king steps between two squares.
    #[inline]
    pub const fn distance(self, other: Self) -> u8 {
        let dx = self.file().abs_diff(other.file());
        let dy = self.rank().abs_diff(other.rank());
        if dx > dy { dx } else { dy }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ();

    /// Parses `a1` to `h8`, lower case only; anything else is not a square.
    fn from_str(text: &str) -> Result<Self, ()> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self::at(file - b'a', rank - b'1')),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Square;

    #[test]
    fn names_round_trip() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert!("i1".parse::<Square>().is_err());
        assert!("a9".parse::<Square>().is_err());
        assert!("A1".parse::<Square>().is_err());
    }

    #[test]
    fn reflections_are_involutions() {
        for square in Square::all() {
            assert_eq!(square.flip_rank().flip_rank(), square);
        }
        assert!(Square::H1.is_light() && !Square::A1.is_light());
    }
}
