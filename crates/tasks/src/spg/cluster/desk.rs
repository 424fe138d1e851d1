//! The collecting side of a run: results come in, and what is missing is queued again.

use crate::cluster::audits::{AUDIT_WAIT, Audit, Audits};
use crate::cluster::status::{self, ClusterStatus, NO_WORKER};
use crate::cluster::{LONELY, ROOM, SILENCE};
use crate::spg::collected::Collected;
use crate::spg::notify;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_cluster::{Collector, UnitOutcome, WorkersSeen};
use umbrail_control::{Control, UnitId, lock};
use umbrail_proof::run::{RunArchive, RunEvent};
use umbrail_proof::units::{RunSpec, UnitRegistry};
use umbrail_session::domain::Domain;
use umbrail_session::message::{Kind, Message};
use umbrail_session::snapshot::ClusterPage;

/// The ledger of a run at work.
pub(super) struct Desk<'a> {
    pub(super) spec: &'a RunSpec,
    pub(super) ledger: UnitRegistry,
    pub(super) journal: &'a dyn RunArchive,
    pub(super) audits: Audits,
    pub(super) troubles: Vec<String>,
    pub(super) enough: bool,
    pub(super) workers: WorkersSeen,
    /// What is shown of the run.
    pub(super) page: &'a Mutex<Option<ClusterPage>>,
}

impl<'s> Desk<'_> {
    /// Takes results until every unit has one, or enough is known, or the run is stopped.
    pub(super) fn collect(
        &mut self,
        mut collector: Collector<'s>,
        control: &Control<'_, RunEvent>,
        write: &dyn Fn(Message),
    ) -> Collector<'s> {
        let is_over = || control.check().is_err();
        let (began, mut started) = (Instant::now(), false);
        let mut news = Instant::now();
        let mut shown = Instant::now();
        let mut counted = 0;
        let mut lonely = false;
        while !is_over() && !self.enough && self.troubles.is_empty() {
            let results = collector.results();
            if !results.is_empty() {
                news = Instant::now();
                lonely = false;
            } else if !started {
                // Of a run that is taken up, all that is known has been read.
                started = true;
                for unit in self
                    .spec
                    .roots()
                    .iter()
                    .filter(|root| self.ledger.missing().any(|unit| unit == *root))
                {
                    collector.publish(unit, None);
                }
            }
            for result in results {
                self.take(&result.worker, result.outcome, control);
            }
            if self.ledger.is_closed()
                && (self.audits.awaited() == 0 || news.elapsed() > AUDIT_WAIT)
            {
                break;
            }
            self.audits.publish(&mut collector);
            if news.elapsed() > SILENCE {
                self.publish_missing(&mut collector, &is_over);
            }
            if news.elapsed() > LONELY && !lonely && matches!(collector.queue(), Some((1.., 0))) {
                lonely = true;
                write(notify::warning(NO_WORKER));
            }
            if shown.elapsed() >= Duration::from_secs(1) {
                shown = Instant::now();
                let closed = self.ledger.units().0;
                let page = self.look(&collector, (closed - counted) as u64, began.elapsed());
                write(status::record(Domain::Spg, "claims", &page));
                *lock(self.page) = Some(page);
                counted = closed;
            }
        }
        collector
    }

    fn take(&mut self, worker: &str, outcome: UnitOutcome, control: &Control<'_, RunEvent>) {
        match outcome {
            UnitOutcome::Failed { unit, why } => {
                self.ledger.give_up(&unit, &why);
            }
            UnitOutcome::Done { text, audit: true } => {
                let Some(id) = self.unit_of(&text) else { return };
                let Some(Audit { unit, first, result, .. }) = self.audits.take(id) else { return };
                if let Err(why) = self.ledger.compare(&result, &text) {
                    self.troubles.push(format!(
                        "the workers {first} and {worker} disagree about the unit {unit}: {why}"
                    ));
                }
            }
            UnitOutcome::Done { text, audit: false } => {
                match self.ledger.accept(&text, self.journal) {
                    Err(why) => self
                        .troubles
                        .push(format!("the worker {worker} sent a wrong result: {why}")),
                    Ok(accepted) => {
                        let successes = accepted.claims.iter().flat_map(|claim| &claim.successes);
                        let mut found = false;
                        for success in successes {
                            control.notify(RunEvent::Success(Box::new(success.clone())));
                            found = true;
                        }
                        self.enough |= found && self.ledger.is_enough(self.spec);
                    }
                }
                if let Some(id) = self.unit_of(&text).filter(|&id| self.audits.want(id))
                    && self.ledger.is_refutation(&text)
                {
                    self.audits.begin(id, unit_text(&text), worker, &text);
                }
            }
        }
    }

    fn unit_of(&self, result: &str) -> Option<UnitId> {
        let unit = unit_text(result);
        (!unit.is_empty()).then(|| self.ledger.id(unit))
    }

    /// Queues what is missing when nobody has it. An empty queue proves nothing: a unit may have been lost with its
    /// server, or named by a worker that disappeared before it was queued.
    fn publish_missing(&mut self, collector: &mut Collector<'_>, is_over: &dyn Fn() -> bool) {
        match collector.queue() {
            Some((0, 0)) => {
                self.audits.requeue();
                let missing: Vec<String> = self.ledger.missing().map(str::to_owned).collect();
                for unit in missing.iter().take(ROOM as usize / 2) {
                    if is_over() || !collector.publish(unit, None) {
                        break;
                    }
                }
            }
            Some(_) => {}
            // The server is away, or it has lost the run.
            None => collector.repair(is_over),
        }
    }

    /// How the run stands.
    fn look(&self, collector: &Collector<'_>, rate: u64, elapsed: Duration) -> ClusterPage {
        let (done, open) = self.ledger.units();
        let (units, claims) = ((done as u64, open as u64), self.ledger.claims());
        let audited = self.audits.done();
        ClusterStatus { units, claims, rate, audited, elapsed }.page(collector, &self.workers)
    }

    /// The report, and why it is not complete.
    pub(super) fn end(self, write: &dyn Fn(Message)) -> Collected {
        let mut report = self.ledger.report();
        let is_wrong = !self.troubles.is_empty();
        let mut troubles = self.troubles;
        troubles.extend(
            self.ledger.failed().map(|(unit, why)| format!("the unit {unit} was given up: {why}")),
        );
        if !troubles.is_empty() {
            (report.enumerated, report.searched) = (false, false);
        }
        if is_wrong {
            write(notify::warning(
                "the run is closed; an archive of it may be wrong, so start a new one",
            ));
        }
        if troubles.is_empty() {
            status::not_audited(self.audits.awaited())
                .into_iter()
                .for_each(|text| write(notify::warning(text)));
        }
        let mut took: Vec<u64> = self.ledger.durations().collect();
        took.sort_unstable();
        let at = |share: usize| took.get(took.len() * share / 100).copied().unwrap_or(0);
        let mut message = notify::message(Kind::Progress, "units")
            .with("units", took.len() as u64)
            .with("median-ms", at(50))
            .with("p90-ms", at(90))
            .with("max-ms", took.last().copied().unwrap_or(0))
            .with("audited", self.audits.done());
        message.json_only = true;
        write(message);
        Collected { report, troubles }
    }
}

/// The unit that a result belongs to.
fn unit_text(result: &str) -> &str {
    result.lines().next().and_then(|line| line.strip_prefix("unit ")).unwrap_or("")
}
