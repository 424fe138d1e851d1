//! Why a saved search cannot be read or continued.

use super::{StenoError, Vocabulary};
use std::fmt;

/// Why a checkpoint cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointError {
    /// The bytes are no checkpoint file, or of another version.
    NotOne,
    /// The file holds a search that was not finished, and nothing that `$` saved.
    Unfinished,
    /// The file is damaged; here is what is wrong.
    Damaged(&'static str),
    /// The steno does not begin with `$`.
    NoDollar,
    /// The steno is written in another vocabulary than the checkpoint.
    Vocabulary {
        /// The checkpoint's.
        saved: Vocabulary,
        /// The steno's.
        wanted: Vocabulary,
    },
    /// The checkpoint was made with the other reading of `+`.
    Strictness,
    /// The game starts elsewhere; here is where the checkpoint's does.
    Start(String),
    /// The rest of the string cannot be read.
    Steno(StenoError),
}

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOne => write!(f, "no checkpoint of this program's version"),
            Self::Unfinished => write!(
                f,
                "this is unfinished work on a whole steno, not what '$' saved; solve that steno again to go on"
            ),
            Self::Damaged(what) => write!(f, "the checkpoint is damaged: {what}"),
            Self::NoDollar => write!(f, "expected '$' at the beginning"),
            Self::Vocabulary { saved, wanted } => write!(
                f,
                "the checkpoint is of the {saved} vocabulary, the steno of the {wanted} one"
            ),
            Self::Strictness => write!(f, "the checkpoint reads '+' in the other way"),
            Self::Start(fen) => write!(f, "the checkpoint's game starts from {fen}"),
            Self::Steno(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for CheckpointError {}
