//! Tables that are built on disk because they do not fit into memory.

use super::memory::{PIECES_BYTES, may_page, work_bytes};
use super::{BuildError, BuildEvent, BuildMonitor, Solver};
use crate::beyond::DISK_BYTES;
use crate::disk::free_bytes;
use crate::material_key::MaterialKey;
use crate::retrograde::{Halt, PagedJob, Plan, Retention, Seed, least_bytes, solve_paged};
use crate::solved_table::SolvedTable;
use crate::store::{Compression, Store, StoreError, Streamed, Unwritten};
use crate::table_set::TableSet;
use std::path::Path;
use umbrail_control::OutOfMemory;

impl Solver<'_> {
    /// Returns the folder and effort of a table that is to be built on disk: it may be, the memory
    /// does not suffice, and there is a folder.
    pub(super) fn page(
        &self,
        set: &TableSet,
        (tops, members): (&[(MaterialKey, Vec<Seed>)], &[MaterialKey]),
        key: &MaterialKey,
        seeds: &[Seed],
    ) -> Option<(&Path, Compression)> {
        let own = self.options.folder.as_deref().map(|folder| (folder, Compression::Working));
        let files = self.monitor.files.or(own)?;
        let tops: Vec<MaterialKey> = tops.iter().map(|(key, _)| key.clone()).collect();
        let layout = set.catalog.layout(key);
        let needs = work_bytes(&layout, &Retention::All, false).saturating_add(set.held_bytes());
        let paged = self.options.counts_only
            && seeds.is_empty()
            && needs.saturating_add(PIECES_BYTES) > self.options.memory_bytes
            && may_page(&set.catalog, &tops, members, key);
        paged.then_some(files)
    }

    /// Builds a table into its file, or counts the file of an earlier build.
    pub(super) fn compute_paged(
        &self,
        set: &TableSet,
        key: &MaterialKey,
        folder: &Path,
        effort: Compression,
    ) -> Result<SolvedTable, BuildError> {
        let BuildMonitor { check, notify, .. } = self.monitor;
        let files = |error: StoreError| {
            BuildError::Files(match &error {
                StoreError::Damaged(..) => {
                    format!("{error}; without the file the build starts over")
                }
                StoreError::Other(..) => {
                    format!("{error}; it is kept, and another folder is needed for this build")
                }
                _ => format!("{error}; the same command resumes after the last finished ply"),
            })
        };
        match set.open(key, folder, 0) {
            Ok(file) => match file.summary(check)? {
                Ok(table) => return Ok(table),
                Err(error) => notify(BuildEvent::Unusable(error.to_string())),
            },
            Err(StoreError::Io(_, error)) if error.kind() == std::io::ErrorKind::NotFound => {}
            // A file of other pieces or rules is not overwritten.
            Err(error @ StoreError::Other(..)) => return Err(BuildError::Files(error.to_string())),
            Err(error) => notify(BuildEvent::Unusable(error.to_string())),
        }
        let layout = set.catalog.layout(key);
        let left = self.options.memory_bytes.saturating_sub(set.held_bytes() + PIECES_BYTES);
        let wanted = least_bytes(&layout);
        if wanted > left {
            return Err(BuildError::OutOfMemory(OutOfMemory { wanted, left }));
        }
        let (name, cells) = (set.catalog.name(key), layout.total_words() as u64 * 64);
        let store = Store { catalog: &set.catalog, folder };
        let path = store.path(key);
        self.check_disk(&name, cells, &path)?;
        notify(BuildEvent::Started { name: name.clone(), cells });
        let plan = Plan::new(&layout, left, rayon::current_num_threads());
        let endgame = set.endgame(key, layout, &[]);
        let notify_ply = |counts| notify(BuildEvent::Ply(counts));
        let notify_part = |part| notify(BuildEvent::Part(part));
        let unusable = |why| notify(BuildEvent::Unusable(why));
        let run = solve_paged(PagedJob {
            endgame: &endgame,
            plan,
            path: &path,
            identity: store.identity(key),
            check,
            notify: &notify_ply,
            notify_part: &notify_part,
            unusable: &unusable,
        });
        let halted = |halt| match halt {
            Halt::Stopped => {
                let file = path.display().to_string();
                if Path::new(&format!("{file}.run")).exists() {
                    notify(BuildEvent::Kept(name.clone(), file));
                }
                BuildError::Stopped
            }
            Halt::Files(error) => files(error.into()),
        };
        let mut run = run.map_err(halted)?;
        let mut table = run.count().map_err(halted)?;
        let streamed = Streamed { catalog: &set.catalog, key, table: &table, log: &run, check };
        let bytes = streamed.write(&path, effort).map_err(|why| match why {
            Unwritten::Stopped => halted(Halt::Stopped),
            Unwritten::Store(error) => files(error),
        })?;
        run.remove();
        table.file_bytes = Some(bytes);
        let longest = table.outcomes.won_in.len().saturating_sub(1);
        notify(BuildEvent::Done { name, longest });
        Ok(table)
    }

    /// Refuses a build into a folder that cannot be written, or for which the disk is too small.
    /// The files of an earlier build count as free.
    fn check_disk(&self, name: &str, cells: u64, path: &Path) -> Result<(), BuildError> {
        let wanted = (cells as f64 * DISK_BYTES) as u64;
        // A file system that cannot be written has no free space, either, which would be
        // misleading.
        let trial = path.with_extension(format!("trial{}", std::process::id()));
        let tried = std::fs::File::create(&trial).and_then(|_| std::fs::remove_file(&trial));
        tried.map_err(|error| {
            let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
            BuildError::Files(StoreError::Io(folder, error).to_string())
        })?;
        let mut log = path.as_os_str().to_owned();
        log.push(".log");
        let used = std::fs::metadata(log).map_or(0, |data| data.len());
        let folder = path.parent().unwrap_or(Path::new("."));
        match free_bytes(folder) {
            Some(free) if free.saturating_add(used) < wanted => {
                let mib = |bytes: u64| bytes.div_ceil(1 << 20);
                Err(BuildError::Files(format!(
                    "{name} needs about {} MiB of disk space in {}, where {} MiB are free",
                    mib(wanted),
                    folder.display(),
                    free >> 20
                )))
            }
            _ => Ok(()),
        }
    }
}
