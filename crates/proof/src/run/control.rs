//! Control of a run from outside: strategies can be skipped, and the run can be watched.

use crate::run::monitor::RunMonitor;
use std::sync::Mutex;
use umbrail_control::Cancel;
use umbrail_control::lock;

/// Handle by which another thread skips strategies and watches the run.
#[derive(Debug, Default)]
pub struct RunControl {
    playing: Mutex<Vec<Option<Cancel>>>,
    /// What the run shows of itself.
    pub watch: RunMonitor,
}

impl RunControl {
    /// Drops the strategies that are being searched now; the run goes on with the next ones and is
    /// partial from now on. Does nothing when none is being searched.
    pub fn skip(&self) {
        let playing = lock(&self.playing);
        playing.iter().flatten().for_each(Cancel::raise);
    }

    /// The cancel signal for the next strategy of `worker`.
    pub(crate) fn playing(&self, worker: usize, parent: &Cancel) -> Cancel {
        let cancel = parent.child();
        let mut playing = lock(&self.playing);
        if playing.len() <= worker {
            playing.resize(worker + 1, None);
        }
        playing[worker] = Some(cancel.clone());
        cancel
    }

    /// The worker has finished its strategy.
    pub(crate) fn finished(&self, worker: usize) {
        let mut playing = lock(&self.playing);
        if let Some(slot) = playing.get_mut(worker) {
            *slot = None;
        }
    }
}
