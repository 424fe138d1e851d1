//! A solved problem, whose archive and results are the valid files of some targets.

use std::sync::Mutex;
use std::time::Instant;
use umbrail::control::{
    Cancel, Clock, Control, LeasedUnit, NextUnit, Pool, Progress, UnitEnd, UnitSource,
};
use umbrail::proof::files::archive::{Header, claim_line, part_line};
use umbrail::proof::run::{
    ClaimRecord, Params, Persistence, RunArchive, RunControl, RunEvent, solve,
};
use umbrail::proof::units::{RunSpec, UnitBudget, work};
use umbrail::proof::{Diagram, Length, Problem};

/// A problem with many claims and several games.
pub fn problem() -> Problem {
    let setup = "rnbqkb1r/pp1ppppp/5n2/2p5/4P3/2N5/PPPP1PPP/R1BQKBNR".parse().expect("a position");
    let diagram = Diagram::from_setup(&setup).expect("a diagram");
    Problem { diagram, plies: 4, length: Length::Exact }
}

/// Settings of the solution.
pub fn params() -> Params {
    Params { games_max: 50, table_bytes: 1 << 20, ..Params::default() }
}

fn controlled<R>(act: impl FnOnce(&Control<'_, RunEvent>) -> R) -> R {
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(1).expect("a thread");
    act(&Control::new(Cancel::default(), &clock, &progress, &pool, &|_| {}))
}

#[derive(Default)]
struct Lines(Mutex<String>);

impl RunArchive for Lines {
    fn claim(&self, record: &ClaimRecord) {
        self.0.lock().expect("the lines").push_str(&claim_line(record));
    }

    fn part(&self, part: u16, claims: u64, digest: u64) {
        self.0.lock().expect("the lines").push_str(&part_line(part, claims, digest));
    }
}

/// Returns the archive of the solved problem.
#[allow(dead_code, reason = "each target uses its part of this module")]
pub fn archive() -> String {
    let lines = Lines::default();
    let keeping = Persistence { journal: Some(&lines), ..Persistence::default() };
    controlled(|control| solve(&problem(), &params(), &RunControl::default(), keeping, control));
    Header::of(&problem(), &params()).line() + &lines.0.into_inner().expect("the lines")
}

/// Units and their results.
#[derive(Default)]
struct Results(Mutex<(Vec<String>, Vec<String>)>);

impl UnitSource for Results {
    fn next(&self, _: usize) -> NextUnit {
        match self.0.lock().expect("the units").0.pop() {
            Some(text) => {
                NextUnit::Unit(LeasedUnit { text, lease: 1, attempt: 1, is_whole: false })
            }
            None => NextUnit::Never,
        }
    }

    fn offer(&self, text: &str) -> bool {
        self.0.lock().expect("the units").0.push(text.to_owned());
        true
    }

    fn has_idle_workers(&self) -> bool {
        true
    }

    fn finish(&self, _: LeasedUnit, end: UnitEnd) {
        if let UnitEnd::Done(text) = end {
            self.0.lock().expect("the results").1.push(text);
        }
    }
}

/// Returns the run of the problem, and the results of all its units.
#[allow(dead_code, reason = "each target uses its part of this module")]
pub fn results() -> (RunSpec, Vec<String>) {
    let spec = RunSpec::new(&problem(), &params(), &Default::default());
    let results = Results::default();
    results.0.lock().expect("the units").0 = spec.roots();
    let run_control = RunControl::default();
    controlled(|control| work(&spec, &UnitBudget::default(), &results, &run_control, control));
    (spec, results.0.into_inner().expect("the results").1)
}
