//! Boards of any size: rectangles of 4 to 11 files and ranks, cylinders, and missing squares.
//!
//! Squares are numbered rank by rank from the first square of the first rank, on a board of 8 files
//! as in the rest of the program. A cylinder has no edge between its last and its first file.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};
use std::str::FromStr;

/// Least number of files and of ranks.
const SIDE_MIN: u8 = 4;
/// Largest number of files and of ranks.
const SIDE_MAX: u8 = 11;
/// Maximum number of squares: bits of the largest word.
pub(crate) const SQUARES_MAX: usize = 128;

/// Board with its size and form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    width: u8,
    height: u8,
    cylinder: bool,
    /// Squares that do not exist.
    holes: u128,
}

/// Reason why a text is not a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// The text is not a size.
    #[error("\"{0}\" is not a board, expected files x ranks such as 10x8, or 10x8c for a cylinder")]
    Form(String),
    /// The board is too small or too large.
    #[error(
        "a board of {0}x{1} is not supported, expected {SIDE_MIN} to {SIDE_MAX} files and ranks"
    )]
    Size(u8, u8),
    /// A square is not on the board.
    #[error("\"{name}\" is not a square of a board of {board}")]
    Square {
        /// Name of the square.
        name: String,
        /// Board.
        board: Grid,
    },
    /// The upper half of the board differs from the lower one.
    #[error(
        "the holes of a board must look alike from both sides; the square opposite {0} is none"
    )]
    Lopsided(String),
}

impl Grid {
    /// Board of chess.
    pub const CHESS: Self = Self { width: 8, height: 8, cylinder: false, holes: 0 };

    /// Creates a board without holes.
    ///
    /// # Errors
    /// [`GridError::Size`] for other sizes than 4 to 11 files and ranks.
    pub fn new(width: u8, height: u8, cylinder: bool) -> Result<Self, GridError> {
        let fits = |side| (SIDE_MIN..=SIDE_MAX).contains(&side);
        if !fits(width) || !fits(height) {
            return Err(GridError::Size(width, height));
        }
        Ok(Self { width, height, cylinder, holes: 0 })
    }

    /// Returns the board without these squares.
    ///
    /// # Errors
    /// [`GridError::Lopsided`] when the board then differs for the two sides.
    pub fn without(self, holes: u128) -> Result<Self, GridError> {
        let lone = holes.squares().find(|&hole| !holes.has(self.flipped(hole)));
        match lone {
            Some(hole) => Err(GridError::Lopsided(self.name(hole))),
            None => Ok(Self { holes, ..self }),
        }
    }

    /// Number of files.
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// Number of ranks.
    pub const fn height(&self) -> u8 {
        self.height
    }

    /// Returns true when the last file is next to the first one.
    pub const fn is_cylinder(&self) -> bool {
        self.cylinder
    }

    /// Number of squares, holes included.
    pub(crate) const fn size(&self) -> u8 {
        self.width * self.height
    }

    /// Returns the squares of the board.
    pub fn squares(&self) -> u128 {
        let all = if self.size() == 128 { !0 } else { (1u128 << self.size()) - 1 };
        all & !self.holes
    }

    /// Returns the square after a step, if it is on the board; `wraps` for a step that may pass the
    /// edge between the last and the first file.
    pub fn offset(&self, from: u8, (dx, dy): (i8, i8), wraps: bool) -> Option<u8> {
        let (width, height) = (self.width as i8, self.height as i8);
        let (mut file, rank) = ((from % self.width) as i8 + dx, (from / self.width) as i8 + dy);
        if wraps || self.cylinder {
            file = file.rem_euclid(width);
        }
        let inside = (0..width).contains(&file) && (0..height).contains(&rank);
        let square = inside.then(|| rank as u8 * self.width + file as u8);
        square.filter(|&square| !self.holes.has(square))
    }

