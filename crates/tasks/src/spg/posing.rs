//! Problems of keys and of sheets, each with its solver.

use super::keys;
use super::posed::PosedProblem;
use super::problems::{SolveSettings, caret};
use super::sheet_problem::SheetProblem;
use super::start::SolverMismatch;
use super::time_limit;
use umbrail_chess::geometry::Color;
use umbrail_proof::Length;
use umbrail_proof::files::sheet;
use umbrail_proof::positions::FairyProblem;
use umbrail_session::domain::Task;
use umbrail_session::module::Context;
use umbrail_session::options::meaning;
use umbrail_session::task_error::TaskError;

/// A problem of a sheet that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnreadProblem {
    /// Its title, where it has one.
    pub title: Option<String>,
    /// Line, column, and what was expected.
    pub why: String,
}

/// The problem that the keys pose.
pub(super) fn one(
    task: &Task,
    settings: &SolveSettings,
    context: &Context,
) -> Result<SheetProblem, TaskError> {
    let problem = keys::problem(task, settings, context)?;
    let given = task.key("fen").and_then(|fen| match fen.split_whitespace().nth(1) {
        Some("w") => Some(Color::White),
        Some("b") => Some(Color::Black),
        _ => None,
    });
    Ok(settings.pose(problem, settings.params.clone(), (None, vec![]), given)?)
}

/// The problem that the keys pose, which must be one of orthodox chess.
pub(super) fn chess(
    task: &Task,
    settings: &SolveSettings,
    context: &Context,
) -> Result<PosedProblem, TaskError> {
    match one(task, settings, context)? {
        SheetProblem::Chess(posed) => Ok(*posed),
        SheetProblem::Fairy(posed) => Err(SolverMismatch::Kind(posed.kind(), task.verb).into()),
    }
}

/// All problems of a text, which has this name, each or why it cannot be read.
pub(super) fn of_text(
    path: &str,
    text: &str,
    settings: &SolveSettings,
) -> Result<Vec<Result<SheetProblem, UnreadProblem>>, TaskError> {
    let entries = sheet::read(text);
    if entries.is_empty() {
        return Err(
            format!("{path} has no problem, expected a FEN and a number of half-moves").into()
        );
    }
    let pose = |entry: sheet::SheetEntry| -> Result<SheetProblem, UnreadProblem> {
        let mut params = settings.params.clone();
        let mut length = settings.length();
        let mut time = None;
        for sheet::SheetSetting { name, value, at: (line, column) } in &entry.settings {
            let fail = |what: TaskError| UnreadProblem {
                title: entry.title.clone(),
                why: format!("{path}:{line}:{column}: {what}"),
            };
            let number =
                || value.parse().map_err(|_| fail(TaskError::expects(name, "a number").got(value)));
            match *name {
                "length" => length = meaning("length", value).map_err(fail)?,
                "intended" => params.intended = number()? as usize,
                "retraction" => {
                    params.retraction = meaning("retraction", value).map_err(fail)?;
                }
                "time" => {
                    let expects =
                        || fail(TaskError::expects(name, time_limit::EXPECTED).got(value));
                    time = Some(time_limit::read(value).ok_or_else(expects)?);
                }
                "from-strategy" => params.from_claim = number()?,
                _ => {}
            }
        }
        params.intended = entry.intended.unwrap_or(params.intended);
        if entry.is_exact {
            length = Length::Exact;
        }
        if let Some((_, condition)) = entry.conditions {
            params.condition = Some(condition);
        }
        let mut comments = entry.comments;
        comments.extend(entry.warnings.iter().map(|warning| format!("warning: {warning}")));
        let problem = FairyProblem { length, ..entry.problem };
        let credits = (entry.title.clone(), comments);
        let posed = settings.pose(problem, params, credits, None).map_err(|why| UnreadProblem {
            title: entry.title,
            why: format!("{path}:{}: {why}", entry.line),
        })?;
        Ok(match time {
            Some(time) => posed.within(time),
            None => posed,
        })
    };
    Ok(entries
        .into_iter()
        .map(|entry| {
            let reported = |error: sheet::SheetError| {
                let line = text.lines().nth(error.line - 1).unwrap_or("").trim_end();
                let line = line.strip_prefix('\u{feff}').unwrap_or(line);
                format!("{path}:{error}{}", caret(line, error.column))
            };
            match entry {
                Err(error) => {
                    Err(UnreadProblem { title: error.title.clone(), why: reported(error) })
                }
                Ok(entry) => pose(entry),
            }
        })
        .collect())
}
