//! A problem solved by workers on several machines: this process opens the run, takes the results, and works too.

use super::collected::Collected;
use super::notify;
use super::problems::PosedProblem;
use crate::cluster::ROOM;
use crate::cluster::collect::collect;
use crate::cluster::settings::ClusterSettings;
use crate::cluster::status;
use crate::cluster::worker_name::worker_name;
use std::collections::BTreeMap;
use std::sync::Mutex;
use umbrail_cluster::{
    CollectedRun, CollectionEvent, OpenRun, Presence, ResultDefect, Server, WorkerSource,
};
use umbrail_control::{Control, UnitId, lock};
use umbrail_proof::run::{ClaimRecord, Persistence, RunArchive, RunControl, RunEvent, solve};
use umbrail_proof::units::{RunSpec, UnitBudget, UnitRegistry, work};
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
    let (run, mut spec) = open_run(&server, &spec, done, settings);
    spec.params.clone_from(&posed.params);
    // Earlier games are reported like new ones.
    for success in done.values().flat_map(|record| &record.successes) {
        control.notify(RunEvent::Success(Box::new(success.clone())));
    }
    let mut notify = |event| match event {
        CollectionEvent::Status(standing) => {
            let shown = status::page(&run.name, standing);
            write(status::record(Domain::Spg, "claims", &shown));
            *lock(page) = Some(shown);
        }
        other => status::note(&other).into_iter().for_each(|text| write(notify::warning(text))),
    };
    let mut collected = ProofGameRun {
        spec: &spec,
        registry: UnitRegistry::new(&spec, &run.name, done.clone()),
        archive: keeping.journal.unwrap_or(&NoArchive),
        notify: &|event| control.notify(event),
        is_enough: false,
    };
    let cancel = control.cancel.child();
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
    let end = collect(
        (&server, &run),
        settings,
        &mut collected,
        (works, &cancel),
        &is_over,
        &mut notify,
    )?;
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
    } else if let Some(text) = status::not_audited(end.not_audited) {
        write(notify::warning(text));
    }
    write(durations(registry.durations().collect(), end.audited));
    Ok(Collected { report, troubles })
}

/// Reports the durations of units, in milliseconds, for programs that read JSON.
fn durations(mut took: Vec<u64>, audited: u64) -> Message {
    took.sort_unstable();
    let at = |share: usize| took.get(took.len() * share / 100).copied().unwrap_or(0);
    let mut message = notify::message(Kind::Progress, "units")
        .with("units", took.len() as u64)
        .with("median-ms", at(50))
        .with("p90-ms", at(90))
        .with("max-ms", took.last().copied().unwrap_or(0))
        .with("audited", audited);
    message.json_only = true;
    message
}

/// Run of a proof-game problem: an adapter of the `UnitRegistry`.
struct ProofGameRun<'a> {
    spec: &'a RunSpec,
    registry: UnitRegistry,
    archive: &'a dyn RunArchive,
    notify: &'a dyn Fn(RunEvent),
    is_enough: bool,
}

impl CollectedRun for ProofGameRun<'_> {
    fn first_units(&self) -> Vec<String> {
        self.spec.roots()
    }

    fn accept(&mut self, _: &str, result: &str) -> Result<(), ResultDefect> {
        self.registry.check(result).map_err(|why| ResultDefect::Damaged(why.to_string()))?;
        let accepted = self.registry.accept(result, self.archive);
        let accepted = accepted.map_err(|why| ResultDefect::Contradiction(why.to_string()))?;
        let mut found = false;
        for success in accepted.claims.iter().flat_map(|claim| &claim.successes) {
            (self.notify)(RunEvent::Success(Box::new(success.clone())));
            found = true;
        }
        self.is_enough |= found && self.registry.is_enough(self.spec);
        Ok(())
    }

    fn give_up(&mut self, unit: &str, why: &str) {
        self.registry.give_up(unit, why);
    }

    fn missing(&self) -> Vec<String> {
        self.registry.missing().map(str::to_owned).collect()
    }

    fn is_missing(&self, unit: &str) -> bool {
        self.registry.is_missing(unit)
    }

    fn is_finished(&self) -> bool {
        self.registry.is_closed()
    }

    fn is_enough(&self) -> bool {
        self.is_enough
    }

    fn can_be_audited(&self, result: &str) -> bool {
        self.registry.is_refutation(result)
    }

    fn compare(&self, _: &str, first: &str, second: &str) -> Result<(), ResultDefect> {
        self.registry.check(second).map_err(|why| ResultDefect::Damaged(why.to_string()))?;
        let compared = self.registry.compare(first, second);
        compared.map_err(|why| ResultDefect::Contradiction(why.to_string()))
    }

    fn units(&self) -> (u64, u64) {
        let (closed, open) = self.registry.units();
        (closed as u64, open as u64)
    }

    fn parts(&self) -> (u64, Option<u64>) {
        self.registry.claims()
    }
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
