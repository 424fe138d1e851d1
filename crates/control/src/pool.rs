//! The one pool of workers, a rayon pool of `Threads` threads.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The workers of this process: `broadcast` runs searchers side by side, and parallel
/// iterators run inside [`Pool::install`].
pub struct Pool {
    workers: rayon::ThreadPool,
    size: usize,
}

/// The operating system gave no threads.
#[derive(Debug)]
pub struct PoolError(rayon::ThreadPoolBuildError);

impl fmt::Display for PoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot start the worker threads: {}", self.0)
    }
}

impl std::error::Error for PoolError {}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({})", self.size)
    }
}

/// Stack of a worker. Recursive searches of 250 plies need about 1 MiB in debug builds.
const STACK_BYTES: usize = 8 << 20;

impl Pool {
    /// A pool of this many workers, at least one.
    ///
    /// # Errors
    /// [`PoolError`] when the operating system refuses to start the threads.
    pub fn new(threads: usize) -> Result<Self, PoolError> {
        let size = threads.max(1);
        let workers = rayon::ThreadPoolBuilder::new()
            .num_threads(size)
            .stack_size(STACK_BYTES)
            .thread_name(|index| format!("worker {index}"))
            .build()
            .map_err(PoolError)?;
        Ok(Self { workers, size })
    }

    /// Number of workers.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Runs the same closure once on every worker, with the worker's number, and gathers the results.
    pub fn broadcast<R: Send>(&self, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        self.workers.broadcast(|context| work(context.index()))
    }

    /// Runs a closure inside the pool, so that rayon's parallel iterators use these workers.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.workers.install(work)
    }

    /// Hands the items 0..count to the workers one at a time, in order; for jobs of unequal length
    /// whose claims must come in a fixed order. Stops when `work` returns false.
    pub(crate) fn each(&self, count: usize, work: impl Fn(usize) -> bool + Sync) {
        let next = AtomicUsize::new(0);
        // Relaxed: the number itself is all that is shared.
        self.broadcast(|_| drain(|| next.fetch_add(1, Ordering::Relaxed), count, &work));
    }
}

/// Works off the items that `claim` hands out, below `count`.
fn drain(claim: impl Fn() -> usize, count: usize, work: impl Fn(usize) -> bool) {
    loop {
        let item = claim();
        if item >= count || !work(item) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Pool, drain};
    use std::sync::Mutex;

    #[test]
    fn broadcast_runs_once_on_every_worker() {
        let pool = Pool::new(3).unwrap();
        let mut seen = pool.broadcast(|worker| worker);
        seen.sort_unstable();
        assert_eq!(seen, [0, 1, 2]);
    }

    /// Two workers in every order that the memory model allows.
    #[test]
    fn no_item_is_handed_out_twice_or_left_over() {
        use loom::sync::Arc;
        use loom::sync::atomic::{AtomicUsize, Ordering};
        loom::model(|| {
            let next = Arc::new(AtomicUsize::new(0));
            let done = Arc::new([const { std::sync::atomic::AtomicUsize::new(0) }; 3]);
            let worker = || {
                let (next, done) = (Arc::clone(&next), Arc::clone(&done));
                move || {
                    let claim = || next.fetch_add(1, Ordering::Relaxed);
                    drain(claim, 3, |item| {
                        done[item].fetch_add(1, Ordering::Relaxed);
                        true
                    });
                }
            };
            let other = loom::thread::spawn(worker());
            worker()();
            other.join().unwrap();
            assert!(done.iter().all(|count| count.load(Ordering::Relaxed) == 1));
        });
    }

    #[test]
    fn each_hands_out_every_item_once() {
        let seen = Mutex::new(Vec::new());
        Pool::new(2).unwrap().each(100, |item| {
            seen.lock().unwrap().push(item);
            true
        });
        let mut seen = seen.into_inner().unwrap();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..100));
    }
}
