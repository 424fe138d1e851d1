//! Pool of all workers, a rayon pool of `Threads` threads.

use super::available_bytes;
use super::numa::NumaNodes;
use std::fmt;

/// Workers of this process: `broadcast` runs one task per worker, and parallel iterators run inside
/// [`Pool::install`].
pub struct Pool {
    workers: rayon::ThreadPool,
    size: usize,
    /// Node of memory of each worker; empty if workers are not bound.
    nodes: Vec<usize>,
}

/// Error of the operating system when it starts threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start the worker threads: {0}")]
pub struct PoolError(rayon::ThreadPoolBuildError);

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({})", self.size)
    }
}

/// Stack of a worker, bytes. Recursive searches of 250 plies need about 1 MiB in debug builds.
const STACK_BYTES: usize = 8 << 20;

/// Approximate memory of a search worker in addition to its stack, bytes.
const WORKER_BYTES: usize = 4 << 20;

impl Pool {
    /// Creates a pool of `threads` workers, at least one. The pool is smaller if the stacks would
    /// take more than half of the free memory, or if the operating system refuses to start more
    /// threads. Workers are bound to nodes of memory (NUMA) if one node has too few processors.
    ///
    /// # Errors
    /// [`PoolError`] if not even one thread can be started.
    pub fn new(threads: usize) -> Result<Self, PoolError> {
        let each = (STACK_BYTES + WORKER_BYTES) as u64;
        let most = available_bytes().map_or(u64::MAX, |bytes| bytes / 2 / each);
        let mut size = threads.min(usize::try_from(most).unwrap_or(usize::MAX)).max(1);
        let numa = NumaNodes::detect();
        loop {
            let nodes = numa.distribute(size);
            let (bound, numa) = (nodes.clone(), numa.clone());
            let bind =
                move |index: usize| bound.get(index).into_iter().for_each(|&node| numa.bind(node));
            let workers = rayon::ThreadPoolBuilder::new()
                .num_threads(size)
                .stack_size(STACK_BYTES)
                .start_handler(bind)
                .thread_name(|index| format!("worker {index}"));
            match workers.build() {
                Ok(workers) => return Ok(Self { workers, size, nodes }),
                Err(error) if size == 1 => return Err(PoolError(error)),
                Err(_) => size /= 2,
            }
        }
    }

    /// Returns the number of workers.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the node of memory to which a worker is bound, counted from 0; 0 if workers are not
    /// bound.
    pub fn node_of(&self, worker: usize) -> usize {
        self.nodes.get(worker).copied().unwrap_or(0)
    }

    /// Runs a closure once on every worker, with the worker's number, and returns the results.
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
