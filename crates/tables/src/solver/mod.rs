//! Solving: everything that some tables need, sub-endings first.

mod memory;

pub(crate) use memory::{Keeps, estimate_beside, estimate_bytes};

use super::build_options::BuildOptions;
use super::material_key::MaterialKey;
use super::retrograde::{PlyCounts, Retention, Seed, Unfinished, solve};
use super::solved_table::SolvedTable;
use super::store::{Compression, Store, StoreError};
use super::table_set::TableSet;
use memory::{needed, reduce_table, release_unneeded};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use umbrail_control::{OutOfMemory, Stopped};

/// What is reported while tables are built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildEvent {
    /// Work begins.
    Planned {
        /// The most bytes of memory it takes at any time, roughly.
        bytes: u64,
    },
    /// A one-sided table is begun.
    Begun {
        /// The winner's men, a dot, the loser's men.
        name: String,
        /// Number of cells of one side to move.
        cells: u64,
    },
    /// A ply of it is done.
    Ply(PlyCounts),
    /// It is finished.
    Done {
        /// See `Begun`.
        name: String,
        /// The longest win of the attacker, to move, in plies.
        longest: usize,
    },
    /// A file of the folder cannot be used, and its table is computed again: which file, and why.
    Unusable(String),
    /// A finished table could not be written into the folder: which file, and why.
    Unsaved(String),
    /// The state of an unfinished table could not be written into the folder: which file, and why.
    Unkept(String),
}

/// How a solver reports and is stopped.
pub(crate) struct BuildMonitor<'a> {
    pub(crate) check: &'a (dyn Fn() -> Result<(), Stopped> + Sync),
    pub(crate) tell: &'a (dyn Fn(BuildEvent) + Sync),
    /// Gets each table while all of it is in memory; may stop the work.
    pub(crate) finished: Option<Finished<'a>>,
}

/// What is done with each table that is finished.
pub(crate) type Finished<'a> = &'a (dyn Fn(&TableSet, &MaterialKey) -> Result<(), Stopped> + Sync);

/// Why tables were not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The builder was asked to stop.
    Stopped,
    /// A table whose distances take two bytes, which is found out while it is solved, does not fit the memory.
    OutOfMemory(OutOfMemory),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("the build was stopped"),
            Self::OutOfMemory(refused) => refused.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<Stopped> for BuildError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The time between two writings of an unfinished table.
const PART_EVERY: Duration = Duration::from_secs(60);

/// Solves tables and everything they need.
pub(crate) struct Solver<'a> {
    pub(crate) options: &'a BuildOptions,
    pub(crate) monitor: &'a BuildMonitor<'a>,
}

impl Solver<'_> {
    /// Solves tables, each with its seeds, and everything they need. They are counted even when their
    /// attacker can never win. `done` is called after each of them; it returns the keys whose counts are no longer
    /// needed.
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
            // A table that its attacker never wins may have been kept without its counts.
            let serves = |known: &SolvedTable| {
                known.is_whole && (top.is_none() || known.outcomes.loser_legal.full_board > 0)
            };
            if set.get(member).is_some_and(|known| serves(known)) {
                continue;
            }
            let seeds: &[Seed] = top.map_or(&[], |(_, seeds)| seeds);
            // Counts of a table that goes into files are in the files.
            let counts = top.is_some() && finished.is_none();
            let mut from_folder = false;
            let solved = if set.catalog.never_wins(member) && top.is_none() {
                SolvedTable::without_wins(set.catalog.layout(member), member.attacker.len() - 1)
            } else if let Some(kept) = self.load_finished(set, member, seeds).filter(serves) {
                from_folder = true;
                kept
            } else {
                // What goes into a folder must be whole.
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
                (self.monitor.tell)(BuildEvent::Unsaved(error.to_string()));
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

    /// A table that an earlier build, perhaps an interrupted one, left in the folder.
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
                (self.monitor.tell)(BuildEvent::Unusable(error.to_string()));
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
        let BuildMonitor { check, tell, .. } = self.monitor;
        let layout = set.catalog.layout(key);
        let name = set.catalog.name(key);
        let cells = layout.total_words() as u64 * 64;
        tell(BuildEvent::Begun { name: name.clone(), cells });
        let endgame = set.endgame(key, layout, seeds);
        let tell_ply = |counts| tell(BuildEvent::Ply(counts));
        let large = endgame.layout.total_words() >= self.options.part_words;
        let folder = self.options.folder.as_deref().filter(|_| seeds.is_empty() && large);
        let fault = |why| tell(BuildEvent::Unkept(why));
        let mut part = folder.map(|folder| {
            Store { catalog: &set.catalog, folder }.part_file(key, PART_EVERY, &fault)
        });
        let solved = match solve::<u8>(&endgame, keep, check, &tell_ply, part.as_mut()) {
            Err(Unfinished::Overflow) => {
                let wanted = set.held_bytes() + memory::work_bytes(&endgame.layout, keep, true);
                let left = self.options.memory_bytes;
                if wanted > left {
                    return Err(BuildError::OutOfMemory(OutOfMemory { wanted, left }));
                }
                solve::<u16>(&endgame, keep, check, &tell_ply, part.as_mut())
            }
            solved => solved,
        };
        if let (Ok(_), Some(part)) = (&solved, &part) {
            part.remove();
        }
        // 65,534 plies do not overflow: each ply needs a newly decided position, and the deepest
        // six-men win known takes 523.
        let solved = solved.map_err(|_| BuildError::Stopped)?;
        let longest = solved.outcomes.won_in.len().saturating_sub(1);
        tell(BuildEvent::Done { name, longest });
        Ok(solved)
    }
}
