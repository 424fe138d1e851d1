//! Time limit for work that polls only its stop signal.

use super::{Cancel, Clock};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::Duration;

/// Interval between checks of the clock.
const PERIOD: Duration = Duration::from_millis(5);

/// Runs `work` while a second thread raises `cancel` as soon as the clock is over. Work that rarely
/// checks the clock then needs to poll only the signal, which is cheaper.
pub fn keep_limit<R>(clock: &Clock, cancel: &Cancel, work: impl FnOnce() -> R) -> R {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let keep = || {
            // Relaxed: the flag guards no other data.
            while !done.load(Ordering::Relaxed) && !cancel.is_raised() {
                if clock.is_over() {
                    cancel.raise();
                }
                std::thread::park_timeout(PERIOD);
            }
        };
        let keeper = std::thread::Builder::new().name("limit".to_owned()).spawn_scoped(scope, keep);
        // If no thread can be started, only the work's own checks of the clock keep the limit.
        let _done = keeper.map(|keeper| Done { flag: &done, keeper: keeper.thread().clone() });
        work()
    })
}

/// Guard that ends the second thread, also if the work panics.
struct Done<'a> {
    flag: &'a AtomicBool,
    keeper: Thread,
}

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.flag.store(true, Ordering::Relaxed);
        self.keeper.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::keep_limit;
    use crate::{Cancel, Clock};
    use std::time::{Duration, Instant};

    #[test]
    fn work_that_polls_only_its_signal_ends_at_the_limit() {
        let (clock, cancel) = (Clock::started(Instant::now()), Cancel::default());
        clock.limit(Duration::from_millis(30));
        let polls = keep_limit(&clock, &cancel, || {
            let mut polls = 0u64;
            while !cancel.is_raised() && clock.elapsed() < Duration::from_secs(20) {
                polls += 1;
            }
            polls
        });
        assert!(polls > 0 && clock.elapsed() >= Duration::from_millis(30));
        assert!(clock.elapsed() < Duration::from_secs(10), "{:?}", clock.elapsed());
    }

    #[test]
    fn without_a_limit_the_work_is_done_at_once_and_a_panic_comes_through() {
        let (clock, cancel) = (Clock::started(Instant::now()), Cancel::default());
        assert_eq!(keep_limit(&clock, &cancel, || 7), 7);
        assert!(!cancel.is_raised());
        let panics = || keep_limit(&clock, &cancel, || panic!("as expected"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
    }
}
