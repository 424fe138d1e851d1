//! `spg list`: all conditions and fairy pieces with their names and meanings.

use super::notify;
use super::problems::SolveSettings;
use umbrail_proof::positions::{ListedName, listed_conditions, listed_pieces};
use umbrail_session::domain::Task;
use umbrail_session::message::{Completion, Kind};
use umbrail_session::module::{Context, Prepared};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

/// `spg list`, or one of its two parts: `conditions`, `pieces`.
pub(super) fn list(task: &Task, _: SolveSettings, _: &Context) -> Result<Prepared, TaskError> {
    let part = task.subject.first().map_or("", String::as_str);
    let wanted = match part {
        "" => [true, true],
        "conditions" => [true, false],
        "pieces" => [false, true],
        other => return Err(TaskError::expected("conditions or pieces").got(other)),
    };
    Ok(Prepared::work(move |_| {
        let conditions = if wanted[0] { listed_conditions() } else { vec![] };
        let pieces = if wanted[1] { listed_pieces() } else { vec![] };
        let mut done = notify::message(Kind::Done, "end");
        for (title, names) in [("conditions", conditions), ("pieces", pieces)] {
            if !names.is_empty() {
                done.page.push(format!(
                    "{} {title}: name; German, French or other; meaning",
                    names.len()
                ));
                done.page.extend(names.iter().map(line));
            }
        }
        Completion { done, status: Status::Complete }
    }))
}

fn line(name: &ListedName) -> String {
    let others: Vec<&str> = name.others.into_iter().filter(|other| !other.is_empty()).collect();
    format!("  {:<26} {:<52} {}", name.name, others.join(", "), name.meaning)
}
