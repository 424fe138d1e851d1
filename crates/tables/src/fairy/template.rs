//! Moves as data: one move of a piece from one square with all its conditions.
//!
//! A [`Template`] covers every kind of piece: leapers, riders, hoppers, lame, bent and crooked
//! movers, and captures of pieces on the way.

use crate::grid::{Grid, SquareSet};
use std::fmt;
use umbrail_chess::geometry::{Square, Symmetry};

/// Move from one square, with its conditions. The mover's own square counts as empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Template<S = u64> {
    /// Square of the piece.
    pub from: u8,
    /// Square where the move ends. It equals `from` for a pass, or a capture without moving.
    pub to: u8,
    /// Squares without another piece: the square of origin, those passed, and the target unless it
    /// is captured there.
    pub empty: S,
    /// Squares that are all occupied.
    pub all: S,
    /// Squares of which exactly one is occupied; none is no condition.
    pub one: S,
    /// Squares of `all` and `one` where an own piece stands if any does.
    pub own: S,
    /// Squares of the enemy pieces that the move captures, at most two. A move without them is
    /// quiet.
    pub take: S,
}

impl<S: SquareSet> Template<S> {
    /// Returns true for a move without capture.
    pub fn is_quiet(&self) -> bool {
        self.take.is_none()
    }

    /// Returns true when the conditions hold. `own` and `enemy` are the squares of the pieces of
    /// both sides without the mover.
    pub fn holds(&self, own: S, enemy: S) -> bool {
        self.path_is_open(own, enemy) && (self.take & !enemy).is_none()
    }

    /// Returns true when the conditions hold except those on captured pieces.
    pub(crate) fn path_is_open(&self, own: S, enemy: S) -> bool {
        let occupied = own | enemy;
        (occupied & self.empty).is_none()
            && (self.all & !occupied).is_none()
            && (self.one.is_none() || (self.one & occupied).count() == 1)
            && (enemy & self.own).is_none()
    }

    /// Returns the squares of one further piece for which the conditions hold, captures excepted:
    /// all of them, none, or those where it is the hurdle. `own` and `enemy` are the squares of the
    /// pieces of both sides without the mover and that piece; `further_is_own` is its side.
    #[inline]
    pub(crate) fn mask(&self, own: S, enemy: S, further_is_own: bool) -> S {
        let occupied = own | enemy;
        if !(occupied & self.empty).is_none() || !(enemy & self.own).is_none() {
            return S::NONE;
        }
        // Hurdles that the further piece can be.
        let hurdle = if further_is_own { !S::NONE } else { !self.own };
        let mut squares = !self.empty;
        let missing = self.all & !occupied;
        if !missing.is_none() {
            if !missing.without_first().is_none() {
                return S::NONE;
            }
            squares &= missing & hurdle;
        }
        if !self.one.is_none() {
            let hurdles = self.one & occupied;
            if hurdles.is_none() {
                squares &= self.one & hurdle;
            } else if hurdles.without_first().is_none() {
                squares &= !self.one;
            } else {
                return S::NONE;
            }
        }
        squares
    }

    /// Returns the image of the move under a map of all squares.
    pub(crate) fn mapped(&self, map: &[u8]) -> Self {
        let square = |square: u8| map[usize::from(square)];
        self.image_by(square, |set| {
            set.squares().fold(S::NONE, |image, at| image | S::bit(square(at)))
        })
    }

    /// Returns the image of the move under a map of squares and the same map of sets.
    fn image_by(&self, square: impl Fn(u8) -> u8, set: impl Fn(S) -> S) -> Self {
        Self {
            from: square(self.from),
            to: square(self.to),
            empty: set(self.empty),
            all: set(self.all),
            one: set(self.one),
            own: set(self.own),
            take: set(self.take),
        }
    }

    /// Returns the move in words: `d1 to d4: d2 empty; exactly one piece on e1 f1`.
    pub fn in_words(&self, grid: &Grid) -> String {
        let name = |square: u8| grid.name(square);
        let names = |set: S| set.squares().map(name).collect::<Vec<_>>().join(" ");
        let (from, to) = (name(self.from), name(self.to));
        let mut text = match (self.from == self.to, self.is_quiet()) {
            (true, true) => format!("{from} passes"),
            (true, false) => format!("{from} stays"),
            (false, false) if self.take == S::bit(self.to) => format!("{from} takes {to}"),
            (false, _) => format!("{from} to {to}"),
        };
        let mut conditions = vec![];
        let path = self.empty & !(S::bit(self.from) | S::bit(self.to));
        if !path.is_none() {
            conditions.push(format!("{} empty", names(path)));
        }
        let side = |set: S| if (set & self.own).is_none() { "piece" } else { "own piece" };
        if !self.all.is_none() {
            conditions.push(format!("{} on {}", side(self.all), names(self.all)));
        }
        if !self.one.is_none() {
            conditions.push(format!("exactly one {} on {}", side(self.one), names(self.one)));
        }
        if !self.is_quiet() && self.take != S::bit(self.to) {
            conditions.push(format!("captures {}", names(self.take)));
        }
        if !conditions.is_empty() {
            text += ": ";
            text += &conditions.join("; ");
        }
        text
    }
}

impl Template {
    /// Returns the image of the move under a symmetry of the board.
    pub(super) fn image(&self, symmetry: Symmetry) -> Self {
        let square = |square| symmetry.square(Square::new(square)).number();
        self.image_by(square, |set| symmetry.word(set))
    }
}

impl fmt::Display for Template {
    /// Writes the move in words, on a board of 8x8.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(&Grid::CHESS))
    }
}
