//! Runs with a fixed list of units: the endgames of a survey, the games of a composer. A unit is a
//! line of text, and its result is a text; the module defines the meaning of both.

use super::worker_name::worker_name;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use umbrail_cluster::{ClusterError, OpenRun, Presence, Server, WorkerSource};
use umbrail_control::{LeasedUnit, NextUnit, Pool, Progress, UnitEnd, UnitId, UnitSource};
use umbrail_proof::units::RunTextError;
use umbrail_session::job_context::JobContext;
use umbrail_session::task_error::TaskError;

/// Version of this program, which all workers of a run must have.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Data that workers need beside the units of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListRun {
    /// Kind of the run, such as `survey`.
    pub(crate) list: String,
    /// Version of the program.
    program: String,
    /// Data of the kind, such as rules.
    pub(crate) context: Value,
}

impl ListRun {
    /// Creates a run of this kind.
    pub(crate) fn new(list: &str, context: Value) -> Self {
        Self { list: list.to_owned(), program: VERSION.to_owned(), context }
    }

    /// Parses the description of a run; `None` when it is a run of another kind, such as one of
    /// proof games.
    ///
    /// # Errors
    /// The run belongs to another version of the program.
    pub(crate) fn read(text: &str) -> Option<Result<Self, RefusedRun>> {
        let run: Self = serde_json::from_str(text).ok()?;
        let is_own = run.program == VERSION;
        Some(if is_own { Ok(run) } else { Err(RefusedRun::OtherVersion(run.program)) })
    }

    /// Describes the run of these units for the server. The name of the run follows from the work,
    /// so repeating a command finds the run again.
    pub(super) fn open(&self, units: &[String], lease_ms: u64, room: i64) -> OpenRun {
        let text = serde_json::to_string(self).unwrap_or_default();
        let digest = UnitId::of(&text, &units.join("\n")).number() as u64;
        OpenRun { name: format!("{}-{digest:016x}", self.list), text, lease_ms, room }
    }
}

/// Reason why this machine cannot do the units of a run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RefusedRun {
    /// Another version of the program started the run.
    #[error(
        "the run was started by umbrail {0}, but this is umbrail {VERSION}; all workers must have the same version"
    )]
    OtherVersion(String),
    /// The kind of the run is unknown.
    #[error("it is of the kind {0}")]
    Kind(String),
    /// The context of the run has fields of another version.
    #[error("{what}: {source}")]
    Settings {
        /// Beginning of the sentence.
        what: &'static str,
        /// Wrong field.
        source: serde_json::Error,
    },
    /// The definitions of the pieces are faulty.
    #[error(transparent)]
    Pieces(TaskError),
    /// The vocabulary is unknown.
    #[error("no vocabulary is called {0}")]
    Vocabulary(String),
    /// The description of a run of proof games is faulty.
    #[error(transparent)]
    Spec(#[from] RunTextError),
}

/// Reason why a unit has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoResult {
    /// The worker is stopped; another worker should do the unit.
    Stopped,
    /// This machine cannot do the unit, for this reason.
    Failed(String),
}

/// Work on the units of a run.
pub(crate) trait ListWork: Sync {
    /// Returns the result of a unit.
    fn result(&self, unit: &str, job: &JobContext<'_>) -> Result<String, NoResult>;

    /// Returns the number of units that a worker with this number of threads processes at once.
    /// Each of several units has its own thread; a single unit has all threads.
    fn at_once(&self, threads: usize) -> usize;
}

/// Resources that a worker may use on its machine.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// Number of threads that do units.
    pub(crate) threads: usize,
    /// Memory for tables or positions, in bytes; `None` for the default.
    pub(crate) memory_bytes: Option<u64>,
    /// Folder of finished tables.
    pub(crate) folder: Option<PathBuf>,
}

/// Reads the context of a run for this machine, or returns the reason why it cannot do the units.
type ReadContext = fn(&Value, &Machine) -> Result<Box<dyn ListWork>, RefusedRun>;

