//! Syntax errors of stenos, with their columns.

use super::super::vocabulary::Vocabulary;
use super::TURNS_MAX;
use std::fmt;

/// Syntax error of a steno.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {fault}")]
pub struct StenoError {
    /// Column of the wrong character in the given text, from 1; one past the end if something is
    /// missing there.
    pub column: usize,
    /// Kind of the error.
    pub fault: ParseFault,
}

/// Kind of a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseFault {
    /// The text has no mark.
    Empty,
    /// The text is longer than any game needs to be.
    TooLong,
    /// A closing parenthesis without an opening one.
    StrayParenthesis,
    /// An opening parenthesis without a closing one.
    OpenParenthesis,
    /// The character is not a mark of this vocabulary.
    NoMark(char, Vocabulary),
    /// A mark is required here.
    MarkMissing,
    /// A second `$` inside the string.
    SecondCheckpoint,
    /// `[` without `]`.
    OpenBracket,
    /// An empty condition.
    EmptyCondition,
    /// No condition begins with this character.
    NoCondition(char),
    /// After `x`, `X` or `=`: this input instead of pieces that can be captured or created.
    Pieces(char, Option<char>),
    /// After `^` or `v`: this input instead of a rank from 2 to 7.
    PawnRank(Option<char>),
    /// This input instead of a file, a rank or a square at the end of a condition.
    Place(Option<char>),
}

impl fmt::Display for ParseFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = |found: &Option<char>| match found {
            Some(found) => format!("found '{found}'"),
            None => "found nothing".to_owned(),
        };
        match self {
            Self::Empty => write!(f, "expected at least one mark"),
            Self::TooLong => write!(f, "expected {TURNS_MAX} marks at most"),
            Self::StrayParenthesis => write!(f, "')' has no matching '('"),
            Self::OpenParenthesis => write!(f, "'(' is never closed"),
            Self::NoMark(symbol @ ('&' | '!'), _) => {
                write!(f, "'{symbol}' has nothing to join, expected a mark")
            }
            Self::NoMark(symbol, vocabulary) => {
                let symbols = vocabulary.symbols();
                write!(
                    f,
                    "'{symbol}' is not a mark of the {vocabulary} vocabulary, expected one of {symbols}"
                )?;
                let has = |other: &Vocabulary| other.read(*symbol).is_some();
                match [Vocabulary::Extended, Vocabulary::Pgn, Vocabulary::Classic]
                    .iter()
                    .find(|v| has(v))
                {
                    Some(other) => {
                        write!(f, "; it is a mark of the {other} vocabulary (--vocabulary {other})")
                    }
                    None => Ok(()),
                }
            }
            Self::MarkMissing => write!(f, "expected a mark at the end"),
            Self::SecondCheckpoint => write!(f, "only one '$' may stand inside a steno"),
            Self::OpenBracket => write!(f, "'[' is never closed"),
            Self::EmptyCondition => write!(f, "expected a condition such as xB, -f6 or Kh"),
            Self::NoCondition(symbol) => write!(
                f,
                "'{symbol}' does not begin a condition, expected one of x X = ^ v - @ or a piece letter"
            ),
            Self::Pieces('x', what) => {
                write!(f, "expected exactly one of P N B L D R Q after 'x', {}", found(what))
            }
            Self::Pieces('=', what) => write!(f, "expected N B L D R Q after '=', {}", found(what)),
            Self::Pieces(sign, what) => {
                write!(f, "expected P N B L D R Q after '{sign}', {}", found(what))
            }
            Self::PawnRank(what) => write!(f, "expected one rank from 2 to 7, {}", found(what)),
            Self::Place(what) => {
                write!(f, "expected a file, a rank or a square, {}", found(what))
            }
        }
    }
}
