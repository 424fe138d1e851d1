//! `spg popeye`: problems as Popeye's input.

use super::problems::SolveSettings;
use super::{keys, notify};
use umbrail_proof::files::{popeye, sheet};
use umbrail_proof::positions::FairyProblem;
use umbrail_session::domain::Task;
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::module::{Context, Prepared};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

/// Writes the problem of the keys, or those of a sheet, for Popeye.
///
/// # Errors
/// The first problem that cannot be read or that Popeye cannot be told, with its place.
pub(super) fn writing(
    task: &Task,
    settings: SolveSettings,
    context: &Context,
) -> Result<Prepared, TaskError> {
    match task.subject.as_slice() {
        [] => {
            let problem = keys::problem(task, &settings, context)?;
            let written = popeye::write(&problem, None);
            let text = written.map_err(|why| TaskError::from(why.to_string()))?;
            Ok(Prepared::work(move |_| done(&text)))
        }
        [path] => {
            let path = path.clone();
            Ok(Prepared::load(move |job| {
                let written = of_sheet(&path, &job.read_text(&path)?, &settings)?;
                Ok(Box::new(move |_: &_| done(&written)))
            }))
        }
        several => Err(TaskError::expected("one sheet of problems").got(several.len())),
    }
}

fn of_sheet(path: &str, text: &str, settings: &SolveSettings) -> Result<String, TaskError> {
    let entries = sheet::read(text);
    if entries.is_empty() {
        return Err(
            format!("{path} has no problem, expected a FEN and a number of half-moves").into()
        );
    }
    let mut written = String::new();
    for entry in entries {
        let entry = entry.map_err(|error| TaskError::from(format!("{path}:{error}")))?;
        let length = match entry.is_exact {
            true => umbrail_proof::Length::Exact,
            false => settings.length(),
        };
        let problem = FairyProblem { length, ..entry.problem };
        let one = popeye::write(&problem, entry.title.as_deref());
        let one = one.map_err(|why| TaskError::from(format!("{path}:{}: {why}", entry.line)))?;
        written.push_str(&one);
    }
    // Popeye's files have one beginning and one end.
    Ok(written.replace("EndProblem\nBeginProblem\n", "NextProblem\n"))
}

fn done(text: &str) -> Completion {
    let mut done: Message = notify::message(Kind::Done, "end");
    done.page = text.lines().map(str::to_owned).collect();
    done.text = Some(text.to_owned());
    Completion { done, status: Status::Complete }
}
