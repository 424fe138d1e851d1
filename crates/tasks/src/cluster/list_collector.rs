//! Collector of a run with a fixed list of units.

use super::audits::{AUDIT_WAIT, Audit, Audits};
use super::list_run::{ListRun, ListWork, split, take_units_beside};
use super::settings::ClusterSettings;
use super::status::{self, ClusterStatus, NO_WORKER};
use super::{LONELY, ROOM, SILENCE};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use umbrail_cluster::{Collector, Server, UnitOutcome, WorkersSeen};
use umbrail_control::UnitId;
use umbrail_session::domain::Domain;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Kind, Message};

/// Functions of a module on results.
pub(crate) struct ListResults<'a, T> {
    /// Reads and checks the result of a unit.
    pub(crate) read: &'a dyn Fn(&str, &str) -> Result<T, String>,
    /// Returns the reason why two results of one unit cannot both be right.
    pub(crate) differ: &'a dyn Fn(&T, &T) -> Option<String>,
    /// Shows a result. Results come in the order of their units; at the end of a stopped run, units
    /// without a result are omitted.
    pub(crate) show: &'a mut dyn FnMut(usize, &T),
}

/// End of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListEnd {
    /// Number of units with a result.
    pub(crate) done: usize,
    /// Reasons for missing units, other than a stop.
    pub(crate) troubles: Vec<String>,
}

/// Distributes units to all workers of a cluster, and shows their results.
///
/// # Errors
/// The reason why the server cannot be used.
pub(crate) fn collect<T>(
    (domain, run, units): (Domain, &ListRun, &[String]),
    work: &dyn ListWork,
    settings: &ClusterSettings,
    results: ListResults<'_, T>,
    job: &JobContext<'_>,
) -> Result<ListEnd, String> {
    let server = Server::connect(&settings.address).map_err(|error| error.to_string())?;
    let open = run.open(units, settings.lease.as_millis() as u64, ROOM);
    let is_over = || job.is_over();
    let mut collector =
        Collector::open(&server, &open, &is_over).map_err(|error| error.to_string())?;
    let mut desk = ListDesk {
        domain,
        run: &open.name,
        units,
        numbers: units.iter().enumerate().map(|(at, unit)| (unit.as_str(), at)).collect(),
        known: units.iter().map(|_| UnitState::Open).collect(),
        shown: 0,
        published: 0,
        audits: Audits::of(settings.audit),
        troubles: vec![],
        results,
    };
    let cancel = job.cancel.child();
    let workers = WorkersSeen::listen(&server);
    std::thread::scope(|scope| {
        let JobContext { clock, progress, pool, skips, notify, .. } = *job;
        let works = {
            let (server, open, cancel) = (&server, &open, cancel.clone());
            move || {
                let beside = JobContext { cancel, clock, progress, pool, skips, notify };
                // The collector itself notices when the run cannot be joined.
                let _ = take_units_beside(server, open, work, &beside);
            }
        };
        let worker = (!settings.collects_only)
            .then(|| std::thread::Builder::new().spawn_scoped(scope, works).ok())
            .flatten();
        desk.collect(&mut collector, &workers, job);
        cancel.raise();
        let _ = worker.map(std::thread::ScopedJoinHandle::join);
    });
    // A run with a wrong result is not kept on the server.
    if desk.is_closed() || !desk.troubles.is_empty() {
        let began = Instant::now();
        collector.close(&|| began.elapsed() > AUDIT_WAIT);
    } else {
        note(domain, status::stays_open(&open.name, &settings.address), job);
    }
    Ok(desk.end(job))
}

fn note(domain: Domain, text: impl Into<String>, job: &JobContext<'_>) {
    job.message(Message::new(domain, Kind::Note).printing(text));
}

/// State of a unit.
enum UnitState<T> {
    Open,
    Done(T),
    GivenUp(String),
}

struct ListDesk<'a, 'r, T> {
    domain: Domain,
    run: &'a str,
    units: &'a [String],
    numbers: HashMap<&'a str, usize>,
    known: Vec<UnitState<T>>,
    /// First unit that is not shown yet.
    shown: usize,
    /// First unit that is not queued yet.
    published: usize,
    audits: Audits,
    troubles: Vec<String>,
    results: ListResults<'r, T>,
}

