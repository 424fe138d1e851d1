//! How long the units of a problem take when each divides itself as soon as it can: what `scripts/cluster-simulate` plays
//! with any number of workers.
//!
//! `cargo run --release -p umbrail-proof --example unit_trace -- PLACEMENT PLIES [GRAIN]`
//!
//! One worker does all units. GRAIN is the time in milliseconds (50) after which a unit divides itself. A line for each unit: its number,
//! the number of the unit that named it (-1: the problem), after how many microseconds of that unit it was named,
//! how many microseconds it took, and the unit. All are processor time, so other programs do not change them. The first line is a comment with the problem and the sum.

use cpu_time::ProcessTime;
use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_control::{
    Cancel, Clock, Control, LeasedUnit, NextUnit, Pool, Progress, UnitEnd, UnitSource, lock,
};
use umbrail_proof::files::archive::Archive;
use umbrail_proof::report::Verdict;
use umbrail_proof::run::{ClaimRecord, Journal, Params, RunControl};
use umbrail_proof::units::{LocalUnits, RunSpec, UnitBudget, work};
use umbrail_proof::{Diagram, Length, Problem};

struct NoJournal;

impl Journal for NoJournal {
    fn claim(&self, _: &ClaimRecord) {}

    fn part(&self, _: u16, _: u64, _: u64) {}
}

/// What is known of a unit.
#[derive(Clone, Copy, Default)]
struct Traced {
    number: usize,
    parent: Option<usize>,
    named: Duration,
}

#[derive(Default)]
struct Trace {
    units: HashMap<String, Traced>,
    /// The unit at hand, and when it was begun.
    at: Option<(usize, ProcessTime)>,
    lines: Vec<String>,
    sum: Duration,
}

impl Trace {
    fn name(&mut self, text: &str, named: Duration, parent: Option<usize>) -> usize {
        let number = self.units.len();
        self.units.entry(text.to_owned()).or_insert(Traced { number, parent, named }).number
    }
}

/// A source whose units are always wanted elsewhere, and that notes when they are named and how long they take.
struct TracedUnits<'a> {
    units: LocalUnits<'a>,
    trace: Mutex<Trace>,
}

impl UnitSource for TracedUnits<'_> {
    fn next(&self, worker: usize) -> NextUnit {
        let next = self.units.next(worker);
        if let NextUnit::Unit(unit) = &next {
            let mut trace = lock(&self.trace);
            let number = trace.name(&unit.text, Duration::ZERO, None);
            trace.at = Some((number, ProcessTime::now()));
        }
        next
    }

    fn offer(&self, text: &str) -> bool {
        let mut trace = lock(&self.trace);
        let named = trace.at.map_or(Duration::ZERO, |(_, since)| since.elapsed());
        let parent = trace.at.map(|(number, _)| number);
        trace.name(text, named, parent);
        drop(trace);
        self.units.offer(text)
    }

    fn is_hungry(&self) -> bool {
        true
    }

    fn finish(&self, unit: LeasedUnit, end: UnitEnd) {
        let mut trace = lock(&self.trace);
        if let Some((_, since)) = trace.at.take() {
            let (took, traced) = (since.elapsed(), trace.units[&unit.text]);
            let parent = traced.parent.map_or(-1, |parent| parent as i64);
            let (named, spent) = (traced.named.as_micros(), took.as_micros());
            trace.lines.push(format!("{} {parent} {named} {spent} {}", traced.number, unit.text));
            trace.sum += took;
        }
        drop(trace);
        self.units.finish(unit, end);
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    let setup = words.first().and_then(|word| word.replace(['S', 's'], "n").parse().ok());
    let diagram = setup.and_then(|setup| Diagram::from_setup(&setup).ok());
    let (Some(diagram), Some(plies)) = (diagram, number(1)) else {
        println!("expected a placement and a number of plies");
        return ExitCode::FAILURE;
    };
    let problem = Problem { diagram, plies: plies as u16, length: Length::Exact };
    let grain = Duration::from_millis(number(2).unwrap_or(50));
    let budget = UnitBudget { most: grain, while_others_wait: grain, ..UnitBudget::default() };
    let params = Params { table_bytes: 128 << 20, ..Params::default() };
    let done = Archive::default().claims;
    let spec = RunSpec::new(&problem, &params, &done);
    let units = LocalUnits::new(&spec, done, &NoJournal, (0, 1), usize::MAX);
    let source = TracedUnits { units, trace: Mutex::default() };
    let Ok(pool) = Pool::new(1) else {
        println!("no thread can be started");
        return ExitCode::FAILURE;
    };
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {});
    work(&spec, &budget, &source, &RunControl::default(), &control);
    let report = source.units.report();
    let trace = lock(&source.trace);
    let word = Verdict::of(&problem, &params, &report).word;
    println!("# {} in {plies}: {word}, {:.3} s", words[0], trace.sum.as_secs_f64());
    trace.lines.iter().for_each(|line| println!("{line}"));
    ExitCode::SUCCESS
}
