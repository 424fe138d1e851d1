//! A server and its workers in virtual time, for tests of the collection: no network, no thread and
//! no clock, and the same seed gives the same run.
//!
//! The model has what a run depends on: a queue with leases, redelivery and limited room; one result
//! for each subject; records that can be lost, rolled back or damaged. A worker follows the rules of
//! `WorkerSource`.

use super::super::{
    CollectedRun, Collection, CollectionEnd, CollectionEvent, Publication, ResultDefect,
    ResultMessage, RunQueue, UnitOutcome,
};
use crate::collected_run::{OwnWork, OwnWorkError, RepeatableWork};
use crate::presence::WorkerReport;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use umbrail_chess::SplitMix64;
use umbrail_control::UnitId;

const RUN: &str = "simulated";

/// Time of one step of the collector.
const STEP: Duration = Duration::from_millis(300);

/// Lease of a unit.
const LEASE: Duration = Duration::from_secs(10);

/// Deliveries after which a worker gives a unit up.
const ATTEMPTS_MAX: u32 = 8;

/// Numbers in a unit that the collector names.
const NAMED: u64 = 100;

/// Numbers from `from` to `until`; a unit of more than three divides itself now and then. Its result
/// is the sum of its squares, or its halves. The collector names the first units, one by one.
pub(super) struct Sum {
    size: u64,
    /// First number of the next unit that is named.
    named: u64,
    /// Results of units that are not named yet, with their workers.
    early: BTreeMap<String, (String, String)>,
    known: BTreeMap<String, u64>,
    open: BTreeSet<String>,
    pub(super) given_up: BTreeMap<String, String>,
}

fn ends(unit: &str) -> Option<(u64, u64)> {
    let (from, until) = unit.split_once('-')?;
    Some((from.parse().ok()?, until.parse().ok()?)).filter(|(from, until)| from < until)
}

fn sum(unit: &str) -> Option<u64> {
    ends(unit).map(|(from, until)| (from..until).map(|number| number * number).sum())
}

impl Sum {
    pub(super) fn new(size: u64) -> Self {
        Self {
            size,
            named: 0,
            early: BTreeMap::new(),
            known: BTreeMap::new(),
            open: BTreeSet::new(),
            given_up: BTreeMap::new(),
        }
    }

    /// Records the result of a unit that is known.
    fn enter(
        &mut self,
        unit: &str,
        worker: &str,
        result: &str,
    ) -> Result<Vec<RepeatableWork>, ResultDefect> {
        let read = Self::read(unit, result)?;
        self.open.remove(unit);
        self.given_up.remove(unit);
        let mut finished = vec![];
        match read {
            Ok(value) => {
                self.known.insert(unit.to_owned(), value);
                let (from, until) = ends(unit).unwrap_or_default();
                finished.push(RepeatableWork {
                    unit: unit.to_owned(),
                    workers: BTreeSet::from([worker.to_owned()]),
                    size: until - from,
                    stated: result.to_owned(),
                    is_repeatable: true,
                });
            }
            Err(halves) => {
                for half in halves {
                    self.open.insert(half.clone());
                    if let Some((worker, result)) = self.early.remove(&half) {
                        finished.extend(self.enter(&half, &worker, &result)?);
                    }
                }
            }
        }
        Ok(finished)
    }

    /// Returns the sum of all results.
    pub(super) fn total(&self) -> u64 {
        self.known.values().sum()
    }

    pub(super) fn expected(&self) -> u64 {
        (0..self.size).map(|number| number * number).sum()
    }

    /// Reads a result: its value, or the halves of its unit.
    fn read(unit: &str, result: &str) -> Result<Result<u64, [String; 2]>, ResultDefect> {
        let damaged = || ResultDefect::Damaged("not a sum".to_owned());
        let body = result.lines().nth(1).ok_or_else(damaged)?;
        let (from, until) = ends(unit).ok_or_else(damaged)?;
        if let Some(middle) = body.strip_prefix("divided ").and_then(|text| text.parse().ok()) {
            return match from < middle && middle < until {
                true => Ok(Err([format!("{from}-{middle}"), format!("{middle}-{until}")])),
                false => Err(damaged()),
            };
        }
        body.strip_prefix("sum ").and_then(|text| text.parse().ok()).map(Ok).ok_or_else(damaged)
    }
}

