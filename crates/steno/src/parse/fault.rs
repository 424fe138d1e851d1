//! Why a string is no steno, and where.

use super::super::vocabulary::Vocabulary;
use super::TURNS_MAX;
use std::fmt;

/// Why a text is no steno, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StenoError {
    /// The column of the offending character in the given text, from 1; one past the end when
    /// something is missing there.
    pub column: usize,
    /// What is wrong.
    pub fault: ParseFault,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseFault {
    /// There is no mark in it.
    Empty,
    /// Longer than any game needs to be.
    TooLong,
    /// A closing parenthesis without an opening one.
    StrayParenthesis,
    /// An opening parenthesis without a closing one.
    OpenParenthesis,
    /// Not a mark of this vocabulary.
    NoMark(char, Vocabulary),
    /// Something must follow here.
    MarkMissing,
    /// A second `$` inside the string.
    SecondCheckpoint,
    /// `[` without `]`.
    OpenBracket,
    /// An empty condition.
    EmptyCondition,
    /// No condition begins like that.
    NoCondition(char),
    /// After `x`, `X` or `=`: what stands there instead of men that can be captured or made.
    Men(char, Option<char>),
    /// After `^` or `v`: a rank from 2 to 7.
    PawnRank(Option<char>),
    /// A file, a rank or a square, and nothing behind it.
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
            Self::StrayParenthesis => write!(f, "')' closes nothing"),
            Self::OpenParenthesis => write!(f, "'(' is never closed"),
            Self::NoMark(symbol @ ('&' | '!'), _) => {
                write!(f, "'{symbol}' joins nothing, expected a mark")
            }
            Self::NoMark(symbol, vocabulary) => write!(
                f,
                "'{symbol}' is no mark of the {vocabulary} vocabulary, expected one of {}",
                vocabulary.symbols()
            ),
            Self::MarkMissing => write!(f, "expected a mark at the end"),
            Self::SecondCheckpoint => write!(f, "only one '$' may stand inside a steno"),
            Self::OpenBracket => write!(f, "'[' is never closed"),
            Self::EmptyCondition => write!(f, "expected a condition such as xB, -f6 or Kh"),
            Self::NoCondition(symbol) => write!(
                f,
                "'{symbol}' begins no condition, expected one of x X = ^ v - @ or a man's letter"
            ),
            Self::Men('x', what) => {
                write!(f, "expected exactly one of P N B L D R Q after 'x', {}", found(what))
            }
            Self::Men('=', what) => write!(f, "expected N B L D R Q after '=', {}", found(what)),
            Self::Men(sign, what) => {
                write!(f, "expected P N B L D R Q after '{sign}', {}", found(what))
            }
            Self::PawnRank(what) => write!(f, "expected one rank from 2 to 7, {}", found(what)),
            Self::Place(what) => {
                write!(f, "expected a file, a rank or a square, {}", found(what))
            }
        }
    }
}

impl fmt::Display for StenoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.fault)
    }
}

impl std::error::Error for StenoError {}
