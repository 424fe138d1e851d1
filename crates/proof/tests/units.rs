//! A problem as units of work gives what the ordinary run gives: the verdict, the games, the number of strategies.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_chess::Move;
use umbrail_chess::geometry::Setup;
use umbrail_control::{
    Cancel, Clock, Control, LeasedUnit, NextUnit, Pool, Progress, UnitEnd, UnitSource,
};
use umbrail_proof::files::archive::{Archive, Header, claim_line, part_line};
use umbrail_proof::run::{
    ClaimRecord, Params, Persistence, RunArchive, RunControl, RunEvent, RunReport, Success, solve,
};
use umbrail_proof::units::{LocalUnits, RunSpec, UnitBudget, work};
use umbrail_proof::{Diagram, Length, Problem};

#[derive(Default)]
struct Text(Mutex<String>);

impl RunArchive for Text {
    fn claim(&self, record: &ClaimRecord) {
        self.0.lock().unwrap().push_str(&claim_line(record));
    }

    fn part(&self, part: u16, claims: u64, digest: u64) {
        self.0.lock().unwrap().push_str(&part_line(part, claims, digest));
    }
}

/// A problem of the golden list with its length.
fn problems() -> Vec<Problem> {
    let lines =
        include_str!("golden/spg-problems.tsv").lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let diagram = Diagram::from_setup(&fields[1].parse::<Setup>().unwrap()).unwrap();
        Problem { diagram, plies: fields[2].parse().unwrap(), length: Length::Exact }
    };
    lines.map(read).collect()
}

fn params() -> Params {
    Params { games_max: 50, table_bytes: 4 << 20, ..Params::default() }
}

fn controlled<R>(workers: usize, act: impl FnOnce(&Control<'_, RunEvent>) -> R) -> R {
    let pool = Pool::new(workers).unwrap();
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    act(&Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {}))
}

fn ordinary(problem: &Problem) -> (RunReport, String) {
    let text = Text::default();
    let keeping = Persistence { journal: Some(&text), ..Persistence::default() };
    let report = controlled(1, |control| {
        solve(problem, &params(), &RunControl::default(), keeping, control)
    });
    (report, text.0.into_inner().unwrap())
}

/// Does a problem as units of one shard, and gives the report and the lines of the archive.
fn as_units(
    problem: &Problem,
    budget: &UnitBudget,
    shard: (u64, u64),
    room: usize,
) -> (RunReport, String) {
    let (text, done) = (Text::default(), Archive::default().claims);
    let spec = RunSpec::new(problem, &params(), &done);
    // Workers know the run from its text.
    let mut spec = RunSpec::read(&spec.text()).unwrap();
    spec.params.table_bytes = params().table_bytes;
    let source = LocalUnits::new(&spec, done, &text, shard, room);
    controlled(2, |control| work(&spec, budget, &source, &RunControl::default(), control));
    let report = source.report();
    (report, text.0.into_inner().unwrap())
}

fn games(report: &RunReport) -> BTreeSet<Vec<Move>> {
    report.games().map(|(_, game)| game.clone()).collect()
}

/// The strategies that have games, with their numbers.
fn numbers(report: &RunReport) -> BTreeSet<(String, String)> {
    let both = |one: &Success| (one.number.to_string(), one.strategy.to_string());
    report.successes.iter().map(both).collect()
}

fn same(ordinary: &RunReport, other: &RunReport, what: &str) {
    assert_eq!(other.faults, [""; 0], "{what}");
    let cooked = |report: &RunReport| report.cooks().next().is_some();
    assert_eq!(
        (other.count() > 0, cooked(other)),
        (ordinary.count() > 0, cooked(ordinary)),
        "{what}"
    );
    assert_eq!(other.counts.enumerated, ordinary.counts.enumerated, "{what}");
    assert_eq!(other.is_complete(), ordinary.is_complete(), "{what}");
    // Where a strategy has more games than are counted, which ones are found depends on the order.
    if ordinary.is_complete() {
        assert_eq!(games(other), games(ordinary), "{what}");
        assert_eq!(numbers(other), numbers(ordinary), "{what}");
    }
}

