//! Completeness of an answer.

/// Completeness of an answer; the number is the exit status of a subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The whole request was answered.
    Complete,
    /// The task was refused: the input cannot be used.
    Refused,
    /// The task was stopped.
    Stopped,
    /// A limit was reached.
    Limit,
    /// The answer is complete, but not the required one.
    NotAsRequired,
    /// Internal error.
    Internal,
}

impl Status {
    /// Returns the word after `status`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete | Self::NotAsRequired => "complete",
            Self::Stopped => "stopped",
            Self::Limit => "limit",
            Self::Refused | Self::Internal => "error",
        }
    }

    /// Returns the exit status of a subcommand with this result.
    pub fn exit(self) -> u8 {
        match self {
            Self::Complete => 0,
            Self::Refused => 2,
            Self::Stopped | Self::Limit => 3,
            Self::NotAsRequired => 4,
            Self::Internal => 70,
        }
    }
}
