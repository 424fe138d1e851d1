//! External control of a run: strategies can be skipped, and the run can be watched.

use crate::run::monitor::RunMonitor;
use std::sync::Mutex;
use umbrail_control::{Cancel, lock};

/// Handle for another thread to skip strategies and to watch the run.
#[derive(Debug, Default)]
pub struct RunControl {
    playing: Mutex<Vec<Option<Cancel>>>,
    /// Display state of the run.
    pub watch: RunMonitor,
}

impl RunControl {
    /// Drops the strategies that are being searched. The run continues with the next ones and is
    /// partial from now on. Does nothing if none is being searched.
    pub fn skip(&self) {
        let playing = lock(&self.playing);
        playing.iter().flatten().for_each(Cancel::raise);
    }

    /// Returns the cancel signal for the next strategy of `worker`.
    pub(crate) fn playing(&self, worker: usize, parent: &Cancel) -> Cancel {
        let cancel = parent.child();
        let mut playing = lock(&self.playing);
        if playing.len() <= worker {
            playing.resize(worker + 1, None);
        }
        playing[worker] = Some(cancel.clone());
        cancel
    }

    /// Registers that the worker has finished its strategy.
    pub(crate) fn finished(&self, worker: usize) {
        let mut playing = lock(&self.playing);
        if let Some(slot) = playing.get_mut(worker) {
            *slot = None;
        }
    }
}
