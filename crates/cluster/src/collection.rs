//! Collection of a run: takes the results of workers until every unit has one, queues what is
//! missing, and compares second results.

mod status;

pub use status::{CollectionEnd, CollectionEvent, CollectionStatus};

use crate::audits::{Audit, Audits};
use crate::collected_run::{CollectedRun, ResultDefect};
use crate::run_queue::{ResultMessage, RunQueue, UnitOutcome};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};
use umbrail_control::UnitId;

/// Time without results after which units that no worker has are queued again.
const SILENCE: Duration = Duration::from_secs(2);

/// Time without results after which the absence of workers is reported.
const LONELY: Duration = Duration::from_secs(5);

/// Time without results after which an error of the server is reported.
const STALLED: Duration = Duration::from_secs(30);

/// Interval of repairs while nothing is received.
const REPAIR: Duration = Duration::from_secs(5);

/// Number of different workers whose failures at a unit suffice to give it up.
const WORKERS_BELIEVED: usize = 3;

/// Number of failures after which a unit may be given up.
const FAILURES_MAX: u32 = 3;

/// Number of failures after which a unit may be given up if a result was damaged, perhaps on the way
/// or in the store, where the workers are not to blame.
const DAMAGES_MAX: u32 = 9;

/// Largest result, in bytes; servers accept less by default.
const RESULT_BYTES_MAX: usize = 64 << 20;

/// Interval between status reports.
const STATUS: Duration = Duration::from_secs(1);

/// Maximum time that the end of a run waits for second results.
pub const AUDIT_WAIT: Duration = Duration::from_secs(30);

/// Failures of workers at one unit.
#[derive(Debug)]
struct UnitFailures {
    workers: BTreeSet<String>,
    count: u32,
    /// Number of failures that suffice to give the unit up.
    needed: u32,
    since: Duration,
    why: String,
}

/// State of the collection of one run: decides, result by result, what is queued, accepted, repeated
/// or given up.
#[derive(Debug)]
pub struct Collection {
    name: String,
    /// Time after which a worker that is alone with a failing unit is believed.
    lease: Duration,
    audits: Audits,
    /// Units to queue as soon as there is room.
    waiting: VecDeque<String>,
    failures: BTreeMap<String, UnitFailures>,
    /// All earlier results of a resumed run have been read.
    is_read: bool,
    faults: Vec<String>,
    /// Time of the last result.
    news: Duration,
    /// Time at which a unit or an audit was last finished, and the number of times that all results
    /// were read again or missing units queued since then, in turn.
    progress: Duration,
    requeued: u32,
    /// Time of the last repair.
    repaired: Duration,
    /// The absence of workers was reported.
    is_lonely: bool,
    /// An error of the server was reported.
    is_stalled: bool,
    /// Time and number of finished units of the last status.
    reported: (Duration, u64),
}

impl Collection {
    /// Creates the collection of the run of this name, with the length of its leases and the share
    /// of audited units in millionths.
    pub fn new(name: &str, lease: Duration, audit_share: u64) -> Self {
        Self {
            name: name.to_owned(),
            lease,
            audits: Audits::of(audit_share),
            waiting: VecDeque::new(),
            failures: BTreeMap::new(),
            is_read: false,
            faults: vec![],
            news: Duration::ZERO,
            progress: Duration::ZERO,
            requeued: 0,
            repaired: Duration::ZERO,
            is_lonely: false,
            is_stalled: false,
            reported: (Duration::ZERO, 0),
        }
    }

    /// Collects until every unit has a result, enough is known, results contradict each other, or
    /// the caller ends it.
    pub fn collect(
        mut self,
        run: &mut dyn CollectedRun,
        queue: &mut dyn RunQueue,
        is_over: &dyn Fn() -> bool,
        notify: &mut dyn FnMut(CollectionEvent),
    ) -> CollectionEnd {
        let began = Instant::now();
        while !is_over() && !self.step(began.elapsed(), run, queue, is_over, notify) {}
        self.end(run)
    }

    pub(crate) fn end(self, run: &dyn CollectedRun) -> CollectionEnd {
        CollectionEnd {
            is_over: run.is_enough() || run.is_finished() || !self.faults.is_empty(),
            not_audited: self.audits.awaited(),
            audited: self.audits.done(),
            faults: self.faults,
        }
    }

