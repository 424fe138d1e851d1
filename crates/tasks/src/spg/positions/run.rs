//! Runs of the search of positions: one problem of a command, or one of a sheet.

use super::super::counted::{self, GAMES_LISTED};
use super::super::ending::{ended_early, reported, smaller_table};
use super::super::files::Exports;
use super::super::notify;
use super::super::outcome::{PositionOutcome, SheetResult, Stopwatch};
use super::super::problems::PosedProblem;
use std::sync::Mutex;
use umbrail_control::lock;
use umbrail_proof::positions::{
    PositionEvent, PositionProblem, PositionSettings, Turns, count_games,
};
use umbrail_proof::report::text;
use umbrail_proof::run::{Params, StopAt};
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::status::Status;

/// Solves the problem of a command.
pub(in super::super) fn solve_one(
    posed: &PosedProblem,
    exports: &Exports,
    job: &JobContext<'_>,
) -> Completion {
    let (outcome, status) = count(posed, true, job);
    let mut done = counted::verdict(Kind::Done, "end", &outcome);
    let mut board = vec![String::new()];
    board.extend(text::board(&posed.problem.diagram, posed.problem.plies));
    done.page.splice(0..0, board);
    let faults = exports.write(&[SheetResult::Counted(Box::new(outcome))], &mut done.page);
    Completion { done, status: reported(faults, exports, job).unwrap_or(status) }
}

/// Solves a problem of a sheet, and reports its verdict.
pub(in super::super) fn solve_of_sheet<'p>(
    posed: &'p PosedProblem,
    job: &JobContext<'_>,
) -> (SheetResult<'p>, Status) {
    let (outcome, status) = count(posed, true, job);
    job.message(counted::verdict(Kind::Result, "verdict", &outcome));
    (SheetResult::Counted(Box::new(outcome)), status)
}

/// Returns the settings of a search with these parameters; `lists` asks for the games, too.
pub(in super::super) fn settings(params: &Params, lists: bool) -> PositionSettings {
    PositionSettings {
        table_bytes: params.table_bytes,
        listed_max: if lists { params.games_max.max(GAMES_LISTED) } else { 0 },
        enough: match params.stop_at {
            StopAt::Complete => u128::MAX,
            StopAt::Counted => params.games_max.max(params.intended + 1) as u128,
            StopAt::Cooked => params.intended as u128 + 1,
            StopAt::First => 1,
        },
    }
}

/// Counts the games of a problem, and reports each that is listed, if any are.
pub(super) fn count<'p>(
    posed: &'p PosedProblem,
    lists: bool,
    job: &JobContext<'_>,
) -> (PositionOutcome<'p>, Status) {
    let warnings = posed.comments.iter().filter(|line| line.starts_with("warning: "));
    warnings.for_each(|warning| job.message(notify::warning(warning.as_str())));
    let (stopwatch, params) = (Stopwatch::start(), &posed.params);
    let problem = PositionProblem {
        start: posed.start,
        diagram: posed.problem.diagram,
        plies: posed.problem.plies,
        length: posed.problem.length,
        turns: Turns::Alternating,
    };
    let settings = settings(params, lists);
    let index = Mutex::new(0);
    let notify = |event: PositionEvent| match event {
        PositionEvent::Game(game) => {
            let mut index = lock(&index);
            *index += 1;
            job.message(counted::solution(*index, &problem.start, &game, posed.notation));
        }
        // Only problems with conditions have such games.
        PositionEvent::FairyGame(_) => {}
        PositionEvent::SmallerTable { wanted, granted } => {
            job.message(notify::warning(smaller_table(wanted, granted)));
        }
    };
    let report = count_games(&problem, &settings, &job.control(&notify));
    for fault in &report.faults {
        job.message(Message::error(Domain::Spg, format!("internal error, please report: {fault}")));
    }
    let outcome = PositionOutcome::new(posed, problem, report, stopwatch.stop());
    let status = match () {
        () if !outcome.report.faults.is_empty() => Status::Internal,
        () if outcome.report.is_complete => Status::Complete,
        () if job.is_over() => ended_early(job),
        // The run was to end with these games.
        () => Status::Complete,
    };
    (outcome, status)
}
