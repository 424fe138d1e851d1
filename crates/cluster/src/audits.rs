//! Audits: a second worker repeats some units, to detect a faulty machine.

use crate::run_queue::RunQueue;
use std::collections::{HashMap, HashSet};
use umbrail_control::UnitId;

/// Maximum number of audits in the queue: without a second worker they stay there, and must leave
/// room for units.
const QUEUED_MAX: usize = 32;

/// A unit whose second result is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Audit {
    /// The unit.
    pub(crate) unit: String,
    /// Worker that did the unit first; another worker must repeat it.
    pub(crate) first: String,
    /// First result.
    pub(crate) result: String,
    is_queued: bool,
}

/// Audits of a run.
#[derive(Debug, Default)]
pub(crate) struct Audits {
    /// Share of audited units, in millionths.
    share: u64,
    open: HashMap<UnitId, Audit>,
    /// Units with a second result.
    done: HashSet<UnitId>,
}

impl Audits {
    /// Creates audits for this share of the units, in millionths.
    pub(crate) fn of(share: u64) -> Self {
        Self { share, ..Self::default() }
    }

    /// Returns true if a unit is audited. Its name decides, so every collector of a run makes one
    /// and the same choice.
    pub(crate) fn want(&self, id: UnitId) -> bool {
        id.number() % 1_000_000 < u128::from(self.share)
    }

    /// Starts the audit of a unit, once.
    pub(crate) fn begin(&mut self, id: UnitId, unit: &str, first: &str, result: &str) {
        if self.done.contains(&id) || self.open.contains_key(&id) {
            return;
        }
        let [unit, first, result] = [unit, first, result].map(str::to_owned);
        self.open.insert(id, Audit { unit, first, result, is_queued: false });
    }

    /// Returns the audit that a second result belongs to, if there is one.
    pub(crate) fn get(&self, id: UnitId) -> Option<&Audit> {
        self.open.get(&id)
    }

    /// Ends an audit, whose second result can be read.
    pub(crate) fn end(&mut self, id: UnitId) {
        if self.open.remove(&id).is_some() {
            self.done.insert(id);
        }
    }

    /// Lets an audit be queued again, after a damaged second result.
    pub(crate) fn repeat(&mut self, id: UnitId) {
        if let Some(audit) = self.open.get_mut(&id) {
            audit.is_queued = false;
        }
    }

    /// Queues the units that are not queued yet, as far as there is room.
    pub(crate) fn publish(&mut self, queue: &mut dyn RunQueue) {
        let room = QUEUED_MAX.saturating_sub(self.queued());
        for audit in self.open.values_mut().filter(|audit| !audit.is_queued).take(room) {
            audit.is_queued = queue.publish(&audit.unit, Some(&audit.first));
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

    /// Returns the number of missing second results.
    pub(crate) fn awaited(&self) -> usize {
        self.open.len()
    }

    /// Returns the number of second results received.
    pub(crate) fn done(&self) -> u64 {
        self.done.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::Audits;
    use umbrail_control::UnitId;

    #[test]
    fn the_share_decides_by_the_name_of_a_unit_and_each_audit_counts_once() {
        let ids: Vec<_> = (0..2000).map(|unit| UnitId::of("run", &unit.to_string())).collect();
        let wanted = |share| ids.iter().filter(|id| Audits::of(share).want(**id)).count();
        assert_eq!([wanted(0), wanted(1_000_000)], [0, 2000]);
        assert!((60..140).contains(&wanted(50_000)), "{}", wanted(50_000));
        let mut audits = Audits::of(1_000_000);
        audits.begin(ids[0], "unit", "one", "result");
        assert_eq!(audits.get(ids[1]), None);
        assert_eq!(audits.get(ids[0]).map(|audit| audit.first.as_str()), Some("one"));
        audits.end(ids[0]);
        // A unit whose first result is read again is not audited again.
        audits.begin(ids[0], "unit", "one", "result");
        assert_eq!((audits.awaited(), audits.done()), (0, 1));
    }
}
