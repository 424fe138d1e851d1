//! The files that results are written to: the result file in plain text, and the exports of
//! [`EXPORTS`](umbrail_proof::report::EXPORTS).

use super::counted;
use super::fairy;
use super::histograms::histograms;
use super::notify;
use super::outcome::{FairyOutcome, Outcome, PositionOutcome, SheetResult};
use super::posed::PosedProblem;
use super::posing::UnreadProblem;
use crate::date;
use crate::results::{ResultFileError, check_writable, write_result};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use umbrail_proof::report::{self, Credits, EXPORTS, Export, SolvedProblem, length, text};
use umbrail_proof::run::Words;
use umbrail_session::domain::{Domain, Task};
use umbrail_session::job_context::JobContext;
use umbrail_session::message::Message;
use umbrail_session::task_error::TaskError;

/// The key that names the result file.
const OUTPUT: &str = "output";

/// The keys that name files which are written beside the result file: exports, and what is written during the run.
fn written_keys() -> impl Iterator<Item = &'static str> {
    EXPORTS.iter().map(|export| export.key).chain(["archive", "strategies-out"])
}

/// True for a task that writes a file.
pub(super) fn writes_files(task: &Task) -> bool {
    written_keys().chain([OUTPUT]).any(|key| task.key(key).is_some())
}

/// Where results are written.
#[derive(Default)]
pub(super) struct Exports {
    output: Option<String>,
    /// Why the result file that nobody requested cannot be written.
    lost: Option<String>,
    exports: Vec<(&'static Export, String)>,
    /// Comments of the problem file as a whole.
    heading: Vec<String>,
}

/// The result file beside a problem file: `problems_out.txt` beside `problems.txt`. There is none beside a pipe or a
/// device.
fn beside(path: &str) -> Option<String> {
    let path = Path::new(path);
    if !path.is_file() {
        return None;
    }
    let stem = path.file_stem().map_or_else(|| "problems".into(), |stem| stem.to_string_lossy());
    Some(path.with_file_name(format!("{stem}_out.txt")).to_string_lossy().into_owned())
}

/// Refuses a task that would write over a file which it reads, or write two files into one.
///
/// # Errors
/// Which files are the same.
pub(super) fn refuse_same_files(task: &Task, exports: &Exports) -> Result<(), TaskError> {
    let read = task.subject.iter().map(|path| ("the file of problems", path.as_str()));
    let read = read.chain(task.key("strategies-in").map(|path| ("strategies-in", path)));
    let output = exports.output.as_deref().map(|path| (OUTPUT, path));
    let written = written_keys().filter_map(|key| task.key(key).map(|path| (key, path)));
    let mut known: Vec<(&str, PathBuf)> = read.map(|(name, path)| (name, absolute(path))).collect();
    for (name, path) in output.into_iter().chain(written) {
        let place = absolute(path);
        // Devices and pipes may take several.
        let is_file = std::fs::metadata(&place).map_or(true, |data| data.is_file());
        if let Some((other, _)) = known.iter().find(|(_, one)| is_file && *one == place) {
            return Err(format!("{name} and {other} are the same file, {path}").into());
        }
        known.push((name, place));
    }
    Ok(())
}

/// The same path for every name of a file, also of one that does not exist yet.
fn absolute(path: &str) -> PathBuf {
    let path = Path::new(path);
    let canonical = |path: &Path| std::fs::canonicalize(path).ok();
    canonical(path).unwrap_or_else(|| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = canonical(folder.unwrap_or(Path::new(".")));
        let joined = folder.zip(path.file_name()).map(|(folder, name)| folder.join(name));
        joined.unwrap_or_else(|| path.to_owned())
    })
}

