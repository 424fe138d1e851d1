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

/// Tables of a list of folders: none in this build.
#[derive(Debug)]
pub(crate) struct OpenedTables {
    pub tables: Option<Tables>,
    pub summary: Option<String>,
    pub faults: Vec<SourceError>,
}

impl Tables {
    /// Returns an error only.
    pub(crate) fn open(folders: &str) -> OpenedTables {
        let fault = SourceError::Format {
            option: "SyzygyPath",
            path: folders.to_owned(),
            reason: "this build has no support for Syzygy tables".to_owned(),
        };
        OpenedTables { tables: None, summary: None, faults: vec![fault] }
    }

    pub(crate) fn pieces(&self) -> u32 {
        match *self {}
    }

    pub(crate) fn verdict(&self, _: &Position) -> Option<TableVerdict> {
        match *self {}
    }

    pub(crate) fn rank_moves(
        &self,
        _: &Position,
        _: &[Move],
        _: bool,
    ) -> Option<Vec<(Move, i32, TableVerdict)>> {
        match *self {}
    }

    pub(crate) fn take_faults(&self) -> Vec<String> {
        match *self {}
    }
}
