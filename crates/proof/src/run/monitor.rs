//! Display state of a run: each worker's activity, and the totals so far.
//!
//! Workers write only while the run is watched ([`RunMonitor::open`]), and only at their polls, so
//! an unwatched run has no overhead.

use crate::enumerate::ProgressTrace;
use crate::problem::Problem;
use crate::run::record::StrategyNumber;
use crate::search::PlayerView;
use crate::strategy::Strategy;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use umbrail_chess::Move;
use umbrail_control::lock;

/// Activity of a worker.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Activity {
    /// Waiting for a strategy, or not assigned to work.
    #[default]
    Idle,
    /// Enumerating strategies.
    Seeking,
    /// Searching this strategy.
    Playing {
        /// Number of the strategy.
        number: StrategyNumber,
        /// Number of strategies taken from the queue so far, including this one.
        taken: u64,
        /// The strategy.
        strategy: Box<Strategy>,
    },
}

/// Display state of one worker.
#[derive(Debug, Default)]
pub struct WorkerView {
    /// Path of its enumeration.
    pub trail: ProgressTrace,
    activity: Mutex<Activity>,
    seeks: AtomicBool,
    plays: AtomicBool,
    /// Display states of its players, one per thread.
    views: Mutex<Vec<Arc<PlayerView>>>,
}

impl WorkerView {
    /// Returns the worker's activity.
    pub fn activity(&self) -> Activity {
        lock(&self.activity).clone()
    }

    /// Returns true if the worker enumerates strategies.
    pub fn seeks(&self) -> bool {
        // Relaxed, here and below: for display only.
        self.seeks.load(Ordering::Relaxed)
    }

    /// Returns true if the worker searches strategies.
    pub fn plays(&self) -> bool {
        self.plays.load(Ordering::Relaxed)
    }

    pub(crate) fn set_roles(&self, seeks: bool, plays: bool) {
        self.seeks.store(seeks, Ordering::Relaxed);
        self.plays.store(plays, Ordering::Relaxed);
    }

    /// Returns the display states of its players.
    pub fn views(&self) -> Vec<Arc<PlayerView>> {
        lock(&self.views).clone()
    }

    /// Returns the display state of its player `member`, from 0.
    pub(crate) fn view(&self, member: usize) -> Arc<PlayerView> {
        let mut views = lock(&self.views);
        while views.len() <= member {
            views.push(Arc::default());
        }
        Arc::clone(&views[member])
    }

    fn set(&self, activity: Activity) -> Activity {
        let mut now = lock(&self.activity);
        std::mem::replace(&mut now, activity)
    }
}

/// Current part of the run: the problem, or the problem before one last move.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentPart {
    /// Problem of the part.
    pub problem: Problem,
    /// Retracted moves; empty if there are none.
    pub tail: Vec<Move>,
    /// Number of the part, from 1.
    pub number: usize,
    /// Number of parts.
    pub of: usize,
}

/// Totals of all workers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayTotals {
    /// Current part, once there is one.
    pub part: Option<CurrentPart>,
    /// Strategies taken from the queue.
    pub taken: u64,
    /// Moves made in finished strategies.
    pub moves: u64,
    /// Strategies finished, by the free moves of White and Black.
    pub finished: BTreeMap<(i32, i32), u64>,
    /// Capacity of the refutation table, in entries.
    pub table_entries: u64,
}

/// Display state of a run.
#[derive(Debug, Default)]
pub struct RunMonitor {
    open: AtomicBool,
    taken: AtomicU64,
    workers: Mutex<Vec<Arc<WorkerView>>>,
    totals: Mutex<PlayTotals>,
}

impl RunMonitor {
    /// Starts watching. Call before the run begins.
    pub fn open(&self) {
        // Relaxed: locks protect the displayed data.
        self.open.store(true, Ordering::Relaxed);
    }

    fn is_open(&self) -> bool {
        self.open.load(Ordering::Relaxed)
    }

    /// Returns the display states of all workers so far.
    pub fn workers(&self) -> Vec<Arc<WorkerView>> {
        lock(&self.workers).clone()
    }

