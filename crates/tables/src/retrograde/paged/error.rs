//! Errors of files of unfinished builds.

use std::io;
use std::path::PathBuf;
use umbrail_control::Stopped;

/// Reason why a file of an unfinished build cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PagedError {
    /// The operating system reported an error.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    #[error("{0} is damaged: {1}")]
    Damaged(PathBuf, String),
    /// The file belongs to a build of another table.
    #[error("{0} does not fit: {1}")]
    Foreign(PathBuf, String),
    /// Another process builds the table.
    #[error("{0} is in use by another build")]
    Busy(PathBuf),
    /// A distance is too long for the log.
    #[error("{0}: there are distances of more than {1} plies")]
    TooLong(PathBuf, usize),
}

/// Reason why a step was not finished.
#[derive(Debug)]
pub(crate) enum Halt {
    Stopped,
    Files(PagedError),
}

impl From<PagedError> for Halt {
    fn from(error: PagedError) -> Self {
        Self::Files(error)
    }
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}
