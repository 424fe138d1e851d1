//! Why a book, an experience file or a folder of tables cannot be used.

use std::fmt;
use std::io;
use umbrail_control::ReadError;

/// A file or folder that an option names and that cannot be used. The search goes on without it.
#[derive(Debug)]
pub enum SourceError {
    /// The file cannot be read.
    File {
        /// The option that names it, such as `Book File`.
        option: &'static str,
        /// The file and the reason.
        error: ReadError,
    },
    /// The folder cannot be read.
    Unreadable {
        /// The option that names it, such as `Book File`.
        option: &'static str,
        /// The path as given.
        path: String,
        /// The reason of the system.
        error: io::Error,
    },
    /// It holds something else.
    Format {
        /// The option that names it.
        option: &'static str,
        /// The path as given.
        path: String,
        /// What was expected, and what was found where that helps.
        reason: String,
    },
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { option, error } => write!(f, "{option}: {error}"),
            Self::Unreadable { option, path, error } => write!(f, "{option} {path}: {error}"),
            Self::Format { option, path, reason } => write!(f, "{option} {path}: {reason}"),
        }
    }
}

impl std::error::Error for SourceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { error, .. } => Some(error),
            Self::Unreadable { error, .. } => Some(error),
            Self::Format { .. } => None,
        }
    }
}