/// Everything divides itself as soon as it can.
fn tiny() -> UnitBudget {
    let none = Duration::ZERO;
    UnitBudget { most: none, while_others_wait: none, ..UnitBudget::default() }
}

/// The archive of lines, read again.
fn archive(problem: &Problem, lines: &str) -> (Header, Archive) {
    let header = Header::of(problem, &params());
    Archive::read(&(header.line() + lines), &|| false).unwrap()
}

#[test]
fn units_give_what_an_ordinary_run_gives() {
    for problem in problems() {
        let (expected, lines) = ordinary(&problem);
        let what = problem.diagram.to_string();
        for (budget, room) in [(UnitBudget::default(), 64), (tiny(), 3)] {
            let (report, own) = as_units(&problem, &budget, (0, 1), room);
            same(&expected, &report, &what);
            let (header, read) = archive(&problem, &own);
            assert_eq!(read.missing(&header), Ok(vec![]), "{what}");
            // The tree is the same node for node.
            let trees = |text: &str| -> BTreeSet<String> {
                text.lines().filter(|line| line.starts_with("part ")).map(str::to_owned).collect()
            };
            assert_eq!(trees(&own), trees(&lines), "{what}");
        }
    }
}

#[test]
fn shards_of_units_make_one_archive() {
    for problem in problems().into_iter().take(12) {
        let (expected, _) = ordinary(&problem);
        let mut all: Option<(Header, Archive)> = None;
        for shard in 0..3 {
            let (_, lines) = as_units(&problem, &UnitBudget::default(), (shard, 3), 16);
            let (header, read) = archive(&problem, &lines);
            match &mut all {
                None => all = Some((header, read)),
                Some((_, joined)) => joined.join(read).unwrap(),
            }
        }
        let (header, joined) = all.unwrap();
        let what = problem.diagram.to_string();
        assert_eq!(joined.missing(&header), Ok(vec![]), "{what}");
        same(&expected, &joined.report(&header).unwrap(), &what);
    }
}

#[test]
fn finished_claims_are_left_out() {
    let claims = |problem: &Problem| ordinary(problem).1.matches("claim ").count();
    let problem = problems().into_iter().max_by_key(claims).unwrap();
    let (expected, lines) = ordinary(&problem);
    let claims: Vec<&str> =
        lines.split_inclusive('\n').filter(|line| line.starts_with("claim")).collect();
    assert!(claims.len() > 4, "{}", claims.len());
    let half: String = claims.iter().step_by(2).copied().collect();
    let done = archive(&problem, &half).1.claims;
    let (text, spec) = (Text::default(), RunSpec::new(&problem, &params(), &done));
    assert!(spec.is_covered_by(&done) && !spec.is_covered_by(&Archive::default().claims));
    let source = LocalUnits::new(&spec, done, &text, (0, 1), 8);
    controlled(2, |control| work(&spec, &tiny(), &source, &RunControl::default(), control));
    same(&expected, &source.report(), "taken up");
    let written = text.0.into_inner().unwrap();
    let again = |line: &&str| {
        half.lines()
            .any(|known| known.split(" enumerated").next() == line.split(" enumerated").next())
    };
    assert_eq!(written.lines().filter(|line| line.starts_with("claim")).filter(again).count(), 0);
}

#[test]
fn a_unit_that_panics_is_tried_again_and_then_named() {
    let problem =
        problems().into_iter().find(|problem| ordinary(problem).1.contains("claim 0 1 ")).unwrap();
    let budget = UnitBudget { panic_at: Some(0), ..UnitBudget::default() };
    let (text, done) = (Text::default(), Archive::default().claims);
    let spec = RunSpec::new(&problem, &params(), &done);
    let source = LocalUnits::new(&spec, done, &text, (0, 1), 8);
    controlled(1, |control| work(&spec, &budget, &source, &RunControl::default(), control));
    let failed = source.failed();
    assert!(
        failed.len() == 1
            && failed[0].0.starts_with("claims 0 ")
            && failed[0].1.contains("panicked"),
        "{failed:?}"
    );
    assert!(!source.report().is_complete() && !source.report().enumerated);
}

