//! Direction letters before an atom, as XBoard reads them.
//!
//! `f b l r` are forward, backward, left and right; `v` is both `f` and `b`, `s` is both `l` and
//! `r`. Letters add up (`fbW`), and two perpendicular letters (`fl`) name one direction:
//! - Orthogonal atoms (`W`): each letter is one direction, `flW` are two.
//! - Diagonal atoms (`F`): one letter is both diagonals on that side, `fl` the one between.
//! - Kings and queens: one letter is the orthogonal direction alone, `fl` the diagonal, `fs` the
//!   two forward diagonals.
//! - Oblique atoms (`N`): one letter is the two leaps nearest to it, and so is a doubled one
//!   (`ff`); with `h` it is the four leaps on that side (`fh`). Of two letters the *second* is the
//!   long side of the leap: `fl` is one forward and two left, `lf` two forward and one left, `fs`
//!   are `fl` and `fr`. `hl` and `hr` are the two halves of the leaps that a rotation maps to
//!   themselves, `hr` the one with `rf`.
//!
//! Where letters cancel each other (`sfF`), an atom has all its directions. This and other
//! irregular readings (`hfN` is `hlN`) are XBoard's; `tests/golden/xboard-prefixes.tsv` lists them.

/// Set of directions, one bit each, numbered clockwise. For kings, number 0 is straight ahead and
/// number 1 the diagonal to its right. Orthogonal atoms have the even numbers, diagonal ones the
/// odd ones. For the eight oblique leaps, number 0 is the first to the right of straight ahead.
pub(super) type DirectionSet = u8;

/// Number of directions on the circle.
const CIRCLE: u8 = 8;

/// Directions available to an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtomShape {
    /// Along ranks and files: `W`, `D`, `H`, `R`.
    Orthogonal,
    /// `F`, `A`, `G`, `B`.
    Diagonal,
    /// Eight leaps, like a knight.
    Oblique,
    /// Orthogonal and diagonal: `K`, `Q`.
    Royal,
}

/// Letter without a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DirectionFault {
    /// Index of the letter.
    pub(super) letter: usize,
    /// Expected text at that index.
    pub(super) expected: &'static str,
}

impl AtomShape {
    /// Returns the shape of a leap (smaller distance, larger distance).
    pub(super) fn of(leap: (i8, i8)) -> Self {
        match leap {
            (0, _) => Self::Orthogonal,
            (a, b) if a == b => Self::Diagonal,
            _ => Self::Oblique,
        }
    }

    /// Returns all directions of the shape.
    pub(super) fn all(self) -> DirectionSet {
        match self {
            Self::Orthogonal => 0b0101_0101,
            Self::Diagonal => 0b1010_1010,
            Self::Oblique | Self::Royal => 0xFF,
        }
    }

    /// Returns the leaps in these directions: files to the right and ranks forward.
    pub(super) fn steps(self, leap: (i8, i8), set: DirectionSet) -> impl Iterator<Item = (i8, i8)> {
        self.numbered_steps(leap, set).map(|(_, step)| step)
    }

    /// Returns the leaps in these directions, each with the number of its direction.
    pub(super) fn numbered_steps(
        self,
        (a, b): (i8, i8),
        set: DirectionSet,
    ) -> impl Iterator<Item = (u8, (i8, i8))> {
        (0..CIRCLE).filter(move |&number| set >> number & 1 != 0).map(move |number| {
            let odd = number % 2 == 1;
            // The rotation by quarter turns brings the direction between ahead and right.
            let (mut dx, mut dy) = match self {
                Self::Oblique if odd => (b, a),
                Self::Oblique => (a, b),
                _ if odd => (b, b),
                _ => (0, b),
            };
            for _ in 0..number / 2 {
                (dx, dy) = (dy, -dx);
            }
            (number, (dx, dy))
        })
    }

    /// Returns the direction of a leap of the atom.
    pub(super) fn number(self, leap: (i8, i8), step: (i8, i8)) -> Option<u8> {
        (0..CIRCLE).find(|number| self.steps(leap, 1 << number & self.all()).any(|s| s == step))
    }

