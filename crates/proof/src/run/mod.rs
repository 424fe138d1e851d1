//! Solving a problem: seekers and players side by side, and one report.
//!
//! Every worker is a seeker first. All walk the same tree, and at the sync depth each node belongs to
//! the first who claims it (Stelvio's rule). Found strategies go into a queue; a seeker that finds it
//! full plays one itself, and a worker that has nothing left to seek plays until the queue is empty
//! and all seekers are home. So roles follow the work, and a massacre of a million strategies and a
//! single hard one both keep every core busy.

mod claims;
mod control;
mod helpers;
pub(crate) mod params;
mod part;
mod queue;
pub(crate) mod record;
mod shared;
mod turn;
pub(crate) mod verdict;
mod watch;

pub use control::RunControl;
pub use params::{COLLISIONS_FROM, Collisions, Params, StopAt, TwoWaySplitting};
pub use record::{
    ClaimRecord, Fact, FinishedClaims, Journal, ListedStrategy, RunCounts, StrategyList,
    StrategyNumber, StrategySink, Success,
};
pub use verdict::{EXAMPLES_MAX, Histogram, ProblemVerdict, RunReport};

pub use shared::Persistence;
pub use watch::{Activity, CurrentPart, PlayTotals, RunMonitor, WorkerView};

use self::part::RunPart;
use self::shared::Run;
use crate::problem::Problem;
use crate::problem::census::{Census, Refusal};
use crate::problem::man::MenSet;
use crate::problem::retraction::{EarlierProblem, earlier};
use umbrail_control::Control;

/// Solves a problem, or says how far it came when it was stopped. Every game in the report has been
/// replayed by the rules alone.
pub fn solve(
    problem: &Problem,
    params: &Params,
    run_control: &RunControl,
    persistence: Persistence<'_>,
    control: &Control<'_, Fact>,
) -> RunReport {
    if let Err(refusals) = Census::of(problem) {
        return RunReport { refusals, sought: true, searched: true, ..RunReport::default() };
    }
    let whole = || vec![EarlierProblem { problem: *problem, tail: vec![], unmoved: MenSet::EMPTY }];
    let parts = match earlier(problem, params.retraction) {
        Some(parts) if parts.is_empty() => {
            let refusals = vec![Refusal::NoLastMove];
            return RunReport { refusals, sought: true, searched: true, ..RunReport::default() };
        }
        Some(parts) => parts,
        None => whole(),
    };
    let run = Run::new(problem, params, run_control, persistence, control);
    for (at, part) in parts.iter().enumerate() {
        if run.is_over() {
            break;
        }
        if Census::of(&part.problem).is_ok() {
            let (problem, tail) = (part.problem, part.tail.clone());
            run.show(CurrentPart { problem, tail, number: at + 1, of: parts.len() });
            RunPart::new(&run, part, at).work();
        } else {
            run.part_is_done();
        }
    }
    run.report(parts.len())
}
