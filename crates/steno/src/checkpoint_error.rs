//! Errors of reading or continuing a saved search.

use super::{StenoError, Vocabulary};
use std::fmt;

/// Reason why a checkpoint cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointError {
    /// The bytes are not a checkpoint file, or one of another version.
    NotOne,
    /// The file holds an unfinished search, not a checkpoint saved at `$`.
    Unfinished,
    /// The file is damaged; the text names the defect.
    Damaged(&'static str),
    /// The steno does not begin with `$`.
    NoDollar,
    /// The steno is written in a vocabulary other than that of the checkpoint.
    Vocabulary {
        /// Vocabulary of the checkpoint.
        saved: Vocabulary,
        /// Vocabulary of the steno.
        wanted: Vocabulary,
    },
    /// The checkpoint was made with the other interpretation of `+`.
    Strictness,
    /// The game starts elsewhere; the text is the start of the checkpoint.
    Start(String),
    /// The rest of the string cannot be parsed.
    Steno(StenoError),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOne => write!(f, "not a checkpoint of this program version"),
            Self::Unfinished => write!(
                f,
                "this is unfinished work on a whole steno, not a checkpoint of '$'; solve that steno again to continue"
            ),
            Self::Damaged(what) => write!(f, "the checkpoint is damaged: {what}"),
            Self::NoDollar => write!(f, "expected '$' at the beginning"),
            Self::Vocabulary { saved, wanted } => write!(
                f,
                "the checkpoint is of the {saved} vocabulary, the steno of the {wanted} one"
            ),
            Self::Strictness => write!(f, "the checkpoint uses the other meaning of '+'"),
            Self::Start(fen) => write!(f, "the checkpoint's game starts from {fen}"),
            Self::Steno(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CheckpointError {}
