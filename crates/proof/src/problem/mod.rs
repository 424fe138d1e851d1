//! Problems: a diagram, a number of plies, and its interpretation.

pub(crate) mod castling;
pub(crate) mod census;
pub(crate) mod diagram;
pub(crate) mod pawn;
pub(crate) mod piece;
pub(crate) mod retraction;
pub(crate) mod value;

use crate::problem::diagram::Diagram;
use std::fmt;
use umbrail_chess::geometry::Color;

/// Interpretation of the number of plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Length {
    /// Games of the stated length and shorter ones of the same parity are solutions, because the
    /// side to move belongs to the goal (Stelvio's rule).
    #[default]
    Parity,
    /// Only games of exactly the stated length (Euclide, Natch, Popeye's `exact-dia`).
    Exact,
}

/// Maximum number of plies of a problem, which fits in eight bits with a margin; the longest known
/// proof game has 117.
pub const PLIES_MAX: u16 = 240;

/// A proof-game problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    /// Final placement of the game.
    pub diagram: Diagram,
    /// Number of half-moves, at most [`PLIES_MAX`].
    pub plies: u16,
    /// Interpretation of `plies`: whether shorter games of the same parity count.
    pub length: Length,
}

impl Problem {
    /// Returns the number of moves of a side: White has the odd plies.
    pub(crate) const fn budget(&self, color: Color) -> u16 {
        match color {
            Color::White => self.plies.div_ceil(2),
            Color::Black => self.plies / 2,
        }
    }

    /// Returns the side to move in the diagram: White after an even number of plies.
    pub(crate) const fn turn(&self) -> Color {
        if self.plies.is_multiple_of(2) { Color::White } else { Color::Black }
    }

    /// Returns the lengths of games that count, longest first.
    #[cfg(test)]
    pub(crate) fn lengths(&self) -> impl Iterator<Item = u16> {
        let least = if self.length == Length::Exact { self.plies } else { self.plies % 2 };
        (least..=self.plies).rev().step_by(2)
    }
}

impl fmt::Display for Problem {
    /// Writes the problemists' form: placement and `16.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}.{}", self.diagram, self.plies / 2, self.plies % 2 * 5)
    }
}

#[cfg(test)]
mod tests {
    use super::{Length, Problem};
    use crate::problem::diagram::Diagram;
    use umbrail_chess::geometry::Color;

    #[test]
    fn white_has_the_odd_plies() {
        let problem = Problem { diagram: Diagram::initial(), plies: 33, length: Length::Parity };
        assert_eq!(Color::ALL.map(|color| problem.budget(color)), [17, 16]);
    }
}
