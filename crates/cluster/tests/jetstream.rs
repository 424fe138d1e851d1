//! Tests of proof games over a local server: results equal those of one process, while workers are
//! paused or stopped and the server is killed. Without `nats-server` each test prints that it was
//! skipped.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_chess::geometry::Setup;
use umbrail_cluster::{
    Address, Collector, OpenRun, Presence, Publication, RunQueue, Server, UnitOutcome,
    WorkerSource, WorkersSeen,
};
use umbrail_control::{Cancel, Clock, Control, NextUnit, Pool, Progress, UnitEnd, UnitSource};
use umbrail_proof::files::archive::Archive;
use umbrail_proof::run::{
    ClaimRecord, Params, Persistence, RunArchive, RunControl, RunEvent, RunReport, solve,
};
use umbrail_proof::units::{RunSpec, UnitBudget, UnitRegistry, work};
use umbrail_proof::{Diagram, Length, Problem};

/// Time limit of every wait.
const PATIENCE: Duration = Duration::from_secs(60);

/// Optional configuration file in the server's folder.
const LIMITS: &str = "limits.conf";

struct Nats {
    child: Child,
    url: String,
    folder: PathBuf,
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Nats {
    fn start(name: &str) -> Option<Self> {
        Self::limited(name, None)
    }

    /// Starts a server with this JetStream configuration.
    fn limited(name: &str, limits: Option<&str>) -> Option<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        if let Some(limits) = limits {
            std::fs::write(folder.join(LIMITS), format!("jetstream {{ {limits} }}\n")).unwrap();
        }
        let Some(child) = Self::spawn(&folder, "-1") else {
            eprintln!(
                "SKIPPED: nats-server is not installed (Debian: apt-get install nats-server)"
            );
            return None;
        };
        let ports = folder.join(format!("nats-server_{}.ports", child.id()));
        let began = Instant::now();
        let url = loop {
            // {"nats":["nats://127.0.0.1:41981"]}
            let text = std::fs::read_to_string(&ports).unwrap_or_default();
            if let Some(url) = text.split('"').find(|word| word.starts_with("nats://")) {
                break url.to_owned();
            }
            assert!(began.elapsed() < PATIENCE, "the server does not report its port");
            std::thread::sleep(Duration::from_millis(50));
        };
        Some(Self { child, url, folder })
    }

    fn spawn(folder: &Path, port: &str) -> Option<Child> {
        let mut server = Command::new("nats-server");
        server.args(["-a", "127.0.0.1", "-p", port, "-js", "-sd"]).arg(folder.join("store"));
        server.arg("--ports_file_dir").arg(folder);
        let limits = folder.join(LIMITS);
        if limits.exists() {
            server.arg("-c").arg(limits);
        }
        server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
    }

    fn kill_and_restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        let port = self.url.rsplit(':').next().unwrap().to_owned();
        self.child = Self::spawn(&self.folder, &port).unwrap();
    }

    fn connections(&self, count: usize) -> Vec<Server> {
        (0..count).map(|_| self.connect()).collect()
    }

    fn connect(&self) -> Server {
        Server::connect(&Address::of(&self.url, None, &|_| None).unwrap()).unwrap()
    }
}

struct NoJournal;

impl RunArchive for NoJournal {
    fn claim(&self, _: &ClaimRecord) {}

    fn part(&self, _: u16, _: u64, _: u64) {}
}

fn problems() -> Vec<Problem> {
    let lines = include_str!("../../proof/tests/golden/spg-problems.tsv").lines();
    let read = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let diagram = Diagram::from_setup(&fields[1].parse::<Setup>().unwrap()).unwrap();
        Problem { diagram, plies: fields[2].parse().unwrap(), length: Length::Exact }
    };
    lines.filter(|line| !line.starts_with('#')).map(read).collect()
}

fn params() -> Params {
    Params { games_max: 50, table_bytes: 4 << 20, ..Params::default() }
}