impl Exports {
    /// The exports of a task about this file of problems.
    pub(super) fn of(task: &Task, file: Option<&str>, heading: Vec<String>) -> Self {
        // Shards are of one file of problems: they would write over each other's results, of which none is the verdict.
        let file = file.filter(|_| task.key("shard").is_none());
        let output = task.key(OUTPUT).map(str::to_owned).or_else(|| file.and_then(beside));
        let path = |export: &'static Export| Some((export, task.key(export.key)?.to_owned()));
        let exports = EXPORTS.iter().filter_map(path).collect();
        Self { output, lost: None, exports, heading }
    }

    /// Tests before the work whether all files can be written. A result file that nobody requested is given up: the
    /// problems are solved, and the task ends with an error.
    ///
    /// # Errors
    /// The requested file that cannot be written, and why.
    pub(super) fn check(&mut self, task: &Task) -> Result<(), ResultFileError> {
        for (_, path) in &self.exports {
            check_writable(Path::new(path))?;
        }
        let Some(path) = &self.output else { return Ok(()) };
        match check_writable(Path::new(path)) {
            Err(why) if task.key(OUTPUT).is_some() => Err(why),
            Err(why) => {
                self.output = None;
                self.lost = Some(format!("{why}; no result file is written"));
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Reports a result file that cannot be written.
    pub(super) fn report_lost(&self, job: &JobContext<'_>) {
        let lost = self.lost.iter();
        lost.for_each(|why| job.message(Message::error(Domain::Spg, why.as_str())));
    }

    /// Returns true if the result file cannot be written.
    pub(super) fn has_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Where strategies are that a page does not show.
    pub(super) fn rest(&self) -> String {
        match self.exports.first() {
            Some((_, path)) => format!("all games are in {path}"),
            None => "pgn FILE writes all games".to_owned(),
        }
    }

    /// Writes all files and adds a line for each to the page; gives back what failed.
    pub(super) fn write(&self, results: &[SheetResult<'_>], page: &mut Vec<String>) -> Vec<String> {
        let mut faults = vec![];
        let mut write =
            |path: &str, text: String| match write_result(Path::new(path), text.as_bytes()) {
                Ok(()) => page.push(format!("wrote {path}")),
                Err(why) => faults.push(why.to_string()),
            };
        if let Some(path) = &self.output {
            write(path, self.records(results));
        }
        for (export, path) in &self.exports {
            write(path, self.written(export, results));
        }
        faults
    }

    /// The result file.
    fn records(&self, results: &[SheetResult<'_>]) -> String {
        let mut text = String::new();
        self.heading.iter().for_each(|line| text += &format!("{line}\n"));
        if !self.heading.is_empty() {
            text.push('\n');
        }
        for (number, result) in (1..).zip(results) {
            let (word, title) = (result.word(), result.title(number));
            text += &match result {
                SheetResult::Solved(outcome) => record(outcome, &self.rest()),
                SheetResult::Counted(outcome) => head(outcome.posed) + &counted::record(outcome),
                SheetResult::Fairy(outcome) => {
                    let posed = outcome.posed;
                    let placement = posed.problem.target_setup().placement();
                    let credits = (&posed.title, posed.comments.as_slice());
                    headed(credits, &placement, posed.board()) + &fairy::record(outcome)
                }
                SheetResult::Unread(UnreadProblem { why, .. }) => {
                    format!("{title}\nverdict: {word}, the problem cannot be read\n{why}\n\n")
                }
                SheetResult::Failed(posed, _) | SheetResult::NotReached(posed) => {
                    let head = headed(
                        (posed.title(), posed.comments()),
                        &posed.placement(),
                        posed.board(),
                    );
                    format!("{head}verdict: {word}, {}\n\n", result.text())
                }
            };
        }
        text
    }

    /// All problems in this format.
    fn written(&self, export: &Export, results: &[SheetResult<'_>]) -> String {
        let mut text = String::new();
        let credits = |title, comments| Credits { title, comments, heading: &self.heading };
        for (number, result) in (1..).zip(results) {
            let solved = match result {
                SheetResult::Solved(outcome) => {
                    let Outcome { posed, report, verdict, .. } = &**outcome;
                    let credits = credits(posed.title.as_deref(), &posed.comments);
                    let (problem, notation) = (&posed.problem, posed.notation);
                    SolvedProblem::of_strategies(problem, credits, report, verdict, notation)
                }
                SheetResult::Counted(outcome) => {
                    let PositionOutcome { posed, problem, report, verdict, .. } = &**outcome;
                    let credits = credits(posed.title.as_deref(), &posed.comments);
                    SolvedProblem::of_positions(problem, credits, report, verdict, posed.notation)
                }
                SheetResult::Fairy(outcome) => {
                    let FairyOutcome { posed, report, verdict, .. } = &**outcome;
                    let credits = credits(posed.title.as_deref(), &posed.comments);
                    SolvedProblem::of_fairy(&posed.problem, credits, report, verdict)
                }
                SheetResult::Unread(_) | SheetResult::Failed(..) | SheetResult::NotReached(_) => {
                    let title = result.title(number);
                    text += &(export.unsolved)(&title, &result.word(), &result.text());
                    continue;
                }
            };
            text += &(export.problem)(&solved);
        }
        (export.document)(&self.heading, &text)
    }
}

/// The lines of the result file that name a problem.
fn head(posed: &PosedProblem) -> String {
    let diagram = &posed.problem.diagram;
    let board = text::board(diagram, posed.problem.plies);
    headed((&posed.title, &posed.comments), &diagram.to_string(), board)
}

fn headed(
    (title, comments): (&Option<String>, &[String]),
    placement: &str,
    board: Vec<String>,
) -> String {
    let mut lines: Vec<String> = title.iter().chain(comments).cloned().collect();
    lines.push(placement.to_owned());
    lines.extend(board);
    lines.join("\n") + "\n"
}

/// One problem of the result file; `rest` names the place of the strategies that it does not show.
fn record(outcome: &Outcome<'_>, rest: &str) -> String {
    let Outcome { posed, report, verdict, times } = outcome;
    let mut out = head(posed);
    let mut line = |text: &str| {
        let _ = writeln!(out, "{text}");
    };
    let games = |success: &umbrail_proof::run::Success| {
        // Those of a cook follow with what they differ in.
        let alone = success.games.iter().filter(|_| success.games.len() == 1);
        alone.map(|game| posed.notation.write(game)).collect()
    };
    notify::strategies(outcome, rest, &games).iter().for_each(|text| line(text));
    if posed.params.histogram {
        line("");
        histograms(posed, report).iter().for_each(|text| line(text));
    }
    let (params, counts) = (&posed.params, &report.counts);
    line("");
    line(&verdict.text);
    line(&format!("verdict: {}", verdict.word));
    let mode = posed.problem.length.word();
    line(&format!("length: {} ({mode})", length(usize::from(posed.problem.plies))));
    line(&format!("solutions: {}", report.count()));
    line(&format!("task: {}", verdict.task));
    line(&format!("scope: {}", verdict.scope));
    line(&format!("intended: {}", verdict.intention));
    line(&format!("cook-strategies: {}", report.cooks().count()));
    line(&format!("complete: {}", verdict.complete));
    let condition = params.condition.as_ref().map_or("-".to_owned(), ToString::to_string);
    line(&format!("condition: {condition}"));
    line(&format!("retraction: {}", params.retraction.word()));
    line(&format!("from-strategy: {}", params.from_claim));
    if let Some(chosen) = &posed.chosen {
        line(&format!("solver: {chosen}"));
    }
    line(&format!("rules: {}", params.rules));
    line(&format!("shard: {}/{}", params.shard.0, params.shard.1));
    line(&format!("strategies: {}", report::counts(report)));
    line(&format!("moves: {}", counts.moves));
    line(&format!("table: {} MiB", report.table_bytes >> 20));
    line(&format!("time: {}", notify::measured(times)));
    line(&format!("date: {}", date(times.ended)));
    line(&format!("version: {}\n", env!("CARGO_PKG_VERSION")));
    out
}
