//! The work of `solve` and `bounds`: one problem or a sheet of them.

use super::ending::{ended_early, reported};
use super::files::{self, Exports};
use super::notify;
use super::outcome::{SheetResult, Solved, VerdictWords};
use super::popeye_file;
use super::posing::{self, UnreadProblem};
use super::problems::SolveSettings;
use super::run_files::{RunFiles, SheetArchives};
use super::sheet_problem::SheetProblem;
use super::solved::solve_any;
use super::start;
use crate::records::spg::SheetEnd;
use umbrail_proof::files::sheet::{heading, length_of};
use umbrail_proof::report::ProblemVerdict;
use umbrail_session::domain::{Domain, Task};
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::module::{Context, Prepared, Work};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

/// The problems of a file or of a command.
struct Sheet {
    /// The file, if there is one.
    file: Option<String>,
    /// Its comments as a whole.
    heading: Vec<String>,
    /// Its problems, each or why it cannot be read.
    problems: Vec<Result<SheetProblem, UnreadProblem>>,
    /// Each problem has an end of its own, as in a file of Popeye.
    ends_each: bool,
}

/// The keys that name files which one run keeps beside its results.
const RUN_FILES: [&str; 3] = ["archive", "strategies-out", "strategies-in"];
/// Those of them that a sheet of several problems cannot have.
const SINGLE_FILES: [&str; 2] = ["strategies-out", "strategies-in"];
/// The keys that pose a problem.
const POSING: [&str; 11] = [
    "fen",
    "moves",
    "plies",
    "condition",
    "piece",
    "series",
    "uncolored",
    "add",
    "board-b",
    "start-board-b",
    "start",
];

pub(super) fn solving(
    task: &Task,
    settings: SolveSettings,
    context: &Context,
) -> Result<Prepared, TaskError> {
    start::check_keys(task, settings.params.solver)?;
    if task.key("resume").is_some() && task.key("archive").is_none() {
        return Err(TaskError::expects("resume", "the key archive and a file"));
    }
    if task.key("strategies-in").is_some() && task.key("archive").is_some() {
        return Err("strategies-in replaces the enumeration, which an archive keeps".into());
    }
    let posing = POSING.iter().find(|key| task.key(key).is_some());
    if let (true, Some(key)) = (!task.subject.is_empty() || task.text.is_some(), posing) {
        return Err(
            TaskError::expected(format_args!("a file of problems or the key {key}")).got("both")
        );
    }
    let (task, watched) = (task.clone(), context.watched);
    let sheet = match (task.subject.as_slice(), &task.text) {
        ([path], _) => {
            let path = path.clone();
            let ends_each = popeye_file::path(&task).is_some();
            return Ok(Prepared::load(move |job| {
                let text = job.read_text(&path)?;
                let sheet = match ends_each {
                    true => {
                        let read = popeye_file::read(&path, &text, &settings)?;
                        let problems = read.into_iter().map(Ok).collect();
                        Sheet { file: None, heading: vec![], problems, ends_each }
                    }
                    false => {
                        let problems = posing::of_text(&path, &text, &settings)?;
                        Sheet { file: Some(path), heading: heading(&text), problems, ends_each }
                    }
                };
                solver(&task, sheet, watched, job)
            }));
        }
        ([], Some(text)) => {
            let problems = posing::of_text("the text", text, &settings)?;
            Sheet { file: None, heading: heading(text), problems, ends_each: false }
        }
        ([], None) => {
            let problems = vec![Ok(posing::one(&task, &settings, context)?)];
            Sheet { file: None, heading: vec![], problems, ends_each: false }
        }
        ([word, .., last], _) if length_of(last).is_some() => {
            return Err(
                TaskError::expected("a FEN and a length, or one file of problems").got_quoted(word)
            );
        }
        (several, _) => {
            return Err(TaskError::expected("one file of problems").got(several.len()));
        }
    };
    if files::writes_files(&task) || RUN_FILES.iter().any(|key| task.key(key).is_some()) {
        return Ok(Prepared::load(move |job| solver(&task, sheet, watched, job)));
    }
    Ok(solve_all(sheet.problems, RunFiles::default(), Exports::default(), watched).into())
}

/// Opens the files of a run, which are for one problem.
fn solver(
    task: &Task,
    Sheet { file, heading, mut problems, ends_each }: Sheet,
    watched: bool,
    job: &JobContext<'_>,
) -> Result<Work, TaskError> {
    let mut exports = Exports::of(task, file.as_deref(), heading);
    files::refuse_same_files(task, &exports)?;
    exports.check(task)?;
    if ends_each && problems.len() > 1 {
        if let Some(key) = SINGLE_FILES.iter().find(|key| task.key(key).is_some()) {
            return Err(format!("{key} applies to one problem, but the file has several").into());
        }
        let archives = SheetArchives::open(task)?;
        return Ok(popeye_file::solve_each(problems, archives, exports, watched));
    }
    if let [Ok(problem)] = problems.as_mut_slice() {
        let files = RunFiles::open(task, problem, job)?;
        if task.text.is_some() {
            // A text may have any number of problems, and its reader needs to know what they are.
            let mut message = notify::problem(1, 1, problem);
            message.page.clear();
            job.message(message);
        }
        return Ok(solve_all(problems, files, exports, watched));
    }
    // A single problem that cannot be read has no files of its own, and gets none.
    let several = problems.len() > 1;
    if let Some(key) = SINGLE_FILES.iter().find(|key| several && task.key(key).is_some()) {
        return Err(format!("{key} applies to one problem, but the file has several").into());
    }
    let archives = if several { SheetArchives::open(task)? } else { None };
    Ok(solve_sheet(problems, archives, exports, watched))
}

