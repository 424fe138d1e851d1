//! The work of a run, repeated by other workers: every strategy is confirmed whatever the division
//! was, and a wrong statement is found.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_chess::geometry::Setup;
use umbrail_control::{
    Cancel, Clock, Control, LeasedUnit, NextUnit, Pool, Progress, UnitEnd, UnitSource,
};
use umbrail_proof::files::archive::Archive;
use umbrail_proof::run::{ClaimRecord, Params, RunArchive, RunControl, RunEvent};
use umbrail_proof::units::{
    Naming, Repeat, RunSpec, UnitBudget, UnitRegistry, name_units, names_units, work,
};
use umbrail_proof::{Diagram, Length, Problem};

struct NoArchive;

impl RunArchive for NoArchive {
    fn claim(&self, _: &ClaimRecord) {}

    fn part(&self, _: u16, _: u64, _: u64) {}
}

/// Units that several workers run while others always wait, with what can be repeated.
struct Collected {
    waiting: Mutex<VecDeque<String>>,
    state: Mutex<(UnitRegistry, Vec<Repeat>)>,
}

impl Collected {
    fn accept(&self, result: &str, worker: &str) {
        let mut state = self.state.lock().unwrap();
        let accepted = state.0.accept(result, worker, &NoArchive).unwrap();
        state.1.extend(accepted.repeats);
    }
}

impl UnitSource for Collected {
    fn next(&self, _: usize) -> NextUnit {
        if let Some(text) = self.waiting.lock().unwrap().pop_front() {
            return NextUnit::Unit(LeasedUnit { text, lease: 1, attempt: 1, is_whole: false });
        }
        let is_closed = self.state.lock().unwrap().0.is_closed();
        if is_closed { NextUnit::Never } else { NextUnit::Later }
    }

    fn offer(&self, text: &str) -> bool {
        self.waiting.lock().unwrap().push_back(text.to_owned());
        true
    }

    fn has_idle_workers(&self) -> bool {
        true
    }

    fn finish(&self, unit: LeasedUnit, end: UnitEnd) {
        match end {
            UnitEnd::Done(result) => self.accept(&result, &format!("worker of {}", unit.text)),
            other => panic!("{}: {other:?}", unit.text),
        }
    }
}

/// Repeated units, which one worker runs without a division.
#[derive(Default)]
struct Again {
    waiting: Mutex<VecDeque<String>>,
    /// Units with their results.
    results: Mutex<Vec<(String, String)>>,
}

impl UnitSource for Again {
    fn next(&self, _: usize) -> NextUnit {
        match self.waiting.lock().unwrap().pop_front() {
            Some(text) => NextUnit::Unit(LeasedUnit { text, lease: 1, attempt: 1, is_whole: true }),
            None => NextUnit::Never,
        }
    }

    fn offer(&self, text: &str) -> bool {
        panic!("{text} was given away")
    }

    fn has_idle_workers(&self) -> bool {
        true
    }

    fn finish(&self, unit: LeasedUnit, end: UnitEnd) {
        let UnitEnd::Done(result) = end else { panic!("{}: {end:?}", unit.text) };
        self.results.lock().unwrap().push((unit.text, result));
    }
}

fn controlled<R>(workers: usize, act: impl FnOnce(&Control<'_, RunEvent>) -> R) -> R {
    let pool = Pool::new(workers).unwrap();
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    act(&Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {}))
}

/// The collector names the units, and workers divide them at every chance.
fn collect(spec: &RunSpec, budget: UnitBudget) -> (UnitRegistry, Vec<Repeat>) {
    let registry = UnitRegistry::new(spec, "run", Archive::default().claims).with_repeats();
    let collected = Collected { waiting: Mutex::default(), state: Mutex::new((registry, vec![])) };
    let send = |step| match step {
        Naming::Unit(unit) => {
            assert!(!names_units(&unit) && collected.offer(&unit));
        }
        Naming::Result(text) => collected.accept(&text, "collector"),
        Naming::Failed { unit, why } => panic!("{unit}: {why}"),
    };
    let run_control = RunControl::default();
    controlled(1, |control| name_units(spec, &send, &run_control, control));
    controlled(3, |control| work(spec, &budget, &collected, &run_control, control));
    collected.state.into_inner().unwrap()
}

#[test]
fn all_work_can_be_repeated_and_gives_the_same() {
    let (mut parts, mut cases) = (0, 0);
    let (most, while_others_wait) = (Duration::from_millis(20), Duration::from_millis(2));
    let short = UnitBudget { most, while_others_wait, ..UnitBudget::default() };
    let none = Duration::ZERO;
    let tiny = UnitBudget { most: none, while_others_wait: none, ..short };
    for (setup, plies) in [
        ("rn2kbn1/1p1pppp1/2R3p1/2pr4/5P2/1P6/1PPPPNP1/1NBQKR2", 35),
        ("rnb2rk1/ppp1nppp/3bp3/8/3p4/4PP2/qPPP2PP/2KR1R2", 24),
        ("rnbqkb1r/pp1ppppp/5n2/2p5/4P3/2N5/PPPP1PPP/R1BQKBNR", 5),
    ] {
        let diagram = Diagram::from_setup(&setup.parse::<Setup>().unwrap()).unwrap();
        let problem = Problem { diagram, plies, length: Length::Exact };
        let params =
            Params { games_max: 50, table_bytes: 4 << 20, trial_max: 30, ..Params::default() };
        let spec = RunSpec::new(&problem, &params, &Archive::default().claims);
        for budget in [tiny, short] {
            let (registry, repeats) = collect(&spec, budget);
            let report = registry.report();
            assert!(report.enumerated && registry.is_closed(), "{setup}");
            let strategies: u64 = repeats.iter().map(|repeat| repeat.strategies).sum();
            assert_eq!(strategies, report.counts.enumerated, "{setup}");
            parts += repeats.iter().filter(|repeat| repeat.unit.starts_with("piece ")).count();
            cases += repeats.iter().filter(|repeat| repeat.workers.len() > 1).count();
            let units = repeats.iter().map(|repeat| repeat.unit.clone()).collect();
            let again = Again { waiting: Mutex::new(units), ..Again::default() };
            controlled(2, |control| work(&spec, &tiny, &again, &RunControl::default(), control));
            let results = again.results.into_inner().unwrap();
            assert_eq!(results.len(), repeats.len());
            for (unit, result) in results {
                let repeat = repeats.iter().find(|repeat| repeat.unit == unit).unwrap();
                assert!(repeat.is_repeatable);
                assert_eq!(registry.compare(&unit, &repeat.stated, &result), Ok(()), "{unit}");
                let wrong = repeat.stated.replacen("strategies ", "strategies 1", 1);
                let difference = registry.compare(&unit, &wrong, &result).unwrap_err().to_string();
                assert!(difference.contains("the first result states"), "{difference}");
            }
        }
    }
    assert!(parts > 100 && cases > 2, "{parts} parts of claims, {cases} divided strategies");
}