    /// Takes the next results, at this time since the start; returns true at the end of the run.
    pub(crate) fn step(
        &mut self,
        now: Duration,
        run: &mut dyn CollectedRun,
        queue: &mut dyn RunQueue,
        is_over: &dyn Fn() -> bool,
        notify: &mut dyn FnMut(CollectionEvent),
    ) -> bool {
        let results = queue.results();
        if results.is_empty() && !self.is_read {
            self.is_read = true;
            self.waiting.extend(run.first_units());
        }
        let before = (run.units(), self.audits.done());
        for result in results {
            self.news = now;
            (self.is_lonely, self.is_stalled) = (false, false);
            self.take(now, result, run, queue, notify);
        }
        if (run.units(), self.audits.done()) != before {
            (self.progress, self.requeued) = (now, 0);
        }
        if run.is_enough() || !self.faults.is_empty() {
            return true;
        }
        let silence = now.saturating_sub(self.news);
        let waited = now.saturating_sub(self.progress);
        if run.is_finished() && (self.audits.awaited() == 0 || waited > AUDIT_WAIT) {
            return true;
        }
        self.publish(run, queue);
        if silence > SILENCE {
            if queue.is_closed() {
                self.faults.push("the run was closed by another program".to_owned());
                return true;
            }
            self.look_after(now, run, queue, is_over);
        }
        if silence > LONELY && !self.is_lonely && matches!(queue.queue(), Some((1.., 0))) {
            self.is_lonely = true;
            notify(CollectionEvent::NoWorker);
        }
        if silence > STALLED
            && !self.is_stalled
            && let Some(why) = queue.error()
        {
            self.is_stalled = true;
            notify(CollectionEvent::Stalled { why });
        }
        self.report(now, run, queue, notify);
        false
    }

    /// Queues what is lost, and repairs the server's records. Called while nothing is received.
    fn look_after(
        &mut self,
        now: Duration,
        run: &dyn CollectedRun,
        queue: &mut dyn RunQueue,
        is_over: &dyn Fn() -> bool,
    ) {
        let waiting = queue.queue();
        // The queue may be intact and the record of the run lost, without which no worker joins.
        if waiting.is_none() || now >= self.repaired + REPAIR {
            self.repaired = now;
            queue.repair(is_over);
        }
        // No worker has the missing units: the server lost them, or their worker disappeared before
        // it queued them. Audits may wait for a second worker, perhaps in vain.
        let audits = self.audits.queued() as u64;
        let is_lost = |(waiting, running)| match run.is_finished() {
            true => (waiting, running) == (0, 0),
            false => running == 0 && waiting <= audits,
        };
        if waiting.is_some_and(is_lost) {
            self.requeued += 1;
            // Results may have been lost, and others that have their numbers now were not read.
            if self.requeued % 2 == 1 {
                queue.read_again();
                return;
            }
            if waiting == Some((0, 0)) {
                self.audits.requeue();
            }
            self.waiting = run.missing().into();
            self.publish(run, queue);
        }
    }

    /// Reports the status once a second, and gives up units at which all workers fail.
    fn report(
        &mut self,
        now: Duration,
        run: &mut dyn CollectedRun,
        queue: &dyn RunQueue,
        notify: &mut dyn FnMut(CollectionEvent),
    ) {
        let (reported, counted) = self.reported;
        if now < reported + STATUS {
            return;
        }
        let (units, workers) = (run.units(), queue.workers());
        self.failures.retain(|unit, failures| {
            let all_fail = !workers.is_empty()
                && workers.iter().all(|worker| failures.workers.contains(&worker.name));
            let is_hopeless = all_fail
                && failures.count >= failures.needed
                && now.saturating_sub(failures.since) >= self.lease;
            if is_hopeless && run.is_missing(unit) {
                run.give_up(unit, &failures.why);
            }
            !is_hopeless
        });
        self.reported = (now, units.0);
        notify(CollectionEvent::Status(CollectionStatus {
            units,
            parts: run.parts(),
            queue: queue.queue().unwrap_or_default(),
            rate: units.0.saturating_sub(counted),
            audited: self.audits.done(),
            elapsed: now,
            workers,
        }));
    }

