//! Gauges: plain counters that a solver updates and an observer reads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counter on a cache line of its own, so that writers do not disturb their neighbors.
///
/// All operations are relaxed: a gauge is read for display and guards no other data.
#[derive(Debug, Default)]
#[repr(align(64))]
pub struct Gauge(AtomicU64);

impl Gauge {
    /// Adds to the gauge.
    #[inline]
    pub fn add(&self, amount: u64) {
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    /// Sets the gauge.
    #[inline]
    pub fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    /// Reads the gauge.
    #[inline]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Gauges of every solver; sampled by the server, never pushed.
#[derive(Debug, Default)]
pub struct Progress {
    /// Number of moves made, positions swept or marks tried, depending on the solver. Workers may
    /// hold a clone.
    pub nodes: Arc<Gauge>,
    /// Completed work, in the unit of `total`.
    pub done: Gauge,
    /// Expected work; 0 if unknown.
    pub total: Gauge,
    /// Expected time until the end, in milliseconds; 0 if unknown.
    pub left_ms: Gauge,
    /// Number of items waiting in a queue.
    pub queued: Gauge,
    /// Entries of the transposition table or cache in use, in thousandths.
    pub fullness: Gauge,
    /// Number of positions found in an endgame table.
    pub table_hits: Gauge,
}
