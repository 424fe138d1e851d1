//! Runs of the search of positions.

use super::super::counted::{self, GAMES_LISTED};
use super::super::ending::{ended_early, smaller_table};
use super::super::notify;
use super::super::outcome::{PositionOutcome, Stopwatch};
use super::super::posed::PosedProblem;
use std::sync::Mutex;
use umbrail_control::lock;
use umbrail_proof::positions::{CountKeeper, PositionEvent, PositionSettings, count_games};
use umbrail_proof::run::{Params, StopAt};
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::Message;
use umbrail_session::status::Status;

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

/// Counts the games of a problem with a table of this size, and reports each that is listed, if any are.
pub(in super::super) fn count<'p>(
    posed: &'p PosedProblem,
    table_bytes: u64,
    lists: bool,
    keeper: Option<&dyn CountKeeper>,
    job: &JobContext<'_>,
) -> (PositionOutcome<'p>, Status) {
    let warnings = posed.comments.iter().filter(|line| line.starts_with("warning: "));
    warnings.for_each(|warning| job.message(notify::warning(warning.as_str())));
    let (stopwatch, params) = (Stopwatch::start(), &posed.params);
    let problem = posed.position_problem();
    let settings = PositionSettings { table_bytes, ..settings(params, lists) };
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
    let report = count_games(&problem, &settings, keeper, &job.control(&notify));
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
