//! Solution of a problem by seekers and players in parallel, with one report.
//!
//! Every worker is a seeker first: it enumerates strategies. All seekers walk one tree, and at the
//! sync depth each node belongs to the first one that claims it (Stelvio's rule). The strategies
//! found go into a queue. A seeker that finds the queue full searches one itself as a player. A
//! worker with nothing left to enumerate searches until the queue is empty and all seekers are
//! done. Roles therefore follow the work: both a million easy strategies and a single hard one keep
//! every core busy.

mod claims;
mod control;
mod judge;
mod monitor;
mod outcome;
pub(crate) mod parameters;
pub(crate) mod part;
mod play;
mod queue;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod team;
pub(crate) mod totals;

pub use control::RunControl;
pub use parameters::policies::{Collisions, StopAt, TwoWaySplitting};
pub use parameters::table::{Parameter, ParameterKind, Params, RunIdentity, ValueError};
pub use parameters::words::Words;
pub use record::{
    ClaimRecord, EnumeratedTree, ListedStrategy, RunArchive, RunCounts, RunEvent, StrategyList,
    StrategyNumber, StrategySink, Success,
};
pub use report::{Histogram, RunReport, TakenClaims};

pub use crate::enumerate::{
    Matching, NodeDecision, ProgressStep, ProgressTrace, STEPS_MAX, WalkCounts,
};
pub use crate::search::{PlayerSnapshot, PlayerView, SPLITS_MAX};
pub use monitor::{Activity, CurrentPart, PlayTotals, RunMonitor, WorkerView};
pub use totals::Persistence;

use self::part::RetractionRun;
use self::totals::Run;
use crate::problem::Problem;
use crate::problem::census::{Census, Refusal};
use crate::problem::piece::PieceMask;
use crate::problem::retraction::{EarlierProblem, earlier};
use umbrail_control::{Control, keep_limit};

/// Solves a problem as far as possible until it is stopped or the time is up. Every game in the
/// report has been replayed by the rules of chess alone.
pub fn solve(
    problem: &Problem,
    params: &Params,
    run_control: &RunControl,
    persistence: Persistence<'_>,
    control: &Control<'_, RunEvent>,
) -> RunReport {
    // Searches poll only the stop signal.
    keep_limit(control.clock, &control.cancel, || {
        solve_until_stopped(problem, params, run_control, persistence, control)
    })
}

/// Returns the report of a problem that provably has no game before any enumeration.
fn refused(refusals: Vec<Refusal>) -> RunReport {
    let (enumerated, searched, shard_finished) = (true, true, true);
    RunReport { refusals, enumerated, searched, shard_finished, ..RunReport::default() }
}

fn solve_until_stopped(
    problem: &Problem,
    params: &Params,
    run_control: &RunControl,
    persistence: Persistence<'_>,
    control: &Control<'_, RunEvent>,
) -> RunReport {
    if let Err(refusals) = Census::of(problem) {
        return refused(refusals);
    }
    let whole =
        || vec![EarlierProblem { problem: *problem, tail: vec![], unmoved: PieceMask::EMPTY }];
    let parts = match earlier(problem, params.retraction) {
        Some(parts) if parts.is_empty() => {
            return refused(vec![Refusal::NoLastMove]);
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
            RetractionRun::new(&run, part, at).work();
        } else {
            run.part_is_done();
        }
    }
    run.report(parts.len())
}
