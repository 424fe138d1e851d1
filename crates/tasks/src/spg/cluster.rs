//! A problem solved by workers on several machines: this process opens the run, takes the results, and works too.

mod desk;

use self::desk::Desk;
use super::collected::Collected;
use super::notify;
use super::problems::PosedProblem;
use crate::cluster::ROOM;
use crate::cluster::audits::{AUDIT_WAIT, Audits};
use crate::cluster::settings::ClusterSettings;
use crate::cluster::status;
use crate::cluster::worker_name::worker_name;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;
use umbrail_cluster::{Collector, OpenRun, Presence, Server, WorkerSource, WorkersSeen};
use umbrail_control::{Control, UnitId};
use umbrail_proof::run::{ClaimRecord, Persistence, RunArchive, RunControl, RunEvent, solve};
use umbrail_proof::units::{RunSpec, UnitBudget, UnitRegistry, work};
use umbrail_session::message::Message;
use umbrail_session::snapshot::ClusterPage;

/// Limits after which a unit divides itself. In builds with debug assertions the variable `UMBRAIL_CLUSTER_PANIC` names a
/// claim at which a worker panics, for tests.
pub(super) fn budget() -> UnitBudget {
    let claim = || std::env::var("UMBRAIL_CLUSTER_PANIC").ok()?.parse().ok();
    let panic_at = if cfg!(debug_assertions) { claim() } else { None };
    UnitBudget { panic_at, ..UnitBudget::default() }
}

/// A journal for a run without an archive.
struct NoArchive;

impl RunArchive for NoArchive {
    fn claim(&self, _: &ClaimRecord) {}

    fn part(&self, _: u16, _: u64, _: u64) {}
}

/// Solves a problem with all workers of the cluster.
///
/// # Errors
/// Why the server cannot be used.
pub(super) fn solve_with_workers(
    posed: &PosedProblem,
    settings: &ClusterSettings,
    keeping: Persistence<'_>,
    run_control: &RunControl,
    control: &Control<'_, RunEvent>,
    write: &(dyn Fn(Message) + Sync),
    page: &Mutex<Option<ClusterPage>>,
) -> Result<Collected, String> {
    let none = BTreeMap::new();
    let done = keeping.done.unwrap_or(&none);
    let spec = RunSpec::new(&posed.problem, &posed.params, done);
    if spec.roots().is_empty() {
        // Counting answers it.
        let report = solve(&posed.problem, &posed.params, run_control, keeping, control);
        return Ok(Collected { report, troubles: vec![] });
    }
    if posed.params.from_claim > 0 {
        return Err("from-strategy cannot be combined with cluster".to_owned());
    }
    let server = Server::connect(&settings.address).map_err(|error| error.to_string())?;
    let is_over = || control.check().is_err();
    let (run, spec) = open_run(&server, &spec, done, settings);
    let spec = {
        let mut spec = spec;
        spec.params.clone_from(&posed.params);
        spec
    };
    let collector = Collector::open(&server, &run, &is_over).map_err(|error| error.to_string())?;
    // What was found earlier is reported like anything else.
    for success in done.values().flat_map(|record| &record.successes) {
        control.notify(RunEvent::Success(Box::new(success.clone())));
    }
    let cancel = control.cancel.child();
    let facts = |fact: RunEvent| {
        if let RunEvent::SmallerTable { .. } = fact {
            control.notify(fact);
        }
    };
    Ok(std::thread::scope(|scope| {
        let works = || {
            let presence = Presence::begin(&server, &worker_name(), control.pool.size());
            match WorkerSource::open(&server, &run, &presence, &cancel) {
                Ok(source) => {
                    let (clock, progress, pool) = (control.clock, control.progress, control.pool);
                    let control = Control::new(cancel.clone(), clock, progress, pool, &facts);
                    work(&spec, &budget(), &source, run_control, &control);
                }
                Err(error) => write(notify::warning(error.to_string())),
            };
        };
        let worker = (!settings.collects_only)
            .then(|| std::thread::Builder::new().spawn_scoped(scope, works).ok())
            .flatten();
        let no_journal = NoArchive;
        let mut desk = Desk {
            spec: &spec,
            ledger: UnitRegistry::new(&spec, &run.name, done.clone()),
            journal: keeping.journal.unwrap_or(&no_journal),
            audits: Audits::of(settings.audit),
            troubles: vec![],
            enough: false,
            workers: WorkersSeen::listen(&server),
            page,
        };
        let collector = desk.collect(collector, control, write);
        cancel.raise();
        let _ = worker.map(std::thread::ScopedJoinHandle::join);
        // Of a run with a wrong result nothing can be kept on the server.
        let over = desk.enough || desk.ledger.is_closed() || !desk.troubles.is_empty();
        if over {
            let began = Instant::now();
            collector.close(&|| began.elapsed() > AUDIT_WAIT);
        } else {
            write(notify::warning(status::stays_open(&run.name, &settings.address)));
        }
        desk.end(write)
    }))
}

/// The run that is open for this question, if an archive has what it leaves out; else a new one.
fn open_run(
    server: &Server,
    spec: &RunSpec,
    done: &BTreeMap<(u16, u64), ClaimRecord>,
    settings: &ClusterSettings,
) -> (OpenRun, RunSpec) {
    let question = spec.question();
    for run in server.open_runs().unwrap_or_default() {
        if run.name.starts_with(&format!("{question}-"))
            && let Ok(known) = RunSpec::read(&run.text)
            && known.is_covered_by(done)
        {
            return (run, known);
        }
    }
    let text = spec.text();
    let digest = UnitId::of(&question, &text).number() as u32;
    let lease_ms = settings.lease.as_millis() as u64;
    (OpenRun { name: format!("{question}-{digest:08x}"), text, lease_ms, room: ROOM }, spec.clone())
}
