//! Errors of books, experience files and folders of tables.

use std::io;
use umbrail_control::ReadError;

/// Error of a file or folder that an option names. The search continues without it.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The file that `UMBRAIL_EVALFILE` named at build time is not a network.
    #[error(
        "the network built into this program cannot be used; the hand-written evaluation replaces it"
    )]
    BuiltIn,
    /// The file cannot be read.
    #[error("{option}: {error}")]
    File {
        /// Option that names the file, such as `Book File`.
        option: &'static str,
        /// File and reason.
        #[source]
        error: ReadError,
    },
    /// The folder cannot be read.
    #[error("{option} {path}: {error}")]
    Unreadable {
        /// Option that names the folder, such as `SyzygyPath`.
        option: &'static str,
        /// Path as given.
        path: String,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file cannot be written.
    #[error("{option} {path} cannot be written: {error}")]
    Unwritten {
        /// Option that names the file, such as `Experience File`.
        option: &'static str,
        /// Path as given.
        path: String,
        /// Error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The file or folder has other contents.
    #[error("{option} {path}: {reason}")]
    Format {
        /// Option that names the path.
        option: &'static str,
        /// Path as given.
        path: String,
        /// Expected contents, and the found ones where helpful.
        reason: String,
    },
}
