//! Runs of a folder: `runs/ID`, some of them in progress in this process.

use super::progress::Progress;
use super::request::RunRequest;
use super::run::{Run, RunState, Worker};
use super::start_error::StartError;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};
use umbrail_control::{lock, write_whole};
use umbrail_session::Options;

/// Maximum number of simultaneous runs in this process.
const WORKERS_MAX: usize = 8;
/// File with the highest numbers of removed runs.
const REMOVED: &str = "removed.json";
/// Maximum number of runs that a list reads.
const LISTED_MAX: usize = 500;
/// Maximum length of a run's name, in letters.
const ID_LENGTH_MAX: usize = 40;
/// Maximum time that the end of the program waits for a run to stop.
const PATIENCE: Duration = Duration::from_millis(1500);

/// All runs.
pub(crate) struct Runs {
    folder: PathBuf,
    options: Options,
    /// Runs in progress.
    workers: Mutex<HashMap<String, Worker>>,
    /// Canceled runs that have not stopped yet. They are removed when they stop, and shown no more.
    canceled: Mutex<HashSet<String>>,
    /// Handle for runs that report their end.
    own: Weak<Self>,
}

/// Returns true for a valid name of a run; only such a name becomes part of a path.
fn is_id(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=ID_LENGTH_MAX).contains(&text.len()) && text.bytes().all(plain)
}

impl Runs {
    /// Opens the runs of this folder; creates the folder if it is missing.
    pub(crate) fn open(folder: &Path, options: Options) -> std::io::Result<Arc<Self>> {
        let folder = folder.join("runs");
        std::fs::create_dir_all(&folder)?;
        let (workers, canceled) = (Mutex::default(), Mutex::default());
        Ok(Arc::new_cyclic(|own| Self { folder, options, workers, canceled, own: own.clone() }))
    }

