//! Solver: computes the requested tables and all their sub-endings, sub-endings first.

mod memory;
mod paged;

pub(crate) use memory::{Keeps, estimate_beside, estimate_bytes};

use super::build_options::BuildOptions;
use super::material_key::MaterialKey;
use super::retrograde::{PartDone, PlyCounts, Retention, Seed, Unfinished, solve};
use super::solved_table::SolvedTable;
use super::store::{Compression, Store, StoreError};
use super::table_set::TableSet;
use memory::{needed, reduce_table, release_unneeded};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use umbrail_control::{OutOfMemory, Stopped};

/// Progress event of a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildEvent {
    /// The build starts.
    Planned {
        /// Estimated peak memory, in bytes.
        bytes: u64,
    },
    /// Work on a one-sided table begins.
    Started {
        /// Winner's pieces, a dot, the loser's pieces.
        name: String,
        /// Number of positions of one side to move.
        cells: u64,
    },
    /// A ply of the table is finished.
    Ply(PlyCounts),
    /// A part of a step of a table that is built on disk is finished.
    Part(PartDone),
    /// The table is finished.
    Done {
        /// Name of the table, as in `Started`.
        name: String,
        /// Longest win with the attacker to move, in plies.
        longest: usize,
    },
    /// A file of the folder cannot be used, and its table is computed again: file and reason.
    Unusable(String),
    /// A finished table could not be written into the folder: file and reason.
    Unsaved(String),
    /// The build was stopped, and the next one goes on from these files: table and file.
    Kept(String, String),
    /// The state of an unfinished table could not be written into the folder: file and reason.
    Unkept(String),
}

/// Progress reporting and cancellation of a solver.
pub(crate) struct BuildMonitor<'a> {
    pub(crate) check: &'a (dyn Fn() -> Result<(), Stopped> + Sync),
    pub(crate) notify: &'a (dyn Fn(BuildEvent) + Sync),
    /// Receives each table while it is entirely in memory; may stop the build.
    pub(crate) finished: Option<Finished<'a>>,
    /// Folder and effort of the files that `finished` writes, if it does.
    pub(crate) files: Option<(&'a Path, Compression)>,
}

/// Callback for each finished table.
pub(crate) type Finished<'a> = &'a (dyn Fn(&TableSet, &MaterialKey) -> Result<(), Stopped> + Sync);

/// Reason why tables were not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The build was cancelled.
    #[error("the build was stopped")]
    Stopped,
    /// The memory limit is too low for a table whose distances turned out to need two bytes while
    /// it was solved.
    #[error("{0}")]
    OutOfMemory(OutOfMemory),
    /// Files of a table that is built on disk could not be written or read: file and reason.
    #[error("{0}")]
    Files(String),
}

impl From<Stopped> for BuildError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// Interval between two writes of an unfinished table.
const PART_EVERY: Duration = Duration::from_secs(60);

/// Builds the requested tables, their sub-endings first; loads those that are already on disk.
pub(crate) struct Solver<'a> {
    pub(crate) options: &'a BuildOptions,
    pub(crate) monitor: &'a BuildMonitor<'a>,
}

