//! Runs whose units are known from the beginning: the endgames of a survey, the games of a composer. A unit is a line of
//! text, and its result another text; what both mean is the module's affair.

use super::worker_name::worker_name;
use crate::cluster::{OpenRun, Presence, Server, WorkerSource};
use crate::control::{LeasedUnit, NextUnit, Pool, UnitEnd, UnitId, UnitSource};
use crate::session::stage::Stage;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// The version of this program, which all workers of a run must have.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What workers must know of a run, beside its units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::session) struct ListRun {
    /// What kind of run it is, such as `survey`.
    pub(in crate::session) list: String,
    /// The version of the program.
    program: String,
    /// What belongs to the kind: rules, say.
    pub(in crate::session) context: Value,
}

impl ListRun {
    /// A run of this kind.
    pub(in crate::session) fn new(list: &str, context: Value) -> Self {
        Self { list: list.to_owned(), program: VERSION.to_owned(), context }
    }

    /// Reads what a run says of itself; none when it is a run of another kind, such as one of proof games.
    ///
    /// # Errors
    /// That it is one of another version.
    pub(in crate::session) fn read(text: &str) -> Option<Result<Self, String>> {
        let run: Self = serde_json::from_str(text).ok()?;
        if run.program == VERSION {
            return Some(Ok(run));
        }
        Some(Err(format!(
            "the run is one of umbrail {}, this is umbrail {VERSION}; all workers must have the same version",
            run.program
        )))
    }

    /// The run of these units as the server keeps it. Its name follows from what is to be done, so the same command
    /// finds it again.
    pub(super) fn open(&self, units: &[String], lease_ms: u64, room: i64) -> OpenRun {
        let text = serde_json::to_string(self).unwrap_or_default();
        let digest = UnitId::of(&text, &units.join("\n")).number() as u64;
        OpenRun { name: format!("{}-{digest:016x}", self.list), text, lease_ms, room }
    }
}

/// Why a unit has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) enum NoResult {
    /// The worker is stopped; another one is to do the unit.
    Stopped,
    /// It cannot be done here, for this reason.
    Failed(String),
}

/// Does the units of a run.
pub(in crate::session) trait ListWork: Sync {
    /// The result of a unit.
    fn result(&self, unit: &str, stage: &Stage<'_>) -> Result<String, NoResult>;

    /// How many units a worker with this number of threads has at a time; each then has a thread of its own. One unit
    /// has all threads.
    fn at_once(&self, threads: usize) -> usize;
}

/// What a worker may use of its machine.
#[derive(Clone, Debug)]
pub(in crate::session) struct Machine {
    /// Threads that do units.
    pub(in crate::session) threads: usize,
    /// Memory for tables or positions, in bytes; none for what is usual.
    pub(in crate::session) memory_bytes: Option<u64>,
    /// Where finished tables are kept.
    pub(in crate::session) folder: Option<PathBuf>,
}

/// Reads the context of a run for this machine, or says why its units cannot be done here.
type ReadContext = fn(&Value, &Machine) -> Result<Box<dyn ListWork>, String>;

/// A kind of runs.
pub(in crate::session) struct ListKind {
    /// Its word, which names of runs begin with.
    pub(in crate::session) word: &'static str,
    /// Reads the context of a run.
    pub(in crate::session) read: ReadContext,
}

/// Takes units from a run until there are none, or until it is stopped; says how many it has done.
///
/// # Errors
/// When the run is over.
pub(in crate::session) fn take_units(
    server: &Server,
    run: &OpenRun,
    presence: &Presence,
    work: &dyn ListWork,
    stage: &Stage<'_>,
) -> Result<u64, String> {
    let source = WorkerSource::open(server, run, presence, &stage.cancel)
        .map_err(|error| error.to_string())?;
    let at_once = work.at_once(stage.pool.size());
    if at_once <= 1 {
        one_by_one(&source, 0, work, stage);
        return Ok(source.done());
    }
    std::thread::scope(|scope| {
        for worker in 0..at_once {
            let source = &source;
            let take = move || {
                // Without threads others do the work.
                let Ok(pool) = Pool::new(1) else { return };
                let Stage { clock, progress, skips, tell, .. } = *stage;
                let cancel = stage.cancel.clone();
                let stage = Stage { cancel, clock, progress, pool: &pool, skips, tell };
                one_by_one(source, worker, work, &stage);
            };
            let _ = std::thread::Builder::new().spawn_scoped(scope, take);
        }
    });
    Ok(source.done())
}

/// The same as the worker beside a collector.
pub(super) fn take_units_beside(
    server: &Server,
    run: &OpenRun,
    work: &dyn ListWork,
    stage: &Stage<'_>,
) -> Result<u64, String> {
    let presence = Presence::begin(server, &worker_name(), stage.pool.size());
    take_units(server, run, &presence, work, stage)
}

fn one_by_one(source: &WorkerSource<'_>, worker: usize, work: &dyn ListWork, stage: &Stage<'_>) {
    while !stage.is_over() {
        match source.next(worker) {
            NextUnit::Unit(unit) => {
                let end = end_of(&unit, work, stage);
                source.finish(unit, end);
            }
            NextUnit::Later => {}
            NextUnit::Never => break,
        }
    }
}

fn end_of(unit: &LeasedUnit, work: &dyn ListWork, stage: &Stage<'_>) -> UnitEnd {
    match catch_unwind(AssertUnwindSafe(|| work.result(&unit.text, stage))) {
        Ok(Ok(result)) => UnitEnd::Done(format!("{UNIT}{}\n{result}", unit.text)),
        Ok(Err(NoResult::Stopped)) => UnitEnd::HandedBack,
        Ok(Err(NoResult::Failed(why))) => UnitEnd::Failed(why),
        Err(panic) => {
            let said = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
            UnitEnd::Failed(format!("panicked: {}", said.unwrap_or_default()))
        }
    }
}

/// What stands before the unit in a result.
const UNIT: &str = "unit ";

/// The unit that a result belongs to, and what it says of it.
pub(super) fn split(result: &str) -> Option<(&str, &str)> {
    let (unit, body) = result.split_once('\n')?;
    Some((unit.strip_prefix(UNIT)?, body))
}

#[cfg(test)]
mod tests {
    use super::ListRun;
    use serde_json::json;

    #[test]
    fn a_run_is_read_again_and_another_version_is_refused() {
        let run = ListRun::new("survey", json!({ "metric": "dtm" }));
        let open = run.open(&["KQ.K".to_owned()], 1000, 10);
        assert_eq!(ListRun::read(&open.text), Some(Ok(run.clone())));
        assert_ne!(open.name, run.open(&["KR.K".to_owned()], 1000, 10).name);
        let other = ListRun { program: "0.0.1".to_owned(), ..run };
        let why = ListRun::read(&other.open(&[], 1000, 10).text).unwrap().unwrap_err();
        assert!(why.contains("umbrail 0.0.1"), "{why}");
        assert_eq!(ListRun::read("a run of proof games"), None);
    }
}
