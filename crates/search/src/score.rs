//! Scores: inside the search centipawns with mates at the ends, outside centipawns or moves to
//! mate.

use std::fmt;

/// Score inside the search, for the side to move: centipawns, or ± ([`MATE`] − plies to mate).
pub(super) type Value = i32;

/// Score of giving mate at the root; −MATE is the score of being mated there.
pub(super) const MATE: Value = 32_000;
/// Bound above every score.
pub(super) const INFINITE: Value = 32_001;
/// Largest distance of a node from the root, plies.
pub const PLY_MAX: usize = 128;
/// Largest number of plies to a mate. A mate may be farther from the root than the search depth:
/// each time a line ends in a mate from the table, the plies of both add up.
const MATE_PLIES_MAX: Value = 1_000;
/// Bound of scores, either way, beyond which they are mates.
pub(super) const MATE_BOUND: Value = MATE - MATE_PLIES_MAX - 1;
/// Score at the root of a position won by the endgame tables; elsewhere less its plies from the
/// root.
pub(super) const TABLE_WIN: Value = 28_000;
/// Bound of scores, either way, beyond which they are proved: mates, and wins and losses of endgame
/// tables. Static evaluations, and all scores that are averaged, corrected or given a margin, stay
/// within.
pub(super) const DECISIVE: Value = TABLE_WIN - 2_000;

const _: () = assert!(DECISIVE + MATE_PLIES_MAX < TABLE_WIN && TABLE_WIN < MATE_BOUND);

/// Score for the side to move, as reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate; negative when being mated, 0 when mated already.
    Mate(i32),
}

impl From<Value> for Score {
    fn from(value: Value) -> Self {
        if value > MATE_BOUND {
            Self::Mate((MATE - value + 1) / 2)
        } else if value < -MATE_BOUND {
            Self::Mate(-(MATE + value) / 2)
        } else {
            Self::Cp(value)
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(cp) => write!(
                f,
                "{}{}.{:02}",
                if *cp < 0 { "-" } else { "+" },
                cp.abs() / 100,
                cp.abs() % 100
            ),
            Self::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// Kind of bound of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// Upper bound: no move reached the window.
    Upper = 1,
    /// Lower bound: a move reached beta.
    Lower = 2,
    /// Exact score.
    Exact = 3,
}

impl Bound {
    /// Returns the bound of the result of a search with this window. Only a principal variation has
    /// exact scores.
    pub(super) fn of<const PV: bool>(best: Value, alpha: Value, beta: Value) -> Self {
        match () {
            () if best >= beta => Self::Lower,
            () if PV && best > alpha => Self::Exact,
            () => Self::Upper,
        }
    }

    /// Returns true if a score with this bound decides the window.
    pub(super) fn decides(self, value: Value, alpha: Value, beta: Value) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => value >= beta,
            Self::Upper => value <= alpha,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MATE, Score};

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::from(MATE - 1), Score::Mate(1));
        assert_eq!(Score::from(MATE - 3), Score::Mate(2));
        assert_eq!(Score::from(-MATE), Score::Mate(0));
        assert_eq!(Score::from(2 - MATE), Score::Mate(-1));
        assert_eq!(Score::from(MATE - 300), Score::Mate(150), "longer than any search");
        assert_eq!(Score::from(-25).to_string(), "-0.25");
    }
}