fn controlled<R>(cancel: &Cancel, act: impl FnOnce(&Control<'_, RunEvent>) -> R) -> R {
    let pool = Pool::new(1).unwrap();
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    act(&Control::new(cancel.clone(), &clock, &progress, &pool, &|_| {}))
}

fn ordinary(problem: &Problem) -> RunReport {
    controlled(&Cancel::default(), |control| {
        solve(problem, &params(), &RunControl::default(), Persistence::default(), control)
    })
}

fn run_of(spec: &RunSpec, name: &str, lease_ms: u64, room: i64) -> OpenRun {
    OpenRun { name: format!("{}-{name}", spec.question()), text: spec.text(), lease_ms, room }
}

/// Receives results until the ledger is closed; calls `meanwhile` with their number.
fn collect(
    server: &Server,
    spec: &RunSpec,
    run: &OpenRun,
    mut meanwhile: impl FnMut(usize, &mut Collector<'_>),
) -> UnitRegistry {
    let began = Instant::now();
    let late = || began.elapsed() > PATIENCE;
    let mut collector = Collector::open(server, run, &late).unwrap();
    let mut ledger = UnitRegistry::new(spec, &run.name, BTreeMap::new());
    for root in spec.roots() {
        assert!(collector.publish(&root, Publication::Again));
    }
    let (mut news, mut failures) = (Instant::now(), BTreeMap::<String, u32>::new());
    while !ledger.is_closed() {
        assert!(!late(), "still missing: {:?}", ledger.missing().collect::<Vec<_>>());
        for result in collector.results() {
            news = Instant::now();
            match result.outcome {
                UnitOutcome::Done { text, .. } => {
                    ledger.accept(&text, "", &NoJournal).unwrap();
                }
                UnitOutcome::Failed { unit, why, is_final } => {
                    let count = failures.entry(unit.clone()).or_default();
                    *count += 1;
                    if is_final || *count == 3 {
                        ledger.give_up(&unit, &why);
                    }
                }
            }
        }
        meanwhile(ledger.units().0, &mut collector);
        if news.elapsed() > Duration::from_secs(1)
            && matches!(collector.queue(), Some((0, 0)) | None)
        {
            collector.repair(&late);
            let missing: Vec<String> = ledger.missing().map(str::to_owned).collect();
            missing.iter().for_each(|unit| {
                collector.publish(unit, Publication::Again);
            });
        }
    }
    collector.close(&late);
    ledger
}

/// Runs workers of one thread each until they are stopped or the run is over.
fn with_workers<R>(
    nats: &Nats,
    run: &OpenRun,
    count: usize,
    budget: UnitBudget,
    act: impl FnOnce(&Cancel) -> R,
) -> R {
    let servers = nats.connections(count);
    let cancel = Cancel::default();
    std::thread::scope(|scope| {
        for (number, server) in servers.iter().enumerate() {
            let cancel = &cancel;
            scope.spawn(move || {
                let began = Instant::now();
                let mut spec = RunSpec::read(&run.text).unwrap();
                spec.params.table_bytes = params().table_bytes;
                let presence = Presence::begin(server, &format!("worker-{number}"), 1);
                let source = loop {
                    match WorkerSource::open(server, run, &presence, cancel) {
                        Ok(source) => break source,
                        Err(error) => assert!(began.elapsed() < PATIENCE, "{error}"),
                    }
                    std::thread::sleep(Duration::from_millis(50));
                };
                controlled(cancel, |control| {
                    work(&spec, &budget, &source, &RunControl::default(), control);
                });
            });
        }
        let result = act(&cancel);
        cancel.raise();
        result
    })
}

fn same(ordinary: &RunReport, other: &RunReport, what: &str) {
    let cooked = |report: &RunReport| report.cooks().next().is_some();
    assert_eq!(
        (other.count() > 0, cooked(other)),
        (ordinary.count() > 0, cooked(ordinary)),
        "{what}"
    );
    assert_eq!(other.counts.enumerated, ordinary.counts.enumerated, "{what}");
    assert_eq!(other.is_complete(), ordinary.is_complete(), "{what}");
    if ordinary.is_complete() {
        let games = |report: &RunReport| {
            let mut games: Vec<_> = report.games().map(|(_, game)| game.clone()).collect();
            games.sort();
            games
        };
        assert_eq!(games(other), games(ordinary), "{what}");
    }
}

/// Budget that divides every unit as soon as possible.
fn tiny() -> UnitBudget {
    let none = Duration::ZERO;
    UnitBudget { most: none, while_others_wait: none, ..UnitBudget::default() }
}

#[test]
fn the_answers_are_those_of_one_process() {
    let Some(nats) = Nats::start("answers") else { return };
    let server = nats.connect();
    let all = problems();
    for (at, problem) in all.iter().enumerate().step_by(7) {
        let expected = ordinary(problem);
        let spec = RunSpec::new(problem, &params(), &Archive::default().claims);
        if spec.roots().is_empty() {
            continue;
        }
        // A queue with a capacity of two makes workers run units themselves.
        let (room, budget) = if at % 2 == 0 { (2, tiny()) } else { (64, UnitBudget::default()) };
        let run = run_of(&spec, "answers", 5_000, room);
        let ledger =
            with_workers(&nats, &run, 2, budget, |_| collect(&server, &spec, &run, |_, _| ()));
        same(&expected, &ledger.report(), &problem.diagram.to_string());
    }
    assert_eq!(server.open_runs(), Some(vec![]), "all runs are closed");
}

/// Returns the problem with the most strategies.
fn long() -> (Problem, RunReport) {
    let solved = problems().into_iter().map(|problem| (problem, ordinary(&problem)));
    solved.max_by_key(|(_, report)| report.counts.enumerated).unwrap()
}

#[test]
fn a_server_that_is_killed_twice_and_units_that_are_queued_twice_change_nothing() {
    let Some(mut nats) = Nats::start("killed") else { return };
    let (problem, expected) = long();
    let spec = RunSpec::new(&problem, &params(), &Archive::default().claims);
    let run = run_of(&spec, "killed", 2_000, 64);
    let server = nats.connect();
    let kills = Mutex::new(0);
    let connected = nats.connect();
    let cancel = Cancel::default();
    let ledger = std::thread::scope(|scope| {
        let worker = scope.spawn({
            let (cancel, run, spec) = (&cancel, &run, &spec);
            move || {
                let presence = Presence::begin(&connected, "worker", 1);
                let source = loop {
                    if let Ok(source) = WorkerSource::open(&connected, run, &presence, cancel) {
                        break source;
                    }
                    std::thread::sleep(Duration::from_millis(50));
                };
                controlled(cancel, |control| {
                    work(spec, &tiny(), &source, &RunControl::default(), control);
                });
            }
        });
        let ledger = collect(&server, &spec, &run, |done, collector| {
            let mut kills = kills.lock().unwrap();
            // Kills at the first call, and again after the first result.
            if done >= *kills && *kills < 2 {
                *kills += 1;
                for root in spec.roots() {
                    collector.publish(&root, Publication::Again);
                }
                nats.kill_and_restart();
            }
        });
        cancel.raise();
        worker.join().unwrap();
        ledger
    });
    assert_eq!(*kills.lock().unwrap(), 2);
    same(&expected, &ledger.report(), "killed twice");
}

#[test]
fn a_worker_that_is_silent_beyond_its_lease_loses_its_unit() {
    let Some(nats) = Nats::start("silent") else { return };
    let (problem, expected) = long();
    let spec = RunSpec::new(&problem, &params(), &Archive::default().claims);
    let run = run_of(&spec, "silent", 1_000, 64);
    let server = nats.connect();
    let mut held = false;
    let ledger = {
        let began = Instant::now();
        let never = || began.elapsed() > PATIENCE;
        let mut collector = Collector::open(&server, &run, &never).unwrap();
        for root in spec.roots() {
            assert!(collector.publish(&root, Publication::Again));
        }
        {
            // This worker takes the first unit, and its process ends: no heartbeat, no result.
            let gone = nats.connect();
            let cancel = Cancel::default();
            let presence = Presence::begin(&gone, "gone", 1);
            let source = WorkerSource::open(&gone, &run, &presence, &cancel).unwrap();
            while !held && !never() {
                held = matches!(source.next(0), NextUnit::Unit(_));
            }
            drop(source);
            drop(gone);
        }
        with_workers(&nats, &run, 1, tiny(), |_| collect(&server, &spec, &run, |_, _| ()))
    };
    assert!(held);
    same(&expected, &ledger.report(), "silent");
}

#[test]
fn a_unit_that_fails_is_tried_three_times_and_then_named() {
    let Some(nats) = Nats::start("poisoned") else { return };
    let (problem, _) = long();
    let spec = RunSpec::new(&problem, &params(), &Archive::default().claims);
    let run = run_of(&spec, "poisoned", 5_000, 64);
    let server = nats.connect();
    let budget = UnitBudget { panic_at: Some(0), ..UnitBudget::default() };
    let ledger = with_workers(&nats, &run, 1, budget, |_| collect(&server, &spec, &run, |_, _| ()));
    let failed: Vec<_> = ledger.failed().collect();
    assert!(
        failed.len() == 1 && failed[0].1.contains("panicked") && failed[0].1.contains("worker-0"),
        "{failed:?}"
    );
    assert!(!ledger.report().is_complete());
}

/// A worker on a faulty machine fails at a unit: another one gets the unit, if there is one.
#[test]
fn a_unit_that_fails_goes_to_another_worker_first() {
    let Some(nats) = Nats::start("other") else { return };
    let (problem, _) = long();
    let spec = RunSpec::new(&problem, &params(), &Archive::default().claims);
    let run = run_of(&spec, "other", 60_000, 64);
    let (server, cancel, began) = (nats.connect(), Cancel::default(), Instant::now());
    let mut collector = Collector::open(&server, &run, &|| false).unwrap();
    let root = spec.roots().remove(0);
    let received = WorkersSeen::listen(&server);
    let bad = Presence::begin(&server, "bad", 1);
    let bad_source = WorkerSource::open(&server, &run, &bad, &cancel).unwrap();
    let good = Presence::begin(&server, "good", 1);
    let good_source = WorkerSource::open(&server, &run, &good, &cancel).unwrap();
    while received.workers().iter().filter(|one| one.run == run.name).count() < 2 {
        assert!(began.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(200));
    assert!(collector.publish(&root, Publication::Again));
    let take = |source: &WorkerSource<'_>| loop {
        match source.next(0) {
            NextUnit::Unit(unit) => break unit,
            _ => assert!(began.elapsed() < PATIENCE),
        }
    };
    let fails = |source: &WorkerSource<'_>| {
        let unit = take(source);
        source.finish(unit, UnitEnd::Failed("broken".to_owned()));
    };
    fails(&bad_source);
    let late = Instant::now();
    while late.elapsed() < Duration::from_secs(2) {
        assert_eq!(bad_source.next(0), NextUnit::Later, "it is left to the other one");
    }
    fails(&good_source);
    let mut results = vec![];
    while results.len() < 2 {
        assert!(began.elapsed() < PATIENCE);
        results.extend(collector.results());
    }
    drop(good_source);
    drop(good);
    // The other worker is gone, so the unit is retried here.
    fails(&bad_source);
    while results.len() < 3 {
        assert!(began.elapsed() < PATIENCE);
        results.extend(collector.results());
    }
    for (result, worker) in results.iter().zip(["bad", "good", "bad"]) {
        let why = format!("broken (worker {worker})");
        let outcome = UnitOutcome::Failed { unit: root.clone(), why, is_final: false };
        assert_eq!((result.worker.as_str(), &result.outcome), (worker, &outcome));
    }
    collector.close(&|| false);
}

#[test]
fn what_is_handed_back_is_there_at_once_and_an_audit_goes_to_another_worker() {
    let Some(nats) = Nats::start("back") else { return };
    let (problem, _) = long();
    let spec = RunSpec::new(&problem, &params(), &Archive::default().claims);
    let run = run_of(&spec, "back", 60_000, 64);
    let (server, cancel) = (nats.connect(), Cancel::default());
    let mut collector = Collector::open(&server, &run, &|| false).unwrap();
    let root = spec.roots().remove(0);
    assert!(collector.publish(&root, Publication::Again));
    let received = WorkersSeen::listen(&server);
    let (first, second) =
        (Presence::begin(&server, "one", 1), Presence::begin(&server, "other", 1));
    let one = WorkerSource::open(&server, &run, &first, &cancel).unwrap();
    let other = WorkerSource::open(&server, &run, &second, &cancel).unwrap();
    let take = |source: &WorkerSource<'_>| {
        let began = Instant::now();
        loop {
            match source.next(0) {
                NextUnit::Unit(unit) => break unit,
                _ => assert!(began.elapsed() < PATIENCE),
            }
        }
    };
    let unit = take(&one);
    // Each worker reports its current units once a second.
    let began = Instant::now();
    let at_work = loop {
        let workers = received.workers();
        match workers.iter().find(|one| !one.at.is_empty()) {
            Some(one) if workers.len() == 2 => break one.clone(),
            _ => assert!(began.elapsed() < PATIENCE, "{workers:?}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!((at_work.name.as_str(), at_work.run.as_str()), ("one", run.name.as_str()));
    assert_eq!((at_work.at[0].unit.as_str(), at_work.units), (root.as_str(), 0));
    one.share("a fact");
    let mut learned = vec![];
    while learned.is_empty() {
        assert!(began.elapsed() < PATIENCE, "no learned strategy arrived");
        learned = other.learned();
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(learned, ["a fact"]);
    assert_eq!(server.status(&run).map(|status| (status.queued, status.working)), Some((0, 1)));
    one.finish(unit, UnitEnd::HandedBack);
    let unit = take(&other);
    assert_eq!((unit.text.as_str(), unit.attempt), (root.as_str(), 1));
    other.finish(unit, UnitEnd::Done("first".to_owned()));
    // What was queued for the first time twice is there once.
    for _ in 0..2 {
        assert!(collector.publish("named", Publication::First));
    }
    assert_eq!(collector.queue().map(|(waiting, _)| waiting), Some(1));
    let named = take(&other);
    assert!(!named.is_whole);
    other.finish(named, UnitEnd::Done("named".to_owned()));
    // A second result is refused.
    assert!(collector.publish(&root, Publication::Again));
    one.finish(take(&one), UnitEnd::Done("second".to_owned()));
    assert!(collector.publish(&root, Publication::Audit(&["one".to_owned()].into())));
    assert_eq!(one.next(0), NextUnit::Later, "not the worker that did it");
    let audited = take(&other);
    assert!(audited.is_whole);
    other.finish(audited, UnitEnd::Done("audited".to_owned()));
    let (mut results, began) = (vec![], Instant::now());
    while results.len() < 3 && began.elapsed() < PATIENCE {
        results.extend(collector.results());
    }
    let of = |text: &str, audit| UnitOutcome::Done { text: text.to_owned(), audit };
    let outcomes: Vec<_> = results.iter().map(|result| result.outcome.clone()).collect();
    assert_eq!(outcomes, [of("first", false), of("named", false), of("audited", true)]);
    assert!(results.iter().all(|result| result.worker == "other"), "{results:?}");
    collector.close(&|| false);
}
