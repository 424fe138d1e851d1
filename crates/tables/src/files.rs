//! Files of a tablebase: saves tables, builds them into a folder, and opens them. `store` defines
//! the format.

use super::build_options::BuildOptions;
use super::material::Material;
use super::material_key::MaterialKey;
use super::retrograde::Seed;
use super::solver::{BuildError, BuildEvent, BuildMonitor, Keeps, Solver, estimate_bytes};
use super::store::{Compression, MappedTable, StoreError, file_name};
use super::table_set::TableSet;
use super::tablebase::Tablebase;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use umbrail_chess::geometry::Color;
use umbrail_control::{Budget, Control, OutOfMemory, Stopped, lock};

/// Reason why tables were not built into a folder.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The build was cancelled.
    #[error("the build was stopped")]
    Stopped,
    /// The tables exceed the memory limit.
    #[error("{0}")]
    OutOfMemory(OutOfMemory),
    /// A file cannot be written, or the tables cannot be saved.
    #[error("{0}")]
    Store(StoreError),
}

impl Tablebase {
    /// Saves both directions of the material and all sub-endings into a folder; returns file names
    /// and bytes.
    ///
    /// # Errors
    /// [`StoreError`] when a file cannot be written, the table is seeded, or it is not built.
    pub fn save(
        &mut self,
        folder: &Path,
        effort: Compression,
    ) -> Result<Vec<(String, u64)>, StoreError> {
        self.prepare_folder(folder)?;
        let mut saved = Vec::new();
        let mut done: Vec<MaterialKey> = Vec::new();
        for key in self.keys() {
            for member in self.table_set.catalog.closure(&key) {
                if !done.contains(&member) {
                    let bytes = self.table_set.save(&member, folder, effort)?;
                    saved.push((file_name(&self.table_set.catalog, &member), bytes));
                    done.push(member);
                }
            }
        }
        Ok(saved)
    }

    fn prepare_folder(&self, folder: &Path) -> Result<(), StoreError> {
        if !self.request.seeds.is_empty() {
            let why = "seeded tables are not saved, since their values are not those of the rules";
            return Err(StoreError::Unsaved(why.to_owned()));
        }
        std::fs::create_dir_all(folder).map_err(|e| StoreError::Io(folder.to_owned(), e))
    }

    /// Builds the material and saves each table as soon as it is finished, as [`Tablebase::save`]
    /// does. After that, only data that larger tables look up stays in memory, and at the end
    /// nothing.
    ///
    /// # Errors
    /// [`SaveError`] when the control stops the build, the memory does not suffice, or a file
    /// cannot be written.
    pub fn build_into(
        &mut self,
        folder: &Path,
        effort: Compression,
        memory_bytes: u64,
        control: &Control<'_, BuildEvent>,
    ) -> Result<Vec<(String, u64)>, SaveError> {
        self.prepare_folder(folder).map_err(SaveError::Store)?;
        let keys = self.keys();
        let catalog = &self.table_set.catalog;
        let needs = estimate_bytes(catalog, &keys, Keeps::NeededOfWhole, Some(memory_bytes));
        Budget::new(memory_bytes).take(needs).map_err(SaveError::OutOfMemory)?;
        control.notify(BuildEvent::Planned { bytes: needs });
        let outcome = Mutex::new(Ok(Vec::new()));
        let finished = |table_set: &TableSet, key: &MaterialKey| {
            // A table that was built on disk has its file already.
            let written = table_set.get(key).and_then(|table| table.file_bytes);
            let bytes = match written {
                Some(bytes) => Ok(bytes),
                None => table_set.save(key, folder, effort),
            };
            let mut outcome = lock(&outcome);
            match (bytes, &mut *outcome) {
                (Ok(bytes), Ok(saved)) => saved.push((file_name(&table_set.catalog, key), bytes)),
                (Ok(_), Err(_)) => {}
                (Err(error), outcome) => *outcome = Err(error),
            }
            if outcome.is_err() { Err(Stopped) } else { Ok(()) }
        };
        let options = BuildOptions { counts_only: true, memory_bytes, ..self.options.clone() };
        let (check, notify) = (|| control.check(), |event| control.notify(event));
        let monitor = BuildMonitor {
            check: &check,
            notify: &notify,
            finished: Some(&finished),
            files: Some((folder, effort)),
        };
        let solver = Solver { options: &options, monitor: &monitor };
        let mut tops: Vec<(MaterialKey, Vec<Seed>)> =
            keys.into_iter().map(|k| (k, Vec::new())).collect();
        tops.dedup_by(|a, b| a.0 == b.0);
        let set = &mut self.table_set;
        let built = control.pool.install(|| solver.solve(set, &tops, &mut |_| Vec::new()));
        let saved = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
        let saved = saved.map_err(SaveError::Store)?;
        built.map_err(|why| match why {
            BuildError::Stopped => SaveError::Stopped,
            BuildError::OutOfMemory(refused) => SaveError::OutOfMemory(refused),
            BuildError::Files(why) => SaveError::Store(StoreError::Unsaved(why)),
        })?;
        Ok(saved)
    }

    /// Opens the material's files in a folder. `into_memory` unpacks them; otherwise they are
    /// mapped and probed through caches of `cache_bytes` in total.
    ///
    /// # Errors
    /// [`StoreError`] when a file is absent, damaged, or of other pieces or rules.
    pub fn load(
        &mut self,
        folder: &Path,
        into_memory: bool,
        cache_bytes: usize,
    ) -> Result<(), StoreError> {
        let material = self.material().clone();
        self.load_also(&material, folder, into_memory, cache_bytes)
    }

    /// Opens the files of another material in addition to the existing tables, as
    /// [`Tablebase::load`] does. On failure, files opened earlier stay open.
    ///
    /// # Errors
    /// Those of [`Tablebase::load`].
    pub fn load_also(
        &mut self,
        material: &Material,
        folder: &Path,
        into_memory: bool,
        cache_bytes: usize,
    ) -> Result<(), StoreError> {
        let mut members = self.members(material);
        if !into_memory {
            members
                .retain(|key| matches!(self.table_set.of(&key.attacker, &key.loser), (None, None)));
        }
        let share = cache_bytes / members.len().max(1);
        for member in members {
            if into_memory {
                let solved = self.table_set.load(&member, folder)?;
                self.table_set.insert(member, Arc::new(solved));
            } else {
                let mapped = self.table_set.open(&member, folder, share)?;
                self.table_set.insert_mapped(member, mapped);
            }
        }
        Ok(())
    }

    /// Returns every one-sided table that both directions of a material need, sub-endings first.
    fn members(&mut self, material: &Material) -> Vec<MaterialKey> {
        let keys = Color::ALL.map(|color| self.table_set.catalog.key(material, color));
        let mut members: Vec<MaterialKey> = Vec::new();
        for member in keys.iter().flat_map(|k| self.table_set.catalog.closure(k)) {
            if !members.contains(&member) {
                members.push(member);
            }
        }
        members
    }

    /// Returns true when an opened file of the material is of the small kind, without wins and with
    /// large blocks. A lookup in it takes milliseconds, and the file is better loaded into memory.
    pub fn is_slow(&mut self, material: &Material) -> bool {
        let members = self.members(material);
        let opened = |key: &MaterialKey| self.table_set.of(&key.attacker, &key.loser).1;
        members.iter().filter_map(opened).any(MappedTable::is_lost_only)
    }
}