impl Solver<'_> {
    /// Solves tables, each with its seeds, and all their sub-endings. The tables are counted even
    /// when their attacker can never win. `done` is called after each of them; it returns the keys
    /// whose counts are no longer needed.
    pub(crate) fn solve(
        &self,
        set: &mut TableSet,
        tops: &[(MaterialKey, Vec<Seed>)],
        done: &mut (dyn FnMut(&TableSet) -> Vec<MaterialKey> + Send),
    ) -> Result<(), BuildError> {
        let (lean, finished) = (self.options.counts_only, self.monitor.finished);
        let mut counted: Vec<MaterialKey> = tops.iter().map(|(key, _)| key.clone()).collect();
        let mut members = Vec::new();
        for (key, _) in tops {
            set.catalog.collect(key, &mut members);
        }
        for (number, member) in members.iter().enumerate() {
            if lean {
                release_unneeded(set, &members, number, &counted);
            }
            let top = tops.iter().find(|(key, _)| key == member);
            // A table that its attacker never wins may be present without its counts.
            let serves = |known: &SolvedTable| {
                known.is_whole && (top.is_none() || known.outcomes.loser_legal.full_board > 0)
            };
            if set.get(member).is_some_and(|known| serves(known)) {
                continue;
            }
            let seeds: &[Seed] = top.map_or(&[], |(_, seeds)| seeds);
            // The counts of a saved table are in its file.
            let counts = top.is_some() && finished.is_none();
            let mut from_folder = false;
            let page = self.page(set, (tops, &members), member, seeds);
            let solved = if let Some((folder, effort)) = page {
                self.compute_paged(set, member, folder, effort)?
            } else if set.catalog.never_wins(member) && top.is_none() {
                SolvedTable::without_wins(set.catalog.layout(member), member.attacker.len() - 1)
            } else if let Some(kept) = self.load_finished(set, member, seeds).filter(serves) {
                from_folder = true;
                kept
            } else {
                // Tables for a folder must be whole.
                let whole = !lean || self.options.folder.is_some() || finished.is_some();
                let keep = if whole {
                    Retention::All
                } else {
                    needed(&set.catalog, &members[number + 1..], member, counts)
                };
                self.compute(set, member, seeds, &keep)?
            };
            let fresh = solved.is_whole;
            set.insert(member.clone(), Arc::new(solved));
            if let Some(folder) = &self.options.folder
                && fresh
                && seeds.is_empty()
                && !from_folder
                && let Err(error) = set.save(member, folder, Compression::Working)
            {
                (self.monitor.notify)(BuildEvent::Unsaved(error.to_string()));
            }
            if let Some(finished) = finished {
                finished(set, member)?;
            }
            if lean && fresh {
                let keep = needed(&set.catalog, &members[number + 1..], member, counts);
                reduce_table(set, member, &keep);
            }
            if top.is_some() {
                let released = done(set);
                counted.retain(|key| !released.contains(key));
            }
        }
        if lean {
            release_unneeded(set, &members, members.len(), &counted);
        }
        Ok(())
    }

    /// Loads a table that an earlier build, possibly interrupted, left in the folder.
    fn load_finished(
        &self,
        set: &TableSet,
        key: &MaterialKey,
        seeds: &[Seed],
    ) -> Option<SolvedTable> {
        let folder = self.options.folder.as_deref().filter(|_| seeds.is_empty())?;
        match set.load(key, folder) {
            Ok(table) => Some(table),
            Err(StoreError::Io(_, error)) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                (self.monitor.notify)(BuildEvent::Unusable(error.to_string()));
                None
            }
        }
    }

    fn compute(
        &self,
        set: &TableSet,
        key: &MaterialKey,
        seeds: &[Seed],
        keep: &Retention,
    ) -> Result<SolvedTable, BuildError> {
        let BuildMonitor { check, notify, .. } = self.monitor;
        let layout = set.catalog.layout(key);
        let name = set.catalog.name(key);
        let cells = layout.total_words() as u64 * 64;
        notify(BuildEvent::Started { name: name.clone(), cells });
        let endgame = set.endgame(key, layout, seeds);
        let notify_ply = |counts| notify(BuildEvent::Ply(counts));
        let large = endgame.layout.total_words() >= self.options.part_words;
        let folder = self.options.folder.as_deref().filter(|_| seeds.is_empty() && large);
        let fault = |why| notify(BuildEvent::Unkept(why));
        let mut part = folder.map(|folder| {
            Store { catalog: &set.catalog, folder }.part_file(key, PART_EVERY, &fault)
        });
        let solved = match solve::<u8>(&endgame, keep, check, &notify_ply, part.as_mut()) {
            Err(Unfinished::Overflow) => {
                let wanted = set.held_bytes() + memory::work_bytes(&endgame.layout, keep, true);
                let left = self.options.memory_bytes;
                if wanted > left {
                    return Err(BuildError::OutOfMemory(OutOfMemory { wanted, left }));
                }
                solve::<u16>(&endgame, keep, check, &notify_ply, part.as_mut())
            }
            solved => solved,
        };
        if let (Ok(_), Some(part)) = (&solved, &part) {
            part.remove();
        }
        // 65,534 plies do not overflow: each ply needs a newly decided position, and the deepest
        // known six-piece win takes 523.
        let solved = solved.map_err(|_| BuildError::Stopped)?;
        let longest = solved.outcomes.won_in.len().saturating_sub(1);
        notify(BuildEvent::Done { name, longest });
        Ok(solved)
    }
}
