//! Runs of the search of strategies.

use super::collected::Collected;
use super::ending::{ended_early, smaller_table};
use super::notify;
use super::observer::{LOOK, Observer};
use super::outcome::{Outcome, Stopwatch};
use super::posed::PosedProblem;
use super::run_files::FileFaults;
use super::solving::solve_anywhere;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use umbrail_control::lock;
use umbrail_proof::report::ProblemVerdict;
use umbrail_proof::run::{Persistence, RunControl, RunEvent, StopAt};
use umbrail_session::domain::Domain;
use umbrail_session::job_context::{JobContext, JobReport};
use umbrail_session::message::Message;
use umbrail_session::snapshot::Snapshot;
use umbrail_session::status::Status;

/// Period of checks whether the user skips a strategy.
const SKIP_PULSE: Duration = Duration::from_millis(50);

/// Solves one problem and reports each game as soon as it is known; with an observer, snapshots too.
pub(super) fn run<'p>(
    posed: &'p PosedProblem,
    keeping: Persistence<'_>,
    faults: FileFaults<'_>,
    observer: Option<Observer<'_>>,
    job: &JobContext<'_>,
) -> (Outcome<'p>, Status) {
    let warnings = posed.comments.iter().filter(|line| line.starts_with("warning: "));
    warnings.for_each(|warning| job.message(notify::warning(warning.as_str())));
    let stopwatch = Stopwatch::start();
    let run_control = RunControl::default();
    let observer = observer.map(Mutex::new);
    if observer.is_some() {
        run_control.watch.open();
    }
    let paint = |snapshot: Snapshot| (job.notify)(JobReport::Snapshot(Box::new(snapshot)));
    let shown = Mutex::new(HashSet::new());
    let notify = |fact: RunEvent| {
        let success = match fact {
            RunEvent::Success(success) => success,
            RunEvent::SmallerTable { wanted, granted } => {
                return job.message(notify::warning(smaller_table(wanted, granted)));
            }
        };
        if let Some(observer) = &observer {
            lock(observer).meet(&success);
        }
        let mut shown = lock(&shown);
        for game in &success.games {
            if shown.insert(game.clone()) {
                job.message(notify::solution(shown.len() as u64, &success, game, posed.notation));
            }
        }
    };
    let (over, page) = (AtomicBool::new(false), Mutex::new(None));
    let report = std::thread::scope(|scope| {
        let watch = || {
            let mut skips = job.skips();
            let mut looked: Option<Instant> = None;
            let mut reported = 0;
            while !over.load(Ordering::Relaxed) {
                let now = job.skips();
                if std::mem::replace(&mut skips, now) != now {
                    run_control.skip();
                }
                // The work continues, but a user may want to make room.
                let faults = faults();
                for why in faults.iter().skip(reported) {
                    job.message(notify::warning(format!("warning: {why}")));
                }
                reported = faults.len();
                if let Some(observer) = &observer
                    && looked.is_none_or(|looked| looked.elapsed() >= LOOK)
                {
                    looked = Some(Instant::now());
                    let mut observer = lock(observer);
                    let cluster = lock(&page).clone();
                    paint(Snapshot { cluster, ..observer.look(&run_control.watch, job.progress) });
                }
                std::thread::park_timeout(SKIP_PULSE);
            }
        };
        // Where no thread can be started, there is nothing to look at and no `skip`.
        let watcher = std::thread::Builder::new().spawn_scoped(scope, watch);
        let control = job.control(&notify);
        let solved = solve_anywhere(posed, keeping, &run_control, &control, job, &page);
        over.store(true, Ordering::Relaxed);
        let _ = watcher.map(|watcher| watcher.thread().unpark());
        solved
    });
    let Collected { report, troubles } = report;
    let outcome = Outcome::new(posed, report, stopwatch.stop());
    let report = &outcome.report;
    if let Some(observer) = &observer {
        let mut observer = lock(observer);
        paint(observer.end(&run_control.watch, job.progress, report, &outcome.verdict));
    }
    for why in &report.taken.contradictions {
        job.message(Message::error(Domain::Spg, why.clone()));
    }
    for trouble in &troubles {
        job.message(Message::error(Domain::Spg, trouble.clone()));
    }
    for fault in &report.faults {
        job.message(Message::error(Domain::Spg, format!("internal error, please report: {fault}")));
    }
    if posed.params.histogram {
        job.message(notify::histogram(posed, report));
    }
    let counted = posed.params.histogram && report.enumerated;
    let is_shard = posed.params.shard.1 > 1 && !posed.params.histogram;
    let status = match outcome.verdict.word {
        _ if !report.faults.is_empty() => Status::Internal,
        _ if !troubles.is_empty() || !report.taken.contradictions.is_empty() => Status::Refused,
        _ if report.is_complete() || counted => Status::Complete,
        // The result is there, though no verdict: a batch system would take any other exit status for a failure.
        _ if is_shard && report.shard_finished => Status::Complete,
        _ if job.is_over() => ended_early(job),
        // A cook decides the problem, but its shard has work left, unless the run was to end with the cook.
        _ if is_shard && posed.params.stop_at == StopAt::Complete => Status::Limit,
        ProblemVerdict::Partial if !posed.params.histogram => Status::Limit,
        _ => Status::Complete,
    };
    (outcome, status)
}
