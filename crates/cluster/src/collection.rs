//! Collection of a run: takes the results of workers until every unit has one, queues what is
//! missing, and compares second results.

mod failed_units;
mod seconds;
mod status;

pub use status::{CollectionEnd, CollectionEvent, CollectionStatus};

use crate::audits::{Audits, SecondResult};
use crate::collected_run::{CollectedRun, OwnWork, ResultDefect};
use crate::run_queue::{Publication, ResultMessage, RunQueue, UnitOutcome};
use failed_units::{FAILURES_MAX, UnitFailures};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};
use umbrail_control::UnitId;

/// Time without results after which units that no worker has are queued again.
const SILENCE: Duration = Duration::from_secs(2);

/// Time without progress after which waiting units that a present worker does not take are audits
/// that it must leave to others.
const REFUSED: Duration = Duration::from_secs(20);

/// Time without results after which the absence of workers is reported.
const LONELY: Duration = Duration::from_secs(5);

/// Time without results after which an error of the server is reported.
const STALLED: Duration = Duration::from_secs(30);

/// Interval of repairs while nothing is received.
const REPAIR: Duration = Duration::from_secs(5);

/// Number of named units that wait for room in the queue, after which no more are named.
const NAMED_MAX: usize = 4096;

/// Largest result, in bytes; servers accept less by default.
const RESULT_BYTES_MAX: usize = 64 << 20;

/// Interval between status reports.
const STATUS: Duration = Duration::from_secs(1);

/// Maximum time that the end of a run waits for a second result while no worker can give one.
pub const AUDIT_WAIT: Duration = Duration::from_secs(30);

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
    /// Units that the collector has named, to queue for the first time.
    named: VecDeque<String>,
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
            named: VecDeque::new(),
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
            audits: self.audits.totals(),
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
        let before = (run.units(), self.audits.totals());
        for result in results {
            self.news = now;
            (self.is_lonely, self.is_stalled) = (false, false);
            self.take(now, result, run, queue, notify);
        }
        if self.is_read && self.named.len() < NAMED_MAX {
            match run.own_work() {
                Ok(OwnWork { units, finished }) => {
                    self.named.extend(units);
                    finished
                        .into_iter()
                        .for_each(|work| self.begin_audit(work, run, queue, notify));
                }
                Err(why) => self.faults.push(why.to_string()),
            }
        }
        if (run.units(), self.audits.totals()) != before {
            (self.progress, self.requeued) = (now, 0);
        }
        if run.is_enough() || !self.faults.is_empty() {
            return true;
        }
        let silence = now.saturating_sub(self.news);
        let waited = now.saturating_sub(self.progress);
        if run.is_finished() {
            let workers = queue.workers();
            let can_go_on = self.audits.can_go_on(workers.iter().map(|one| one.name.as_str()));
            if self.audits.are_done() || waited > AUDIT_WAIT && !can_go_on {
                return true;
            }
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
        // it queued them. Audits may wait for a second worker, perhaps in vain, also those of an
        // earlier collector, which only show in that a present worker takes nothing.
        let audits = self.audits.queued() as u64;
        let waited = now.saturating_sub(self.progress);
        let refuse = waited > REFUSED * (1 + self.requeued / 2) && !queue.workers().is_empty();
        let is_lost = |(waiting, running)| match run.is_finished() {
            true => (waiting, running) == (0, 0),
            false => running == 0 && (waiting <= audits || refuse),
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
            audited: self.audits.totals().units.0,
            elapsed: now,
            workers,
        }));
    }

    /// Queues waiting units, as far as there is room.
    fn publish(&mut self, run: &dyn CollectedRun, queue: &mut dyn RunQueue) {
        while let Some(unit) = self.waiting.front() {
            if run.is_missing(unit) && !queue.publish(unit, Publication::Again) {
                break;
            }
            self.waiting.pop_front();
        }
        while let Some(unit) = self.named.front() {
            if !queue.publish(unit, Publication::First) {
                break;
            }
            self.named.pop_front();
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
            UnitOutcome::Failed { unit, why, is_final } => {
                let id = self.id(&unit);
                if self.audits.is_open(id) && !run.is_missing(&unit) {
                    self.audits.fail(id, is_final);
                } else if is_final {
                    run.give_up(&unit, &why);
                } else {
                    self.fail(now, &unit, &worker, &why, FAILURES_MAX, run);
                }
                return;
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
        if is_second {
            let unit = unit.to_owned();
            let second = SecondResult { worker, number, text: result };
            return self.take_second(id, &unit, second, run, queue, notify);
        }
        match run.accept(unit, &worker, &result) {
            Ok(finished) => {
                self.failures.remove(unit);
                for work in finished {
                    self.begin_audit(work, run, queue, notify);
                }
            }
            Err(ResultDefect::Contradiction(why)) => {
                self.faults
                    .push(format!("the worker {worker} sent a wrong result of {unit}: {why}"));
            }
            Err(ResultDefect::Damaged(why)) => {
                queue.discard(number);
                notify(CollectionEvent::Damaged { worker: worker.clone(), why: why.clone() });
                self.repeat(now, unit, &worker, &why, run);
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
