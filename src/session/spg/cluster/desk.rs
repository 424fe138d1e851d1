//! The collecting side of a run: results come in, and what is missing is queued again.

use super::{AUDIT_WAIT, ROOM, SILENCE};
use crate::cluster::{Collector, UnitOutcome, WorkerReport, WorkersHeard};
use crate::control::{Control, UnitId, lock};
use crate::proof::run::{Fact, Journal};
use crate::proof::units::{RunSpec, UnitLedger};
use crate::session::message::{Kind, Message};
use crate::session::snapshot::{ClusterPage, WorkerLine};
use crate::session::spg::cluster_settings::ClusterSettings;
use crate::session::spg::collected::Collected;
use crate::session::spg::tell;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time without results after which it is said that there is no worker.
const LONELY: Duration = Duration::from_secs(5);

/// The ledger of a run at work.
pub(super) struct Desk<'a> {
    pub(super) spec: &'a RunSpec,
    pub(super) settings: &'a ClusterSettings,
    pub(super) ledger: UnitLedger,
    pub(super) journal: &'a dyn Journal,
    /// Units whose second result is awaited: unit, first worker, first result, and whether it was queued.
    pub(super) audits: HashMap<UnitId, (String, String, String, bool)>,
    pub(super) audited: u64,
    pub(super) troubles: Vec<String>,
    pub(super) enough: bool,
    pub(super) workers: WorkersHeard,
    /// What is shown of the run.
    pub(super) page: &'a Mutex<Option<ClusterPage>>,
}

impl<'s> Desk<'_> {
    /// Takes results until every unit has one, or enough is known, or the run is stopped.
    pub(super) fn collect(
        &mut self,
        mut collector: Collector<'s>,
        control: &Control<'_, Fact>,
        say: &dyn Fn(Message),
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
            if self.ledger.is_closed() && (self.audits.is_empty() || news.elapsed() > AUDIT_WAIT) {
                break;
            }
            for (unit, first, _, queued) in self.audits.values_mut().filter(|(.., queued)| !queued)
            {
                *queued = collector.publish(unit, Some(first));
            }
            if news.elapsed() > SILENCE {
                self.publish_missing(&mut collector, &is_over);
            }
            if news.elapsed() > LONELY && !lonely && matches!(collector.queue(), Some((1.., 0))) {
                lonely = true;
                let worker = "start one with umbrail worker --cluster and the same address";
                say(tell::warning(format!("units wait, and no worker takes them; {worker}")));
            }
            if shown.elapsed() >= Duration::from_secs(1) {
                shown = Instant::now();
                let closed = self.ledger.units().0;
                let page = self.look(&collector, (closed - counted) as u64, began.elapsed());
                say(progress(&page));
                *lock(self.page) = Some(page);
                counted = closed;
            }
        }
        collector
    }

    fn take(&mut self, worker: &str, outcome: UnitOutcome, control: &Control<'_, Fact>) {
        match outcome {
            UnitOutcome::Failed { unit, why } => {
                self.ledger.give_up(&unit, &why);
            }
            UnitOutcome::Done { text, audit: true } => {
                let Some(id) = self.unit_of(&text) else { return };
                let Some((unit, first, known, _)) = self.audits.remove(&id) else { return };
                self.audited += 1;
                if let Err(why) = self.ledger.compare(&known, &text) {
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
                            control.tell(Fact::Success(Box::new(success.clone())));
                            found = true;
                        }
                        self.enough |= found && self.ledger.is_enough(self.spec);
                    }
                }
                if let Some(id) = self
                    .unit_of(&text)
                    .filter(|id| id.number() % 1_000_000 < u128::from(self.settings.audit))
                    && self.ledger.is_refutation(&text)
                {
                    let unit = unit_text(&text).to_owned();
                    self.audits.insert(id, (unit, worker.to_owned(), text, false));
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
                for (_, _, _, queued) in self.audits.values_mut() {
                    *queued = false;
                }
                let missing: Vec<String> = self.ledger.missing().map(str::to_owned).collect();
                for unit in missing.iter().take(ROOM as usize / 2) {
                    if is_over() || !collector.publish(unit, None) {
                        break;
                    }
                }
            }
            Some(_) => {}
            // The server is away, or it has lost the run.
            None => collector.mend(is_over),
        }
    }

    /// How the run stands.
    fn look(&self, collector: &Collector<'_>, rate: u64, elapsed: Duration) -> ClusterPage {
        let (done, open) = self.ledger.units();
        let claims = self.ledger.claims();
        // Claims differ in their work; this is no more than a rule of three.
        let left = claims
            .1
            .filter(|_| claims.0 > 0)
            .map(|all| elapsed.mul_f64(all.saturating_sub(claims.0) as f64 / claims.0 as f64));
        let worker = |WorkerReport { name, threads, units: done, at, .. }| WorkerLine {
            name,
            threads,
            done,
            at,
        };
        let workers = self.workers.workers().into_iter().filter(|one| one.run == collector.name());
        ClusterPage {
            run: collector.name().to_owned(),
            units: (done as u64, open as u64),
            queue: collector.queue().unwrap_or_default(),
            rate,
            claims,
            audited: self.audited,
            workers: workers.map(worker).collect(),
            left,
        }
    }

    /// The report, and why it is not complete.
    pub(super) fn end(self, say: &dyn Fn(Message)) -> Collected {
        let mut report = self.ledger.report();
        let mut troubles = self.troubles;
        troubles.extend(
            self.ledger.failed().map(|(unit, why)| format!("the unit {unit} was given up: {why}")),
        );
        if !troubles.is_empty() {
            (report.enumerated, report.searched) = (false, false);
        }
        if !self.audits.is_empty() && troubles.is_empty() {
            let count = self.audits.len();
            say(tell::warning(format!(
                "{count} units were not audited, since no second worker took them"
            )));
        }
        let mut took: Vec<u64> = self.ledger.durations().collect();
        took.sort_unstable();
        let at = |share: usize| took.get(took.len() * share / 100).copied().unwrap_or(0);
        let mut message = tell::message(Kind::Progress, "units")
            .with("units", took.len() as u64)
            .with("median-ms", at(50))
            .with("p90-ms", at(90))
            .with("max-ms", took.last().copied().unwrap_or(0))
            .with("audited", self.audited);
        message.json_only = true;
        say(message);
        Collected { report, troubles }
    }
}

/// How the run stands, once a second, for programs that read JSON.
fn progress(page: &ClusterPage) -> Message {
    let mut message = tell::message(Kind::Progress, "cluster")
        .with("units", page.units.0)
        .with("open", page.units.1)
        .with("queued", page.queue.0)
        .with("working", page.queue.1)
        .with("per-second", page.rate)
        .with("claims", page.claims.0)
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

/// The unit that a result belongs to.
fn unit_text(result: &str) -> &str {
    result.lines().next().and_then(|line| line.strip_prefix("unit ")).unwrap_or("")
}
