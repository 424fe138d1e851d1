//! Intervals between the requests of a worker.

use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_control::lock;

/// Intervals of the check whether the run is still open: with a unit, and without one, since the
/// next run may be waiting.
pub(crate) const LOOK: Duration = Duration::from_secs(2);
pub(crate) const IDLE_LOOK: Duration = Duration::from_millis(500);

/// Interval at which a worker that waits for a unit tests whether that check is due.
pub(crate) const GLANCE: Duration = Duration::from_millis(250);

/// Interval of the query for waiting workers while there are some. Only workers with a long unit
/// send it; an answer costs the server about half a millisecond.
pub(crate) const IDLE_SAMPLE: Duration = Duration::from_millis(50);

/// Interval of the query for waiting workers while there are none.
pub(crate) const QUIET_LOOK: Duration = Duration::from_millis(150);

/// Shortest pause before a refused audit is offered again; see [`other_worker`].
const OTHER_WORKER: Duration = Duration::from_millis(500);

/// Returns the pause before an audit that the first worker of its unit refused is offered again,
/// 0.5 to 1.5 s. The pause is random: idle workers ask in turn with one period, so a fixed pause
/// may offer the audit to the same worker each time.
pub(crate) fn other_worker() -> Duration {
    OTHER_WORKER + Duration::from_millis(RandomState::new().hash_one(()) % 1000)
}

/// Returns true if a period has passed since the last time, and restarts the period then.
pub(crate) fn is_due(last: &Mutex<Instant>, period: Duration) -> bool {
    let mut last = lock(last);
    let due = last.elapsed() >= period;
    if due {
        *last = Instant::now();
    }
    due
}