    /// Returns the square as the other side sees it: on the same file, counted from the other end.
    pub fn flipped(&self, square: u8) -> u8 {
        (self.height - 1 - square / self.width) * self.width + square % self.width
    }

    /// Returns the squares of some ranks, counted from 1.
    pub fn ranks(&self, ranks: impl IntoIterator<Item = u8>) -> u128 {
        let row = (1u128 << self.width) - 1;
        let ranks = ranks.into_iter().filter(|rank| (1..=self.height).contains(rank));
        ranks.fold(0, |set, rank| set | row << ((rank - 1) * self.width)) & self.squares()
    }

    /// Returns the name of a square, such as `j10`.
    pub fn name(&self, square: u8) -> String {
        format!("{}{}", char::from(b'a' + square % self.width), square / self.width + 1)
    }

    /// Returns the square of this name.
    ///
    /// # Errors
    /// [`GridError::Square`] when the board has no such square.
    pub fn square(&self, name: &str) -> Result<u8, GridError> {
        let found = || {
            let file = name.bytes().next()?.checked_sub(b'a').filter(|&file| file < self.width)?;
            let digits = name[1..].bytes().all(|c| c.is_ascii_digit());
            let rank = name[1..].parse::<u8>().ok().filter(|_| digits)?;
            let rank = (1..=self.height).contains(&rank).then(|| rank - 1)?;
            Some(rank * self.width + file).filter(|&square| !self.holes.has(square))
        };
        let missing = || GridError::Square { name: name.to_owned(), board: *self };
        name.is_ascii().then(found).flatten().ok_or_else(missing)
    }

    /// Returns all symmetries of the board, each as the image of every square; the identity first.
    pub(crate) fn symmetries(&self) -> Vec<Vec<u8>> {
        let turns = if self.cylinder { self.width } else { 1 };
        let mut maps = vec![];
        for turn in 0..turns {
            for flips in 0..8u8 {
                let transposes = flips & 4 != 0;
                if transposes && (self.cylinder || self.width != self.height) {
                    continue;
                }
                let image = |square: u8| {
                    let (mut x, mut y) = (square % self.width, square / self.width);
                    if transposes {
                        (x, y) = (y, x);
                    }
                    x = (x + turn) % self.width;
                    let x = if flips & 1 != 0 { self.width - 1 - x } else { x };
                    let y = if flips & 2 != 0 { self.height - 1 - y } else { y };
                    y * self.width + x
                };
                let map: Vec<u8> = (0..self.size()).map(image).collect();
                let keeps = self.holes.squares().all(|hole| self.holes.has(map[usize::from(hole)]));
                if keeps {
                    maps.push(map);
                }
            }
        }
        maps
    }
}

impl fmt::Display for Grid {
    /// Writes `10x8`, or `10x8c` for a cylinder.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}{}", self.width, self.height, if self.cylinder { "c" } else { "" })
    }
}

impl FromStr for Grid {
    type Err = GridError;

    /// Reads `10x8`, or `10x8c` for a cylinder.
    fn from_str(text: &str) -> Result<Self, GridError> {
        let (size, cylinder) = match text.strip_suffix('c') {
            Some(size) => (size, true),
            None => (text, false),
        };
        let number = |part: &str| part.parse::<u8>().ok();
        let sides = size.split_once('x').and_then(|(w, h)| Some((number(w)?, number(h)?)));
        let (width, height) = sides.ok_or_else(|| GridError::Form(text.to_owned()))?;
        Self::new(width, height, cylinder)
    }
}

