//! Runs of problems with conditions, fairy pieces, series moves or unusual starts.

use super::ending::{ended_early, smaller_table};
use super::fairy;
use super::notify;
use super::outcome::{FairyOutcome, SheetResult, Solved, Stopwatch, VerdictWords};
use super::position_archive::ReportingKeeper;
use super::positions;
use super::run_files::RunFiles;
use super::sheet_problem::FairyPosed;
use std::sync::Mutex;
use umbrail_control::lock;
use umbrail_proof::positions::{
    CountKeeper, PositionEvent, PositionReport, count_fairy_games, fairy_verdict_of,
};
use umbrail_proof::run::RunReport;
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::Message;
use umbrail_session::status::Status;

/// Counts the games of a problem, and reports each that is listed.
pub(super) fn solve<'p>(
    posed: &'p FairyPosed,
    files: RunFiles,
    words: &VerdictWords,
    job: &JobContext<'_>,
) -> Solved<'p> {
    let warnings = posed.comments.iter().filter(|line| line.starts_with("warning: "));
    warnings.for_each(|warning| job.message(notify::warning(warning.as_str())));
    let stopwatch = Stopwatch::start();
    let params = &posed.params;
    let settings = positions::settings(params, true);
    let archive = files.positions.as_ref();
    let keeper = archive.map(|archive| ReportingKeeper { archive, job });
    let keeper = keeper.as_ref().map(|keeper| keeper as &dyn CountKeeper);
    let index = Mutex::new(0);
    let notify = |event: PositionEvent| match event {
        PositionEvent::FairyGame(game) => {
            let mut index = lock(&index);
            *index += 1;
            job.message(fairy::solution(*index, &posed.problem, &game));
        }
        PositionEvent::Game(_) => {}
        PositionEvent::SmallerTable { wanted, granted } => {
            job.message(notify::warning(smaller_table(wanted, granted)));
        }
    };
    let counted = count_fairy_games(&posed.problem, &settings, keeper, &job.control(&notify));
    let report = counted.unwrap_or_else(|error| PositionReport {
        // Problems are checked when they are read.
        faults: vec![error.to_string()],
        ..PositionReport::default()
    });
    for fault in &report.faults {
        job.message(Message::error(Domain::Spg, format!("internal error, please report: {fault}")));
    }
    let verdict = fairy_verdict_of(&posed.problem, params.intended, &report);
    let status = match () {
        () if !report.faults.is_empty() => Status::Internal,
        () if report.is_complete => Status::Complete,
        () if job.is_over() => ended_early(job),
        () => Status::Complete,
    };
    let outcome = FairyOutcome { posed, report, verdict, times: stopwatch.stop() };
    let message = fairy::end(&outcome, words);
    let faults = files.close(&RunReport::default());
    Solved { result: SheetResult::Fairy(Box::new(outcome)), message, status, faults }
}
