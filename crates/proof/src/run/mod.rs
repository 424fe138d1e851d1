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
pub use parameters::policies::{Collisions, SolverChoice, StopAt, TwoWaySplitting};
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
use crate::enumerate;
use crate::problem::census::{Census, Refusal};
use crate::problem::diagram::Diagram;
use crate::problem::piece::PieceMask;
use crate::problem::retraction::{EarlierProblem, Retraction, earlier};
use crate::problem::{Length, PLIES_MAX, Problem};
use umbrail_chess::geometry::Color;
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

/// Returns the reasons why no game can reach the diagram in any number of half-moves; empty if counting shows none.
///
/// The diagram is refused with either side to move, at lengths that are long enough for everything else.
pub fn refusals_at_any_length(diagram: &Diagram) -> Vec<Refusal> {
    let mut reasons: Vec<Refusal> = vec![];
    for plies in [PLIES_MAX, PLIES_MAX - 1] {
        let problem = Problem { diagram: *diagram, plies, length: Length::Exact };
        let own = match Census::of(&problem) {
            Err(refusals) => refusals,
            Ok(_) => match earlier(&problem, Retraction::Check) {
                Some(parts) if parts.is_empty() => vec![Refusal::NoLastMove],
                _ => return vec![],
            },
        };
        reasons.extend(own);
    }
    let mut known = vec![];
    reasons.retain(|reason| {
        let is_new = !known.contains(reason);
        known.push(reason.clone());
        is_new
    });
    reasons
}

/// Returns the least numbers of moves that White and Black need for their survivors alone, each piece counted by itself;
/// `None` if a piece of the diagram cannot reach its square.
pub fn least_moves(problem: &Problem) -> [Option<u16>; 2] {
    let counts = problem.diagram.piece_counts();
    match counts.iter().all(|&count| count <= 16) {
        true => Color::ALL.map(|color| enumerate::least_moves(problem, color)),
        false => [None; 2],
    }
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
