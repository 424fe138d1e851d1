//! Units at which this worker failed. Another worker should try them first: the cause may be this
//! machine.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_control::lock;

/// Time for which a unit is left to other workers after a failure. They normally finish a unit
/// within that time.
const LEFT_TO_OTHERS: Duration = Duration::from_secs(30);

/// Failures of one worker, by unit: their number and the time of the last one.
#[derive(Debug, Default)]
pub(crate) struct OwnFailures(Mutex<HashMap<String, (u64, Instant)>>);

impl OwnFailures {
    /// Records a failure; returns the number of failures of this unit.
    pub(crate) fn note(&self, unit: &str) -> u64 {
        let mut failures = lock(&self.0);
        let (count, last) = failures.entry(unit.to_owned()).or_insert((0, Instant::now()));
        *count += 1;
        *last = Instant::now();
        *count
    }

    /// Returns true if others should try this unit first.
    pub(crate) fn leaves_to_others(&self, unit: &str) -> bool {
        lock(&self.0).get(unit).is_some_and(|(_, last)| last.elapsed() < LEFT_TO_OTHERS)
    }
}

#[cfg(test)]
mod tests {
    use super::OwnFailures;

    #[test]
    fn a_unit_that_failed_is_left_to_others() {
        let failures = OwnFailures::default();
        assert!(!failures.leaves_to_others("a"));
        assert_eq!((failures.note("a"), failures.note("a"), failures.note("b")), (1, 2, 1));
        assert!(failures.leaves_to_others("a") && !failures.leaves_to_others("c"));
    }
}
