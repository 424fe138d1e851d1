//! Nodes of a search: counts, limits, and the check for a stop.

use super::Shared;
use std::sync::atomic::{AtomicU64, Ordering};
use umbrail_control::Stopped;

/// Nodes between two checks of clock and signals, about 0.5 ms.
const POLL: u64 = 512;

/// Nodes of all workers between two samples of the occupancy of the transposition table. A sample
/// reads 250 cache lines.
const FULLNESS_NODES: u64 = 1 << 14;

/// Nodes of all workers with their limits.
pub(crate) struct NodeTotal {
    /// Updated every [`POLL`] nodes.
    count: AtomicU64,
    limit: u64,
    /// Limit of the nodes of each worker.
    each: u64,
}

impl NodeTotal {
    /// Creates a count with the limit of all workers and that of a weak level.
    pub(crate) fn new(limit: u64, weak_limit: u64) -> Self {
        Self { count: AtomicU64::new(0), limit, each: limit.min(weak_limit) }
    }

    /// Returns the reported nodes of all workers.
    pub(crate) fn reported(&self) -> u64 {
        // Relaxed: a sum for display and limits.
        self.count.load(Ordering::Relaxed)
    }
}

/// Counts of one worker.
pub(crate) struct NodeCounter<'a> {
    shared: &'a Shared<'a>,
    /// True for the worker that reports and decides.
    is_first: bool,
    nodes: u64,
    /// Nodes that the total includes.
    reported: u64,
    seldepth: usize,
    /// Depth of the current iteration.
    iteration: i32,
}

impl<'a> NodeCounter<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, is_first: bool) -> Self {
        Self { shared, is_first, nodes: 0, reported: 0, seldepth: 0, iteration: 0 }
    }

    /// Counts a node, and checks for a stop every [`POLL`] nodes. Limits of nodes and time hold
    /// from the second iteration on, so that every root move has a score, also at weak levels.
    #[inline]
    pub(crate) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes - self.reported >= POLL {
            self.report();
            self.poll()?;
        }
        // One worker counts exactly; several stop within a poll of each other.
        let is_over = self.nodes >= self.shared.nodes.each && self.iteration > 1;
        if is_over { Err(Stopped) } else { Ok(()) }
    }

    /// Counts the root, which is searched without a check for a stop.
    pub(crate) fn enter_root(&mut self) {
        self.nodes += 1;
    }

    fn poll(&self) -> Result<(), Stopped> {
        let Shared { control, done, nodes, .. } = self.shared;
        if done.is_raised() {
            return Err(Stopped);
        }
        if self.iteration <= 1 {
            return Ok(());
        }
        if nodes.reported() >= nodes.limit {
            return Err(Stopped);
        }
        if self.is_first { control.check() } else { Ok(()) }
    }

    /// Adds the nodes since the last report to the total and to the gauges.
    pub(crate) fn report(&mut self) {
        let fresh = self.nodes - self.reported;
        self.reported = self.nodes;
        let Shared { control, tt, nodes, .. } = self.shared;
        // Relaxed: a sum for display and limits.
        let before = nodes.count.fetch_add(fresh, Ordering::Relaxed);
        control.progress.nodes.add(fresh);
        if self.is_first && before / FULLNESS_NODES != (before + fresh) / FULLNESS_NODES {
            control.progress.fullness.set(u64::from(tt.hashfull()));
        }
    }

    /// Starts an iteration.
    pub(crate) fn begin_iteration(&mut self, depth: i32) {
        self.iteration = depth;
    }

    /// Starts the search of one of the best lines.
    pub(crate) fn begin_line(&mut self) {
        self.seldepth = 0;
    }

    /// Returns true for the worker that reports and decides.
    pub(crate) fn is_first(&self) -> bool {
        self.is_first
    }

    /// Returns the depth of the current iteration.
    pub(crate) fn iteration(&self) -> i32 {
        self.iteration
    }

    /// Returns the deepest ply since the start of the line.
    pub(crate) fn seldepth(&self) -> usize {
        self.seldepth
    }

    /// Returns the nodes of this worker.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the reported nodes of all workers plus the unreported ones of this worker.
    pub(crate) fn all_nodes(&self) -> u64 {
        self.shared.nodes.reported() + (self.nodes - self.reported)
    }
}
