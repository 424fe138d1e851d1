//! Archives put together or verified.

use super::archive_writer::{self, JoinedArchives};
use super::notify;
use super::outcome::{Outcome, Stopwatch};
use super::posed::PosedProblem;
use super::problems::SolveSettings;
use crate::records::spg::{MissingShards, SpgChecking, SpgRecount, SpgVerdict};
use umbrail_proof::recount::{Recount, RecountCounts, RecountOptions, recount};
use umbrail_proof::run::RunReport;
use umbrail_session::domain::Task;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::module::{Context, Prepared, Work};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

/// Archives that are named in the last line; of more, their number is.
const NAMED_MAX: usize = 8;

/// `spg merge` and `spg verify`: what archives prove.
pub(super) fn merging(
    task: &Task,
    settings: SolveSettings,
    _: &Context,
) -> Result<Prepared, TaskError> {
    let stride = |text: &str| match text.parse() {
        Ok(stride) if stride > 0 => Ok(stride),
        _ => Err(TaskError::expects("stride", "a number from 1").got(text)),
    };
    let (paths, is_merge) = (task.subject.clone(), task.verb == "merge");
    let options = RecountOptions {
        claims_only: is_merge,
        stride: task.key("stride").map(stride).transpose()?,
        table_bytes: settings.params.table_bytes,
    };
    Ok(Prepared::load(move |job| merger(&paths, options, job)))
}

fn merger(
    paths: &[String],
    options: RecountOptions,
    job: &JobContext<'_>,
) -> Result<Work, TaskError> {
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
        let notify = |counts| job.message(recounted(&counts));
        let counted = match recount(&header, &archive, options, &job.control(&notify)) {
            Ok(counted) => counted,
            Err(error) => Recount { faults: vec![error.to_string()], ..Recount::default() },
        };
        let report = checked(report, archive.claims.len() as u64, options, &counted);
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
        for what in damage.iter().chain(&counted.faults) {
            let mut message = notify::message(Kind::Result, "damage").printing(what.as_str());
            message.page = vec![what.clone()];
            job.message(message);
        }
        let is_whole = damage.is_empty() && counted.faults.is_empty();
        let recount = SpgRecount {
            claims: archive.claims.len() as u64,
            damaged: (damage.len() + counted.faults.len()) as u64,
            checked: counted.is_complete,
            strategies_counted: counted.counts.strategies,
            strategies_confirmed: counted.counts.confirmed,
            strategies_excluded: counted.counts.beyond,
        };
        let record = SpgVerdict { recount: Some(recount), ..notify::record(&outcome) };
        let mut done = notify::verdict(Kind::Done, "end", &outcome, &record, "");
        done.page = vec![outcome.verdict.text.clone()];
        let state = match (missing.is_empty(), is_whole) {
            _ if !counted.is_complete => "not checked to its end",
            (true, true) => "complete and undamaged",
            (true, false) => "complete, but damaged",
            (false, true) => "undamaged, but not complete",
            (false, false) => "damaged and not complete",
        };
        done.page
            .push(format!("{named}: {state}; {}", what_was_checked(&outcome.report, &counted)));
        done.page.push(what_was_not(&options, &counted));
        let status = match (missing.is_empty() && counted.is_complete, is_whole) {
            (_, false) if !(options.claims_only && counted.faults.is_empty()) => {
                Status::NotAsRequired
            }
            (true, _) => Status::Complete,
            (false, _) => Status::Limit,
        };
        Completion { done, status }
    }))
}

/// The report of archives after their tree was walked.
fn checked(
    mut report: RunReport,
    claims: u64,
    options: RecountOptions,
    counted: &Recount,
) -> RunReport {
    // All strategies were searched again by this process, and their results are those of the archives.
    let is_searched = options.stride == Some(1) && counted.is_complete && counted.faults.is_empty();
    report.taken.claims = if is_searched { 0 } else { claims };
    report.taken.recounted = !options.claims_only && counted.is_complete;
    report.taken.contradictions.clone_from(&counted.faults);
    if !counted.is_complete {
        (report.enumerated, report.searched) = (false, false);
    }
    report
}

/// How far the check is.
fn recounted(counts: &RecountCounts) -> Message {
    let RecountCounts { claims, strategies, confirmed, .. } = *counts;
    let text = format!(
        "checking: {claims} claims walked, {strategies} strategies counted, {confirmed} searched again"
    );
    let mut message =
        notify::holding(Kind::Progress, &SpgChecking { claims, strategies, confirmed })
            .with("claims", claims)
            .with("strategies", strategies)
            .with("confirmed", confirmed);
    message.page = vec![text];
    message
}

/// What was done, as far as it was.
fn what_was_checked(report: &RunReport, counted: &Recount) -> String {
    let RecountCounts { claims, strategies, games, confirmed, beyond } = counted.counts;
    let replayed = report.count();
    let mut text = format!(
        "{} of the tree walked, and {} replayed by the rules of chess",
        counted_as(claims, ["claim", "claims"]),
        counted_as(replayed as u64, ["game", "games"])
    );
    let forms = ["strategy", "strategies"];
    if report.taken.recounted || strategies > 0 {
        let found = counted_as(games, ["game", "games"]);
        let whose = if games == 1 { "its strategy" } else { "their strategies" };
        let strategies = counted_as(strategies, forms);
        text += &format!("; {strategies} counted, and {found} found under {whose}");
    }
    if confirmed > 0 {
        let confirmed = counted_as(confirmed, forms);
        text += &format!("; {confirmed} searched again with the same result");
    }
    if beyond > 0 {
        let beyond = counted_as(beyond, forms);
        text += &format!("; {beyond} that the tree excludes searched, without a game");
    }
    text
}

/// A number with its noun, in the singular or the plural.
fn counted_as(number: u64, [one, more]: [&str; 2]) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// What no check of this kind shows.
fn what_was_not(options: &RecountOptions, counted: &Recount) -> String {
    let bounds = match counted.is_plain {
        true => "",
        false => "; that the bounds of the enumeration are right",
    };
    match (options.claims_only, options.stride) {
        (true, _) => {
            "not checked: the strategies of the claims and their searches (spg verify)".to_owned()
        }
        (false, None) => format!(
            "not checked: that other strategies have no game, and listed ones no further game (--stride N){bounds}"
        ),
        (false, Some(1)) if counted.is_plain => {
            "every strategy that fits the numbers of moves was searched".to_owned()
        }
        (false, Some(1)) => {
            "not checked: that the bounds of the enumeration are right (the problem is too large)"
                .to_owned()
        }
        (false, Some(stride)) => format!(
            "not checked: that strategies have no further game, in claims whose number is no multiple of {stride}{bounds}"
        ),
    }
}

/// The shards of which something is missing, as numbers and as the list that job arrays take.
fn shards_to_do(missing: &[u64], shards: u64) -> Message {
    let list = ranges(missing);
    let record = MissingShards { shards: missing.to_vec(), of: shards, text: list.clone() };
    let mut message = notify::holding(Kind::Result, &record).printing(list.as_str());
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
