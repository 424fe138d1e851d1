//! Errors of books, experience files and folders of tables.

use std::fmt;
use std::io;
use umbrail_control::ReadError;

/// Error of a file or folder that an option names. The search continues without it.
#[derive(Debug)]
pub enum SourceError {
    /// The file cannot be read.
    File {
        /// Option that names the file, such as `Book File`.
        option: &'static str,
        /// File and reason.
        error: ReadError,
    },
    /// The folder cannot be read.
    Unreadable {
        /// Option that names the folder, such as `SyzygyPath`.
        option: &'static str,
        /// Path as given.
        path: String,
        /// Error of the operating system.
        error: io::Error,
    },
    /// The file or folder has other contents.
    Format {
        /// Option that names the path.
        option: &'static str,
        /// Path as given.
        path: String,
        /// Expected contents, and the found ones where helpful.
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