/// Set of squares, one bit each.
pub trait SquareSet:
    Copy
    + Debug
    + Default
    + Eq
    + Ord
    + Hash
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + 'static
{
    /// Set without squares.
    const NONE: Self;

    /// Returns the set of one square.
    fn bit(square: u8) -> Self;
    /// Returns true when the square is in the set.
    fn has(self, square: u8) -> bool;
    /// Returns the number of squares.
    fn count(self) -> u32;
    /// Returns the set without its first square.
    fn without_first(self) -> Self;
    /// Returns the first square; the number of bits for an empty set.
    fn first(self) -> u8;
    /// Returns the set with all numbers increased; numbers outside are dropped.
    fn shifted(self, by: i32) -> Self;
    /// Returns the part of a set of 128 squares that fits.
    fn of(set: u128) -> Self;

    /// Returns true for a set without squares.
    #[inline(always)]
    fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// Iterates over the squares in ascending order.
    #[inline(always)]
    fn squares(self) -> Members<Self> {
        Members(self)
    }
}

/// Iterator over the squares of a set.
#[derive(Clone, Copy, Debug)]
pub struct Members<S>(S);

impl<S: SquareSet> Iterator for Members<S> {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        let first = (!self.0.is_none()).then(|| self.0.first());
        self.0 = self.0.without_first();
        first
    }
}

macro_rules! square_set {
    ($($word:ty),*) => {$(
        impl SquareSet for $word {
            const NONE: Self = 0;

            #[inline(always)]
            fn bit(square: u8) -> Self {
                1 << square
            }

            #[inline(always)]
            fn has(self, square: u8) -> bool {
                self >> square & 1 != 0
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn first(self) -> u8 {
                self.trailing_zeros() as u8
            }

            #[inline(always)]
            fn shifted(self, by: i32) -> Self {
                if by >= 0 {
                    self.checked_shl(by.unsigned_abs()).unwrap_or(0)
                } else {
                    self.checked_shr(by.unsigned_abs()).unwrap_or(0)
                }
            }

            #[inline(always)]
            fn of(set: u128) -> Self {
                set as Self
            }
        }
    )*};
}

square_set!(u16, u64, u128);

#[cfg(test)]
mod tests {
    use super::{Grid, SquareSet};

    #[test]
    fn boards_are_read_and_written() {
        for text in ["10x8", "4x11", "9x10c", "8x8"] {
            assert_eq!(text.parse::<Grid>().unwrap().to_string(), text);
        }
        for (text, part) in [("3x8", "3x8 is not supported"), ("12x8", "4 to 11"), ("x", "10x8c")] {
            let error = text.parse::<Grid>().unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn squares_have_names_of_two_digits() {
        let grid: Grid = "9x10".parse().unwrap();
        assert_eq!(grid.name(grid.square("i10").unwrap()), "i10");
        assert_eq!(grid.flipped(grid.square("e1").unwrap()), grid.square("e10").unwrap());
        assert_eq!(grid.ranks([10]).count(), 9);
        for name in ["j1", "a11", "a0", "", "a", "a+1"] {
            assert!(grid.square(name).is_err(), "{name}");
        }
    }

    #[test]
    fn symmetries_are_those_of_the_form() {
        let count = |text: &str| text.parse::<Grid>().unwrap().symmetries().len();
        assert_eq!([count("8x8"), count("10x8"), count("10x8c"), count("8x8c")], [8, 4, 40, 32]);
        let grid = Grid::CHESS.without(1 | 1 << 56).unwrap();
        assert_eq!(grid.symmetries().len(), 2);
        assert!(Grid::CHESS.without(1).unwrap_err().to_string().contains("opposite a1"));
    }

    #[test]
    fn steps_end_at_edges_and_holes_but_not_round_a_cylinder() {
        let grid: Grid = "4x4".parse().unwrap();
        let round: Grid = "4x4c".parse().unwrap();
        assert_eq!(grid.offset(3, (1, 0), false), None);
        assert_eq!(grid.offset(3, (1, 0), true), Some(0));
        assert_eq!(round.offset(3, (2, 1), false), Some(5));
        assert_eq!(grid.without(1 << 5 | 1 << 9).unwrap().offset(0, (1, 1), false), None);
        let large: Grid = "11x11".parse().unwrap();
        assert_eq!(large.offset(120, (7, 7), false), None);
        assert_eq!(large.offset(0, (-7, -7), true), None);
    }
}
