//! Stub for builds without the feature `syzygy`: no table can be opened.

use super::error::SourceError;
use umbrail_chess::{Move, Position};

/// Open tables: a type without values in this build.
#[derive(Debug)]
pub(crate) enum Tables {}

/// Result of a position with best play.
#[allow(dead_code, reason = "only tables that are open give verdicts")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TableVerdict {
    Loss,
    SavedLoss,
    Draw,
    SpoiledWin,
    Win,
}

impl Tables {
    /// Returns an error.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn open(folders: &str) -> Result<Self, SourceError> {
        Err(SourceError::Format {
            option: "SyzygyPath",
            path: folders.to_owned(),
            reason: "this build has no support for Syzygy tables".to_owned(),
        })
    }

    pub(crate) fn pieces(&self) -> u32 {
        match *self {}
    }

    pub(crate) fn verdict(&self, _: &Position) -> Option<TableVerdict> {
        match *self {}
    }

    pub(crate) fn best_moves(
        &self,
        _: &Position,
        _: &[Move],
        _: bool,
    ) -> Option<(Vec<Move>, TableVerdict)> {
        match *self {}
    }
}
