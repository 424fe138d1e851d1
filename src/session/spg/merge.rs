//! Archives put together or verified.

use super::outcome::{Outcome, Stopwatch};
use super::problems::{PosedProblem, SolveSettings};
use super::{journal, tell};
use crate::proof::report::sentence;
use crate::proof::run::Params;
use crate::session::domain::Task;
use crate::session::message::{Completion, Kind, Value};
use crate::session::module::{Context, Prepared, Work};
use crate::session::stage::Stage;
use crate::session::status::Status;
use crate::session::task_error::TaskError;

/// `spg merge` and `spg verify`: what archives prove.
pub(super) fn merging(task: &Task, _: SolveSettings, _: &Context) -> Result<Prepared, TaskError> {
    let (paths, strict) = (task.subject.clone(), task.verb == "verify");
    Ok(Prepared::load(move |stage| merger(&paths, strict, stage)))
}

/// `strict`: a damaged archive is not as required, even when nothing is missing.
fn merger(paths: &[String], strict: bool, stage: &Stage<'_>) -> Result<Work, TaskError> {
    let stopwatch = Stopwatch::start();
    let (header, archive, damage) = journal::join(paths, stage)?;
    let problem = header.problem().map_err(|error| error.to_string())?;
    let missing = archive.missing(&header).map_err(|error| error.to_string())?;
    let report = archive.report(&header).map_err(|error| error.to_string())?;
    let condition = header.condition().map(str::parse).transpose();
    let condition = condition.map_err(|error| format!("the condition of the archive: {error}"))?;
    let params = Params {
        condition,
        retraction: header.retraction(),
        games_max: header.games_max(),
        ..Params::default()
    };
    let named = paths.join(", ");
    Ok(Box::new(move |stage| {
        let posed = PosedProblem::new(problem, params);
        let outcome = Outcome { posed: &posed, report, times: stopwatch.stop() };
        for (at, (success, game)) in outcome.report.games().enumerate() {
            stage.message(tell::solution(at as u64 + 1, success, game, posed.notation));
        }
        for what in &missing {
            let mut message = tell::message(Kind::Result, "missing").saying(what.as_str());
            message.page = vec![format!("missing: {what}")];
            stage.message(message);
        }
        for what in &damage {
            let mut message = tell::message(Kind::Result, "damage").saying(what.as_str());
            message.page = vec![what.clone()];
            stage.message(message);
        }
        let mut done = tell::verdict(Kind::Done, "end", &outcome, "");
        let claims = archive.claims.len() as u64;
        done.data.push(("claims", Value::from(claims)));
        done.data.push(("damaged", Value::from(damage.len() as u64)));
        done.page = vec![sentence(&problem, &outcome.report)];
        if let Some(condition) = &posed.params.condition {
            done.page.push(format!("only strategies with {condition} were searched"));
        }
        let state = match (missing.is_empty(), damage.is_empty()) {
            (true, true) => "complete and undamaged",
            (true, false) => "complete, but damaged",
            (false, true) => "undamaged, but not complete",
            (false, false) => "damaged and not complete",
        };
        let games = outcome.report.count();
        done.page.push(format!(
            "{named}: {state}; {claims} claims, and {games} games that were replayed by the rules of chess"
        ));
        let status = match (missing.is_empty(), damage.is_empty()) {
            (_, false) if strict => Status::NotAsRequired,
            (true, _) => Status::Complete,
            (false, _) => Status::Limit,
        };
        Completion { done, status }
    }))
}
