//! What a run shows of itself while it goes on: each worker's seat, and what was played so far.
//!
//! Workers write only when somebody watches ([`RunMonitor::open`]), and only where they look up anyway, so a
//! run that nobody watches pays nothing.

use crate::enumerate::Trail;
use crate::problem::Problem;
use crate::run::record::StrategyNumber;
use crate::search::PlayerView;
use crate::strategy::Strategy;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use umbrail_chess::Move;

/// What a worker does at the moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Activity {
    /// Nothing: it waits for a strategy, or is not asked to work.
    #[default]
    Idle,
    /// It walks the tree of strategies.
    Seeking,
    /// It plays this strategy.
    Playing {
        /// Where the strategy stands in the order of one seeker.
        number: StrategyNumber,
        /// How many strategies had been taken off the queue with this one.
        taken: u64,
        /// The strategy.
        strategy: Box<Strategy>,
    },
}

/// Where one worker sits.
#[derive(Debug, Default)]
pub struct WorkerView {
    /// The path of its seeking.
    pub trail: Trail,
    doing: Mutex<Activity>,
    /// Windows on its players: one, or one for each slave.
    views: Mutex<Vec<Arc<PlayerView>>>,
}

impl WorkerView {
    /// What the worker does now.
    pub fn doing(&self) -> Activity {
        self.doing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The windows on its players.
    pub fn views(&self) -> Vec<Arc<PlayerView>> {
        self.views.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The window on its player number `member`, from 0.
    pub(crate) fn view(&self, member: usize) -> Arc<PlayerView> {
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        while views.len() <= member {
            views.push(Arc::default());
        }
        Arc::clone(&views[member])
    }

    fn set(&self, doing: Activity) -> Activity {
        let mut now = self.doing.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut now, doing)
    }
}

/// The part of the run that is at work: the problem, or what is left before one last move.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentPart {
    /// The problem that is solved now.
    pub problem: Problem,
    /// The moves taken back; empty when none were.
    pub tail: Vec<Move>,
    /// Which part this is, from 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

/// What all workers have played together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayTotals {
    /// The part at work, once one is.
    pub part: Option<CurrentPart>,
    /// Strategies taken off the queue.
    pub taken: u64,
    /// Moves made with strategies that are finished.
    pub moves: u64,
    /// Strategies finished, by the free moves of White and Black.
    pub played: BTreeMap<(i32, i32), u64>,
    /// Entries that the table of positions has room for.
    pub room: u64,
}

/// The window on a run.
#[derive(Debug, Default)]
pub struct RunMonitor {
    open: AtomicBool,
    taken: AtomicU64,
    seats: Mutex<Vec<Arc<WorkerView>>>,
    tally: Mutex<PlayTotals>,
}

impl RunMonitor {
    /// Somebody watches from now on; to be said before the run begins.
    pub fn open(&self) {
        // Relaxed: what is shown is behind locks.
        self.open.store(true, Ordering::Relaxed);
    }

    fn is_open(&self) -> bool {
        self.open.load(Ordering::Relaxed)
    }

    /// All seats that were taken so far, by worker.
    pub fn seats(&self) -> Vec<Arc<WorkerView>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was played so far.
    pub fn tally(&self) -> PlayTotals {
        self.with(|tally| tally.clone())
    }

    fn with<R>(&self, look: impl FnOnce(&mut PlayTotals) -> R) -> R {
        look(&mut self.tally.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The seat of a worker; none when nobody watches.
    pub(crate) fn seat(&self, worker: usize) -> Option<Arc<WorkerView>> {
        if !self.is_open() {
            return None;
        }
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        while seats.len() <= worker {
            let seat = WorkerView::default();
            seat.trail.ask();
            seats.push(Arc::new(seat));
        }
        Some(Arc::clone(&seats[worker]))
    }

    /// Another part of the run begins.
    pub(crate) fn begin(&self, part: CurrentPart, room: u64) {
        if self.is_open() {
            self.with(|tally| (tally.part, tally.room) = (Some(part), room));
        }
    }

    /// A strategy is finished.
    pub(crate) fn finished(&self, free: [i32; 2], moves: u64) {
        if self.is_open() {
            self.with(|tally| {
                *tally.played.entry((free[0], free[1])).or_default() += 1;
                tally.moves += moves;
            });
        }
    }

    /// A worker begins to play; its seat says so until the answer is dropped.
    pub(crate) fn playing(
        &self,
        worker: usize,
        number: StrategyNumber,
        strategy: &Strategy,
    ) -> ActivityGuard {
        if self.is_open() {
            let taken = self.taken.fetch_add(1, Ordering::Relaxed) + 1;
            self.with(|tally| tally.taken = tally.taken.max(taken));
        }
        self.helping(worker, number, strategy)
    }

    /// A worker begins to play along with another; its seat says so until the answer is dropped.
    pub(crate) fn helping(
        &self,
        worker: usize,
        number: StrategyNumber,
        strategy: &Strategy,
    ) -> ActivityGuard {
        let seat = self.seat(worker);
        let before = seat.as_ref().map_or(Activity::Idle, |seat| {
            let taken = self.taken.load(Ordering::Relaxed);
            seat.views().iter().for_each(|view| view.clear());
            let strategy = Box::new(strategy.clone());
            seat.set(Activity::Playing { number, taken, strategy })
        });
        ActivityGuard { seat, before }
    }

    /// A worker begins to seek; its seat says so until the answer is dropped.
    pub(crate) fn seeking(&self, worker: usize) -> ActivityGuard {
        let seat = self.seat(worker);
        let before = seat.as_ref().map_or(Activity::Idle, |seat| seat.set(Activity::Seeking));
        ActivityGuard { seat, before }
    }
}

/// A seat that says what its worker does, and what it did before when this is dropped.
pub(crate) struct ActivityGuard {
    seat: Option<Arc<WorkerView>>,
    before: Activity,
}

impl Drop for ActivityGuard {
    fn drop(&mut self) {
        if let Some(seat) = &self.seat {
            seat.set(std::mem::take(&mut self.before));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game_of, project};

    #[test]
    fn seats_show_what_is_done_and_go_back_to_what_was_done_before() {
        let watch = RunMonitor::default();
        let strategy = project(&game_of("e4 e5").unwrap()).unwrap();
        let number = StrategyNumber { retraction: 0, claim: 3, index: 1 };
        drop(watch.playing(0, number, &strategy));
        assert!(watch.seats().is_empty(), "nobody watches");
        watch.open();
        let seeks = watch.seeking(1);
        let plays = watch.playing(1, number, &strategy);
        let seat = Arc::clone(&watch.seats()[1]);
        assert!(matches!(seat.doing(), Activity::Playing { taken: 1, .. }));
        drop(plays);
        assert_eq!(seat.doing(), Activity::Seeking);
        drop(seeks);
        assert_eq!(seat.doing(), Activity::Idle);
        watch.finished([2, 0], 7);
        watch.finished([2, 0], 8);
        let tally = watch.tally();
        assert_eq!((tally.taken, tally.moves, tally.played[&(2, 0)]), (1, 15, 2));
    }
}