impl<T> ListDesk<'_, '_, T> {
    fn collect(
        &mut self,
        collector: &mut Collector<'_>,
        workers: &WorkersSeen,
        job: &JobContext<'_>,
    ) {
        let (began, mut news, mut reported) = (Instant::now(), Instant::now(), Instant::now());
        let (mut is_read, mut lonely, mut counted) = (false, false, 0);
        while !job.is_over() && self.troubles.is_empty() {
            let results = collector.results();
            if results.is_empty() {
                // All known results of a resumed run have been read.
                is_read = true;
            } else {
                (news, lonely) = (Instant::now(), false);
            }
            for result in results {
                self.take(&result.worker, result.outcome);
            }
            if self.is_closed() && (self.audits.awaited() == 0 || news.elapsed() > AUDIT_WAIT) {
                break;
            }
            if is_read {
                self.publish(collector);
            }
            self.audits.publish(collector);
            if news.elapsed() > SILENCE {
                match collector.queue() {
                    // No worker has the missing units, for example because a server lost its store.
                    Some((0, 0)) => {
                        self.published = 0;
                        self.audits.requeue();
                    }
                    Some(_) => {}
                    None => collector.repair(&|| job.is_over()),
                }
            }
            if news.elapsed() > LONELY && !lonely && matches!(collector.queue(), Some((1.., 0))) {
                lonely = true;
                note(self.domain, NO_WORKER, job);
            }
            if reported.elapsed() >= Duration::from_secs(1) {
                reported = Instant::now();
                let done = self.done();
                let standing = ClusterStatus {
                    units: (done as u64, (self.units.len() - done) as u64),
                    claims: (done as u64, Some(self.units.len() as u64)),
                    rate: (done - counted) as u64,
                    audited: self.audits.done(),
                    elapsed: began.elapsed(),
                };
                let page = standing.page(collector, workers);
                job.message(status::record(self.domain, "finished", &page));
                counted = done;
            }
        }
    }

    /// Queues units without a result, as far as there is room.
    fn publish(&mut self, collector: &mut Collector<'_>) {
        while let Some(unit) = self.units.get(self.published) {
            let open = matches!(self.known[self.published], UnitState::Open);
            if open && !collector.publish(unit, None) {
                break;
            }
            self.published += 1;
        }
    }

    fn take(&mut self, worker: &str, outcome: UnitOutcome) {
        let (text, audit) = match outcome {
            UnitOutcome::Failed { unit, why } => {
                if let Some(&at) = self.numbers.get(unit.as_str()) {
                    self.known[at] = UnitState::GivenUp(why);
                    self.show();
                }
                return;
            }
            UnitOutcome::Done { text, audit } => (text, audit),
        };
        let Some((unit, body)) = split(&text) else {
            self.troubles.push(format!("the worker {worker} sent an invalid result"));
            return;
        };
        let Some(&at) = self.numbers.get(unit) else {
            self.troubles.push(format!(
                "the worker {worker} sent a result of a unit that is not of this run: {unit}"
            ));
            return;
        };
        let result = match (self.results.read)(unit, body) {
            Ok(result) => result,
            Err(why) => {
                self.troubles
                    .push(format!("the worker {worker} sent a wrong result of {unit}: {why}"));
                return;
            }
        };
        let id = UnitId::of(self.run, unit);
        if audit {
            let Some(Audit { first, result: body, .. }) = self.audits.take(id) else { return };
            let known = (self.results.read)(unit, &body);
            if let Some(why) = known.ok().and_then(|known| (self.results.differ)(&known, &result)) {
                self.troubles.push(format!(
                    "the workers {first} and {worker} disagree about the unit {unit}: {why}"
                ));
            }
            return;
        }
        if self.audits.want(id) {
            self.audits.begin(id, unit, worker, body);
        }
        self.known[at] = UnitState::Done(result);
        self.show();
    }

    /// Shows the next results in order.
    fn show(&mut self) {
        while let Some(state) = self.known.get(self.shown) {
            match state {
                UnitState::Open => break,
                UnitState::Done(result) => (self.results.show)(self.shown, result),
                UnitState::GivenUp(_) => {}
            }
            self.shown += 1;
        }
    }

    fn done(&self) -> usize {
        self.known.iter().filter(|state| matches!(state, UnitState::Done(_))).count()
    }

    /// Returns true if every unit has a result or was given up.
    fn is_closed(&self) -> bool {
        !self.known.iter().any(|state| matches!(state, UnitState::Open))
    }

    fn end(self, job: &JobContext<'_>) -> ListEnd {
        for at in self.shown..self.known.len() {
            if let UnitState::Done(result) = &self.known[at] {
                (self.results.show)(at, result);
            }
        }
        if self.troubles.is_empty()
            && let Some(text) = status::not_audited(self.audits.awaited())
        {
            note(self.domain, text, job);
        }
        let done = self.done();
        let mut troubles = self.troubles;
        for (unit, state) in self.units.iter().zip(&self.known) {
            if let UnitState::GivenUp(why) = state {
                troubles.push(format!("{unit} was given up: {why}"));
            }
        }
        ListEnd { done, troubles }
    }
}
