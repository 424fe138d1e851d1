//! Errors of reading or continuing a saved search.

use super::{StenoError, Vocabulary};

/// Reason why a checkpoint cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// The bytes are not a checkpoint file, or one of another version.
    #[error("not a checkpoint of this program version")]
    NotOne,
    /// The file holds an unfinished search, not a checkpoint saved at `$`.
    #[error(
        "this is unfinished work on a whole steno, not a checkpoint of '$'; solve that steno again to continue"
    )]
    Unfinished,
    /// The file is damaged; the text names the defect.
    #[error("the checkpoint is damaged: {0}")]
    Damaged(&'static str),
    /// The steno does not begin with `$`.
    #[error("expected '$' at the beginning")]
    NoDollar,
    /// The steno is written in a vocabulary other than that of the checkpoint.
    #[error("the checkpoint is of the {saved} vocabulary, the steno of the {wanted} one")]
    Vocabulary {
        /// Vocabulary of the checkpoint.
        saved: Vocabulary,
        /// Vocabulary of the steno.
        wanted: Vocabulary,
    },
    /// The checkpoint was made with the other interpretation of `+`.
    #[error("the checkpoint uses the other meaning of '+'")]
    Strictness,
    /// The game starts elsewhere; the text is the start of the checkpoint.
    #[error("the checkpoint's game starts from {0}")]
    Start(String),
    /// The rest of the string cannot be parsed.
    #[error("{0}")]
    Steno(StenoError),
}
