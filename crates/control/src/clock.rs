//! Clock of one job: it is stopped while pondering, and `ponderhit` starts it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const NEVER: u64 = u64::MAX;

/// Clock of one job. [`Clock::elapsed`] counts from the arrival of the job's command; the time
/// limit counts only from the *start* of the clock.
///
/// All loads and stores are relaxed: the two numbers are independent, and a worker that sees a new
/// limit one poll later loses microseconds.
#[derive(Debug)]
pub struct Clock {
    origin: Instant,
    /// Microseconds from the origin to the start, or `NEVER`.
    started_us: AtomicU64,
    /// Microseconds allowed after the start, or `NEVER`.
    limit_us: AtomicU64,
}

impl Clock {
    /// Creates a clock that runs from this moment, without a limit.
    pub fn started(received_at: Instant) -> Self {
        Self { started_us: AtomicU64::new(0), ..Self::standing(received_at) }
    }

    /// Creates a clock that is stopped until [`Clock::start`].
    pub fn standing(received_at: Instant) -> Self {
        Self {
            origin: received_at,
            started_us: AtomicU64::new(NEVER),
            limit_us: AtomicU64::new(NEVER),
        }
    }

    /// Starts a stopped clock as of this moment; has no effect on a running one.
    pub fn start(&self, at: Instant) {
        let us = micros(at.saturating_duration_since(self.origin));
        let _ = self.started_us.compare_exchange(NEVER, us, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Sets the time that the job may run after the start; a later call replaces the limit.
    pub fn limit(&self, after_start: Duration) {
        self.limit_us.store(micros(after_start), Ordering::Relaxed);
    }

    /// Returns true if the clock was started.
    pub fn is_running(&self) -> bool {
        self.started_us.load(Ordering::Relaxed) != NEVER
    }

    /// Returns the time since the arrival of the job's command, also while the clock is stopped.
    pub fn elapsed(&self) -> Duration {
        self.origin.elapsed()
    }

    /// Returns the time since the clock was started; zero while it is stopped.
    pub fn since_start(&self) -> Duration {
        match self.started_us.load(Ordering::Relaxed) {
            NEVER => Duration::ZERO,
            us => self.origin.elapsed().saturating_sub(Duration::from_micros(us)),
        }
    }

    /// Returns the time until the limit passes; `None` without a limit, or while the clock is stopped.
    pub fn left(&self) -> Option<Duration> {
        let limit = self.limit_us.load(Ordering::Relaxed);
        let is_limited = limit != NEVER && self.is_running();
        is_limited.then(|| Duration::from_micros(limit).saturating_sub(self.since_start()))
    }

    /// Returns true if the clock is running and its limit has passed.
    #[inline]
    pub fn is_over(&self) -> bool {
        let limit = self.limit_us.load(Ordering::Relaxed);
        limit != NEVER && self.is_running() && micros(self.since_start()) >= limit
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(NEVER - 1).min(NEVER - 1)
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use std::time::{Duration, Instant};

    #[test]
    fn a_standing_clock_is_never_over() {
        let clock = Clock::standing(Instant::now() - Duration::from_secs(9));
        clock.limit(Duration::ZERO);
        assert!(!clock.is_over());
        assert_eq!(clock.since_start(), Duration::ZERO);
        clock.start(Instant::now());
        assert!(clock.is_over());
        assert!(clock.elapsed() >= Duration::from_secs(9));
        assert!(clock.since_start() < Duration::from_secs(9));
    }

    #[test]
    fn starting_twice_keeps_the_first_start() {
        let origin = Instant::now() - Duration::from_secs(5);
        let clock = Clock::started(origin);
        clock.start(Instant::now());
        assert!(clock.since_start() >= Duration::from_secs(5));
    }

    #[test]
    fn the_time_left_is_that_until_the_limit() {
        let clock = Clock::standing(Instant::now() - Duration::from_secs(9));
        clock.limit(Duration::from_secs(5));
        assert_eq!(clock.left(), None);
        clock.start(Instant::now());
        assert!(clock.left().is_some_and(|left| left <= Duration::from_secs(5)));
        clock.limit(Duration::ZERO);
        assert_eq!(clock.left(), Some(Duration::ZERO));
        assert_eq!(Clock::started(Instant::now()).left(), None);
    }

    #[test]
    fn without_a_limit_time_never_runs_out() {
        assert!(!Clock::started(Instant::now() - Duration::from_secs(99)).is_over());
    }
}
