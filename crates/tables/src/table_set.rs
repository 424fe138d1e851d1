//! Tables under one set of rules, found by their pieces: solved ones, and files opened for probing.

mod probe_index;

pub(crate) use probe_index::ProbeResult;

use super::catalog::Catalog;
use super::layout::Layout;
use super::material_key::{KeyMap, KeySides, MaterialKey};
use super::retrograde::{Endgame, Seed};
use super::solved_table::SolvedTable;
use super::store::{Compression, MappedTable, Store, StoreError};
use probe_index::ProbeIndex;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Solved and opened tables under one set of rules.
pub(crate) struct TableSet {
    pub(crate) catalog: Catalog,
    pub(crate) solved: KeyMap<Arc<SolvedTable>>,
    pub(crate) mapped: KeyMap<Arc<MappedTable>>,
    /// Index for probing; built at the first lookup after tables were added or removed.
    pub(crate) probe_index: OnceLock<ProbeIndex>,
}

impl TableSet {
    /// Creates a set without tables.
    pub(crate) fn new(catalog: Catalog) -> Self {
        Self {
            catalog,
            solved: KeyMap::default(),
            mapped: KeyMap::default(),
            probe_index: OnceLock::new(),
        }
    }

    /// Returns the table of a key, if it is solved.
    pub(crate) fn get(&self, key: &MaterialKey) -> Option<&Arc<SolvedTable>> {
        self.solved.get(key)
    }

    /// Returns the table of a key, if it is solved and complete.
    pub(crate) fn whole(&self, key: &MaterialKey) -> Option<&Arc<SolvedTable>> {
        self.get(key).filter(|table| table.is_whole)
    }

    /// Returns the solved table, or the open file, of these pieces.
    pub(crate) fn of(
        &self,
        attacker: &[usize],
        loser: &[usize],
    ) -> (Option<&SolvedTable>, Option<&MappedTable>) {
        let key: &dyn KeySides = &(attacker, loser);
        let solved = self.solved.get(key).map(|table| &**table).filter(|table| table.is_whole);
        let mapped = if solved.is_some() { None } else { self.mapped.get(key) };
        (solved, mapped.map(|file| &**file))
    }

    /// Returns the fault of an open file in which a lookup has met a damaged block.
    pub(crate) fn damage(&self) -> Option<&str> {
        self.mapped.values().find_map(|file| file.damage())
    }

    /// Closes the files in which lookups have met damaged blocks.
    pub(crate) fn close_damaged(&mut self) {
        self.probe_index.take();
        self.mapped.retain(|_, file| file.damage().is_none());
    }

    /// Adds an open file for probing.
    pub(crate) fn insert_mapped(&mut self, key: MaterialKey, mapped: MappedTable) {
        self.probe_index.take();
        self.mapped.insert(key, Arc::new(mapped));
    }

    /// Adds a table, such as a loaded one.
    pub(crate) fn insert(&mut self, key: MaterialKey, solved: Arc<SolvedTable>) {
        self.probe_index.take();
        self.solved.insert(key, solved);
    }

    /// Removes all tables.
    pub(crate) fn forget(&mut self) {
        self.probe_index.take();
        self.solved.clear();
        self.mapped.clear();
    }

    /// Returns all data that the fixpoint of a table needs, with the solved sub-tables.
    pub(crate) fn endgame(&self, key: &MaterialKey, layout: Layout, seeds: &[Seed]) -> Endgame {
        Endgame::new(&self.catalog, key, layout, seeds, &|after| self.get(after).cloned())
    }

    /// Writes a table into a folder; returns the size of the file in bytes.
    pub(crate) fn save(
        &self,
        key: &MaterialKey,
        folder: &Path,
        compression: Compression,
    ) -> Result<u64, StoreError> {
        let Some(table) = self.whole(key) else {
            return Err(StoreError::Unsaved(format!("{} is not built", self.catalog.name(key))));
        };
        self.store(folder).save(key, table, compression)
    }

    /// Reads a table of a folder into memory; its sub-endings must be solved.
    pub(crate) fn load(&self, key: &MaterialKey, folder: &Path) -> Result<SolvedTable, StoreError> {
        self.store(folder).load(key, &|after| self.get(after).cloned())
    }

    /// Opens a table of a folder for probing through a cache of at most `cache_bytes`.
    pub(crate) fn open(
        &self,
        key: &MaterialKey,
        folder: &Path,
        cache_bytes: usize,
    ) -> Result<MappedTable, StoreError> {
        self.store(folder).open(key, cache_bytes)
    }

    fn store<'a>(&'a self, folder: &'a Path) -> Store<'a> {
        Store { catalog: &self.catalog, folder }
    }

    /// Returns the size of solved tables, plus the cache limit of files, in bytes.
    pub(crate) fn held_bytes(&self) -> u64 {
        let solved: u64 = self.solved.values().map(|table| table.bytes()).sum();
        solved + self.mapped.values().map(|file| file.cache_bytes()).sum::<u64>()
    }
}
