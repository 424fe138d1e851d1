//! How long a worker waits between two questions.

use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_control::lock;

/// How often it is asked whether the run is still open, and by a worker without a unit: the next run may wait for it.
pub(crate) const LOOK: Duration = Duration::from_secs(2);
pub(crate) const IDLE_LOOK: Duration = Duration::from_millis(500);

/// How often a worker that waits for a unit wakes to ask that, if it is due.
pub(crate) const GLANCE: Duration = Duration::from_millis(250);

/// How often it is asked whether other workers wait for units, while they do. Only workers with a unit that takes long
/// ask; an answer costs the server about half a millisecond.
pub(crate) const HUNGER_LOOK: Duration = Duration::from_millis(50);

/// The same while no worker waits.
pub(crate) const QUIET_LOOK: Duration = Duration::from_millis(150);

/// Least pause before an audit that was refused is offered again; see [`other_worker`].
const OTHER_WORKER: Duration = Duration::from_millis(500);

/// Pause before an audit that the first worker of its unit refused is offered again, 0.5 to 1.5 s. It is random: idle
/// workers ask in turn with one period, so a fixed pause may offer the audit to the same worker each time.
pub(crate) fn other_worker() -> Duration {
    OTHER_WORKER + Duration::from_millis(RandomState::new().hash_one(()) % 1000)
}

/// Whether a period has passed since the last time; then it begins again.
pub(crate) fn is_due(last: &Mutex<Instant>, period: Duration) -> bool {
    let mut last = lock(last);
    let due = last.elapsed() >= period;
    if due {
        *last = Instant::now();
    }
    due
}
