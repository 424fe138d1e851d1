//! Cache of finished tables, kept between games. A table enters the cache when it is complete, so a
//! lookup never waits for a builder.

use super::config::TableConfig;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use umbrail_control::lock;
use umbrail_tables::{FairyBoard, Rules, Tablebase};

/// A finished table.
pub struct CachedTable {
    /// Name of the endgame, such as `KQ.KR`.
    pub name: String,
    rules: Rules,
    seeded: bool,
    /// Size of the table.
    bytes: u64,
    table: Mutex<Tablebase>,
}

impl CachedTable {
    /// Returns the table, locked only while one position is looked up or counts are gathered.
    pub fn table(&self) -> MutexGuard<'_, Tablebase> {
        // A panic of a reader leaves the table unchanged.
        lock(&self.table)
    }

    /// Returns the rules of the table.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    fn fits(&self, config: &TableConfig) -> bool {
        self.rules == config.rules && self.table().piece_set() == &config.piece_set
    }
}

/// Finished tables; copies share them.
#[derive(Clone, Default)]
pub struct TableCache {
    entries: Arc<Mutex<Vec<Arc<CachedTable>>>>,
}

impl fmt::Debug for TableCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.entries().iter().map(|entry| entry.name.clone()).collect();
        write!(f, "Cabinet({})", names.join(" "))
    }
}

impl PartialEq for TableCache {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.entries, &other.entries)
    }
}

impl Eq for TableCache {}

impl TableCache {
    /// Returns the entries, oldest first.
    pub fn entries(&self) -> Vec<Arc<CachedTable>> {
        lock(&self.entries).clone()
    }

    /// Adds a finished table; replaces one with equal inputs.
    pub fn put(&self, table: Tablebase, seeded: bool) -> Arc<CachedTable> {
        let (name, rules) = (table.material().to_string(), table.rules().clone());
        let bytes = table.held_bytes();
        let entry = Arc::new(CachedTable { name, rules, seeded, bytes, table: Mutex::new(table) });
        let mut entries = lock(&self.entries);
        entries.retain(|old| {
            let same = old.name == entry.name
                && old.rules == entry.rules
                && old.seeded == entry.seeded
                && old.table().piece_set() == entry.table().piece_set();
            !same
        });
        entries.push(Arc::clone(&entry));
        entry
    }

    /// Returns the table of this endgame that was made from this config.
    pub fn named(&self, name: &str, config: &TableConfig) -> Option<Arc<CachedTable>> {
        self.of(name, config).filter(|entry| entry.table().damage().is_none())
    }

    fn of(&self, name: &str, config: &TableConfig) -> Option<Arc<CachedTable>> {
        let wanted = |entry: &Arc<CachedTable>| {
            entry.name == name && entry.seeded == config.is_seeded() && entry.fits(config)
        };
        self.entries().into_iter().find(wanted)
    }

    /// Returns the error in an open file of this endgame, if a lookup has found a damaged block.
    pub fn damage(&self, name: &str, config: &TableConfig) -> Option<String> {
        self.of(name, config)?.table().damage().map(str::to_owned)
    }

    /// Returns a table made from this config that covers a board, preferably a seeded one when the
    /// config has seeds.
    pub fn holding(&self, board: &FairyBoard, config: &TableConfig) -> Option<Arc<CachedTable>> {
        let mut entries = self.entries();
        entries.sort_by_key(|entry| !entry.seeded);
        entries.into_iter().find(|entry| {
            (!entry.seeded || config.is_seeded())
                && entry.fits(config)
                && entry.table().value(board).is_ok()
        })
    }

    /// Returns the bytes that all tables hold.
    pub fn held_bytes(&self) -> u64 {
        self.entries().iter().map(|entry| entry.bytes).sum()
    }

    /// Drops the oldest tables until the rest and a number of bytes fit within a limit; returns the
    /// names of the dropped ones.
    pub fn make_room(&self, bytes: u64, limit: u64) -> Vec<String> {
        let mut entries = lock(&self.entries);
        let mut held: u64 = entries.iter().map(|entry| entry.bytes).sum();
        let mut gone = 0;
        while let Some(oldest) = entries.get(gone)
            && held.saturating_add(bytes) > limit
        {
            held -= oldest.bytes;
            gone += 1;
        }
        entries.drain(..gone).map(|entry| entry.name.clone()).collect()
    }

    /// Drops every table with this name; returns their number.
    pub fn drop_named(&self, name: &str) -> usize {
        let mut entries = lock(&self.entries);
        let before = entries.len();
        entries.retain(|entry| entry.name != name);
        before - entries.len()
    }
}