    /// Returns the directions of a letter that stands alone.
    fn narrow(self, letter: char) -> DirectionSet {
        match self {
            Self::Diagonal => self.wide(letter),
            Self::Oblique => sides(letter).map_or(0xFF, |sides| arcs(sides, -1, 0)),
            Self::Orthogonal | Self::Royal => sides(letter).map_or(0xFF, |sides| arcs(sides, 0, 0)),
        }
    }

    /// Returns the contribution of a letter to a pair. For `v`, `s` and `h` XBoard has such a set
    /// only for kings.
    fn wide(self, letter: char) -> DirectionSet {
        let all = self.all();
        match (self, sides(letter)) {
            (Self::Royal, Some(sides)) => arcs(sides, -1, 1),
            (Self::Oblique, Some(one @ [_])) => arcs(one, -2, 1),
            (_, Some(one @ [_])) => arcs(one, -1, 1) & all,
            _ => 0,
        }
    }
}

/// Returns the numbers of the directions that a letter names; none for `h`.
fn sides(letter: char) -> Option<&'static [u8]> {
    Some(match letter {
        'f' => &[0],
        'r' => &[2],
        'b' => &[4],
        'l' => &[6],
        'v' => &[0, 4],
        's' => &[2, 6],
        _ => return None,
    })
}

/// Returns the directions from `first` to `last` around each of these.
fn arcs(centers: &[u8], first: i8, last: i8) -> DirectionSet {
    let around = |center: u8| {
        (first..=last).map(move |offset| 1 << (center.wrapping_add_signed(offset) % CIRCLE))
    };
    centers.iter().flat_map(|&center| around(center)).fold(0, |set: u8, bit: u8| set | bit)
}

/// Returns true when one letter means forward or backward, and the other left or right.
fn crossed(one: char, other: char) -> bool {
    let upright = |letter: char| matches!(letter, 'f' | 'b' | 'v');
    one != 'h' && other != 'h' && upright(one) != upright(other)
}

/// Parses the letters before an atom; without letters the atom has all its directions.
///
/// # Errors
/// A letter that XBoard would ignore in a way that depends on the following letters.
pub(super) fn read(letters: &[char], shape: AtomShape) -> Result<DirectionSet, DirectionFault> {
    if let (AtomShape::Oblique, Some('h')) = (shape, letters.first()) {
        return half(letters);
    }
    let mut set = 0;
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1).copied();
        let pair = next.filter(|&next| crossed(letter, next));
        let one_side = matches!(letter, 'f' | 'b' | 'l' | 'r');
        let (named, count) = match (shape, pair) {
            // XBoard stops reading here.
            (AtomShape::Orthogonal, _) if letter == 'h' => break,
            (AtomShape::Orthogonal, _) => (shape.narrow(letter), 1),
            (AtomShape::Diagonal, Some(next)) => (shape.wide(letter) & shape.wide(next), 2),
            (AtomShape::Oblique, _) if next == Some('h') => (shape.wide(letter), 2),
            (AtomShape::Oblique, _) if next == Some(letter) => {
                (shape.wide(letter) & shape.narrow(letter), 2)
            }
            (AtomShape::Oblique, Some(next)) if one_side => {
                (shape.wide(letter) & shape.narrow(next), 2)
            }
            (AtomShape::Royal, Some(next)) if one_side => {
                (shape.wide(letter) & shape.wide(next), 2)
            }
            _ => (shape.narrow(letter), 1),
        };
        set |= named;
        at += count;
    }
    let set = set & shape.all();
    Ok(if set == 0 { shape.all() } else { set })
}

/// Parses `hr` or `hl` before an oblique atom.
fn half(letters: &[char]) -> Result<DirectionSet, DirectionFault> {
    match letters {
        [_, 'r'] => Ok(0b0101_0101),
        [_, _] => Ok(0b1010_1010),
        [_] => Err(DirectionFault { letter: 0, expected: "hl or hr, one half of the leaps" }),
        _ => Err(DirectionFault { letter: 2, expected: "no direction after hl or hr" }),
    }
}
