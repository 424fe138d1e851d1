//! How complete an answer is.

/// How complete an answer is; the number is the exit status of a subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everything asked for was answered.
    Complete,
    /// It was refused: the input cannot be used.
    Refused,
    /// It was stopped.
    Stopped,
    /// A limit was reached.
    Limit,
    /// Complete, but not what was required.
    NotAsRequired,
    /// A fault of the program.
    Internal,
}

impl Status {
    /// The word said behind `status`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete | Self::NotAsRequired => "complete",
            Self::Stopped => "stopped",
            Self::Limit => "limit",
            Self::Refused | Self::Internal => "error",
        }
    }

    /// The exit status of a subcommand that ends like this.
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
