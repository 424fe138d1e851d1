//! Collection of a run: takes the results of workers until every unit has one, queues what is
//! missing, and compares second results.

use crate::audits::{Audit, Audits};
use crate::run_queue::{ResultMessage, RunQueue, UnitOutcome};
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use umbrail_control::UnitId;

/// Time without results after which units that no worker has are queued again.
const SILENCE: Duration = Duration::from_secs(2);

/// Time without results after which the absence of workers is reported.
const LONELY: Duration = Duration::from_secs(5);

/// Interval between status reports.
const STATUS: Duration = Duration::from_secs(1);

/// Maximum time that the end of a run waits for second results.
pub const AUDIT_WAIT: Duration = Duration::from_secs(30);

/// Meaning of the units and results of a run. The result of a unit is a text whose first line is
/// `unit` and the unit.
pub trait CollectedRun {
    /// Returns the units to queue at the start, in order.
    fn first_units(&self) -> Vec<String>;

    /// Records the result of a unit. A second result of a unit changes nothing.
    ///
    /// # Errors
    /// Returns the defect of the result.
    fn accept(&mut self, unit: &str, result: &str) -> Result<(), String>;

    /// Records that a unit without a result was given up, with the reason.
    fn give_up(&mut self, unit: &str, why: &str);

    /// Returns the known units without a result that were not given up.
    fn missing(&self) -> Vec<String>;

    /// Returns true if a unit is one of [`missing`](Self::missing).
    fn is_missing(&self, unit: &str) -> bool;

    /// Returns true if no unit is missing.
    fn is_finished(&self) -> bool;

    /// Returns true if the results so far suffice to end the run.
    fn is_enough(&self) -> bool {
        false
    }

    /// Returns true if a second worker can confirm this result.
    fn can_be_audited(&self, _result: &str) -> bool {
        true
    }

    /// Compares two results of one unit.
    ///
    /// # Errors
    /// Returns the reason why both cannot be right.
    fn compare(&self, unit: &str, first: &str, second: &str) -> Result<(), String>;

    /// Returns the number of units with a result, and the number of known units without one.
    fn units(&self) -> (u64, u64);

    /// Returns the number of finished parts and of all parts, if known, for estimates.
    fn parts(&self) -> (u64, Option<u64>);
}

/// Status of a run in its collector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectionStatus {
    /// Number of units with a result, and number of known units without one.
    pub units: (u64, u64),
    /// Number of finished parts, and of all parts if known.
    pub parts: (u64, Option<u64>),
    /// Number of waiting and of running units.
    pub queue: (u64, u64),
    /// Number of results since the last status.
    pub rate: u64,
    /// Number of second results received.
    pub audited: u64,
    /// Time since the collector started.
    pub elapsed: Duration,
}

/// Report of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectionEvent {
    /// Units wait, and no worker takes them.
    NoWorker,
    /// Status, once a second.
    Status(CollectionStatus),
}

/// End of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionEnd {
    /// Wrong results and contradictions; the first one ends a collection.
    pub faults: Vec<String>,
    /// The run is over: finished, enough is known, or a result was wrong.
    pub is_over: bool,
    /// Number of missing second results.
    pub not_audited: usize,
    /// Number of second results received.
    pub audited: u64,
}

/// Collection of one run.
#[derive(Debug)]
pub struct Collection {
    name: String,
    audits: Audits,
    /// Units to queue as soon as there is room.
    waiting: VecDeque<String>,
    /// All earlier results of a resumed run have been read.
    is_read: bool,
    faults: Vec<String>,
    /// Time of the last result.
    news: Duration,
    /// The absence of workers was reported.
    is_lonely: bool,
    /// Time and number of finished units of the last status.
    reported: (Duration, u64),
}

impl Collection {
    /// Creates the collection of the run of this name, with this share of audited units in
    /// millionths.
    pub fn new(name: &str, audit_share: u64) -> Self {
        Self {
            name: name.to_owned(),
            audits: Audits::of(audit_share),
            waiting: VecDeque::new(),
            is_read: false,
            faults: vec![],
            news: Duration::ZERO,
            is_lonely: false,
            reported: (Duration::ZERO, 0),
        }
    }

