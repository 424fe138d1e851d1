//! Tables that do not fit into memory: their sets are paged, and their distances are a log.
//!
//! This is the builder of `fixpoint` for tables without pawns, on one slice at a time for each
//! worker. New wins and losses of a ply are appended to a log on disk, packed. The log is the
//! record of all distances, the input of the next ply, and, with a small manifest after each ply,
//! the checkpoint. Of a slice, a ply needs `safe`, `open` and one working set; the wins and losses
//! of the ply before are read from the log in windows.
//!
//! No distance is in memory. Conversions are lists by ply:
//! - Winning ones are candidates for wins at the ply of their value. A position that was won before
//!   is no longer `safe`, so a candidate never counts twice.
//! - A position whose conversions all lose cannot be lost before the longest of them. It enters
//!   `open` at that ply, and is tested then and whenever a quiet move of it newly loses.
//!
//! The table file is written from the log, in as many passes as the memory requires.

mod block;
mod error;
mod finish;
mod log;
mod manifest;
mod plan;
mod ply;
mod replay;
mod sets;
#[cfg(test)]
mod tests;

pub(crate) use error::{Halt, PagedError};
pub(crate) use plan::{Plan, can_page, least_bytes};
pub(crate) use replay::{Replay, squares};

use super::pending::PLY_MAX;
use super::slice::SliceCounts;
use super::{Endgame, PartDone, PlyCounts};
use log::{Index, Log, LogEntry, SetKind};
use manifest::Manifest;
use ply::{SliceWorker, neighbors};
use sets::Sets;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use umbrail_control::{Stopped, lock};

/// Interval between two reports of finished parts.
const REPORT_EVERY: Duration = Duration::from_secs(1);

/// Division of the words of a slice into windows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Windows {
    /// Words of a slice.
    words: usize,
    /// Words of a window; a multiple of those of a row.
    each: usize,
}

impl Windows {
    fn count(self) -> usize {
        self.words.div_ceil(self.each)
    }

    fn range(self, window: usize) -> std::ops::Range<usize> {
        window * self.each..((window + 1) * self.each).min(self.words)
    }
}

/// Job of a build: the table, where its files are, and whom to tell.
pub(crate) struct PagedJob<'a> {
    pub(crate) endgame: &'a Endgame,
    pub(crate) plan: Plan,
    /// File of the finished table; those of the build are beside it.
    pub(crate) path: &'a Path,
    /// All that identifies the table.
    pub(crate) identity: Vec<u8>,
    pub(crate) check: &'a (dyn Fn() -> Result<(), Stopped> + Sync),
    pub(crate) notify: &'a (dyn Fn(PlyCounts) + Sync),
    /// Receives the share of a step that is done, at most once in a second.
    pub(crate) notify_part: &'a (dyn Fn(PartDone) + Sync),
    /// Receives the reason why files of an earlier build are not used.
    pub(crate) unusable: &'a dyn Fn(String),
}

/// A build with its files.
pub(crate) struct PagedRun<'a> {
    endgame: &'a Endgame,
    plan: Plan,
    windows: Windows,
    path: PathBuf,
    log: Log,
    index: Index,
    manifest: Manifest,
    sets: Sets,
    /// For each slice, those from which the attacker's royal comes.
    neighbors: Vec<Vec<usize>>,
    check: &'a (dyn Fn() -> Result<(), Stopped> + Sync),
    notify_part: &'a (dyn Fn(PartDone) + Sync),
    /// Time of the last report of a part.
    reported: Mutex<Instant>,
}