    /// Returns the totals so far.
    pub fn totals(&self) -> PlayTotals {
        self.with(|totals| totals.clone())
    }

    fn with<R>(&self, look: impl FnOnce(&mut PlayTotals) -> R) -> R {
        look(&mut lock(&self.totals))
    }

    /// Returns the display state of a worker; `None` if the run is not watched.
    pub(crate) fn worker(&self, worker: usize) -> Option<Arc<WorkerView>> {
        if !self.is_open() {
            return None;
        }
        let mut workers = lock(&self.workers);
        while workers.len() <= worker {
            let view = WorkerView::default();
            view.trail.ask();
            workers.push(Arc::new(view));
        }
        Some(Arc::clone(&workers[worker]))
    }

    /// Starts another part of the run.
    pub(crate) fn begin(&self, part: CurrentPart, table_entries: u64) {
        if self.is_open() {
            self.with(|totals| (totals.part, totals.table_entries) = (Some(part), table_entries));
        }
    }

    /// Counts a finished strategy.
    pub(crate) fn finished(&self, free: [i32; 2], moves: u64) {
        if self.is_open() {
            self.with(|totals| {
                *totals.finished.entry((free[0], free[1])).or_default() += 1;
                totals.moves += moves;
            });
        }
    }

    /// Shows that a worker searches, until the guard is dropped.
    pub(crate) fn playing(
        &self,
        worker: usize,
        number: StrategyNumber,
        strategy: &Strategy,
    ) -> ActivityGuard {
        if self.is_open() {
            let taken = self.taken.fetch_add(1, Ordering::Relaxed) + 1;
            self.with(|totals| totals.taken = totals.taken.max(taken));
        }
        self.helping(worker, number, strategy)
    }

    /// Shows that a worker helps in the search of another, until the guard is dropped.
    pub(crate) fn helping(
        &self,
        worker: usize,
        number: StrategyNumber,
        strategy: &Strategy,
    ) -> ActivityGuard {
        let view = self.worker(worker);
        let before = view.as_ref().map_or(Activity::Idle, |view| {
            let taken = self.taken.load(Ordering::Relaxed);
            view.views().iter().for_each(|view| view.clear());
            let strategy = Box::new(strategy.clone());
            view.set(Activity::Playing { number, taken, strategy })
        });
        ActivityGuard { view, before }
    }

    /// Shows that a worker enumerates, until the guard is dropped.
    pub(crate) fn seeking(&self, worker: usize) -> ActivityGuard {
        let view = self.worker(worker);
        let before = view.as_ref().map_or(Activity::Idle, |view| view.set(Activity::Seeking));
        ActivityGuard { view, before }
    }
}

/// Guard that restores a worker's former activity when it is dropped.
pub(crate) struct ActivityGuard {
    view: Option<Arc<WorkerView>>,
    before: Activity,
}

impl Drop for ActivityGuard {
    fn drop(&mut self) {
        if let Some(view) = &self.view {
            view.set(std::mem::take(&mut self.before));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game_of, project};

    #[test]
    fn workers_show_their_activity_and_go_back_to_the_former_one() {
        let watch = RunMonitor::default();
        let strategy = project(&game_of("e4 e5").unwrap()).unwrap();
        let number = StrategyNumber { retraction: 0, claim: 3, index: 1 };
        drop(watch.playing(0, number, &strategy));
        assert!(watch.workers().is_empty(), "not watched");
        watch.open();
        let seeks = watch.seeking(1);
        let plays = watch.playing(1, number, &strategy);
        let view = Arc::clone(&watch.workers()[1]);
        assert!(matches!(view.activity(), Activity::Playing { taken: 1, .. }));
        drop(plays);
        assert_eq!(view.activity(), Activity::Seeking);
        drop(seeks);
        assert_eq!(view.activity(), Activity::Idle);
        watch.finished([2, 0], 7);
        watch.finished([2, 0], 8);
        let totals = watch.totals();
        assert_eq!((totals.taken, totals.moves, totals.finished[&(2, 0)]), (1, 15, 2));
    }
}
