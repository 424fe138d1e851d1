//! Reasons for refusing a task. The text is what a user reads.

use crate::piece_file::PieceFileError;
use std::fmt;
use std::sync::Arc;
use umbrail_control::ReadError;

/// Error in a task: in its words, when it is prepared, or in its files, when its job starts.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TaskError {
    /// A key, an option or a verb expects something else: `effort expects work or ship, got "x"`.
    #[error("{name} expects {expected}{}", after_got(got.as_deref()))]
    Expects {
        /// Name of the key, option or verb.
        name: String,
        /// Accepted input.
        expected: String,
        /// Given input, if any.
        got: Option<String>,
    },
    /// The task as a whole has something missing or in excess: `expected moves or plies, got both`.
    #[error("expected {expected}{}", after_got(got.as_deref()))]
    Expected {
        /// Accepted input.
        expected: String,
        /// Given input, if any.
        got: Option<String>,
    },
    /// A position that cannot be used, with the reason.
    #[error("illegal position: {0}")]
    IllegalPosition(String),
    /// A file of the task cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The piece definitions cannot be used.
    #[error(transparent)]
    Pieces(#[from] PieceFileError),
    /// The seed file cannot be read.
    #[error("EGT Seed File: {0}")]
    SeedFile(ReadError),
    /// An error of the domain, such as one of its files.
    #[error(transparent)]
    Domain(Arc<dyn std::error::Error + Send + Sync>),
    /// Error text from a reader of a diagram or a text.
    #[error("{0}")]
    Words(String),
}

impl TaskError {
    /// Creates an error of a key, an option or a verb that expects something else.
    pub fn expects(name: impl ToString, expected: impl ToString) -> Self {
        Self::Expects { name: name.to_string(), expected: expected.to_string(), got: None }
    }

    /// Creates an error of missing or excess input.
    pub fn expected(expected: impl ToString) -> Self {
        Self::Expected { expected: expected.to_string(), got: None }
    }

    /// Wraps an error of the domain.
    pub fn of(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Domain(Arc::new(error))
    }

    /// Joins all errors of a reader in one line.
    pub fn all<E: fmt::Display>(errors: &[E]) -> Self {
        let words: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Self::Words(words.join("; "))
    }

    /// Adds the given input.
    pub fn got(mut self, given: impl ToString) -> Self {
        if let Self::Expects { got, .. } | Self::Expected { got, .. } = &mut self {
            *got = Some(given.to_string());
        }
        self
    }

    /// Adds the given input in quotation marks.
    pub fn got_quoted(self, given: impl fmt::Display) -> Self {
        self.got(format_args!("\"{given}\""))
    }
}

/// Formats the given input as the end of a sentence.
fn after_got(got: Option<&str>) -> String {
    got.map_or_else(String::new, |got| format!(", got {got}"))
}

impl From<String> for TaskError {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

impl From<&str> for TaskError {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::TaskError;

    #[test]
    fn errors_name_the_expected_and_the_given_value() {
        let given = |error: TaskError| error.to_string();
        assert_eq!(
            given(TaskError::expects("knight", "S or N").got("X")),
            "knight expects S or N, got X"
        );
        let empty = TaskError::expects("promote", "letters of pieces").got_quoted("");
        assert_eq!(given(empty), "promote expects letters of pieces, got \"\"");
        assert_eq!(given(TaskError::expected("a game")), "expected a game");
        assert_eq!(
            given(TaskError::IllegalPosition("no king".to_owned())),
            "illegal position: no king"
        );
        assert_eq!(given("as it was said".into()), "as it was said");
    }
}
