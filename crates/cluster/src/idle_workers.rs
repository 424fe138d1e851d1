//! Detection of workers that wait for units while the queue is empty.

use crate::pauses::{IDLE_SAMPLE, QUIET_LOOK, is_due};
use crate::server::Server;
use async_nats::jetstream::consumer::{Consumer, pull};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Last sample of the waiting workers.
pub(crate) struct IdleWorkers {
    /// Number of waiting workers; 0 if the queue was not empty.
    waiting: AtomicU64,
    looked: Mutex<Instant>,
}

impl Default for IdleWorkers {
    fn default() -> Self {
        Self { waiting: AtomicU64::new(0), looked: Mutex::new(Instant::now()) }
    }
}

impl IdleWorkers {
    /// Returns the number of workers that wait for units while the queue is empty. The server is
    /// queried at intervals.
    pub(crate) fn waiting(&self, server: &Server, consumer: &Consumer<pull::Config>) -> usize {
        // Relaxed: the number guards no other data.
        let before = self.waiting.load(Ordering::Relaxed);
        if !is_due(&self.looked, if before > 0 { IDLE_SAMPLE } else { QUIET_LOOK }) {
            return before as usize;
        }
        let mut consumer = consumer.clone();
        let info = server.runtime.block_on(async { consumer.info().await.cloned().ok() });
        let Some(info) = info else { return before as usize };
        let waiting = if info.num_pending == 0 { info.num_waiting } else { 0 };
        self.waiting.store(waiting as u64, Ordering::Relaxed);
        waiting
    }
}