fn solve_all(
    problems: Vec<Result<SheetProblem, UnreadProblem>>,
    files: RunFiles,
    exports: Exports,
    watched: bool,
) -> Work {
    Box::new(move |job| {
        files.reported.iter().for_each(|text| job.message(notify::warning(text.as_str())));
        exports.report_lost(job);
        let [Ok(problem)] = problems.as_slice() else {
            return all(&problems, None, &exports, watched, job);
        };
        // A new archive has nothing to continue with.
        let begun = files.continued().filter(|(done, known)| {
            known.is_some() || done.is_some_and(|done| !done.claims.is_empty())
        });
        if let Some(continued) = begun {
            job.message(notify::resumed(continued));
        }
        let kept = files.name.clone();
        let said = VerdictWords { kind: Kind::Done, record: "end", rest: exports.rest() };
        let Solved { result, message: mut done, status, faults } =
            solve_any(problem, files, watched.then_some((1, 1)), &said, job);
        let mut board = vec![String::new()];
        board.extend(problem.board());
        done.page.splice(0..0, board);
        let is_open = match &result {
            SheetResult::Solved(outcome) => {
                !outcome.report.is_complete() && !outcome.posed.params.histogram
            }
            SheetResult::Counted(outcome) => !outcome.report.is_complete,
            SheetResult::Fairy(outcome) => !outcome.report.is_complete,
            _ => false,
        };
        if is_open && (job.is_over() || status == Status::Limit) {
            done.page.push(how_to_continue(kept.as_deref()));
        }
        let mut failed = exports.write(&[result], &mut done.page);
        failed.extend(faults);
        Completion { done, status: reported(failed, &exports, job).unwrap_or(status) }
    })
}

/// How a run that was stopped continues.
fn how_to_continue(archive: Option<&str>) -> String {
    match archive {
        Some(path) => format!("the same command with --resume continues from {path}"),
        None => "nothing was kept; a run with --archive FILE can be resumed".to_owned(),
    }
}

/// The same for a sheet of several problems, each with an archive of its own where a folder of them is kept.
fn solve_sheet(
    problems: Vec<Result<SheetProblem, UnreadProblem>>,
    archives: Option<SheetArchives>,
    exports: Exports,
    watched: bool,
) -> Work {
    Box::new(move |job| {
        exports.report_lost(job);
        all(&problems, archives.as_ref(), &exports, watched, job)
    })
}

/// A sheet: one problem after the other, a faulty one is reported and skipped.
fn all(
    problems: &[Result<SheetProblem, UnreadProblem>],
    archives: Option<&SheetArchives>,
    exports: &Exports,
    watched: bool,
    job: &JobContext<'_>,
) -> Completion {
    let mut results = vec![];
    let mut worst = Status::Complete;
    let unsolved = |result: &SheetResult<'_>, number, why: &str| {
        job.message(Message::error(Domain::Spg, why.to_owned()));
        job.message(notify::unsolved(number, result));
    };
    for (at, problem) in problems.iter().enumerate() {
        match problem {
            Err(unread) => {
                let result = SheetResult::Unread(unread);
                job.message(notify::unread(at + 1, problems.len(), unread));
                unsolved(&result, at + 1, &unread.why);
                worst = Status::Refused;
                results.push(result);
            }
            Ok(posed) if job.is_over() => results.push(SheetResult::NotReached(posed)),
            Ok(posed) => {
                job.message(notify::problem(at + 1, problems.len(), posed));
                let files = archives
                    .map_or(Ok(RunFiles::default()), |archives| archives.of(at + 1, posed, job));
                let files = match files {
                    Ok(files) => files,
                    Err(why) => {
                        let why = why.to_string();
                        let result = SheetResult::Failed(posed, why.clone());
                        unsolved(&result, at + 1, &why);
                        worst = Status::Refused;
                        results.push(result);
                        continue;
                    }
                };
                files.reported.iter().for_each(|text| job.message(notify::warning(text.as_str())));
                let number = watched.then_some((at + 1, problems.len()));
                let said =
                    VerdictWords { kind: Kind::Result, record: "verdict", rest: exports.rest() };
                let Solved { result, message, status, faults } =
                    solve_any(posed, files, number, &said, job);
                for why in faults {
                    job.message(Message::error(Domain::Spg, why));
                    worst = Status::Refused;
                }
                job.message(message);
                results.push(result);
                if status != Status::Complete && worst == Status::Complete {
                    worst = status;
                }
            }
        }
    }
    let solved = results.iter().filter(|result| result.is_solved()).count();
    let all = problems.len();
    if worst == Status::Complete && solved < all {
        worst = ended_early(job);
    }
    let record = SheetEnd {
        count: solved as u64,
        problems: all as u64,
        verdicts: results.iter().map(SheetResult::word).collect(),
    };
    let mut done = notify::holding(Kind::Done, &record).with("count", record.count);
    let broken = problems.iter().filter(|problem| problem.is_err()).count();
    let open = all - broken - solved;
    let is_partial = |result: &&SheetResult<'_>| {
        result.is_solved() && result.word() == ProblemVerdict::Partial.to_string()
    };
    let partial = results.iter().filter(is_partial).count();
    if broken + open + partial > 0 {
        let tested = match partial {
            0 => String::new(),
            more => format!(" {more} not fully tested,"),
        };
        let reported = format!(
            "{} of {all} problems solved,{tested} {broken} cannot be read, {open} not reached",
            solved - partial
        );
        done.page = vec![String::new(), reported];
    }
    let faults = exports.write(&results, &mut done.page);
    Completion { done, status: reported(faults, exports, job).unwrap_or(worst) }
}
