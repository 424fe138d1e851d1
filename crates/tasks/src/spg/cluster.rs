//! A problem solved by workers on several machines: this process opens the run, takes the results, and works too.

use super::collected::Collected;
use super::named_units::{NamedUnits, ProofGameRun};
use super::notify;
use super::posed::PosedProblem;
use crate::cluster::ROOM;
use crate::cluster::collect::collect;
use crate::cluster::settings::ClusterSettings;
use crate::cluster::status;
use crate::cluster::worker_name::worker_name;
use crate::records::cluster::ClusterUnits;
use std::collections::BTreeMap;
use std::sync::Mutex;
use umbrail_cluster::{ClusterError, CollectionEvent, OpenRun, Presence, Server, WorkerSource};
use umbrail_control::{Control, Pool, UnitId, lock};
use umbrail_proof::run::{ClaimRecord, Persistence, RunArchive, RunControl, RunEvent, solve};
use umbrail_proof::units::{RunSpec, UnitBudget, UnitRegistry, name_units, work};
use umbrail_session::domain::Domain;
use umbrail_session::message::{Kind, Message};
use umbrail_session::snapshot::ClusterPage;

/// Limits after which a unit divides itself. In builds with debug assertions the variable `UMBRAIL_CLUSTER_PANIC` names a
/// claim at which a worker panics, for tests.
pub(super) fn budget() -> UnitBudget {
    let claim = || std::env::var("UMBRAIL_CLUSTER_PANIC").ok()?.parse().ok();
    let panic_at = if cfg!(debug_assertions) { claim() } else { None };
    UnitBudget { panic_at, ..UnitBudget::default() }
}

/// Archive of a run that keeps none.
struct NoArchive;

impl RunArchive for NoArchive {
    fn claim(&self, _: &ClaimRecord) {}

    fn part(&self, _: u16, _: u64, _: u64) {}
}

/// Reason why a cluster cannot solve a problem.
#[derive(Debug, thiserror::Error)]
pub(super) enum ClusterSolveError {
    /// The units of a run do not start at a given strategy.
    #[error("from-strategy cannot be combined with cluster")]
    FromStrategy,
    /// The server cannot be used.
    #[error(transparent)]
    Server(#[from] ClusterError),
}

/// Solves a problem with all workers of the cluster.
///
/// # Errors
/// The reason why the server cannot be used.
pub(super) fn solve_with_workers(
    posed: &PosedProblem,
    settings: &ClusterSettings,
    keeping: Persistence<'_>,
    run_control: &RunControl,
    control: &Control<'_, RunEvent>,
    write: &(dyn Fn(Message) + Sync),
    page: &Mutex<Option<ClusterPage>>,
) -> Result<Collected, ClusterSolveError> {
    let none = BTreeMap::new();
    let done = keeping.done.unwrap_or(&none);
    let spec = RunSpec::new(&posed.problem, &posed.params, done);
    if spec.roots().is_empty() {
        // Counting answers it.
        let report = solve(&posed.problem, &posed.params, run_control, keeping, control);
        return Ok(Collected { report, troubles: vec![] });
    }
    if posed.params.from_claim > 0 {
        return Err(ClusterSolveError::FromStrategy);
    }
    let server = Server::connect(&settings.address)?;
    let is_over = || control.check().is_err();
    let (run, mut spec) = open_run(&server, &spec, done, settings);
    spec.params.clone_from(&posed.params);
    // Earlier games are reported like new ones.
    for success in done.values().flat_map(|record| &record.successes) {
        control.notify(RunEvent::Success(Box::new(success.clone())));
    }
    let mut notify = |event| match event {
        CollectionEvent::Status(standing) => {
            let shown = status::page(&run.name, standing);
            write(status::record(Domain::Spg, &shown));
            *lock(page) = Some(shown);
        }
        other => status::note(&other).into_iter().for_each(|text| write(notify::warning(text))),
    };
    let cancel = control.cancel.child();
    let named = NamedUnits::default();
    let registry = UnitRegistry::new(&spec, &run.name, done.clone());
    let mut collected = ProofGameRun {
        spec: &spec,
        registry: if settings.audit > 0 { registry.with_repeats() } else { registry },
        named: &named,
        archive: keeping.journal.unwrap_or(&NoArchive),
        notify: &|event| control.notify(event),
        is_enough: false,
    };
    let facts = |fact: RunEvent| {
        if let RunEvent::SmallerTable { .. } = fact {
            control.notify(fact);
        }
    };
    let works = || {
        let presence = Presence::begin(&server, &worker_name(), control.pool.size());
        // The collector itself notices when the run cannot be joined.
        if let Ok(source) = WorkerSource::open(&server, &run, &presence, &cancel) {
            let (clock, progress, pool) = (control.clock, control.progress, control.pool);
            let control = Control::new(cancel.clone(), clock, progress, pool, &facts);
            work(&spec, &budget(), &source, run_control, &control);
        }
    };
    let names = || {
        let (clock, progress) = (control.clock, control.progress);
        let Ok(pool) = Pool::new(1) else { return named.fail("no thread could be started") };
        let control = Control::new(cancel.clone(), clock, progress, &pool, &|_| {});
        let send = |step| named.send(step, &cancel);
        name_units(&spec, &send, &RunControl::default(), &control);
    };
    let end = std::thread::scope(|scope| {
        // The end of the collection ends the naming, too.
        let naming = std::thread::Builder::new().spawn_scoped(scope, names);
        if let Err(error) = naming {
            named.fail(&format!("the tree cannot be walked: {error}"));
        }
        let end = collect(
            (&server, &run),
            settings,
            &mut collected,
            (works, &cancel),
            &is_over,
            &mut notify,
        );
        cancel.raise();
        end
    })?;
    if !end.is_over {
        write(notify::warning(status::stays_open(&run.name, &settings.address)));
    }
    let registry = collected.registry;
    let mut report = registry.report();
    if !end.faults.is_empty() {
        write(notify::warning(
            "the run is closed; an archive of it may be wrong, so start a new one",
        ));
    }
    let mut troubles = end.faults;
    troubles.extend(
        registry.failed().map(|(unit, why)| format!("the unit {unit} was given up: {why}")),
    );
    if !troubles.is_empty() {
        (report.enumerated, report.searched) = (false, false);
    } else if settings.audit > 0 {
        write(status::audited(Domain::Spg, "strategies", end.audits));
    }
    write(durations(registry.durations().collect(), end.audits.units.0));
    Ok(Collected { report, troubles })
}

/// Reports the durations of units, in milliseconds, for programs that read JSON.
fn durations(mut took: Vec<u64>, audited: u64) -> Message {
    took.sort_unstable();
    let at = |share: usize| took.get(took.len() * share / 100).copied().unwrap_or(0);
    let record = ClusterUnits {
        units: took.len() as u64,
        median_ms: at(50),
        p90_ms: at(90),
        max_ms: took.last().copied().unwrap_or(0),
        audited,
    };
    let mut message = notify::holding(Kind::Progress, &record);
    message.json_only = true;
    message
}

/// Returns the run that is open for this question, if an archive has what it omits; else a new one.
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
