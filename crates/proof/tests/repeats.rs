//! The work of a run, repeated by other workers: every strategy is confirmed whatever the division
//! was, and a wrong statement is found.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_chess::geometry::Setup;
use umbrail_control::{
    Cancel, Clock, Control, LeasedUnit, NextUnit, Pool, Progress, UnitEnd, UnitSource,
};
use umbrail_proof::files::archive::Archive;
use umbrail_proof::internals::SplitMix;
use umbrail_proof::run::{ClaimRecord, Params, RunArchive, RunControl, RunEvent};
use umbrail_proof::units::{
    Naming, Repeat, RunSpec, UnitBudget, UnitRegistry, name_units, names_units, work,
};
use umbrail_proof::{Diagram, Length, Problem};
use xxhash_rust::xxh3::xxh3_64;

struct NoArchive;

impl RunArchive for NoArchive {
    fn claim(&self, _: &ClaimRecord) {}

    fn part(&self, _: u16, _: u64, _: u64) {}
}

/// Units that several workers run while others always wait, with what can be repeated.
struct Collected {
    waiting: Mutex<VecDeque<String>>,
    state: Mutex<(UnitRegistry, Vec<Repeat>)>,
    /// All results, with those of the collector.
    results: Mutex<Vec<String>>,
}

impl Collected {
    fn accept(&self, result: &str, worker: &str) {
        self.results.lock().unwrap().push(result.to_owned());
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

/// Returns the result that an honest second worker gives.
fn second(spec: &RunSpec, unit: &str) -> String {
    let waiting = Mutex::new([unit.to_owned()].into());
    let again = Again { waiting, ..Again::default() };
    controlled(1, |control| {
        work(spec, &UnitBudget::default(), &again, &RunControl::default(), control);
    });
    again.results.into_inner().unwrap().pop().unwrap().1
}

/// The collector names the units, and workers divide them at every chance.
fn collect(spec: &RunSpec, budget: UnitBudget) -> (UnitRegistry, Vec<Repeat>, Vec<String>) {
    let registry = UnitRegistry::new(spec, "run", Archive::default().claims).with_repeats();
    let collected = Collected {
        waiting: Mutex::default(),
        state: Mutex::new((registry, vec![])),
        results: Mutex::default(),
    };
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
    let (registry, repeats) = collected.state.into_inner().unwrap();
    (registry, repeats, collected.results.into_inner().unwrap())
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
            let (registry, repeats, _) = collect(&spec, budget);
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

/// Gives a line of a claim the checksum that it would have if it were genuine.
fn sealed(line: &str) -> String {
    let (Some(at), Some((body, _))) = (line.find("claim "), line.rsplit_once(" #")) else {
        return line.to_owned();
    };
    format!("{body} #{:016x}", xxh3_64(&body.as_bytes()[at..]))
}

/// Changes one thing of a result; lines of claims have right checksums again.
fn forged(result: &str, random: &mut SplitMix) -> String {
    let mut lines: Vec<String> = result.lines().map(str::to_owned).collect();
    let at = random.roll(lines.len());
    match random.roll(7) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[random.roll(lines.len())].clone()),
        2 => lines.truncate(at),
        // A game less, or a strategy with games less.
        3 | 4 => {
            let mark = if random.roll(2) == 0 { " : " } else { " | " };
            if let Some((kept, cut)) = lines[at].rsplit_once(mark) {
                let seal = cut.rsplit_once(" #").map_or("", |(_, seal)| seal);
                lines[at] = sealed(&format!("{kept} #{seal}"));
            }
        }
        // Another number.
        5 => {
            let words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let mut words = words;
            let place = random.roll(words.len());
            if let Ok(number) = words[place].parse::<u64>() {
                words[place] =
                    number.wrapping_add(random.roll(3) as u64).wrapping_sub(1).to_string();
            }
            lines[at] = sealed(&words.join(" "));
        }
        _ => {
            let mut bytes = lines[at].clone().into_bytes();
            let byte = random.roll(bytes.len().max(1));
            if let Some(byte) = bytes.get_mut(byte) {
                *byte = b'0' + random.roll(75) as u8;
            }
            lines[at] = sealed(&String::from_utf8(bytes).unwrap());
        }
    }
    lines.join("\n") + "\n"
}

/// What a run states: whether it is complete, its strategies and games.
fn statement(registry: &UnitRegistry) -> (bool, u64, usize) {
    let report = registry.report();
    let games = report.games().count();
    (registry.is_closed() && report.is_complete(), report.counts.enumerated, games)
}

/// A forged result of a worker is refused, leaves the run incomplete, or is contradicted by a second
/// worker. What is left changes nothing but statistics.
#[test]
fn a_thousand_forged_results_are_found() {
    let setup = "rnbqkb1r/pp1ppppp/5n2/2p5/4P3/2N5/PPPP1PPP/R1BQKBNR".parse::<Setup>().unwrap();
    let diagram = Diagram::from_setup(&setup).unwrap();
    let problem = Problem { diagram, plies: 4, length: Length::Exact };
    let params = Params { games_max: 50, table_bytes: 1 << 20, ..Params::default() };
    let spec = RunSpec::new(&problem, &params, &Archive::default().claims);
    let none = Duration::ZERO;
    let tiny = UnitBudget { most: none, while_others_wait: none, ..UnitBudget::default() };
    let (registry, _, results) = collect(&spec, tiny);
    let truth = statement(&registry);
    assert!(truth.0 && truth.2 > 1, "{truth:?}");
    let is_own = |result: &String| names_units(result.trim_start_matches("unit "));
    let workers: Vec<usize> = (0..results.len()).filter(|&at| !is_own(&results[at])).collect();
    let mut known = HashMap::new();
    let (mut refused, mut open, mut contradicted, mut same) = (0, 0, 0, 0);
    for seed in 0..1000 {
        let mut random = SplitMix::new(seed);
        let wrong = workers[random.roll(workers.len())];
        let mut registry =
            UnitRegistry::new(&spec, "run", Archive::default().claims).with_repeats();
        let mut repeats = vec![];
        let mut is_refused = false;
        for (at, result) in results.iter().enumerate() {
            let text = if at == wrong { forged(result, &mut random) } else { result.clone() };
            match registry.accept(&text, "worker", &NoArchive) {
                Ok(accepted) => repeats.extend(accepted.repeats),
                Err(_) => is_refused = true,
            }
        }
        let confirms = |repeat: &Repeat| {
            let unit = &repeat.unit;
            let second = known.entry(unit.clone()).or_insert_with(|| second(&spec, unit));
            registry.compare(unit, &repeat.stated, second).is_ok()
        };
        if is_refused {
            refused += 1;
        } else if !statement(&registry).0 {
            open += 1;
        } else if !repeats.iter().all(confirms) {
            contradicted += 1;
        } else {
            assert_eq!(statement(&registry), truth, "seed {seed}");
            same += 1;
        }
    }
    println!("{refused} refused, {open} incomplete, {contradicted} contradicted, {same} the same");
    assert!(
        refused > 300 && open > 20 && contradicted > 20,
        "{refused} {open} {contradicted} {same}"
    );
}
