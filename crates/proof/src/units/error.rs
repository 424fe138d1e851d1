//! Errors in the texts of results.

use crate::files::archive::ArchiveError;

/// Defect of the result of a unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResultError {
    /// A text does not describe a unit.
    #[error("\"{0}\" is not a unit of a proof game")]
    Unit(String),
    /// A line cannot be parsed, or one of its games does not solve the problem.
    #[error("the line \"{0}\" of a result makes no sense")]
    Line(String),
    /// A number is larger than any that a run has.
    #[error("the number {0} of a result is too large")]
    Number(u64),
    /// The end of the text is missing.
    #[error("a result was cut off")]
    Truncated,
    /// A worker that had to run a whole unit left some of it to others.
    #[error("a second result leaves work to others")]
    Partial,
    /// Another result has another tree of the same part.
    #[error("two workers walked different trees")]
    Trees,
    /// Another result has other numbers for a claim.
    #[error(transparent)]
    Claim(#[from] ArchiveError),
}

/// Difference between two results of one unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResultDifference {
    /// One of the results cannot be parsed.
    #[error(transparent)]
    Unreadable(#[from] ResultError),
    /// The results belong to different units.
    #[error("they belong to different units, {0} and {1}")]
    Units(String, String),
    /// The second result states something else about a claim.
    #[error("the first result states \"{0}\", the second one \"{1}\"")]
    Statements(String, String),
}
