//! What one process learned about a problem, for the others: texts that are cheap to send and never believed.
//!
//! A conflict names men only, and is tested on each strategy where it is used. An interposition is proved again for each
//! strategy. So a fact that is wrong, or lost, changes nothing but the time that a search takes. Verdicts on whole classes of
//! strategies are not among them: they would have to be believed.

use crate::problem::man::MenSet;
use crate::search::learn::interposition::Interposition;
use std::fmt;
use std::str::FromStr;
use umbrail_chess::geometry::Square;

/// Moves within which an interposition is proved again, at most.
const PROOF_MAX: u64 = 100_000_000;

/// A fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LearnedFact {
    /// Men that refuted positions by themselves.
    Conflict(MenSet),
    /// A square on which some man had to stop.
    Interposition(Interposition),
}

impl fmt::Display for LearnedFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflict(men) => write!(f, "conflict {:08x}", men.0),
            Self::Interposition(Interposition { men, square, moves }) => {
                write!(f, "interposition {:08x} {} {moves}", men.0, square.number())
            }
        }
    }
}

impl FromStr for LearnedFact {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let words: Vec<&str> = text.split(' ').collect();
        let men = |word: &str| u32::from_str_radix(word, 16).map(MenSet).map_err(|_| ());
        match words.as_slice() {
            ["conflict", bits] => Ok(Self::Conflict(men(bits)?)),
            ["interposition", bits, square, moves] => {
                let square = square.parse().ok().filter(|&square: &u8| square < 64).ok_or(())?;
                let moves = moves.parse().ok().filter(|&moves| moves <= PROOF_MAX).ok_or(())?;
                let (men, square) = (men(bits)?, Square::new(square));
                Ok(Self::Interposition(Interposition { men, square, moves }))
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
