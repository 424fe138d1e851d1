//! Status of a run, for pages and for programs that read JSON.

use std::time::Duration;
use umbrail_cluster::{Collector, UnitReport, WorkerReport, WorkersSeen};
use umbrail_session::domain::Domain;
use umbrail_session::message::{Kind, Message};
use umbrail_session::snapshot::{ClusterPage, UnitLine, WorkerLine};

/// Status of a run in its collector.
pub(crate) struct ClusterStatus {
    /// Number of units with a result, and number of known units without one.
    pub(crate) units: (u64, u64),
    /// Basis of the estimate of the remaining time: finished claims, and all claims if known.
    pub(crate) claims: (u64, Option<u64>),
    /// Number of results in the last second.
    pub(crate) rate: u64,
    /// Number of second results received.
    pub(crate) audited: u64,
    /// Time since the collector started.
    pub(crate) elapsed: Duration,
}

impl ClusterStatus {
    /// Returns the status with the queue and the workers.
    pub(crate) fn page(self, collector: &Collector<'_>, workers: &WorkersSeen) -> ClusterPage {
        let Self { units, claims, rate, audited, elapsed } = self;
        // A linear extrapolation, although units differ in size.
        let left = claims
            .1
            .filter(|_| claims.0 > 0)
            .map(|all| elapsed.mul_f64(all.saturating_sub(claims.0) as f64 / claims.0 as f64));
        let unit = |UnitReport { unit, seconds }| UnitLine { unit, seconds };
        let line = |WorkerReport { name, threads, units: done, at, .. }| {
            let at = at.into_iter().map(unit).collect();
            WorkerLine { name, threads, done, at }
        };
        let workers = workers.workers().into_iter().filter(|one| one.run == collector.name());
        ClusterPage {
            run: collector.name().to_owned(),
            units,
            queue: collector.queue().unwrap_or_default(),
            rate,
            claims,
            audited,
            workers: workers.map(line).collect(),
            left,
        }
    }
}

/// Returns a record for programs that read JSON, once a second. `parts` names the unit of the
/// estimate.
pub(crate) fn record(domain: Domain, parts: &'static str, page: &ClusterPage) -> Message {
    let mut message = Message { record: Some("cluster"), ..Message::new(domain, Kind::Progress) }
        .with("units", page.units.0)
        .with("open", page.units.1)
        .with("queued", page.queue.0)
        .with("working", page.queue.1)
        .with("per-second", page.rate)
        .with(parts, page.claims.0)
        .with("audited", page.audited)
        .with("workers", page.workers.len() as u64);
    if let Some(all) = page.claims.1 {
        message = message.with("of", all);
    }
    if let Some(left) = page.left {
        message = message.with("left-ms", left.as_millis() as u64);
    }
    message.json_only = true;
    message
}

/// Note that units wait and no worker takes them.
pub(crate) const NO_WORKER: &str = "units wait, but no worker takes them; start one with umbrail worker --cluster and the same address";

/// Returns the note that a run stays on the server.
pub(crate) fn stays_open(run: &str, address: &impl std::fmt::Display) -> String {
    format!(
        "the run {run} stays open at {address}; workers continue it, and the same command resumes it"
    )
}

/// Returns the note that audits are missing at the end; `None` when all are done.
pub(crate) fn not_audited(count: usize) -> Option<String> {
    let word = if count == 1 { "unit was" } else { "units were" };
    (count > 0).then(|| format!("{count} {word} not audited, since no second worker took them"))
}