    fn workers(&self) -> MutexGuard<'_, HashMap<String, Worker>> {
        lock(&self.workers)
    }

    /// Reads the run with this name.
    pub(crate) fn get(&self, id: &str) -> Option<Run> {
        let is_canceled = lock(&self.canceled).contains(id);
        if is_canceled { None } else { self.read(id) }
    }

    /// Reads the run with this name, also a canceled one.
    fn read(&self, id: &str) -> Option<Run> {
        is_id(id).then(|| Run::read(&self.folder.join(id), id)).flatten()
    }

    /// Lists the runs in progress of one kind.
    pub(crate) fn at_work(&self, craft: &str) -> Vec<Run> {
        let mut names: Vec<String> = self.workers().keys().cloned().collect();
        names.sort();
        let runs = names.iter().filter_map(|name| self.get(name));
        runs.filter(|run| run.request.craft() == craft).collect()
    }

    /// Lists all runs, latest first.
    pub(crate) fn list(&self) -> Vec<Run> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
        let named = entries.filter_map(|entry| {
            let entry = entry.ok()?;
            let made = entry.metadata().and_then(|data| data.modified()).ok();
            Some((made, entry.file_name().into_string().ok()?))
        });
        let canceled = lock(&self.canceled).clone();
        let is_shown = |name: &String| is_id(name) && !canceled.contains(name);
        let mut named: Vec<_> = named.filter(|(_, name)| is_shown(name)).collect();
        named.sort_by(|a, b| b.cmp(a));
        let glance = |(_, id): (_, String)| Run::glance(&self.folder.join(&id), &id);
        named.into_iter().take(LISTED_MAX).filter_map(glance).collect()
    }

    /// Starts a new run; returns its name.
    pub(crate) fn begin(&self, request: &RunRequest) -> Result<String, StartError> {
        if self.workers().len() >= WORKERS_MAX {
            return Err(StartError::Full(WORKERS_MAX));
        }
        let id = self.found(request)?;
        self.work(&id, request)?;
        Ok(id)
    }

    /// Creates a run from a file that is moved into its folder under this name, without starting
    /// it; returns the name of the run.
    pub(crate) fn take_in(
        &self,
        request: &RunRequest,
        file: &Path,
        name: &str,
    ) -> Result<String, StartError> {
        let id = self.found(request)?;
        let moved = std::fs::rename(file, self.folder.join(&id).join(name));
        moved.map_err(|source| StartError::Io { path: file.to_owned(), source })?;
        Ok(id)
    }

    /// Creates the folder of a new run; returns its name.
    fn found(&self, request: &RunRequest) -> Result<String, StartError> {
        let fail = |source| StartError::Io { path: self.folder.clone(), source };
        let removed = self.removed_numbers().get(request.craft()).copied().unwrap_or(0);
        for number in removed + 1.. {
            let id = format!("{}-{number}", request.craft());
            let folder = self.folder.join(&id);
            if !folder.exists() && Worker::found(&folder, request).map_err(fail)? {
                return Ok(id);
            }
        }
        Err(StartError::Unknown)
    }

    /// Returns the highest number of a removed run of each kind. Numbers are not given again, so that an old address
    /// does not show another problem.
    fn removed_numbers(&self) -> BTreeMap<String, u64> {
        let text = std::fs::read_to_string(self.folder.join(REMOVED)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Resumes a run.
    pub(crate) fn resume(&self, id: &str) -> Result<(), StartError> {
        let run = self.get(id).ok_or(StartError::Unknown)?;
        match run.state {
            RunState::AtWork => Ok(()),
            _ => self.work(id, &run.request),
        }
    }

    fn work(&self, id: &str, request: &RunRequest) -> Result<(), StartError> {
        let mut workers = self.workers();
        if workers.len() >= WORKERS_MAX {
            return Err(StartError::Full(WORKERS_MAX));
        }
        let (own, name) = (self.own.clone(), id.to_owned());
        let gone = move || {
            if let Some(runs) = own.upgrade() {
                // The lock is released here, after the last record was written.
                let worker = runs.workers().remove(&name);
                drop(worker);
                let is_canceled = lock(&runs.canceled).contains(&name);
                // Files that cannot be removed leave a paused run, which can be removed again. Until they are gone, lists
                // leave the run out.
                if is_canceled {
                    let _ = runs.remove(&name);
                    lock(&runs.canceled).remove(&name);
                }
            }
        };
        let folder = self.folder.join(id);
        let worker = Worker::start(&folder, request, self.options.clone(), gone);
        workers.insert(id.to_owned(), worker?);
        Ok(())
    }

    /// Stops a run in progress in this process; it can be resumed later.
    pub(crate) fn stop(&self, id: &str) {
        if let Some(worker) = self.workers().get(id) {
            worker.stop();
        }
    }

    /// Makes a run in progress in this process skip its current part.
    pub(crate) fn skip(&self, id: &str) {
        if let Some(worker) = self.workers().get(id) {
            worker.skip();
        }
    }

    /// Stops a run and removes it: at once, or when it has stopped.
    ///
    /// # Errors
    /// The run is unknown, or its files cannot be removed.
    pub(crate) fn cancel(&self, id: &str) -> Result<(), StartError> {
        let workers = self.workers();
        let Some(worker) = workers.get(id) else {
            drop(workers);
            return self.remove(id);
        };
        // Before the worker can stop: its end looks here.
        lock(&self.canceled).insert(id.to_owned());
        worker.stop();
        Ok(())
    }

    /// Removes a run that is not in progress, with all its files.
    pub(crate) fn remove(&self, id: &str) -> Result<(), StartError> {
        let run = self.read(id).ok_or(StartError::Unknown)?;
        if run.state == RunState::AtWork {
            return Err(StartError::AtWork);
        }
        let mut removed = self.removed_numbers();
        if let Some((craft, number)) = id.rsplit_once('-')
            && let Ok(number) = number.parse::<u64>()
        {
            let highest = removed.entry(craft.to_owned()).or_default();
            *highest = number.max(*highest);
        }
        let text = serde_json::to_vec(&removed).map_err(std::io::Error::from)?;
        write_whole(&self.folder.join(REMOVED), |out| out.write_all(&text))?;
        Ok(std::fs::remove_dir_all(&run.folder)?)
    }

    /// Returns the reports of a run in progress in this process.
    pub(crate) fn progress(&self, id: &str) -> Option<Arc<Progress>> {
        self.workers().get(id).map(|worker| Arc::clone(&worker.progress))
    }

    /// Stops all runs and waits a while for their last reports.
    pub(crate) async fn close(&self) {
        self.workers().values().for_each(Worker::stop);
        let until = Instant::now() + PATIENCE;
        while !self.workers().is_empty() && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_id;

    #[test]
    fn names_of_runs_cannot_leave_the_folder() {
        assert!(is_id("proof-1") && is_id("a"));
        for text in ["", ".", "..", "../x", "a/b", "a\\b", "A", "a\0", "ü", &"a".repeat(41)] {
            assert!(!is_id(text), "{text:?}");
        }
    }
}
