//! Archives put together or verified.

use super::archive_writer::{self, JoinedArchives};
use super::notify;
use super::outcome::{Outcome, Stopwatch};
use super::problems::{PosedProblem, SolveSettings};
use umbrail_session::domain::Task;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Kind, Message, Value};
use umbrail_session::module::{Context, Prepared, Work};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

/// Archives that are named in the last line; of more, their number is.
const NAMED_MAX: usize = 8;

/// `spg merge` and `spg verify`: what archives prove.
pub(super) fn merging(task: &Task, _: SolveSettings, _: &Context) -> Result<Prepared, TaskError> {
    let (paths, strict) = (task.subject.clone(), task.verb == "verify");
    Ok(Prepared::load(move |job| merger(&paths, strict, job)))
}

/// `strict`: a damaged archive is not as required, even when nothing is missing.
fn merger(paths: &[String], strict: bool, job: &JobContext<'_>) -> Result<Work, TaskError> {
    let stopwatch = Stopwatch::start();
    let JoinedArchives { header, archive, damage, shards } = archive_writer::join(paths, job)?;
    let problem = header.problem().map_err(|error| error.to_string())?;
    let missing = archive.missing(&header).map_err(|error| error.to_string())?;
    let missing_shards = match shards {
        0 | 1 => vec![],
        _ => archive
            .missing_shards(&header, shards)
            .map_err(|error| error.to_string())?
            .into_iter()
            .collect(),
    };
    let report = archive.report(&header).map_err(|error| error.to_string())?;
    let params = header.params().map_err(|error| error.to_string())?;
    let named = match paths.len() {
        0..=NAMED_MAX => paths.join(", "),
        more => format!("{more} archives"),
    };
    Ok(Box::new(move |job| {
        let posed = PosedProblem::new(problem, params);
        let outcome = Outcome::new(&posed, report, stopwatch.stop());
        for (at, (success, game)) in outcome.report.games().enumerate() {
            job.message(notify::solution(at as u64 + 1, success, game, posed.notation));
        }
        for what in &missing {
            let mut message = notify::message(Kind::Result, "missing").printing(what.as_str());
            message.page = vec![format!("missing: {what}")];
            job.message(message);
        }
        if !missing_shards.is_empty() {
            job.message(shards_to_do(&missing_shards, shards));
        }
        for what in &damage {
            let mut message = notify::message(Kind::Result, "damage").printing(what.as_str());
            message.page = vec![what.clone()];
            job.message(message);
        }
        let mut done = notify::verdict(Kind::Done, "end", &outcome, "");
        let claims = archive.claims.len() as u64;
        done.data.push(("claims", Value::from(claims)));
        done.data.push(("damaged", Value::from(damage.len() as u64)));
        done.page = vec![outcome.verdict.text.clone()];
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

/// The shards of which something is missing, as numbers and as the list that job arrays take.
fn shards_to_do(missing: &[u64], shards: u64) -> Message {
    let list = ranges(missing);
    let mut message = notify::message(Kind::Result, "missing_shards").printing(list.as_str());
    let numbers = missing.iter().map(|&shard| Value::from(shard)).collect();
    message.data = vec![("shards", Value::List(numbers)), ("of", Value::from(shards))];
    message.page = vec![
        format!("missing shards, of {shards} numbered from 0: {list}"),
        format!(
            "each is finished by --shard I/{shards} with --resume; in a job array that is numbered from 0, by sbatch --array={list}"
        ),
    ];
    message
}

/// Ascending numbers in the way of job arrays: `0-2,5,7-8`.
fn ranges(numbers: &[u64]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let reported = runs.filter_map(|run| {
        let (first, last) = (run.first()?, run.last()?);
        Some(if first == last { first.to_string() } else { format!("{first}-{last}") })
    });
    reported.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_are_listed_as_job_arrays_take_them() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[]), "");
    }
}
