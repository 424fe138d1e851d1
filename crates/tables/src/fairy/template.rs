//! Moves as data: one move of a piece from one square with all its conditions.
//!
//! A [`Template`] covers every kind of piece: leapers, riders, hoppers, lame, bent and crooked
//! movers, and captures of pieces on the way.

use std::fmt;
use umbrail_chess::geometry::{Square, Symmetry};

/// Move from one square, with its conditions. The mover's own square counts as empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Template {
    /// Square of the piece.
    pub from: u8,
    /// Square where the move ends. It equals `from` for a pass, or a capture without moving.
    pub to: u8,
    /// Squares without another piece: the square of origin, those passed, and the target unless it
    /// is captured there.
    pub empty: u64,
    /// Squares that are all occupied.
    pub all: u64,
    /// Squares of which exactly one is occupied; none is no condition.
    pub one: u64,
    /// Squares of `all` and `one` where an own piece stands if any does.
    pub own: u64,
    /// Squares of the enemy pieces that the move captures, at most two. A move without them is
    /// quiet.
    pub take: u64,
}

impl Template {
    /// Returns true for a move without capture.
    pub fn is_quiet(&self) -> bool {
        self.take == 0
    }

    /// Returns true when the conditions hold. `own` and `enemy` are the squares of the pieces of
    /// both sides without the mover.
    pub fn holds(&self, own: u64, enemy: u64) -> bool {
        self.path_is_open(own, enemy) && self.take & !enemy == 0
    }

    /// Returns true when the conditions hold except those on captured pieces.
    pub(crate) fn path_is_open(&self, own: u64, enemy: u64) -> bool {
        let occupied = own | enemy;
        occupied & self.empty == 0
            && self.all & !occupied == 0
            && (self.one == 0 || (self.one & occupied).count_ones() == 1)
            && enemy & self.own == 0
    }

    /// Returns the squares of one further piece for which the conditions hold, captures excepted:
    /// all of them, none, or those where it is the hurdle. `own` and `enemy` are the squares of the
    /// pieces of both sides without the mover and that piece; `further_is_own` is its side.
    #[inline]
    pub(crate) fn mask(&self, own: u64, enemy: u64, further_is_own: bool) -> u64 {
        let occupied = own | enemy;
        if occupied & self.empty != 0 || enemy & self.own != 0 {
            return 0;
        }
        // Hurdles that the further piece can be.
        let hurdle = if further_is_own { !0 } else { !self.own };
        let mut squares = !self.empty;
        let missing = self.all & !occupied;
        if missing != 0 {
            if missing & (missing - 1) != 0 {
                return 0;
            }
            squares &= missing & hurdle;
        }
        if self.one != 0 {
            let hurdles = self.one & occupied;
            if hurdles == 0 {
                squares &= self.one & hurdle;
            } else if hurdles & (hurdles - 1) == 0 {
                squares &= !self.one;
            } else {
                return 0;
            }
        }
        squares
    }

    /// Returns the image of the move under a symmetry of the board.
    pub(super) fn image(&self, symmetry: Symmetry) -> Self {
        let square = |square| symmetry.square(Square::new(square)).number();
        let set = |set| symmetry.word(set);
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
}

impl fmt::Display for Template {
    /// Writes the move in words: `d1 to d4: d2 empty; exactly one piece on e1 f1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |square: u8| Square::new(square).to_string();
        let names = |set: u64| {
            let squares = Square::all().filter(|s| set >> s.index() & 1 != 0);
            squares.map(|s| s.to_string()).collect::<Vec<_>>().join(" ")
        };
        let (from, to) = (name(self.from), name(self.to));
        match (self.from == self.to, self.is_quiet()) {
            (true, true) => write!(f, "{from} passes")?,
            (true, false) => write!(f, "{from} stays")?,
            (false, true) => write!(f, "{from} to {to}")?,
            (false, false) if self.take == 1 << self.to => write!(f, "{from} takes {to}")?,
            (false, false) => write!(f, "{from} to {to}")?,
        }
        let mut conditions = vec![];
        let path = self.empty & !(1 << self.from | 1 << self.to);
        if path != 0 {
            conditions.push(format!("{} empty", names(path)));
        }
        let side = |set: u64| if set & self.own != 0 { "own piece" } else { "piece" };
        if self.all != 0 {
            conditions.push(format!("{} on {}", side(self.all), names(self.all)));
        }
        if self.one != 0 {
            conditions.push(format!("exactly one {} on {}", side(self.one), names(self.one)));
        }
        if self.take != 0 && self.take != 1 << self.to {
            conditions.push(format!("captures {}", names(self.take)));
        }
        if conditions.is_empty() { Ok(()) } else { write!(f, ": {}", conditions.join("; ")) }
    }
}