#[test]
fn a_run_of_another_version_is_refused_with_the_reason() {
    let problem = problems()[0];
    let text = RunSpec::new(&problem, &params(), &Archive::default().claims).text();
    let refused = |text: &str| RunSpec::read(text).unwrap_err().to_string();
    assert!(refused(&text.replace("tree 2 ", "tree 9 ")).contains("tree of version 9"));
    assert!(
        refused(&text.replace("umbrail-units 2", "umbrail-units 7")).contains("umbrail-units 7")
    );
    let header = Header::of(&problem, &params()).line();
    assert!(refused(&text.replace(&header, "umbrail-spg 2\n")).contains("header"));
}

/// A source whose workers always wait, with the texts of all units that were handed out.
struct IdleWorkers<'a> {
    units: LocalUnits<'a>,
    started: Mutex<Vec<String>>,
}

impl UnitSource for IdleWorkers<'_> {
    fn next(&self, worker: usize) -> NextUnit {
        let next = self.units.next(worker);
        if let NextUnit::Unit(unit) = &next {
            self.started.lock().unwrap().push(unit.text.clone());
        }
        next
    }

    fn offer(&self, text: &str) -> bool {
        self.units.offer(text)
    }

    fn has_idle_workers(&self) -> bool {
        true
    }

    fn finish(&self, unit: LeasedUnit, end: UnitEnd) {
        self.units.finish(unit, end);
    }
}

/// A strategy that takes long is divided into cases, of which each is a unit; and a claim into parts
/// that begin and end below the sync depth. The games and all counts stay the same.
#[test]
fn a_strategy_that_takes_long_is_divided_among_units() {
    let (mut cases, mut deep, mut uncounted) = (0, 0, 0);
    let (most, while_others_wait) = (Duration::from_millis(20), Duration::from_millis(2));
    let short = UnitBudget { most, while_others_wait, ..UnitBudget::default() };
    // The first two have strategies that are split, the last has many of them.
    for (setup, plies) in [
        ("rn2kbn1/1p1pppp1/2R3p1/2pr4/5P2/1P6/1PPPPNP1/1NBQKR2", 35),
        ("2b3nr/1ppp3p/1b6/5p2/3k4/4qr2/PPPPPpPP/RNBQKBNR", 30),
        ("rnb2rk1/ppp1nppp/3bp3/8/3p4/4PP2/qPPP2PP/2KR1R2", 24),
    ] {
        let diagram = Diagram::from_setup(&setup.parse::<Setup>().unwrap()).unwrap();
        let problem = Problem { diagram, plies, length: Length::Exact };
        let what = problem.diagram.to_string();
        let params = Params { trial_max: 30, ..params() };
        let expected = controlled(1, |control| {
            solve(&problem, &params, &RunControl::default(), Persistence::default(), control)
        });
        for budget in [tiny(), short] {
            let (text, done) = (Text::default(), Archive::default().claims);
            let spec = RunSpec::new(&problem, &params, &done);
            let units = LocalUnits::new(&spec, done, &text, (0, 1), 64);
            let source = IdleWorkers { units, started: Mutex::default() };
            controlled(2, |control| work(&spec, &budget, &source, &RunControl::default(), control));
            let report = source.units.report();
            same(&expected, &report, &what);
            // Which of them analysis refutes depends on what was learned before.
            assert_eq!(report.counts.searched, report.counts.unrefuted, "{what}");
            let started = source.started.into_inner().unwrap();
            let chunks = || started.iter().filter(|unit| unit.starts_with("piece "));
            cases += started.iter().filter(|unit| unit.starts_with("case ")).count();
            deep += chunks().count();
            uncounted += chunks().filter(|unit| !unit.ends_with(" 0")).count();
        }
    }
    assert!(cases > 2 && deep > 100, "{cases} cases, {deep} places below the sync depth");
    assert!(uncounted > 20, "{uncounted} parts whose strategies were not counted");
}