impl CollectedRun for Sum {
    fn first_units(&self) -> Vec<String> {
        vec![]
    }

    fn own_work(&mut self) -> Result<OwnWork, OwnWorkError> {
        let from = self.named;
        if from >= self.size {
            return Ok(OwnWork::default());
        }
        self.named = self.size.min(from + NAMED);
        let unit = format!("{from}-{}", self.named);
        self.open.insert(unit.clone());
        let Some((worker, result)) = self.early.remove(&unit) else {
            return Ok(OwnWork { units: vec![unit], finished: vec![] });
        };
        let finished = self.enter(&unit, &worker, &result);
        let finished =
            finished.map_err(|defect| OwnWorkError::Contradiction(format!("{defect:?}")))?;
        Ok(OwnWork { units: vec![], finished })
    }

    fn accept(
        &mut self,
        unit: &str,
        worker: &str,
        result: &str,
    ) -> Result<Vec<RepeatableWork>, ResultDefect> {
        Self::read(unit, result).map(|_| ())?;
        if self.known.contains_key(unit) {
            return Ok(vec![]);
        }
        if !self.open.contains(unit) {
            self.early.insert(unit.to_owned(), (worker.to_owned(), result.to_owned()));
            return Ok(vec![]);
        }
        self.enter(unit, worker, result)
    }

    fn give_up(&mut self, unit: &str, why: &str) {
        if self.open.contains(unit) {
            self.given_up.insert(unit.to_owned(), why.to_owned());
        }
    }

    fn missing(&self) -> Vec<String> {
        self.open.iter().filter(|unit| self.is_missing(unit)).cloned().collect()
    }

    fn is_missing(&self, unit: &str) -> bool {
        self.open.contains(unit) && !self.given_up.contains_key(unit)
    }

    fn is_finished(&self) -> bool {
        self.named >= self.size && self.open.iter().all(|unit| self.given_up.contains_key(unit))
    }

