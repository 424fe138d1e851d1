//! Stands in for Syzygy tables in a build without the feature `syzygy`: none can be opened.

use super::error::SourceError;
use umbrail_chess::{Move, Position};

/// Tables that are open: a value that cannot exist in this build.
#[derive(Debug)]
pub(crate) enum Tables {}

/// How a position ends with best play.
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
    /// # Errors
    /// Always.
    pub(crate) fn open(folders: &str) -> Result<Self, SourceError> {
        Err(SourceError::Format {
            option: "SyzygyPath",
            path: folders.to_owned(),
            reason: "this build has no support for Syzygy tables".to_owned(),
        })
    }

    pub(crate) fn men(&self) -> u32 {
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
