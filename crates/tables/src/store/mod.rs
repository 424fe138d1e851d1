//! Tables on disk: one file per one-sided table, checked, compressed and memory-mapped.
//!
//! `docs/tables.md` describes the format. Cells of illegal positions are omitted, axes are ordered
//! so that sample blocks compress best, blocks carry checksums, and files are written atomically.
//! No content of a file is trusted unchecked.

mod codec;
mod header;
mod mapped_table;
mod streamed;

pub(crate) use codec::Stream;
pub(crate) use mapped_table::MappedTable;
pub(crate) use streamed::{Streamed, Unwritten};

use super::catalog::Catalog;
use super::depths::Depths;
use super::material_key::MaterialKey;
use super::part_file::PartFile;
use super::retrograde::{Endgame, complete};
use super::rules::{Rules, Stalemate};
use super::solved_table::SolvedTable;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use umbrail_control::lock;
use umbrail_control::write_whole;

/// Reason why a file could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The operating system reported an error.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// The file is not a table, or a damaged one.
    #[error("{0} is damaged: {1}")]
    Damaged(PathBuf, String),
    /// The file is a table of other pieces or rules.
    #[error("{0} does not fit: {1}")]
    Other(PathBuf, String),
    /// There is nothing to save.
    #[error("{0}")]
    Unsaved(String),
}

/// Block cache in bytes while a file is unpacked as a whole.
const UNPACK_CACHE_BYTES: usize = 1 << 20;

/// Lock held while a table is written.
static WRITES: Mutex<()> = Mutex::new(());

/// Compression effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Fast, for tables in use.
    Working,
    /// Small, for archiving or distribution.
    Shipping,
}

/// Table size, in words, above which blocks are larger.
const LARGE_WORDS: usize = 1 << 25;

impl Compression {
    const fn level(self) -> i32 {
        match self {
            Self::Working => 1,
            Self::Shipping => 19,
        }
    }

    /// Returns the words per block: small blocks are quick to probe, large ones compress better.
    /// Files of six pieces have larger ones, or their lists of blocks would take hundreds of
    /// megabytes.
    const fn block_words(self, total_words: usize) -> usize {
        match self {
            Self::Working if total_words > LARGE_WORDS => 256,
            Self::Working => 32,
            Self::Shipping => 8192,
        }
    }
}

/// Returns the name of a table's file.
pub(crate) fn file_name(catalog: &Catalog, key: &MaterialKey) -> String {
    format!("{}.{}{}.egt", catalog.name(key), catalog.rules.metric, rules_suffix(&catalog.rules))
}

fn rules_suffix(rules: &Rules) -> String {
    let mut text = String::new();
    if rules.null_move {
        text.push_str("-0");
    }
    match rules.stalemate {
        Stalemate::Draw => {}
        Stalemate::Win => text.push_str("-s"),
        Stalemate::Pass => text.push_str("-p"),
    }
    if rules.bare_loses {
        text.push_str("-b");
    }
    if !rules.promotions.is_empty() {
        text.push('=');
        text.push_str(&rules.promotions);
    }
    text
}

/// Folder of table files.
#[derive(Clone, Copy)]
pub(crate) struct Store<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) folder: &'a Path,
}

impl Store<'_> {
    /// Returns the file of a table.
    pub(crate) fn path(&self, key: &MaterialKey) -> PathBuf {
        self.folder.join(file_name(self.catalog, key))
    }

    /// Writes a whole table; returns the size of the file in bytes. A file of other pieces or rules, which the name does
    /// not contain, is kept.
    pub(crate) fn save(
        &self,
        key: &MaterialKey,
        table: &SolvedTable,
        compression: Compression,
    ) -> Result<u64, StoreError> {
        let bytes = codec::write(self.catalog, key, table, compression)
            .map_err(|error| StoreError::Io(self.path(key), error))?;
        // Two sessions of one process may have solved the same sub-ending, and would share the
        // temporary file.
        let _turn = lock(&WRITES);
        if let Err(StoreError::Other(path, _)) = self.open(key, UNPACK_CACHE_BYTES) {
            return Err(StoreError::Unsaved(format!(
                "{}: a table of other pieces, other rules or another version is there and is not overwritten: remove it, \
                 or choose another folder",
                path.display()
            )));
        }
        write_whole(&self.path(key), |out| out.write_all(&bytes))
            .map_err(|error| StoreError::Io(error.path, error.source))?;
        Ok(bytes.len() as u64)
    }

    /// Returns the file of an unfinished table, which is written at most once per `every`; see
    /// [`PartFile::new`].
    pub(crate) fn part_file<'f>(
        &self,
        key: &MaterialKey,
        every: Duration,
        fault: &'f dyn Fn(String),
    ) -> PartFile<'f> {
        let path = self.folder.join(format!("{}.part", file_name(self.catalog, key)));
        PartFile::new(path, self.identity(key), every, fault)
    }

    /// Returns all that identifies a table; see [`header::identity`].
    pub(crate) fn identity(&self, key: &MaterialKey) -> Vec<u8> {
        header::identity(self.catalog, key, &self.catalog.layout(key))
    }

    /// Reads a table into memory. `solved` returns the tables of its sub-endings; omitted wins are
    /// computed from them.
    pub(crate) fn load(
        &self,
        key: &MaterialKey,
        solved: &dyn Fn(&MaterialKey) -> Option<Arc<SolvedTable>>,
    ) -> Result<SolvedTable, StoreError> {
        let file = self.open(key, UNPACK_CACHE_BYTES)?;
        let table = file.unpack()?;
        if !file.is_lost_only() {
            return Ok(table);
        }
        let path = self.path(key);
        if self.catalog.converted(key).iter().any(|(after, _)| solved(after).is_none()) {
            let why = "its sub-endings are not loaded".to_owned();
            return Err(StoreError::Other(path, why));
        }
        let endgame = Endgame::new(self.catalog, key, table.layout.clone(), &[], solved);
        let (outcomes, losses) =
            (table.outcomes.clone(), table.lost_in.unwrap_or(Depths::Narrow(Vec::new())));
        let whole = match losses {
            Depths::Narrow(slices) => complete::<u8>(&endgame, table.lost, slices),
            Depths::Wide(slices) => complete::<u16>(&endgame, table.lost, slices),
        };
        if whole.outcomes.won != outcomes.won || whole.outcomes.won_in != outcomes.won_in {
            let why = "its wins do not follow from its losses and sub-endings".to_owned();
            return Err(StoreError::Damaged(path, why));
        }
        Ok(whole)
    }

    /// Opens a table for probing through a cache of at most `cache_bytes`.
    pub(crate) fn open(
        &self,
        key: &MaterialKey,
        cache_bytes: usize,
    ) -> Result<MappedTable, StoreError> {
        MappedTable::open(self.catalog, key, &self.path(key), cache_bytes)
    }
}