/// Computes all plies of a table; goes on after the last finished ply of an earlier build.
pub(crate) fn solve<'a>(job: PagedJob<'a>) -> Result<PagedRun<'a>, Halt> {
    let mut run = PagedRun::open(&job)?;
    let mut workers = Vec::new();
    for _ in 0..run.plan.workers {
        workers.push(SliceWorker::new(run.windows).map_err(|error| run.fault(error))?);
    }
    run.prepare_all(&mut workers)?;
    if run.manifest.ply == 0 {
        (job.notify)(run.counts(0));
    }
    let restore = |run: &PagedRun<'_>, worker: &mut SliceWorker, slice| run.restore(worker, slice);
    run.each_slice(None, &mut workers, |_| true, restore, |_, ()| Ok(()))?;
    let last = |kind| run.index.last(kind).unwrap_or(0);
    let horizon = last(SetKind::Due).max(last(SetKind::Hold));
    loop {
        let PlyCounts { ply, lost, won } = run.counts(run.manifest.ply as usize);
        if lost == 0 && won == 0 && ply >= horizon {
            return Ok(run);
        }
        if ply + 1 > PLY_MAX {
            return Err(PagedError::TooLong(run.path, ply).into());
        }
        let entries = Mutex::new(Vec::new());
        run.each_slice(
            Some(ply + 1),
            &mut workers,
            |_| true,
            |run, worker, slice| run.ply(worker, slice, ply + 1),
            |_, own: Vec<LogEntry>| {
                lock(&entries).extend(own);
                Ok(())
            },
        )?;
        let mut manifest = std::mem::take(&mut run.manifest);
        manifest.ply += 1;
        let entries = entries.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        run.index.add(&entries);
        run.save(&mut manifest, &entries)?;
        run.manifest = manifest;
        (job.notify)(run.counts(ply + 1));
    }
}

impl<'a> PagedRun<'a> {
    /// Opens the files of an earlier build, or creates new ones.
    fn open(job: &PagedJob<'a>) -> Result<Self, Halt> {
        match Self::resume(job) {
            Ok(Some(run)) => return Ok(run),
            Ok(None) => {}
            Err(Halt::Files(error @ PagedError::Damaged(..))) => {
                (job.unusable)(error.to_string());
            }
            Err(halt) => return Err(halt),
        }
        let log = Log::open(&log_path(job.path))?;
        let slices = job.endgame.layout.homes.len();
        remove_manifest_and_sets(job.path, slices);
        log.cut(0)?;
        let identity = job.whole_identity();
        let manifest = Manifest { identity, prepared: vec![None; slices], ..Manifest::default() };
        Self::with(job, manifest, log)
    }

    fn resume(job: &PagedJob<'a>) -> Result<Option<Self>, Halt> {
        // The lock of the log protects the other files, too.
        let log = Log::open(&log_path(job.path))?;
        let manifest = Manifest::read(&manifest_path(job.path), &job.whole_identity())?;
        let Some(manifest) = manifest else { return Ok(None) };
        if manifest.prepared.len() != job.endgame.layout.homes.len() {
            let why = "it has another number of slices".to_owned();
            return Err(PagedError::Damaged(manifest_path(job.path), why).into());
        }
        let length = manifest.length;
        log.cut(length)?;
        let mut run = Self::with(job, manifest, log)?;
        for &place in &run.manifest.indices {
            let entries = run.log.read_index(place)?;
            let known = |entry: &LogEntry| {
                usize::from(entry.slice) < run.manifest.prepared.len()
                    && (entry.block.window as usize) < run.windows.count()
                    && entry.block.offset + u64::from(entry.block.length) <= length
            };
            if !entries.iter().all(known) {
                let why = "an index names places outside of it".to_owned();
                return Err(PagedError::Damaged(run.log.path.clone(), why).into());
            }
            run.index.add(&entries);
        }
        Ok(Some(run))
    }

    fn with(job: &PagedJob<'a>, manifest: Manifest, log: Log) -> Result<Self, Halt> {
        let layout = &job.endgame.layout;
        let windows = job.windows();
        let slices = layout.homes.len();
        Ok(Self {
            endgame: job.endgame,
            plan: job.plan.clone(),
            windows,
            path: job.path.to_owned(),
            log,
            index: Index::default(),
            manifest,
            sets: Sets::new(slices, windows, job.plan.residents, job.path)?,
            neighbors: (0..slices).map(|slice| neighbors(job.endgame, slice)).collect(),
            check: job.check,
            notify_part: job.notify_part,
            reported: Mutex::new(Instant::now()),
        })
    }

    /// Prepares the slices that are not prepared yet.
    fn prepare_all(&mut self, workers: &mut [SliceWorker]) -> Result<(), Halt> {
        let left: Vec<bool> = self.manifest.prepared.iter().map(Option::is_none).collect();
        let state = Mutex::new((std::mem::take(&mut self.manifest), Vec::new()));
        let done = |slice: usize, (counts, entries): (SliceCounts, Vec<LogEntry>)| {
            let (manifest, all) = &mut *lock(&state);
            manifest.prepared[slice] = Some(counts);
            self.save(manifest, &entries)?;
            all.extend(entries);
            Ok(())
        };
        let prepare =
            |run: &PagedRun<'_>, worker: &mut SliceWorker, slice| run.prepare(worker, slice);
        let prepared = self.each_slice(Some(0), workers, |slice| left[slice], prepare, done);
        let state = state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.manifest = state.0;
        self.index.add(&state.1);
        prepared
    }