    fn compare(&self, unit: &str, stated: &str, second: &str) -> Result<(), ResultDefect> {
        match (Self::read(unit, stated)?, Self::read(unit, second)?) {
            (Ok(one), Ok(other)) if one != other => {
                Err(ResultDefect::Contradiction("their sums".to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn units(&self) -> (u64, u64) {
        (self.known.len() as u64, self.open.len() as u64)
    }

    fn parts(&self) -> (u64, Option<u64>) {
        (self.known.len() as u64, None)
    }
}

/// A unit in the queue.
#[derive(Clone)]
struct Queued {
    unit: String,
    /// The first workers of an audited unit; empty for others.
    first: BTreeSet<String>,
    deliveries: u32,
    /// Time at which it is handed out again, and the worker that has it.
    leased: Option<(Duration, usize)>,
}

/// A stored result.
#[derive(Clone)]
struct Stored {
    number: u64,
    subject: String,
    message: ResultMessage,
}

/// A worker.
#[derive(Clone)]
pub(super) struct Worker {
    name: String,
    /// The worker fails at every unit.
    pub(super) is_unable: bool,
    /// Factor of the time of a unit.
    pub(super) slowness: u32,
    /// Number of times that the worker is still stopped in the middle of a unit, which it hands back.
    pub(super) stops: u32,
    /// Time until which the worker is stopped or paused; it forgets its unit.
    away: Duration,
    /// Unit at work, whether it is an audit, and the time of its end.
    unit: Option<(String, bool, Duration)>,
    failures: BTreeMap<String, (u32, Duration)>,
}

/// The server, its workers, and what befalls them.
pub(super) struct Simulation {
    random: SplitMix64,
    now: Duration,
    queue: Vec<Queued>,
    /// Units that were queued; the server keeps a second offer of them as the first one.
    offered: BTreeSet<String>,
    results: Vec<Stored>,
    next_number: u64,
    /// First number that the collector has not read.
    read: u64,
    room: usize,
    /// The server answers; it has the streams; it has the record of the run.
    pub(super) is_up: bool,
    has_streams: bool,
    pub(super) has_record: bool,
    pub(super) is_closed: bool,
    /// State of the store at the last sync.
    synced: (Vec<Stored>, u64),
    pub(super) workers: Vec<Worker>,
    /// End of the faults.
    pub(super) faults_until: Duration,
    /// Faults happen, one in this number of steps of each kind; 0 for none.
    pub(super) rate: u64,
    pub(super) events: Vec<CollectionEvent>,
}

impl Simulation {
    pub(super) fn new(seed: u64, workers: usize) -> Self {
        let worker = |number: usize| Worker {
            name: format!("w{number}"),
            is_unable: false,
            slowness: 1,
            stops: 0,
            away: Duration::ZERO,
            unit: None,
            failures: BTreeMap::new(),
        };
        Self {
            random: SplitMix64::new(seed),
            now: Duration::ZERO,
            queue: vec![],
            offered: BTreeSet::new(),
            results: vec![],
            next_number: 1,
            read: 1,
            room: 40,
            is_up: true,
            has_streams: true,
            has_record: true,
            is_closed: false,
            synced: (vec![], 1),
            workers: (0..workers).map(worker).collect(),
            faults_until: Duration::ZERO,
            rate: 0,
            events: vec![],
        }
    }

    fn chance(&mut self, one_in: u64) -> bool {
        one_in > 0 && self.random.draw().is_multiple_of(one_in)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.random.draw() % limit as u64) as usize
    }

    /// Collects a run until it ends, at most for this time; returns its end, and whether it came.
    pub(super) fn collect(
        &mut self,
        run: &mut Sum,
        audit_share: u64,
        limit: Duration,
    ) -> (CollectionEnd, bool) {
        let mut collection = Collection::new(RUN, LEASE, audit_share);
        let mut events = vec![];
        let mut ended = false;
        while !ended && self.now < limit {
            let rate = self.rate;
            if self.now < self.faults_until && self.chance(2 * rate) {
                // The collector is killed, and a new one takes over.
                collection = Collection::new(RUN, LEASE, audit_share);
                (*run, self.read) = (Sum::new(run.size), 1);
            }
            let mut notify = |event| events.push(event);
            ended = collection.step(self.now, run, self, &|| false, &mut notify);
        }
        events.retain(|event| !matches!(event, CollectionEvent::Status(_)));
        self.events = events;
        (collection.end(run), ended)
    }

    /// Describes the queue and the workers, for failing tests.
    pub(super) fn describe(&self) -> String {
        let queue: Vec<_> = self
            .queue
            .iter()
            .map(|one| (&one.unit, &one.first, one.deliveries, one.leased))
            .collect();
        let workers: Vec<_> = self.workers.iter().map(|one| (one.away, &one.unit)).collect();
        format!("at {:?}: queue {queue:?} workers {workers:?}", self.now)
    }

    /// Lets something go wrong.
    fn befall(&mut self) {
        if self.now >= self.faults_until {
            self.is_up = true;
            return;
        }
        let rate = self.rate;
        if self.chance(rate) {
            // The server stops, perhaps with its store, or comes back.
            self.is_up = !self.is_up;
            if self.is_up && self.chance(3) {
                (self.has_streams, self.has_record) = (false, false);
                (self.queue, self.results, self.next_number) = (vec![], vec![], 1);
                self.offered.clear();
            }
        }
        if self.chance(rate) {
            // Power loss: the results since the last sync are lost, and their numbers are reused.
            (self.results, self.next_number) = self.synced.clone();
        }
        if self.chance(rate / 2) {
            self.synced = (self.results.clone(), self.next_number);
        }
        if self.chance(rate) {
            self.has_record = false;
        }
        if self.chance(rate) && !self.queue.is_empty() {
            let lost = self.below(self.queue.len());
            self.queue.remove(lost);
        }
        if self.chance(rate) && !self.results.is_empty() {
            // A flipped bit.
            let at = self.below(self.results.len());
            if let UnitOutcome::Done { text, .. } = &mut self.results[at].message.outcome {
                *text = text.replace("sum", "sun");
            }
        }
        if self.chance(rate / 2) {
            let (worker, away) = (self.below(self.workers.len()), self.below(40_000) as u64);
            let polite = self.chance(2);
            let until = self.now + Duration::from_millis(away);
            let (unit, name) = (self.workers[worker].unit.take(), worker);
            self.workers[worker].away = until;
            if let (true, Some((unit, audit, _))) = (polite, unit) {
                self.hand_back(&unit, audit, name);
            }
        }
    }

    /// A worker returns a unit: it is queued anew behind the others, and its deliveries count from
    /// the start.
    fn hand_back(&mut self, unit: &str, audit: bool, worker: usize) {
        let is_this = |one: &Queued| {
            one.unit == unit
                && one.first.is_empty() != audit
                && one.leased.is_some_and(|(_, by)| by == worker)
        };
        if let Some(at) = self.queue.iter().position(is_this) {
            let unit = self.queue.remove(at);
            self.queue.push(Queued { deliveries: 0, leased: None, ..unit });
        }
    }

    fn store(&mut self, worker: usize, unit: &str, outcome: UnitOutcome, suffix: &str) -> bool {
        let id = UnitId::of(RUN, unit).to_string();
        let subject = format!("{id}{suffix}");
        if self.results.iter().any(|stored| stored.subject == subject) {
            return true;
        }
        let (number, worker) = (self.next_number, self.workers[worker].name.clone());
        self.next_number += 1;
        let message = ResultMessage { worker, unit_id: id, number, outcome };
        self.results.push(Stored { number, subject, message });
        true
    }

    /// Moves all workers on by one step.
    fn work(&mut self) {
        let now = self.now;
        if !(self.is_up && self.has_streams) {
            return;
        }
        for one in &mut self.queue {
            if one.leased.is_some_and(|(until, _)| until <= now) {
                one.leased = None;
            }
        }
        for index in 0..self.workers.len() {
            if self.workers[index].away > now || !self.has_record {
                continue;
            }
            if self.workers[index].stops > 0
                && let Some((unit, audit, _)) = self.workers[index].unit.take()
            {
                self.workers[index].stops -= 1;
                self.hand_back(&unit, audit, index);
                continue;
            }
            match self.workers[index].unit.clone() {
                Some((unit, audit, end)) if end <= now => self.finish(index, &unit, audit),
                // A heartbeat.
                Some((unit, _, _)) => self.queue.iter_mut().for_each(|one| {
                    if one.unit == unit && one.leased.is_some_and(|(_, by)| by == index) {
                        one.leased = Some((now + LEASE, index));
                    }
                }),
                None => self.take(index),
            }
        }
    }

    fn take(&mut self, index: usize) {
        let worker = &self.workers[index];
        let others = self.workers.iter().filter(|other| other.away <= self.now).count() > 1;
        let recent = |unit: &str| {
            let failed = worker.failures.get(unit);
            others && failed.is_some_and(|(_, at)| self.now < *at + Duration::from_secs(30))
        };
        let at = self.queue.iter().position(|one| {
            one.leased.is_none() && !one.first.contains(&worker.name) && !recent(&one.unit)
        });
        let Some(at) = at else { return };
        let one = &mut self.queue[at];
        one.deliveries += 1;
        if one.deliveries >= ATTEMPTS_MAX {
            let unit = self.queue.remove(at).unit;
            let why = "it was handed out too often".to_owned();
            let outcome = UnitOutcome::Failed { unit: unit.clone(), why, is_final: true };
            self.store(index, &unit, outcome, "");
            return;
        }
        one.leased = Some((self.now + LEASE, index));
        let (unit, audit) = (one.unit.clone(), !one.first.is_empty());
        let time = Duration::from_millis(100 + self.below(3_000) as u64);
        let time = time * self.workers[index].slowness;
        self.workers[index].unit = Some((unit, audit, self.now + time));
    }

    fn finish(&mut self, index: usize, unit: &str, audit: bool) {
        self.workers[index].unit = None;
        if self.workers[index].is_unable {
            let failures = self.workers[index].failures.entry(unit.to_owned()).or_default();
            *failures = (failures.0 + 1, self.now);
            let suffix = format!(".failure.{index}-{}", failures.0);
            let why = "too little memory".to_owned();
            let outcome = UnitOutcome::Failed { unit: unit.to_owned(), why, is_final: false };
            self.store(index, unit, outcome, &suffix);
            self.hand_back(unit, audit, index);
            return;
        }
        let (from, until) = ends(unit).unwrap_or_default();
        let divides = !audit && until - from > 3 && (until - from > 60 || self.chance(2));
        let body = if divides {
            let middle = from + (until - from) / 2;
            for half in [format!("{from}-{middle}"), format!("{middle}-{until}")] {
                // Without room, the collector queues it later.
                self.publish(&half, Publication::First);
            }
            format!("divided {middle}")
        } else {
            format!("sum {}", sum(unit).unwrap_or_default())
        };
        let text = format!("unit {unit}\n{body}");
        let suffix = if audit { ".audit" } else { "" };
        self.store(index, unit, UnitOutcome::Done { text, audit }, suffix);
        self.queue.retain(|one| {
            one.unit != unit || one.first.is_empty() == audit || one.leased.is_none()
        });
    }
}

impl RunQueue for Simulation {
    fn publish(&mut self, unit: &str, publication: Publication<'_>) -> bool {
        let fits = self.is_up && self.has_streams && self.queue.len() < self.room;
        let is_known = publication == Publication::First && self.offered.contains(unit);
        if fits && !is_known {
            let first = match publication {
                Publication::Audit(workers) => workers.clone(),
                _ => BTreeSet::new(),
            };
            self.offered.insert(unit.to_owned());
            self.queue.push(Queued { unit: unit.to_owned(), first, deliveries: 0, leased: None });
        }
        fits
    }

    fn results(&mut self) -> Vec<ResultMessage> {
        self.now += STEP;
        self.befall();
        self.work();
        if !(self.is_up && self.has_streams) {
            return vec![];
        }
        // A stream that is empty again counts from the beginning.
        if self.next_number < self.read {
            self.read = 1;
        }
        let unread = self.results.iter().filter(|stored| stored.number >= self.read);
        let messages: Vec<_> = unread.take(256).map(|stored| stored.message.clone()).collect();
        if let Some(last) = messages.last() {
            self.read = last.number + 1;
        }
        messages
    }

    fn queue(&self) -> Option<(u64, u64)> {
        let leased = self.queue.iter().filter(|one| one.leased.is_some()).count();
        (self.is_up && self.has_streams)
            .then_some(((self.queue.len() - leased) as u64, leased as u64))
    }

    fn repair(&mut self, _: &dyn Fn() -> bool) {
        if self.is_up {
            (self.has_streams, self.has_record) = (true, true);
        }
    }

    fn read_again(&mut self) {
        self.read = 1;
    }

    fn discard(&mut self, number: u64) {
        self.results.retain(|stored| stored.number != number);
    }

    fn is_closed(&self) -> bool {
        self.is_closed
    }

    fn workers(&self) -> Vec<WorkerReport> {
        let present = self.workers.iter().filter(|worker| worker.away <= self.now);
        present
            .map(|worker| WorkerReport { name: worker.name.clone(), ..WorkerReport::default() })
            .collect()
    }

    fn error(&self) -> Option<String> {
        (!self.is_up).then(|| "no answer".to_owned())
    }
}
