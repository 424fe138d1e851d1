//! Work on one problem with the solver that its parameters name.

use super::counted;
use super::fairy_run;
use super::notify;
use super::observer::Observer;
use super::outcome::{SheetResult, Solved, VerdictWords};
use super::posed::PosedProblem;
use super::position_archive::ReportingKeeper;
use super::positions;
use super::run_files::RunFiles;
use super::sheet_problem::SheetProblem;
use super::strategies::run;
use super::time_limit;
use super::turns::solve_in_turns;
use umbrail_proof::positions::CountKeeper;
use umbrail_proof::run::{RunReport, SolverChoice};
use umbrail_session::job_context::JobContext;

/// Works on any problem within its time, and reports each game as soon as it is known.
pub(super) fn solve_any<'p>(
    problem: &'p SheetProblem,
    files: RunFiles,
    watched: Option<(usize, usize)>,
    words: &VerdictWords,
    job: &JobContext<'_>,
) -> Solved<'p> {
    time_limit::limited(job, problem.time(), |job| match problem {
        SheetProblem::Chess(posed) => {
            let observer = watched.map(|number| Observer::new(posed, number));
            solve_posed(posed, files, observer, words, job)
        }
        SheetProblem::Fairy(posed) => fairy_run::solve(posed, files, words, job),
    })
}

fn solve_posed<'p>(
    posed: &'p PosedProblem,
    files: RunFiles,
    observer: Option<Observer<'_>>,
    words: &VerdictWords,
    job: &JobContext<'_>,
) -> Solved<'p> {
    if let Some(chosen) = &posed.chosen {
        job.message(chosen.message());
    }
    let archive = files.positions.as_ref();
    let keeper = archive.map(|archive| ReportingKeeper { archive, job });
    let keeper = keeper.as_ref().map(|keeper| keeper as &dyn CountKeeper);
    match posed.params.solver {
        SolverChoice::Positions => {
            let (outcome, status) =
                positions::count(posed, posed.params.table_bytes, true, keeper, job);
            let message = counted::verdict(words.kind, words.record, &outcome);
            let result = SheetResult::Counted(Box::new(outcome));
            let faults = files.close(&RunReport::default());
            Solved { result, message, status, faults }
        }
        SolverChoice::Auto => {
            let mut solved = solve_in_turns(posed, (&files, keeper), observer, words, job);
            let report = match &solved.result {
                SheetResult::Solved(outcome) => &outcome.report,
                _ => &RunReport::default(),
            };
            solved.faults = files.close(report);
            solved
        }
        SolverChoice::Strategies | SolverChoice::Both => {
            let (outcome, mut status) =
                run(posed, files.keeping(), &|| files.faults(), observer, job);
            let record = notify::record(&outcome);
            let mut message =
                notify::verdict(words.kind, words.record, &outcome, &record, &words.rest);
            if posed.params.solver == SolverChoice::Both {
                (message, status) =
                    positions::compared((&outcome, status), message, words.record, keeper, job);
            }
            let faults = files.close(&outcome.report);
            Solved { result: SheetResult::Solved(Box::new(outcome)), message, status, faults }
        }
    }
}