    /// Writes the index of a step, then the manifest.
    fn save(&self, manifest: &mut Manifest, entries: &[LogEntry]) -> Result<(), Halt> {
        manifest.indices.push(self.log.append_index(entries)?);
        manifest.length = self.log.length();
        self.log.sync()?;
        Ok(manifest.write(&manifest_path(&self.path))?)
    }

    /// Lets the workers share the slices; `done` receives each result.
    fn each_slice<T: Send>(
        &self,
        ply: Option<usize>,
        workers: &mut [SliceWorker],
        wanted: impl Fn(usize) -> bool + Sync,
        work: impl Fn(&Self, &mut SliceWorker, usize) -> Result<T, Halt> + Sync,
        done: impl Fn(usize, T) -> Result<(), Halt> + Sync,
    ) -> Result<(), Halt> {
        let (next, slices) = (AtomicUsize::new(0), self.endgame.layout.homes.len());
        let finished = AtomicUsize::new(0);
        let halt: Mutex<Option<Halt>> = Mutex::new(None);
        rayon::scope(|scope| {
            for worker in workers {
                scope.spawn(|_| {
                    loop {
                        // Relaxed ordering suffices: the number guards no other data.
                        let slice = next.fetch_add(1, Ordering::Relaxed);
                        if slice >= slices || lock(&halt).is_some() {
                            return;
                        }
                        if !wanted(slice) {
                            finished.fetch_add(1, Ordering::Relaxed);
                            continue;
                        }
                        let result = work(self, worker, slice).and_then(|r| done(slice, r));
                        if let Err(why) = result {
                            // The first reason is reported.
                            lock(&halt).get_or_insert(why);
                            return;
                        }
                        self.report(ply, finished.fetch_add(1, Ordering::Relaxed) + 1);
                    }
                });
            }
        });
        halt.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).map_or(Ok(()), Err)
    }

    /// Reports the finished slices of a step, unless the last report was a moment ago.
    fn report(&self, ply: Option<usize>, done: usize) {
        let mut reported = lock(&self.reported);
        if reported.elapsed() >= REPORT_EVERY {
            *reported = Instant::now();
            let (total, disk_bytes) = (self.endgame.layout.homes.len(), self.disk_bytes());
            (self.notify_part)(PartDone { ply, done, total, disk_bytes });
        }
    }

    fn disk_bytes(&self) -> u64 {
        self.log.length() + self.sets.disk_bytes()
    }

    /// Returns the numbers of stored positions that a ply decided.
    fn counts(&self, ply: usize) -> PlyCounts {
        let slices = 0..self.endgame.layout.homes.len();
        let sum =
            |kind| slices.clone().map(|slice| self.index.count(kind, slice, ply)).sum::<u64>();
        PlyCounts { ply, lost: sum(SetKind::Lost), won: sum(SetKind::Won) }
    }

    /// Removes the files of the build.
    pub(crate) fn remove(self) {
        let (path, slices) = (self.path.clone(), self.endgame.layout.homes.len());
        drop(self);
        remove(&path, slices);
    }
}

impl PagedJob<'_> {
    fn windows(&self) -> Windows {
        Windows { words: self.endgame.layout.words, each: self.plan.window }
    }

    /// Returns the identity of the build: the table, the index of its positions and the windows.
    fn whole_identity(&self) -> Vec<u8> {
        let Windows { words, each } = self.windows();
        let numbers = [words as u64, each as u64].into_iter().flat_map(u64::to_le_bytes);
        self.identity.iter().copied().chain(numbers).collect()
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut file = path.as_os_str().to_owned();
    file.push(end);
    file.into()
}

fn manifest_path(path: &Path) -> PathBuf {
    beside(path, ".run")
}

fn log_path(path: &Path) -> PathBuf {
    beside(path, ".log")
}

/// Removes the files of a build of the table with this file.
fn remove(path: &Path, slices: usize) {
    remove_manifest_and_sets(path, slices);
    let _ = std::fs::remove_file(log_path(path));
}

fn remove_manifest_and_sets(path: &Path, slices: usize) {
    let _ = std::fs::remove_file(manifest_path(path));
    Sets::remove(path, slices);
}
