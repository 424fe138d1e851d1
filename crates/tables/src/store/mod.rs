//! Tables on disk: one file for each one-sided table, checked, compressed, read by mapping.
//!
//! `docs/tables.md` has the format. Cells of illegal positions are left out, axes are ordered so
//! that sample blocks compress best, blocks carry checksums, and a file is complete or absent: it is
//! written beside its place and moved there. Nothing in a file is trusted.

mod codec;
mod header;
mod mapped_table;
mod part_file;

pub(crate) use codec::Stream;
pub(crate) use mapped_table::MappedTable;
pub(crate) use part_file::PartFile;

use super::solved_table::{Depths, SolvedTable};
use super::table_set::{MaterialKey, TableSet};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be written or read.
#[derive(Debug)]
pub enum StoreError {
    /// The operating system said no.
    Io(PathBuf, io::Error),
    /// The file is no table, or a damaged one.
    Damaged(PathBuf, String),
    /// The file is a table of something else.
    Other(PathBuf, String),
    /// There is nothing to save.
    Unsaved(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Damaged(path, why) => write!(f, "{} is damaged: {why}", path.display()),
            Self::Other(path, why) => write!(f, "{} does not fit: {why}", path.display()),
            Self::Unsaved(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for StoreError {}

/// How hard to compress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Fast, for tables one works with.
    Working,
    /// Small, for tables one keeps or passes on.
    Shipping,
}

impl Compression {
    const fn level(self) -> i32 {
        match self {
            Self::Working => 1,
            Self::Shipping => 19,
        }
    }

    /// Words per block: small blocks are quick to probe, large ones compress better.
    const fn block_words(self) -> usize {
        match self {
            Self::Working => 32,
            Self::Shipping => 8192,
        }
    }
}

impl TableSet {
    /// The name of a table's file.
    pub(crate) fn file_name(&self, key: &MaterialKey) -> String {
        format!("{}.{}{}.egt", self.name(key), self.rules.metric, self.rules_suffix())
    }

    fn rules_suffix(&self) -> String {
        use super::rules::Stalemate;
        let mut text = String::new();
        if self.rules.null_move {
            text.push_str("-0");
        }
        match self.rules.stalemate {
            Stalemate::Draw => {}
            Stalemate::Win => text.push_str("-s"),
            Stalemate::Pass => text.push_str("-p"),
        }
        if self.rules.bare_loses {
            text.push_str("-b");
        }
        if !self.rules.promotions.is_empty() {
            text.push('=');
            text.push_str(&self.rules.promotions);
        }
        text
    }

    /// Writes a table into a folder; returns the bytes of the file.
    pub(crate) fn save(
        &self,
        key: &MaterialKey,
        folder: &Path,
        effort: Compression,
    ) -> Result<u64, StoreError> {
        let Some(table) = self.whole(key) else {
            return Err(StoreError::Unsaved(format!("{} is not built", self.name(key))));
        };
        let path = folder.join(self.file_name(key));
        let bytes = codec::write(self, key, table, effort);
        write_whole(&path, &bytes).map_err(|e| StoreError::Io(path.clone(), e))?;
        Ok(bytes.len() as u64)
    }

    /// The file of an unfinished table in a folder.
    pub(crate) fn part(
        &self,
        key: &MaterialKey,
        folder: &Path,
        every: std::time::Duration,
    ) -> PartFile {
        let path = folder.join(format!("{}.part", self.file_name(key)));
        let identity = header::identity(self, key, &self.layout(key));
        PartFile::new(path, identity, every)
    }

    /// Reads a table of a folder into memory.
    pub(crate) fn load(&self, key: &MaterialKey, folder: &Path) -> Result<SolvedTable, StoreError> {
        let file = self.map(key, folder, 1 << 20)?;
        let table = file.unpack()?;
        if !file.is_lost_only() {
            return Ok(table);
        }
        let path = folder.join(self.file_name(key));
        if self.converted(key).iter().any(|(after, _)| self.get(after).is_none()) {
            let why = "its sub-endings are not loaded".to_owned();
            return Err(StoreError::Other(path, why));
        }
        let endgame = self.endgame(key, table.layout.clone(), &[]);
        let (outcomes, losses) =
            (table.outcomes.clone(), table.lost_in.unwrap_or(Depths::Narrow(Vec::new())));
        let whole = match losses {
            Depths::Narrow(slices) => endgame.complete::<u8>(table.lost, slices),
            Depths::Wide(slices) => endgame.complete::<u16>(table.lost, slices),
        };
        if whole.outcomes.won != outcomes.won || whole.outcomes.won_in != outcomes.won_in {
            let why = "its wins do not follow from its losses and sub-endings".to_owned();
            return Err(StoreError::Damaged(path, why));
        }
        Ok(whole)
    }

    /// Opens a table of a folder for probing with a cache of so many bytes.
    pub(crate) fn map(
        &self,
        key: &MaterialKey,
        folder: &Path,
        cache_bytes: usize,
    ) -> Result<MappedTable, StoreError> {
        let path = folder.join(self.file_name(key));
        MappedTable::open(self, key, &path, cache_bytes)
    }
}

/// The checksum of headers and blocks.
#[cfg(test)]
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

/// Where a file is written before it is moved to its place.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".tmp{}", std::process::id()));
    PathBuf::from(name)
}

/// Removes what processes that are no more have left beside a file. Only where the system lists its
/// processes in `/proc` can they be told from those at work.
fn sweep(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|n| n.to_str()))
    else {
        return;
    };
    let processes = Path::new("/proc");
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    if !processes.join("self").exists() {
        return;
    }
    for entry in entries.flatten() {
        let left = entry.file_name();
        let of = left.to_str().and_then(|left| left.strip_prefix(name)?.strip_prefix(".tmp"));
        let dead = |of: &str| of.parse::<u32>().is_ok() && !processes.join(of).exists();
        if of.is_some_and(dead) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Writes a file beside its place and moves it there, so that it is never seen half-written.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write;
    sweep(path);
    let beside = beside(path);
    let mut file = std::fs::File::create(&beside)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let moved = written.and_then(|()| std::fs::rename(&beside, path));
    if moved.is_err() {
        // The first error is the one worth telling.
        let _ = std::fs::remove_file(&beside);
    }
    moved
}
