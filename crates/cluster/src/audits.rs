//! Audits: a second worker repeats some units, to detect a faulty machine.

use crate::run_queue::RunQueue;
use std::collections::HashMap;
use umbrail_control::UnitId;

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
    done: u64,
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

    /// Starts the audit of a unit.
    pub(crate) fn begin(&mut self, id: UnitId, unit: &str, first: &str, result: &str) {
        let [unit, first, result] = [unit, first, result].map(str::to_owned);
        self.open.insert(id, Audit { unit, first, result, is_queued: false });
    }

    /// Takes and counts the audit that a second result belongs to, if there is one.
    pub(crate) fn take(&mut self, id: UnitId) -> Option<Audit> {
        let audit = self.open.remove(&id);
        self.done += u64::from(audit.is_some());
        audit
    }

    /// Queues the units that are not queued yet, as far as there is room.
    pub(crate) fn publish(&mut self, queue: &mut dyn RunQueue) {
        for audit in self.open.values_mut().filter(|audit| !audit.is_queued) {
            audit.is_queued = queue.publish(&audit.unit, Some(&audit.first));
        }
    }

    /// Marks all audits as not queued, when no worker has them.
    pub(crate) fn requeue(&mut self) {
        self.open.values_mut().for_each(|audit| audit.is_queued = false);
    }

    /// Returns the number of missing second results.
    pub(crate) fn awaited(&self) -> usize {
        self.open.len()
    }

    /// Returns the number of second results received.
    pub(crate) fn done(&self) -> u64 {
        self.done
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
        assert_eq!(audits.take(ids[1]), None);
        assert_eq!(audits.take(ids[0]).map(|audit| audit.first), Some("one".to_owned()));
        assert_eq!(audits.take(ids[0]), None);
        assert_eq!((audits.awaited(), audits.done()), (0, 1));
    }
}
