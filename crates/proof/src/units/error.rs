//! Errors in the texts of runs and results.

use crate::files::archive::ArchiveError;
use crate::run::ValueError;
use crate::units::spec::{FORMAT, TREE_VERSION};

/// Reason why this program cannot take part in a run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunTextError {
    /// The text has another format; with its first line.
    #[error("the run has the format \"{0}\", expected umbrail-units {FORMAT}")]
    Format(String),
    /// The header cannot be parsed.
    #[error(transparent)]
    Header(#[from] ArchiveError),
    /// The run belongs to another version of the program.
    #[error(
        "the run is one of umbrail {0}, this is umbrail {here}; all workers must have the same version",
        here = env!("CARGO_PKG_VERSION")
    )]
    Program(String),
    /// The settings line names other parameters.
    #[error("the run has settings that are not known: \"{0}\"")]
    Settings(String),
    /// The tree has another version.
    #[error("the run has a tree of version {0}, this program walks version {TREE_VERSION}")]
    Tree(String),
    /// A parameter has a value that it does not accept.
    #[error("{name} expects {expected}, got {value}")]
    Value {
        /// Name on the settings line.
        name: &'static str,
        /// Accepted values.
        expected: ValueError,
        /// Value in the text.
        value: String,
    },
    /// A line of finished claims cannot be parsed.
    #[error("the run has a line that makes no sense: \"{0}\"")]
    Done(String),
}

/// Defect of the result of a unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResultError {
    /// A text does not describe a unit.
    #[error("\"{0}\" is no unit of a proof game")]
    Unit(String),
    /// A line cannot be parsed, or one of its games does not solve the problem.
    #[error("the line \"{0}\" of a result makes no sense")]
    Line(String),
    /// The end of the text is missing.
    #[error("a result was cut off")]
    Truncated,
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
    /// A claim has different numbers of strategies.
    #[error("claim {0} has {1} strategies or {2}")]
    Strategies(u64, u64, u64),
    /// A claim has different numbers of games.
    #[error("claim {0} has {1} games or {2}")]
    Games(u64, usize, usize),
}
