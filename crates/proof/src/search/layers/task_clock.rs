//! How long a task takes, by the processor time of its thread.

use cpu_time::ThreadTime;
use std::time::{Duration, Instant};

/// A rest that takes this part of a task's limit is done at once: as a task it would have all bytes of it again.
const SOON: f64 = 4.0;

/// Once the limit has passed, the processor time is read at most this many times in each further period of that length.
const LOOKS: u32 = 16;

/// The time of one task.
#[derive(Clone, Copy, Debug)]
pub(super) struct TaskClock {
    /// None where the system does not tell the time of a thread: then the time that passes is taken.
    thread: Option<ThreadTime>,
    began: Instant,
    look_at: Instant,
}

impl TaskClock {
    /// A task begins.
    pub(super) fn start() -> Self {
        let began = Instant::now();
        Self { thread: ThreadTime::try_now().ok(), began, look_at: began }
    }

    /// Processor time of the thread since then.
    pub(super) fn spent(&self) -> Duration {
        let thread = self.thread.and_then(|thread| thread.try_elapsed().ok());
        thread.unwrap_or_else(|| self.began.elapsed())
    }

    /// True when the task should stop and give back its remaining positions: it has used more than `limit`, and the remaining positions
    /// would take more than a quarter of `limit`. `done` of the task's `of` positions have been searched.
    ///
    /// This is called for each position. Reading the processor time of a thread takes a system call, which is slow in some containers.
    /// A thread cannot use more processor time than elapses, so until the limit can have been reached only elapsed time is read.
    pub(super) fn is_enough(&mut self, done: usize, of: usize, limit: Duration) -> bool {
        let now = Instant::now();
        if done == 0 || now < self.look_at {
            return false;
        }
        let spent = self.spent();
        self.look_at = now + limit.saturating_sub(spent).max(limit / LOOKS);
        let left = spent.as_secs_f64() * of.saturating_sub(done) as f64 / done as f64;
        spent > limit && left * SOON > limit.as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_left_when_the_limit_has_passed_and_much_is_left() {
        let limit = Duration::from_millis(5);
        let mut clock = TaskClock::start();
        let mut asked = 0_u64;
        while clock.began.elapsed() < Duration::from_secs(60) && !clock.is_enough(1, 3, limit) {
            assert!(!clock.is_enough(0, 3, limit), "one position at least");
            asked += 1;
        }
        assert!(clock.spent() > limit && asked > 10, "{:?}, asked {asked} times", clock.spent());
        // What has taken so long for nearly all of it is soon done.
        clock.look_at = clock.began;
        assert!(!clock.is_enough(1_000_000, 1_000_001, limit));
    }

    #[test]
    fn time_asleep_is_not_the_task_s() {
        let limit = Duration::from_millis(100);
        let mut clock = TaskClock::start();
        std::thread::sleep(Duration::from_millis(150));
        if clock.thread.is_some() {
            assert!(!clock.is_enough(1, 1_000, limit), "{:?}", clock.spent());
            assert!(clock.look_at > Instant::now(), "it cannot have passed before");
        }
    }
}
