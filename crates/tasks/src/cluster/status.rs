//! Status of a run, for pages and for programs that read JSON.

use crate::records::{
    self,
    cluster::{AuditRecord, ClusterRecord},
};
use umbrail_cluster::{AuditTotals, CollectionEvent, CollectionStatus, UnitReport, WorkerReport};
use umbrail_session::domain::Domain;
use umbrail_session::message::{Kind, Message};
use umbrail_session::snapshot::{ClusterPage, UnitLine, WorkerLine};

/// Returns the status of a run with its workers.
pub(crate) fn page(run: &str, status: CollectionStatus) -> ClusterPage {
    let CollectionStatus { units, parts, queue, rate, audited, elapsed, workers } = status;
    // A linear extrapolation, although units differ in size.
    let left = parts
        .1
        .filter(|_| parts.0 > 0)
        .map(|all| elapsed.mul_f64(all.saturating_sub(parts.0) as f64 / parts.0 as f64));
    let unit = |UnitReport { unit, seconds }| UnitLine { unit, seconds };
    let line = |WorkerReport { name, threads, units: done, at, .. }| {
        let at = at.into_iter().map(unit).collect();
        WorkerLine { name, threads, done, at }
    };
    let workers = workers.into_iter().map(line).collect();
    ClusterPage { run: run.to_owned(), units, queue, rate, claims: parts, audited, workers, left }
}

/// Returns a record for programs that read JSON, once a second.
pub(crate) fn record(domain: Domain, page: &ClusterPage) -> Message {
    let parts = Some(page.claims.0);
    let (claims, finished) = if domain == Domain::Spg { (parts, None) } else { (None, parts) };
    let record = ClusterRecord {
        units: page.units.0,
        open: page.units.1,
        queued: page.queue.0,
        working: page.queue.1,
        per_second: page.rate,
        claims,
        finished,
        audited: page.audited,
        workers: page.workers.len() as u64,
        of: page.claims.1,
        left_ms: page.left.map(|left| left.as_millis() as u64),
    };
    let mut message = records::message(domain, Kind::Progress, &record);
    message.json_only = true;
    message
}

/// Returns the note on an event of a collection; `None` for a status.
pub(crate) fn note(event: &CollectionEvent) -> Option<String> {
    Some(match event {
        CollectionEvent::NoWorker => NO_WORKER.to_owned(),
        CollectionEvent::Damaged { worker, why } => {
            format!("a damaged result of the worker {worker} was discarded: {why}")
        }
        CollectionEvent::Stalled { why } => {
            format!("nothing was received for 30 seconds; the server reports: {why}")
        }
        CollectionEvent::Status(_) => return None,
    })
}

/// Note that units wait and no worker takes them.
const NO_WORKER: &str = "units wait, but no worker takes them; start one with umbrail worker --cluster and the same address";

/// Returns the note that a run stays on the server.
pub(crate) fn stays_open(run: &str, address: &impl std::fmt::Display) -> String {
    format!(
        "the run {run} stays open at {address}; workers continue it, and the same command resumes it"
    )
}

/// Returns the extent of the audits of a run; `counted` names what the sizes count, if the run has
/// such a count beside its units.
pub(crate) fn audited(domain: Domain, counted: &'static str, totals: AuditTotals) -> Message {
    let AuditTotals { units, sizes } = totals;
    let of = |(confirmed, all): (u64, u64), word| format!("{confirmed} of {all} {word}");
    let counts = match counted {
        "" => of(units, "units"),
        counted => format!("{}, {}", of(sizes, counted), of(units, "units")),
    };
    let counted = (!counted.is_empty()).then_some(sizes);
    let record = AuditRecord {
        confirmed_units: units.0,
        units: units.1,
        confirmed_strategies: counted.map(|sizes| sizes.0),
        strategies: counted.map(|sizes| sizes.1),
    };
    let mut message = records::message(domain, Kind::Note, &record)
        .printing(format!("audit: {counts} confirmed by a second worker"))
        .with("confirmed-units", units.0)
        .with("units", units.1);
    if counted.is_some() {
        message = message.with("confirmed-strategies", sizes.0).with("strategies", sizes.1);
    }
    message
}
