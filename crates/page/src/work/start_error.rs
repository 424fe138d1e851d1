//! Reasons why a run does not start.

use std::path::PathBuf;

/// Reason why a run does not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    /// The maximum number of runs is in progress.
    #[error("{0} runs are at work; stop one of them first")]
    Full(usize),
    /// No run has this name.
    #[error("there is no such run")]
    Unknown,
    /// Another process works on the run.
    #[error("another process works on this run")]
    Locked,
    /// The run is in progress and cannot be removed.
    #[error("the run is at work; stop it first")]
    AtWork,
    /// The operating system refuses a file or a folder of the run.
    #[error("{path}: {source}")]
    Io {
        /// File or folder.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The list of removed runs cannot be written.
    #[error(transparent)]
    Unwritten(#[from] umbrail_control::WriteError),
    /// The operating system does not start a thread or remove a folder.
    #[error(transparent)]
    System(#[from] std::io::Error),
}
