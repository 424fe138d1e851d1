//! Units that workers failed to run, and the rule for giving them up.

use super::Collection;
use crate::collected_run::CollectedRun;
use std::collections::BTreeSet;
use std::time::Duration;

/// Number of different workers whose failures at a unit suffice to give it up.
const WORKERS_BELIEVED: usize = 3;

/// Number of failures after which a unit may be given up.
pub(super) const FAILURES_MAX: u32 = 3;

/// Number of failures after which a unit may be given up if a result was damaged, perhaps on the way
/// or in the store, where the workers are not to blame.
const DAMAGES_MAX: u32 = 9;

/// Failures of workers at one unit.
#[derive(Debug)]
pub(super) struct UnitFailures {
    pub(super) workers: BTreeSet<String>,
    pub(super) count: u32,
    /// Number of failures that suffice to give the unit up.
    pub(super) needed: u32,
    pub(super) since: Duration,
    pub(super) why: String,
}

impl Collection {
    /// Queues a unit again whose result was damaged.
    pub(super) fn repeat(
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
    pub(super) fn fail(
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
}
