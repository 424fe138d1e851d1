//! Audits: a second worker repeats some of the work, to detect a faulty machine.

use crate::collected_run::RepeatableWork;
use crate::run_queue::{Publication, RunQueue};
use std::collections::{BTreeMap, HashMap, HashSet};
use umbrail_control::UnitId;

/// Maximum number of audits in the queue: without a second worker they stay there, and must leave
/// room for units.
const QUEUED_MAX: usize = 32;

/// Number of failures of workers, and of damaged results, after which an audit is given up.
const FAILURES_MAX: u32 = 5;

/// Result of repeated work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SecondResult {
    pub(crate) worker: String,
    /// Number of the message.
    pub(crate) number: u64,
    pub(crate) text: String,
}

/// Work that is repeated.
#[derive(Debug)]
struct Audit {
    work: RepeatableWork,
    is_queued: bool,
    failures: u32,
}

/// Extent of the audits of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditTotals {
    /// Number of units that a second worker confirmed, and of all finished units. A unit of this
    /// count is what one worker can repeat.
    pub units: (u64, u64),
    /// Size of both in what the run counts.
    pub sizes: (u64, u64),
}

/// Audits of a run.
#[derive(Debug, Default)]
pub(crate) struct Audits {
    /// Share of audited units, in millionths.
    share: u64,
    open: BTreeMap<UnitId, Audit>,
    /// Finished work that is known.
    known: HashSet<UnitId>,
    totals: AuditTotals,
    /// Second results of work that is not known yet, when an earlier collector had them.
    early: HashMap<UnitId, SecondResult>,
}

impl Audits {
    /// Creates audits for this share of the units, in millionths.
    pub(crate) fn of(share: u64) -> Self {
        Self { share, ..Self::default() }
    }

    /// Returns true if a unit is audited. Its name decides, so every collector of a run makes the
    /// same choice.
    fn want(&self, id: UnitId) -> bool {
        id.number() % 1_000_000 < u128::from(self.share)
    }

    /// Records finished work, and starts its audit if it is one of the share. Returns a second
    /// result that is already there.
    pub(crate) fn begin(&mut self, id: UnitId, work: RepeatableWork) -> Option<SecondResult> {
        if !self.known.insert(id) {
            return None;
        }
        self.totals.units.1 += 1;
        self.totals.sizes.1 += work.size;
        if !(work.is_repeatable && self.want(id)) {
            return None;
        }
        self.open.insert(id, Audit { work, is_queued: false, failures: 0 });
        self.early.remove(&id)
    }

    /// Returns the work whose repetition is due, if this worker may repeat it.
    pub(crate) fn work(&self, id: UnitId, worker: &str) -> Option<&RepeatableWork> {
        let work = &self.open.get(&id)?.work;
        (!work.workers.contains(worker)).then_some(work)
    }

    /// Returns true if the audit of a unit is due.
    pub(crate) fn is_open(&self, id: UnitId) -> bool {
        self.open.contains_key(&id)
    }

    /// Keeps a second result until its work is known.
    pub(crate) fn keep(&mut self, id: UnitId, second: SecondResult) {
        if !self.known.contains(&id) {
            self.early.insert(id, second);
        }
    }

    /// Ends an audit whose second result states the same.
    pub(crate) fn confirm(&mut self, id: UnitId) {
        if let Some(Audit { work, .. }) = self.open.remove(&id) {
            self.totals.units.0 += 1;
            self.totals.sizes.0 += work.size;
        }
    }

    /// Lets an audit be queued again, after a damaged second result.
    pub(crate) fn repeat(&mut self, id: UnitId) {
        if let Some(audit) = self.open.get_mut(&id) {
            audit.is_queued = false;
        }
        self.fail(id, false);
    }

    /// Records that a worker failed at an audit, or that it was given up. Its work stays
    /// unconfirmed after a few failures.
    pub(crate) fn fail(&mut self, id: UnitId, is_final: bool) {
        let Some(audit) = self.open.get_mut(&id) else { return };
        audit.failures += 1;
        if is_final || audit.failures >= FAILURES_MAX {
            self.open.remove(&id);
        }
    }

