//! Popeye's input files, as far as they pose proof games: `dia`, `a=>b` and their `ser-`, `ser-h`, `pser-`, `pser-h` and
//! `exact-` forms.
//!
//! Read are: English, German and French words with unique beginnings; `pieces` with Alice's boards, `forsyth`,
//! `InitialGameArray`; conditions with variants; several problems; twins by `move`, `exchange`, `add`, `remove`,
//! `rotate`, `mirror`, `shift`, `polishtype`, `substitute`, `condition`, `stipulation` and `continued`; `zeroposition`;
//! `Duplex` and `HalfDuplex`. With `a=>b`, the pieces before the stipulation are those of the start (A), those after it
//! the end (B), which twins change; a second imitator is its square there. `a=>b` begins with Black unless `WhiteToPlay` is set, and kings and
//! rooks at home may castle unless `NoCastling` is.
//!
//! Options that change Popeye's output have no effect. Options that restrict its search have none either: all
//! games are counted. Anything else is an error with its place.

mod draft;
mod men;
mod reader;
mod words;
mod writer;

use crate::positions::FairyProblem;
use reader::PopeyeReader;
pub use writer::{NotInPopeye, write};

/// One problem or twin of a file.
#[derive(Clone, Debug)]
pub struct PopeyeTwin {
    /// The problem.
    pub problem: FairyProblem,
    /// Its title, with the letter of the twin if there are several.
    pub title: Option<String>,
    /// Author, source and other text, each behind its keyword.
    pub comments: Vec<String>,
}

/// Reason why a file is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {fault}")]
pub struct PopeyeError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What was found or expected there.
    pub fault: PopeyeFault,
}

/// Fault in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PopeyeFault {
    /// Something else was expected.
    #[error("expected {expected}, got {got:?}")]
    Expected {
        /// What was expected.
        expected: &'static str,
        /// What was found.
        got: String,
    },
    /// A word that Popeye may know, but this program does not support.
    #[error("the {kind} {word} is not supported")]
    Unsupported {
        /// Kind of the word: `option`, `stipulation`, `piece` and so on.
        kind: &'static str,
        /// The word.
        word: String,
    },
    /// A condition.
    #[error("{0}")]
    Condition(#[from] crate::positions::NameError),
    /// A change that does not fit the board.
    #[error("{0}")]
    Board(String),
    /// The end of the file came early.
    #[error("the file ends before the problem does")]
    End,
    /// `a=>b` without one of its positions.
    #[error(
        "a=>b needs two positions, expected the pieces of A before the stipulation and those of B after it"
    )]
    TwoPositions,
    /// A new stipulation in a twin of `a=>b`.
    #[error(
        "a twin of a=>b cannot have another stipulation, since its position A would be unclear"
    )]
    OtherStipulation,
    /// Set play where there is none.
    #[error("the option SetPlay cannot be used here: {0}")]
    SetPlay(#[from] crate::positions::NoSetPlay),
    /// A problem without a stipulation.
    #[error("the problem has no stipulation")]
    NoStipulation,
}

/// Reads all problems and twins of a file.
///
/// # Errors
/// The first fault, with its place.
pub fn read(text: &str) -> Result<Vec<PopeyeTwin>, PopeyeError> {
    PopeyeReader::new(text)?.all()
}

#[cfg(test)]
mod tests;
