//! Errors of the files that a run keeps beside its results: archives and lists of strategies.

use std::io;
use umbrail_control::{ReadError, WriteError};
use umbrail_proof::Problem;
use umbrail_proof::files::archive::ArchiveError;
use umbrail_proof::files::strategy_file::StrategyListError;
use umbrail_proof::positions::CountArchiveError;
use umbrail_proof::run::Words as _;
use umbrail_session::task_error::TaskError;

/// Reason why a file of a run cannot be written or used.
#[derive(Debug, thiserror::Error)]
pub(super) enum RunFileError {
    /// The archive exists, and the task does not resume it.
    #[error("{0} exists already: use resume to continue it, or name another file")]
    Exists(String),
    /// The archive is a folder, a pipe or a device.
    #[error("{0} is not a regular file, so no archive can be kept there")]
    NotRegular(String),
    /// Another process writes the archive.
    #[error("{0} is being written by another process: wait until that one has ended, or end it")]
    Busy(String),
    /// The file cannot be written.
    #[error("cannot write {path}: {source}")]
    Write { path: String, source: io::Error },
    /// A damaged archive cannot be replaced.
    #[error(transparent)]
    Replace(#[from] WriteError),
    /// A damaged archive cannot be copied.
    #[error("cannot copy {path} to {copy}: {source}")]
    Copy { path: String, copy: String, source: io::Error },
    /// A damaged archive has the largest number of copies.
    #[error("there are {count} damaged copies of {path} already")]
    Copies { path: String, count: u32 },
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The archive belongs to another run, is damaged or contradicts another one.
    #[error("{path}: {source}")]
    Archive { path: String, source: ArchiveError },
    /// The archive of the search of positions is of something else, or damaged.
    #[error("{path}: {source}")]
    Counts { path: String, source: CountArchiveError },
    /// There is only an archive of the search of positions.
    #[error(
        "there is no archive of strategies {0}, only one of the search of positions, {0}.positions; only solve with the key resume reads it"
    )]
    OnlyPositions(String),
    /// The archive contradicts itself.
    #[error("{path}: {why}; the archive cannot be right")]
    Contradiction { path: String, why: String },
    /// No archive has contents.
    #[error("expected archives, as written by solve with the key archive")]
    NoArchive,
    /// A line of the strategies cannot be used.
    #[error("{path}:{source}")]
    Strategies { path: String, source: StrategyListError },
    /// The strategies belong to another problem.
    #[error(
        "{path} has the strategies of {} in {} half-moves ({}), not of this problem",
        problem.diagram,
        problem.plies,
        problem.length.word()
    )]
    OtherProblem { path: String, problem: Box<Problem> },
}

impl RunFileError {
    /// Returns the conversion of an error of writing this file.
    pub(super) fn write(path: &str) -> impl Fn(io::Error) -> Self {
        |source| Self::Write { path: path.to_owned(), source }
    }

    /// Returns the conversion of an error in this archive.
    pub(super) fn archive(path: &str) -> impl Fn(ArchiveError) -> Self {
        |source| Self::Archive { path: path.to_owned(), source }
    }
}

impl From<RunFileError> for TaskError {
    fn from(error: RunFileError) -> Self {
        Self::of(error)
    }
}