    /// Queues the units that are not queued yet, as far as there is room.
    pub(crate) fn publish(&mut self, queue: &mut dyn RunQueue) {
        let room = QUEUED_MAX.saturating_sub(self.queued());
        for audit in self.open.values_mut().filter(|audit| !audit.is_queued).take(room) {
            let RepeatableWork { unit, workers, .. } = &audit.work;
            audit.is_queued = queue.publish(unit, Publication::Audit(workers));
        }
    }

    /// Marks all audits as not queued, when no worker has them.
    pub(crate) fn requeue(&mut self) {
        self.open.values_mut().for_each(|audit| audit.is_queued = false);
    }

    /// Returns the number of audits in the queue or at work.
    pub(crate) fn queued(&self) -> usize {
        self.open.values().filter(|audit| audit.is_queued).count()
    }

    /// Returns true if one of these workers can do an audit that is due.
    pub(crate) fn can_go_on<'a>(&self, mut workers: impl Iterator<Item = &'a str>) -> bool {
        workers.any(|worker| self.open.values().any(|audit| !audit.work.workers.contains(worker)))
    }

    /// Returns true if no second result is missing.
    pub(crate) fn are_done(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns the number of confirmed units, and the extent of all audits.
    pub(crate) fn totals(&self) -> AuditTotals {
        self.totals
    }
}

#[cfg(test)]
mod tests {
    use super::{AuditTotals, Audits, SecondResult};
    use crate::collected_run::RepeatableWork;
    use umbrail_control::UnitId;

    fn work(unit: &str, size: u64) -> RepeatableWork {
        let [unit, stated] = [unit, "stated"].map(str::to_owned);
        let workers = [String::from("one")].into();
        RepeatableWork { unit, workers, size, stated, is_repeatable: true }
    }

    #[test]
    fn the_share_decides_by_the_name_of_a_unit_and_each_audit_counts_once() {
        let ids: Vec<_> = (0..2000).map(|unit| UnitId::of("run", &unit.to_string())).collect();
        let wanted = |share| ids.iter().filter(|id| Audits::of(share).want(**id)).count();
        assert_eq!([wanted(0), wanted(1_000_000)], [0, 2000]);
        assert!((60..140).contains(&wanted(50_000)), "{}", wanted(50_000));
        let mut audits = Audits::of(1_000_000);
        audits.begin(ids[0], work("unit", 5));
        assert!(audits.work(ids[0], "one").is_none() && audits.work(ids[1], "two").is_none());
        assert_eq!(audits.work(ids[0], "two"), Some(&work("unit", 5)));
        audits.confirm(ids[0]);
        // A unit whose first result is read again is not audited again.
        audits.begin(ids[0], work("unit", 5));
        assert!(audits.are_done());
        assert_eq!(audits.totals(), AuditTotals { units: (1, 1), sizes: (5, 5) });
    }

    #[test]
    fn what_no_second_worker_repeats_is_counted_as_unconfirmed() {
        let mut audits = Audits::of(1_000_000);
        let ids = ["a", "b", "c"].map(|unit| UnitId::of("run", unit));
        audits.begin(ids[0], RepeatableWork { is_repeatable: false, ..work("a", 7) });
        assert!(audits.are_done(), "it took too long");
        audits.begin(ids[1], work("b", 2));
        assert!(!audits.can_go_on(["one"].into_iter()) && audits.can_go_on(["two"].into_iter()));
        for _ in 0..5 {
            assert!(audits.is_open(ids[1]));
            audits.fail(ids[1], false);
        }
        assert!(audits.are_done(), "workers failed five times");
        assert_eq!(audits.totals(), AuditTotals { units: (0, 2), sizes: (0, 9) });
        // An earlier collector has received a second result.
        let second = SecondResult { worker: "two".to_owned(), number: 3, text: String::new() };
        audits.keep(ids[2], second.clone());
        assert_eq!(audits.begin(ids[2], work("c", 1)), Some(second));
    }
}
