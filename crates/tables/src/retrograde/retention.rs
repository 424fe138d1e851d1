//! What of a finished table is kept.

use crate::packed_distances::RetainedWords;

/// What of a table is kept.
#[derive(Clone, Debug)]
pub(crate) enum Retention {
    /// Everything.
    All,
    /// Some of it.
    Some {
        /// Which positions are won and lost, and the longest of them, but no distances.
        counts: bool,
        /// What the tables above it read.
        wins: Option<RetainedWords>,
        /// See `wins`.
        losses: Option<RetainedWords>,
    },
}

impl Retention {
    /// True when distances of wins are needed.
    pub(super) fn wins(&self) -> bool {
        matches!(self, Self::All | Self::Some { wins: Some(_), .. })
    }
}