/// A kind of run.
pub(crate) struct ListKind {
    /// Word of the kind, the prefix of the names of its runs.
    pub(crate) word: &'static str,
    /// Reads the context of a run.
    pub(crate) read: ReadContext,
}

/// Takes units from a run until there are none or until it is stopped; returns the number of units
/// done.
///
/// # Errors
/// The run is over.
pub(crate) fn take_units(
    server: &Server,
    run: &OpenRun,
    presence: &Presence,
    work: &dyn ListWork,
    job: &JobContext<'_>,
) -> Result<u64, ClusterError> {
    let source = WorkerSource::open(server, run, presence, &job.cancel)?;
    // The gauges of the worker itself count moves of proof games.
    let gauges = Progress::default();
    let (cancel, progress) = (job.cancel.clone(), &gauges);
    let JobContext { clock, pool, skips, notify, .. } = *job;
    let job = &JobContext { cancel, clock, progress, pool, skips, notify };
    let at_once = work.at_once(job.pool.size());
    if at_once <= 1 {
        one_by_one(&source, 0, work, job);
        return Ok(source.done());
    }
    std::thread::scope(|scope| {
        for worker in 0..at_once {
            let source = &source;
            let take = move || {
                // Without threads, other workers do the work.
                let Ok(pool) = Pool::new(1) else { return };
                let JobContext { clock, progress, skips, notify, .. } = *job;
                let cancel = job.cancel.clone();
                let job = JobContext { cancel, clock, progress, pool: &pool, skips, notify };
                one_by_one(source, worker, work, &job);
            };
            let _ = std::thread::Builder::new().spawn_scoped(scope, take);
        }
    });
    Ok(source.done())
}

/// Takes units in the process of the collector.
pub(super) fn take_units_beside(
    server: &Server,
    run: &OpenRun,
    work: &dyn ListWork,
    job: &JobContext<'_>,
) -> Result<u64, ClusterError> {
    let presence = Presence::begin(server, &worker_name(), job.pool.size());
    take_units(server, run, &presence, work, job)
}

fn one_by_one(source: &WorkerSource<'_>, worker: usize, work: &dyn ListWork, job: &JobContext<'_>) {
    while !job.is_over() {
        match source.next(worker) {
            NextUnit::Unit(unit) => {
                let end = end_of(&unit, work, job);
                source.finish(unit, end);
            }
            NextUnit::Later => {}
            NextUnit::Never => break,
        }
    }
}

fn end_of(unit: &LeasedUnit, work: &dyn ListWork, job: &JobContext<'_>) -> UnitEnd {
    match catch_unwind(AssertUnwindSafe(|| work.result(&unit.text, job))) {
        Ok(Ok(result)) => UnitEnd::Done(format!("{UNIT}{}\n{result}", unit.text)),
        Ok(Err(NoResult::Stopped)) => UnitEnd::HandedBack,
        Ok(Err(NoResult::Failed(why))) => UnitEnd::Failed(why),
        Err(panic) => {
            let given = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let given = given.or_else(|| panic.downcast_ref::<String>().cloned());
            UnitEnd::Failed(format!("panicked: {}", given.unwrap_or_default()))
        }
    }
}

/// Text before the unit in a result.
pub(super) const UNIT: &str = "unit ";

#[cfg(test)]
mod tests {
    use super::ListRun;
    use serde_json::json;

    #[test]
    fn a_run_is_read_again_and_another_version_is_refused() {
        let run = ListRun::new("survey", json!({ "metric": "dtm" }));
        let open = run.open(&["KQ.K".to_owned()], 1000, 10);
        assert_eq!(ListRun::read(&open.text).unwrap().unwrap(), run);
        assert_ne!(open.name, run.open(&["KR.K".to_owned()], 1000, 10).name);
        let other = ListRun { program: "0.0.1".to_owned(), ..run };
        let why = ListRun::read(&other.open(&[], 1000, 10).text).unwrap().unwrap_err().to_string();
        assert!(why.contains("umbrail 0.0.1"), "{why}");
        assert!(ListRun::read("a run of proof games").is_none());
    }
}
