//! Reasons for refusing a task. The [`Display`](fmt::Display) text is what a user reads.

use std::fmt;

/// Error in a task: in its words, when it is prepared, or in its files, when its job starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskError {
    /// A key, an option or a verb expects something else: `effort wants work or ship, got "x"`.
    Expects {
        /// Name of the key, option or verb.
        name: String,
        /// Accepted input.
        expected: String,
        /// Given input, if any.
        got: Option<String>,
    },
    /// The task as a whole has something missing or in excess: `expected moves or plies, got both`.
    Expected {
        /// Accepted input.
        expected: String,
        /// Given input, if any.
        got: Option<String>,
    },
    /// A position that cannot be used, with the reason.
    IllegalPosition(String),
    /// Error text from a reader of a file, a diagram or a text.
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

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let got = match self {
            Self::Expects { name, expected, got } => {
                write!(f, "{name} expects {expected}")?;
                got
            }
            Self::Expected { expected, got } => {
                write!(f, "expected {expected}")?;
                got
            }
            Self::IllegalPosition(why) => return write!(f, "illegal position: {why}"),
            Self::Words(words) => return f.write_str(words),
        };
        got.as_ref().map_or(Ok(()), |got| write!(f, ", got {got}"))
    }
}

impl std::error::Error for TaskError {}

impl From<String> for TaskError {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

impl From<TaskError> for String {
    fn from(error: TaskError) -> Self {
        error.to_string()
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