    /// Collects until every unit has a result, enough is known, a result is wrong, or the caller
    /// ends it.
    pub fn collect(
        mut self,
        run: &mut dyn CollectedRun,
        queue: &mut dyn RunQueue,
        is_over: &dyn Fn() -> bool,
        notify: &mut dyn FnMut(CollectionEvent),
    ) -> CollectionEnd {
        let began = Instant::now();
        while !is_over() && !self.step(began.elapsed(), run, queue, is_over, notify) {}
        CollectionEnd {
            is_over: run.is_enough() || run.is_finished() || !self.faults.is_empty(),
            not_audited: self.audits.awaited(),
            audited: self.audits.done(),
            faults: self.faults,
        }
    }

    /// Takes the next results, at this time since the start; returns true at the end of the run.
    fn step(
        &mut self,
        now: Duration,
        run: &mut dyn CollectedRun,
        queue: &mut dyn RunQueue,
        is_over: &dyn Fn() -> bool,
        notify: &mut dyn FnMut(CollectionEvent),
    ) -> bool {
        let results = queue.results();
        if !results.is_empty() {
            (self.news, self.is_lonely) = (now, false);
        } else if !self.is_read {
            self.is_read = true;
            self.waiting.extend(run.first_units());
        }
        for ResultMessage { worker, outcome } in results {
            self.take(&worker, outcome, run);
        }
        if run.is_enough() || !self.faults.is_empty() {
            return true;
        }
        let silence = now.saturating_sub(self.news);
        if run.is_finished() && (self.audits.awaited() == 0 || silence > AUDIT_WAIT) {
            return true;
        }
        self.publish(run, queue);
        if silence > SILENCE {
            match queue.queue() {
                // No worker has the missing units: the server lost them, or their worker
                // disappeared before it queued them.
                Some((0, 0)) => {
                    self.audits.requeue();
                    self.waiting = run.missing().into();
                    self.publish(run, queue);
                }
                Some(_) => {}
                None => queue.repair(is_over),
            }
        }
        if silence > LONELY && !self.is_lonely && matches!(queue.queue(), Some((1.., 0))) {
            self.is_lonely = true;
            notify(CollectionEvent::NoWorker);
        }
        let (reported, counted) = self.reported;
        if now >= reported + STATUS {
            let units = run.units();
            self.reported = (now, units.0);
            notify(CollectionEvent::Status(CollectionStatus {
                units,
                parts: run.parts(),
                queue: queue.queue().unwrap_or_default(),
                rate: units.0.saturating_sub(counted),
                audited: self.audits.done(),
                elapsed: now,
            }));
        }
        false
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

    fn take(&mut self, worker: &str, outcome: UnitOutcome, run: &mut dyn CollectedRun) {
        let (result, is_second) = match outcome {
            UnitOutcome::Failed { unit, why } => return run.give_up(&unit, &why),
            UnitOutcome::Done { text, audit } => (text, audit),
        };
        let Some(unit) = unit_of(&result) else {
            self.faults.push(format!("the worker {worker} sent a result without a unit"));
            return;
        };
        let id = UnitId::of(&self.name, unit);
        if is_second {
            let Some(Audit { first, result: known, .. }) = self.audits.take(id) else { return };
            if let Err(why) = run.compare(unit, &known, &result) {
                self.faults.push(format!(
                    "the workers {first} and {worker} disagree about the unit {unit}: {why}"
                ));
            }
            return;
        }
        if let Err(why) = run.accept(unit, &result) {
            self.faults.push(format!("the worker {worker} sent a wrong result of {unit}: {why}"));
        } else if self.audits.want(id) && run.can_be_audited(&result) {
            self.audits.begin(id, unit, worker, &result);
        }
    }
}

/// Returns the unit that a result belongs to.
fn unit_of(result: &str) -> Option<&str> {
    result.lines().next()?.strip_prefix("unit ")
}

#[cfg(test)]
mod tests {
    use super::{CollectedRun, Collection, CollectionEvent};
    use crate::run_queue::{ResultMessage, RunQueue, UnitOutcome};
    use std::collections::{BTreeMap, VecDeque};
    use std::time::Duration;

    /// Units 0 to 9; the result of a unit is its square.
    #[derive(Default)]
    struct Squares(BTreeMap<String, String>);

    impl CollectedRun for Squares {
        fn first_units(&self) -> Vec<String> {
            (0..10).map(|unit: u32| unit.to_string()).collect()
        }

        fn accept(&mut self, unit: &str, result: &str) -> Result<(), String> {
            let number: u32 = unit.parse().map_err(|_| "no number".to_owned())?;
            if !result.ends_with(&format!("\n{}", number * number)) {
                return Err("no square".to_owned());
            }
            self.0.insert(unit.to_owned(), result.to_owned());
            Ok(())
        }

