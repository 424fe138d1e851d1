//! Files of Popeye as tasks: their problems, and one end for each.

use super::files::Exports;
use super::notify;
use super::outcome::{SheetResult, VerdictWords};
use super::posing::UnreadProblem;
use super::problems::SolveSettings;
use super::run_files::{RunFiles, SheetArchives};
use super::sheet_problem::SheetProblem;
use super::solved::solve_any;
use umbrail_proof::files::popeye;
use umbrail_proof::positions::FairyProblem;
use umbrail_session::domain::{Domain, Task};
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::module::Work;
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

/// Extension of Popeye's input files.
const EXTENSION: &str = ".inp";

/// Returns the file of Popeye that a task names.
pub(super) fn path(task: &Task) -> Option<&str> {
    match task.subject.as_slice() {
        [path] if path.to_ascii_lowercase().ends_with(EXTENSION) => Some(path),
        _ => None,
    }
}

/// Reads all problems and twins of a file. Unlike a sheet, the file is refused as a whole.
///
/// # Errors
/// The first fault with its place, or the first problem that is not supported.
pub(super) fn read(
    path: &str,
    text: &str,
    settings: &SolveSettings,
) -> Result<Vec<SheetProblem>, TaskError> {
    let twins = popeye::read(text).map_err(|error| TaskError::from(format!("{path}:{error}")))?;
    let posed = |twin: popeye::PopeyeTwin| {
        twin.problem.check().map_err(|error| TaskError::from(format!("{path}: {error}")))?;
        let length = match twin.problem.length {
            umbrail_proof::Length::Parity => settings.length(),
            exact => exact,
        };
        let problem = FairyProblem { length, ..twin.problem };
        let credits = (twin.title, twin.comments);
        let posed = settings.pose(problem, settings.params.clone(), credits, None);
        posed.map_err(|why| TaskError::from(format!("{path}: {why}")))
    };
    twins.into_iter().map(posed).collect()
}

/// Solves all problems; each has an end of its own.
pub(super) fn solve_each(
    problems: Vec<Result<SheetProblem, UnreadProblem>>,
    archives: Option<SheetArchives>,
    exports: Exports,
    watched: bool,
) -> Work {
    Box::new(move |job| each(&problems, archives.as_ref(), &exports, watched, job))
}

fn each(
    problems: &[Result<SheetProblem, UnreadProblem>],
    archives: Option<&SheetArchives>,
    exports: &Exports,
    watched: bool,
    job: &JobContext<'_>,
) -> Completion {
    let mut worst = Status::Complete;
    let mut done = Message::new(Domain::Spg, Kind::Done);
    let mut results = vec![];
    let count = problems.len();
    for (at, problem) in problems.iter().flatten().enumerate() {
        let kind = if at + 1 == count { Kind::Done } else { Kind::Result };
        let words = VerdictWords { kind, record: "end", rest: exports.rest() };
        let watched = watched.then_some((at + 1, count));
        let files =
            archives.map_or(Ok(RunFiles::default()), |archives| archives.of(at + 1, problem, job));
        let files = match files {
            Ok(files) => files,
            Err(why) => {
                job.message(Message::error(Domain::Spg, why.to_string()));
                worst = Status::Refused;
                results.push(SheetResult::Failed(problem, why.to_string()));
                continue;
            }
        };
        files.reported.iter().for_each(|text| job.message(notify::warning(text.as_str())));
        let solved = solve_any(problem, files, watched, &words, job);
        let mut message = solved.message;
        let mut board = vec![String::new()];
        board.extend(problem.board());
        message.page.splice(0..0, board);
        for why in solved.faults {
            job.message(Message::error(Domain::Spg, why));
            worst = Status::Refused;
        }
        if solved.status != Status::Complete && worst == Status::Complete {
            worst = solved.status;
        }
        match kind {
            Kind::Done => done = message,
            _ => job.message(message),
        }
        results.push(solved.result);
    }
    let faults = exports.write(&results, &mut done.page);
    let status = super::ending::reported(faults, exports, job).unwrap_or(worst);
    Completion { done, status }
}
