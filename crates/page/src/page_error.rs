//! Errors that a page shows to its user.

use super::work::{DeskError, StartError};
use std::io;
use std::path::PathBuf;
use umbrail_lab::LabError;
use umbrail_session::OptionError;
use umbrail_tables::fairy::piecedef::{PieceDefError, PieceDefFault};
use umbrail_tables::survey::PatternError;

/// Reason why a question of a page has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PageError {
    /// A field of a form has another form.
    #[error("{field} must be {expected}, got {got}")]
    Field {
        /// Name of the field.
        field: &'static str,
        /// Accepted values.
        expected: String,
        /// Given value.
        got: String,
    },
    /// The text is not an endgame.
    #[error("expected an endgame such as KQ.KR, got {0}")]
    Endgame(String),
    /// A survey compares too many letters.
    #[error("at most {0} letters can be compared")]
    Letters(usize),
    /// The pattern of a survey is faulty or matches too many endgames.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The definitions of pieces cannot be used.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// A line of settings has no value.
    #[error("expected NAME=VALUE, got {0}")]
    Setting(String),
    /// A setting is unknown or has another value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A setting belongs to the whole program.
    #[error("{0} cannot be set for one side")]
    Shared(&'static str),
    /// No session takes the question.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// The run does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The laboratory's results cannot be read.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// The reader of the laboratory's results ended without them.
    #[error("the laboratory's folder cannot be read")]
    NoLab,
    /// A search of another page is running.
    #[error("another page is searching; try again")]
    Searching,
    /// The table is not built within the time limit of a page.
    #[error("this table takes too long for a page; build it first")]
    Late,
    /// The session refused the question, in its words.
    #[error("{0}")]
    Refused(String),
    /// The operating system does not read or write a file of the page, or start a thread.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reason why definitions of pieces cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DefinitionError {
    /// The text is too long.
    #[error("definitions of pieces may have {0} bytes at most")]
    Size(usize),
    /// The first line of the text, which may be the only one, is faulty.
    #[error(transparent)]
    FirstLine(PieceDefFault),
    /// A line of the text is faulty.
    #[error(transparent)]
    Line(PieceDefError),
    /// The file of the definitions cannot be written.
    #[error("{path}: {source}")]
    File {
        /// File.
        path: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
}