        fn give_up(&mut self, unit: &str, why: &str) {
            self.0.insert(unit.to_owned(), why.to_owned());
        }

        fn missing(&self) -> Vec<String> {
            self.first_units().into_iter().filter(|unit| self.is_missing(unit)).collect()
        }

        fn is_missing(&self, unit: &str) -> bool {
            !self.0.contains_key(unit)
        }

        fn is_finished(&self) -> bool {
            self.0.len() == 10
        }

        fn compare(&self, _: &str, first: &str, second: &str) -> Result<(), String> {
            (first == second).then_some(()).ok_or_else(|| "their squares".to_owned())
        }

        fn units(&self) -> (u64, u64) {
            (self.0.len() as u64, 10 - self.0.len() as u64)
        }

        fn parts(&self) -> (u64, Option<u64>) {
            (self.0.len() as u64, Some(10))
        }
    }

    /// A server with room for three units, which two workers square, one unit a step.
    #[derive(Default)]
    struct Workers {
        queue: VecDeque<(String, bool)>,
        is_lost: bool,
        /// Unit of which the second result is wrong.
        wrong: &'static str,
        works: bool,
    }

    impl RunQueue for Workers {
        fn publish(&mut self, unit: &str, first: Option<&str>) -> bool {
            let room = self.queue.len() < 3 && !self.is_lost;
            if room {
                self.queue.push_back((unit.to_owned(), first.is_some()));
            }
            room
        }

        fn results(&mut self) -> Vec<ResultMessage> {
            let Some((unit, audit)) = self.queue.pop_front().filter(|_| self.works) else {
                return vec![];
            };
            let number: u32 = unit.parse().unwrap();
            let wrong = u32::from(audit && unit == self.wrong);
            let text = format!("unit {unit}\n{}", number * number + wrong);
            let worker = if audit { "two" } else { "one" }.to_owned();
            vec![ResultMessage { worker, outcome: UnitOutcome::Done { text, audit } }]
        }

        fn queue(&self) -> Option<(u64, u64)> {
            (!self.is_lost).then_some((self.queue.len() as u64, 0))
        }

        fn repair(&mut self, _: &dyn Fn() -> bool) {
            self.is_lost = false;
        }
    }

    /// Steps of a tenth of a second, at most 1,000; returns the steps, the faults and the number
    /// of reports that there is no worker.
    fn run(
        share: u64,
        workers: &mut Workers,
        at: &mut dyn FnMut(u32, &mut Workers),
    ) -> (u32, Vec<String>, usize) {
        let (mut squares, mut collection) = (Squares::default(), Collection::new("run", share));
        let (mut steps, mut lonely) = (0, 0);
        let mut notify = |event| lonely += usize::from(event == CollectionEvent::NoWorker);
        loop {
            at(steps, workers);
            let now = Duration::from_millis(100) * steps;
            steps += 1;
            let ends = collection.step(now, &mut squares, workers, &|| false, &mut notify);
            if ends || steps == 1_000 {
                assert!(!ends || squares.is_finished() || !collection.faults.is_empty());
                return (steps, collection.faults, lonely);
            }
        }
    }

    #[test]
    fn a_run_is_collected_through_a_small_queue_and_with_audits() {
        let mut workers = Workers { works: true, ..Workers::default() };
        assert_eq!(run(0, &mut workers, &mut |_, _| {}), (11, vec![], 0));
        let mut workers = Workers { works: true, wrong: "7", ..Workers::default() };
        let (_, faults, _) = run(1_000_000, &mut workers, &mut |_, _| {});
        assert_eq!(faults, ["the workers one and two disagree about the unit 7: their squares"]);
    }

    #[test]
    fn units_that_a_server_lost_are_queued_again() {
        let mut workers = Workers { works: true, ..Workers::default() };
        let (steps, faults, _) = run(0, &mut workers, &mut |step, workers| {
            if step == 4 {
                workers.queue.clear();
                workers.is_lost = true;
            }
        });
        assert!(steps < 100 && faults.is_empty(), "{steps} {faults:?}");
    }

    #[test]
    fn the_absence_of_workers_is_reported_once() {
        let mut workers = Workers::default();
        let (steps, _, lonely) = run(0, &mut workers, &mut |step, workers| {
            if step < 200 {
                workers.queue.resize(3, ("1".to_owned(), false));
            } else {
                workers.works = true;
            }
        });
        assert!(lonely == 1 && steps < 300, "{lonely} {steps}");
    }
}
