//! Retained data of finished tables.

use crate::packed_distances::RetainedWords;

/// Retained data of a table.
#[derive(Clone, Debug)]
pub(crate) enum Retention {
    /// Everything.
    All,
    /// Some of it.
    Some {
        /// Won and lost positions and the longest of them, but no distances.
        counts: bool,
        /// Wins that larger tables look up.
        wins: Option<RetainedWords>,
        /// Losses that larger tables look up.
        losses: Option<RetainedWords>,
    },
}

impl Retention {
    /// Returns true when distances of wins are needed.
    pub(super) fn wins(&self) -> bool {
        matches!(self, Self::All | Self::Some { wins: Some(_), .. })
    }
}
