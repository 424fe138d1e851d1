//! The one pool of workers, a rayon pool of `Threads` threads.

use super::available_bytes;
use std::fmt;

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

/// Bytes that a worker of a search needs beside its stack, roughly.
const WORKER_BYTES: usize = 4 << 20;

impl Pool {
    /// A pool of this many workers, at least one. They are fewer where their stacks would take more than half of the
    /// memory that is left, or where the operating system refuses to start more threads.
    ///
    /// # Errors
    /// [`PoolError`] when the operating system does not even start one thread.
    pub fn new(threads: usize) -> Result<Self, PoolError> {
        let each = (STACK_BYTES + WORKER_BYTES) as u64;
        let most = available_bytes().map_or(u64::MAX, |bytes| bytes / 2 / each);
        let mut size = threads.min(usize::try_from(most).unwrap_or(usize::MAX)).max(1);
        loop {
            let workers = rayon::ThreadPoolBuilder::new()
                .num_threads(size)
                .stack_size(STACK_BYTES)
                .thread_name(|index| format!("worker {index}"));
            match workers.build() {
                Ok(workers) => return Ok(Self { workers, size }),
                Err(error) if size == 1 => return Err(PoolError(error)),
                Err(_) => size /= 2,
            }
        }
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
}

#[cfg(test)]
mod tests {
    use super::Pool;

    #[test]
    fn broadcast_runs_once_on_every_worker() {
        let pool = Pool::new(3).unwrap();
        let mut seen = pool.broadcast(|worker| worker);
        seen.sort_unstable();
        assert_eq!(seen, [0, 1, 2]);
    }
}
