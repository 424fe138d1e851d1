//! Facts that one process learned about a problem, as short texts for other processes.
//!
//! Facts are never trusted. A conflict is only a set of pieces, which is tested on each strategy
//! where it is used. An interposition is proved again for each strategy. A wrong or lost fact
//! therefore affects only the duration of a search. Verdicts on whole classes of strategies are not
//! exchanged, because they would have to be trusted.

use crate::problem::piece::PieceMask;
use crate::search::learn::interposition::Interposition;
use std::fmt;
use std::str::FromStr;
use umbrail_chess::geometry::Square;

/// Move budget for proving an interposition again.
const PROOF_MAX: u64 = 100_000_000;

/// A learned fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LearnedFact {
    /// Pieces that alone refuted positions.
    Conflict(PieceMask),
    /// Square on which some piece had to stop.
    Interposition(Interposition),
}

impl fmt::Display for LearnedFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict(pieces) => write!(f, "conflict {:08x}", pieces.0),
            Self::Interposition(Interposition { pieces, square, moves }) => {
                write!(f, "interposition {:08x} {} {moves}", pieces.0, square.number())
            }
        }
    }
}

impl FromStr for LearnedFact {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let words: Vec<&str> = text.split(' ').collect();
        let pieces = |word: &str| u32::from_str_radix(word, 16).map(PieceMask).map_err(|_| ());
        match words.as_slice() {
            ["conflict", bits] => Ok(Self::Conflict(pieces(bits)?)),
            ["interposition", bits, square, moves] => {
                let square = square.parse().ok().filter(|&square: &u8| square < 64).ok_or(())?;
                let moves = moves.parse().ok().filter(|&moves| moves <= PROOF_MAX).ok_or(())?;
                let (pieces, square) = (pieces(bits)?, Square::new(square));
                Ok(Self::Interposition(Interposition { pieces, square, moves }))
            }
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LearnedFact;

    #[test]
    fn facts_are_read_as_they_are_written() {
        for text in ["conflict 0000ffff", "interposition 8000000f 63 1200"] {
            assert_eq!(text.parse::<LearnedFact>().unwrap().to_string(), text);
        }
        for wrong in
            ["", "conflict", "conflict x", "interposition 1 64 5", "interposition 1 5 100000001"]
        {
            assert!(wrong.parse::<LearnedFact>().is_err(), "{wrong}");
        }
    }
}
