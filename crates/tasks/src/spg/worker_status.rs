//! `umbrail worker --status`: the runs and workers of a server; and `--close`.

use super::notify;
use crate::records::cluster::{ClusterRun, ClusterWorker, ServerEnd, UnitInProgress};
use std::time::Duration;
use umbrail_cluster::{OpenRun, Server, WorkerReport, WorkersSeen};
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::status::Status;

/// Workers report once a second.
const LISTEN: Duration = Duration::from_millis(1300);

/// Shows every run and every worker once, after a moment of listening.
pub(super) fn show(server: &Server, job: &JobContext<'_>) -> Completion {
    let received = WorkersSeen::listen(server);
    std::thread::park_timeout(LISTEN);
    let runs = server.open_runs().unwrap_or_default();
    for run in &runs {
        job.message(found(of_run(server, run)));
    }
    let workers = received.workers();
    for report in &workers {
        job.message(found(worker(report).printing(spoken(report))));
    }
    let (runs, workers) = (runs.len() as u64, workers.len() as u64);
    let done = notify::holding(Kind::Done, &ServerEnd { runs, workers });
    let done = done.with("runs", runs).with("workers", workers);
    let words = format!("{}, {}", counted(runs, "run"), counted(workers, "worker"));
    Completion { done: done.printing(words), status: Status::Complete }
}

/// A requested line, not one of progress, which only some dialects show.
fn found(message: Message) -> Message {
    let page = message.text.iter().cloned().collect();
    Message { kind: Kind::Result, json_only: false, page, ..message }
}

/// Closes a run before its end.
pub(super) fn close(server: &Server, name: &str, job: &JobContext<'_>) -> Completion {
    let done = notify::message(Kind::Done, "end");
    let why = match server.close_run(name) {
        Ok(true) => {
            let done = done.printing(format!("the run {name} is closed"));
            return Completion { done, status: Status::Complete };
        }
        Ok(false) => {
            let runs = server.open_runs().unwrap_or_default();
            let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
            let open = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            format!("no run {name} is open; open are: {open}")
        }
        Err(error) => error.to_string(),
    };
    job.message(Message::error(Domain::Spg, why));
    Completion { done, status: Status::Refused }
}

pub(super) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn of_run(server: &Server, run: &OpenRun) -> Message {
    let status = server.status(run).unwrap_or_default();
    let record = ClusterRun {
        name: run.name.clone(),
        queued: status.queued,
        working: status.working,
        results: status.results,
    };
    notify::holding(Kind::Progress, &record)
        .with("name", run.name.as_str())
        .with("queued", status.queued)
        .with("working", status.working)
        .with("results", status.results)
        .printing(format!(
            "run {}: {} at work, {} waiting, {} done",
            run.name, status.working, status.queued, status.results
        ))
}

/// A worker, as a line for programs that read JSON.
pub(super) fn worker(report: &WorkerReport) -> Message {
    let at = report.at.iter().map(|one| UnitInProgress {
        unit: one.unit.clone(),
        elapsed_ms: one.seconds.saturating_mul(1_000),
    });
    let record = ClusterWorker {
        name: report.name.clone(),
        run: report.run.clone(),
        threads: report.threads,
        units: report.units,
        at: at.collect(),
    };
    let mut message = notify::holding(Kind::Progress, &record)
        .with("name", record.name.as_str())
        .with("run", record.run.as_str())
        .with("threads", record.threads)
        .with("units", record.units);
    message.json_only = true;
    message
}

fn spoken(report: &WorkerReport) -> String {
    let WorkerReport { name, threads, run, units, at } = report;
    let place = if run.is_empty() { "no run".to_owned() } else { format!("run {run}") };
    let at_work = match at.iter().max_by_key(|one| one.seconds) {
        None => "waiting".to_owned(),
        Some(longest) => {
            let units = counted(at.len() as u64, "unit");
            format!("{units} at work, the longest for {} s", longest.seconds)
        }
    };
    let threads = counted(*threads, "thread");
    format!("worker {name}: {threads}, {place}, {units} done, {at_work}")
}
