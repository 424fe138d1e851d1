//! Control of a solver: stop signal, clock, progress, reports and workers.
//!
//! One mechanism serves all four solvers. A [`Cancel`] tree stops them, a [`Clock`] limits their
//! time, [`Progress`] gauges are sampled by an observer, events are reported through one closure,
//! and one [`Pool`] of workers runs the parallel work. A solver receives all of this as a
//! [`Control`].
//!
//! The crate also contains [`available`] and [`Budget`] (memory), [`HugePageBuffer`] (large tables in huge
//! pages), [`prefetch`], [`lock`], [`write_whole`] (atomic file writing), [`claim_for_writing`],
//! [`FastMap`], work that is saved when it is stopped ([`UnsavedWork`]), and units of work that any process can run
//! ([`UnitSource`]).
//!
//! ```
//! use std::time::Instant;
//! use umbrail_control::{Cancel, Clock, Control, Pool, Progress, Stopped};
//!
//! fn count(control: &Control<'_, u64>) -> Result<u64, Stopped> {
//!     for number in 0.. {
//!         control.check()?;
//!         control.progress.nodes.add(1);
//!         if number == 1_000 {
//!             control.notify(number);
//!             control.cancel.raise();
//!         }
//!     }
//!     Ok(0)
//! }
//!
//! let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
//! let pool = Pool::new(1)?;
//! let report = |number| assert_eq!(number, 1_000);
//! let control = Control::new(Cancel::default(), &clock, &progress, &pool, &report);
//! assert_eq!(count(&control), Err(Stopped));
//! assert_eq!(progress.nodes.get(), 1_001);
//! # Ok::<(), umbrail_control::PoolError>(())
//! ```

mod build_info;
mod cancel;
mod clock;
mod deferred_drop;
mod file;
mod hash;
mod huge_pages;
mod limit;
mod memory;
mod numa;
mod pool;
mod prefetch;
mod processor;
mod progress;
mod read;
mod start_limits;
mod stderr;
mod sync;
mod units;
mod unsaved;
mod writer;

pub use build_info::{BuildFacts, BuiltFrom};
pub use cancel::{Cancel, Stopped};
pub use clock::Clock;
pub use deferred_drop::DeferredDrop;
pub use file::{WriteError, remove_leftovers, write_whole};
pub use hash::{FastHasher, FastMap, FastSet};
pub use huge_pages::HugePageBuffer;
pub use limit::keep_limit;
pub use memory::{
    Available, Budget, MemoryLimit, OutOfMemory, Reservation, ReservingAllocator, available,
    available_bytes, fallibly, keep_memory_limits, memory_is_short, refill_reserve,
};
pub use pool::{Pool, PoolError};
pub use prefetch::prefetch;
pub use processor::processor_time;
pub use progress::{Gauge, Progress};
pub use read::{
    FILE_BYTES_MAX, ReadError, Unreadable, cause, read_file, read_own, read_text, text_of,
};
pub use start_limits::{ignore_file_size_signal, stack_is_small, stdout_was_closed};
pub use sync::lock;
pub use units::{LeasedUnit, NextUnit, UnitEnd, UnitId, UnitSource};
pub use unsaved::UnsavedWork;
pub use writer::claim_for_writing;

/// Interface of a solver to its caller: stop signal, clock, gauges, workers and a channel for
/// events. `Fact` is the solver's own event type.
pub struct Control<'a, Fact> {
    /// Stop signal of the job; children stop one part of the job.
    pub cancel: Cancel,
    /// Clock of the job.
    pub clock: &'a Clock,
    /// Gauges that an observer samples.
    pub progress: &'a Progress,
    /// Pool of workers.
    pub pool: &'a Pool,
    facts: &'a (dyn Fn(Fact) + Sync),
}

impl<'a, Fact> Control<'a, Fact> {
    /// Combines the five parts; `facts` receives every event.
    pub fn new(
        cancel: Cancel,
        clock: &'a Clock,
        progress: &'a Progress,
        pool: &'a Pool,
        facts: &'a (dyn Fn(Fact) + Sync),
    ) -> Self {
        Self { cancel, clock, progress, pool, facts }
    }

    /// Checks for a stop; solvers call it every few hundred or thousand nodes, and `?` unwinds the
    /// recursion.
    ///
    /// # Errors
    /// [`Stopped`] if the cancel signal is raised or the clock is over.
    #[inline]
    pub fn check(&self) -> Result<(), Stopped> {
        if self.clock.is_over() {
            self.cancel.raise();
        }
        if self.cancel.is_raised() { Err(Stopped) } else { Ok(()) }
    }

    /// Reports an event: a finished depth, a strategy, a solution.
    pub fn notify(&self, fact: Fact) {
        (self.facts)(fact);
    }
}

#[cfg(test)]
mod tests {
    use super::{Cancel, Clock, Control, Pool, Progress, Stopped};
    use std::sync::Mutex;
    use std::time::{Duration, Instant};

    #[test]
    fn a_clock_that_is_over_raises_the_signal() {
        let reported = Mutex::new(Vec::new());
        let notify = |fact: u32| reported.lock().unwrap().push(fact);
        let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
        let pool = Pool::new(1).unwrap();
        let control = Control::new(Cancel::default(), &clock, &progress, &pool, &notify);
        assert_eq!(control.check(), Ok(()));
        control.notify(7);
        clock.limit(Duration::ZERO);
        assert_eq!(control.check(), Err(Stopped));
        assert!(control.cancel.is_raised());
        assert_eq!(*reported.lock().unwrap(), [7]);
    }
}