    /// Queues waiting units, as far as there is room.
    fn publish(&mut self, run: &dyn CollectedRun, queue: &mut dyn RunQueue) {
        while let Some(unit) = self.waiting.front() {
            if run.is_missing(unit) && !queue.publish(unit, None) {
                break;
            }
            self.waiting.pop_front();
        }
        self.audits.publish(queue);
    }

    fn take(
        &mut self,
        now: Duration,
        message: ResultMessage,
        run: &mut dyn CollectedRun,
        queue: &mut dyn RunQueue,
        notify: &mut dyn FnMut(CollectionEvent),
    ) {
        let ResultMessage { worker, unit_id, number, outcome } = message;
        let (result, is_second) = match outcome {
            UnitOutcome::Failed { unit, why, is_final: true } => return run.give_up(&unit, &why),
            UnitOutcome::Failed { unit, why, .. } => {
                return self.fail(now, &unit, &worker, &why, FAILURES_MAX, run);
            }
            UnitOutcome::Done { text, audit } => (text, audit),
        };
        let unit = unit_of(&result).filter(|unit| self.id(unit).to_string() == unit_id);
        let (Some(unit), true) = (unit, result.len() < RESULT_BYTES_MAX) else {
            queue.discard(number);
            let missing = run.missing().into_iter().find(|one| self.id(one).to_string() == unit_id);
            let why = "its result does not name its unit";
            notify(CollectionEvent::Damaged { worker: worker.clone(), why: why.to_owned() });
            if let Some(unit) = missing.filter(|_| !is_second) {
                self.repeat(now, &unit, &worker, why, run);
            }
            return;
        };
        let id = self.id(unit);
        let audit = self.audits.get(id).filter(|_| is_second).cloned();
        let checked = match &audit {
            Some(audit) => run.compare(unit, &audit.result, &result),
            None if is_second => return,
            None => run.accept(unit, &result),
        };
        match (checked, audit) {
            (Ok(()), None) => {
                self.failures.remove(unit);
                if self.audits.want(id) && run.can_be_audited(&result) {
                    self.audits.begin(id, unit, &worker, &result);
                }
            }
            (Ok(()), Some(_)) => self.audits.end(id),
            (Err(ResultDefect::Contradiction(why)), Some(Audit { first, .. })) => {
                self.faults.push(format!(
                    "the workers {first} and {worker} disagree about the unit {unit}: {why}"
                ));
            }
            (Err(ResultDefect::Contradiction(why)), None) => {
                self.faults
                    .push(format!("the worker {worker} sent a wrong result of {unit}: {why}"));
            }
            (Err(ResultDefect::Damaged(why)), audit) => {
                queue.discard(number);
                notify(CollectionEvent::Damaged { worker: worker.clone(), why: why.clone() });
                if audit.is_some() {
                    self.audits.repeat(id);
                } else {
                    self.repeat(now, unit, &worker, &why, run);
                }
            }
        }
    }

    /// Queues a unit again whose result was damaged.
    fn repeat(
        &mut self,
        now: Duration,
        unit: &str,
        worker: &str,
        why: &str,
        run: &mut dyn CollectedRun,
    ) {
        if let Some(failures) = self.failures.get_mut(unit) {
            failures.needed = DAMAGES_MAX;
        }
        self.fail(now, unit, worker, why, DAMAGES_MAX, run);
        self.waiting.push_back(unit.to_owned());
    }

    /// Records a failure at a unit. Three workers that fail are believed.
    fn fail(
        &mut self,
        now: Duration,
        unit: &str,
        worker: &str,
        why: &str,
        needed: u32,
        run: &mut dyn CollectedRun,
    ) {
        let failures = self.failures.entry(unit.to_owned()).or_insert_with(|| UnitFailures {
            workers: BTreeSet::new(),
            count: 0,
            needed,
            since: now,
            why: String::new(),
        });
        failures.workers.insert(worker.to_owned());
        failures.count += 1;
        failures.why = why.to_owned();
        if failures.workers.len() >= WORKERS_BELIEVED && failures.count >= failures.needed {
            self.failures.remove(unit);
            if run.is_missing(unit) {
                run.give_up(unit, why);
            }
        }
    }

    fn id(&self, unit: &str) -> UnitId {
        UnitId::of(&self.name, unit)
    }
}

/// Returns the unit that a result belongs to.
fn unit_of(result: &str) -> Option<&str> {
    result.lines().next()?.strip_prefix("unit ")
}

#[cfg(test)]
mod tests;
