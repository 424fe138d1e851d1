//! Lazy SMP: every worker searches the whole tree, and the shared table makes them help each other.
//!
//! (Daniel Homan's and Martin Sedlák's scheme of 2013.) The first worker reports and decides; the
//! others only fill the table, and stop when it does.

use super::budget::Budget;
use super::evaluate::Evaluator;
use super::history::Histories;
use super::limits::{Limits, Params, Request};
use super::memo::Memo;
use super::policy::Policies;
use super::policy::time_clamp::Restless;
use super::root::Haul;
use super::worker::{Shared, Worker};
use super::{Answer, Ended, Fact, Line, mate};
use crate::chess::Move;
use crate::control::Control;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What a worker keeps from one search to the next.
#[derive(Debug, Default)]
struct Desk {
    histories: Histories,
    evaluator: Evaluator,
}

/// What survives from one search to the next: the transposition table and the workers' histories.
#[derive(Debug)]
pub struct Engine {
    memo: Memo,
    hash_mib: usize,
    desks: Mutex<Vec<Mutex<Desk>>>,
    /// The last search changed its mind late, or had no time at all.
    restless: AtomicBool,
}

/// A panic in a search leaves tables that are still tables: their content is only advice.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engine {
    /// An engine with a transposition table of this many MiB.
    pub fn new(hash_mib: usize) -> Self {
        let memo = Memo::new(hash_mib);
        Self { memo, hash_mib, desks: Mutex::default(), restless: AtomicBool::new(false) }
    }

    /// Size of the transposition table that was asked for, MiB.
    pub fn hash_mib(&self) -> usize {
        self.hash_mib
    }

    /// Size that the system gave, MiB; smaller than [`Engine::hash_mib`] when it had no more.
    pub fn granted_mib(&self) -> usize {
        self.memo.mib()
    }

    /// Gives the table another size; it is empty afterwards.
    pub fn resize(&mut self, hash_mib: usize) {
        if hash_mib != self.hash_mib {
            self.memo = Memo::new(hash_mib);
            self.hash_mib = hash_mib;
        }
    }

    /// Forgets everything learned from earlier searches.
    pub fn clear(&mut self) {
        // A new table is untouched memory; emptying the old one would write all of it.
        self.memo = Memo::new(1);
        self.memo = Memo::new(self.hash_mib);
        lock(&self.desks).clear();
        self.restless.store(false, Ordering::Relaxed);
    }
}

/// Finds the best move. Always answers; `best` is none only when the position has no legal move (or
/// none of the asked-for root moves is legal).
pub fn solve(
    engine: &Engine,
    request: &Request,
    params: &Params,
    control: &Control<'_, Fact>,
) -> Answer {
    match request.limits.mate {
        Some(moves) => mate::solve(engine, request, params, moves, control),
        None => play(engine, request, params, control),
    }
}

/// The ordinary search.
pub(super) fn play(
    engine: &Engine,
    request: &Request,
    params: &Params,
    control: &Control<'_, Fact>,
) -> Answer {
    let moves = root_moves(request);
    if moves.is_empty() {
        return Answer { best: None, ponder: None, line: None, ended: Ended::Complete };
    }
    let budget = Budget::new(&request.limits, params);
    let forced = moves.len() == 1;
    let budget = budget.map(|budget| if forced { budget.hurried() } else { budget });
    let policies = Policies::from(&params.experiments);
    let restless = Restless(engine.restless.load(Ordering::Relaxed));
    let budget = match (budget, &request.limits) {
        (
            Some(budget),
            Limits { clock: Some(clock), movetime: None, nodes: None, depth: None, .. },
        ) => {
            let overhead = Duration::from_millis(params.move_overhead_ms);
            Some(policies.time.apply(budget, clock, overhead, restless, forced))
        }
        (budget, _) => budget,
    };
    if let Some(budget) = &budget {
        control.clock.limit(budget.hard);
    }
    engine.memo.next_generation();
    let mut desks = lock(&engine.desks);
    let size = control.pool.size().max(desks.len());
    desks.resize_with(size, Mutex::default);
    let done = control.cancel.child();
    let shared =
        Shared { control, memo: &engine.memo, request, policies, done, nodes: AtomicU64::new(0) };
    let desks = &*desks;
    let hauls = control.pool.broadcast(|index| {
        let mut desk = lock(&desks[index]);
        let Desk { histories, evaluator } = &mut *desk;
        histories.begin(policies.ordering);
        evaluator.begin(policies.terms);
        let haul =
            Worker::new(&shared, index, histories, evaluator).deepen(&moves, budget.as_ref());
        if index == 0 {
            shared.done.raise();
        }
        haul
    });
    // Relaxed: one search at a time writes and reads it.
    let changes = hauls.first().map_or(0, |haul| haul.late_changes);
    let idle = control.progress.nodes.get() == 0;
    engine.restless.store(idle || changes >= 2, Ordering::Relaxed);
    answer(hauls, &moves, control)
}

pub(super) fn root_moves(request: &Request) -> Vec<Move> {
    let legal = request.position.legal_moves();
    let wanted = |mv: &Move| request.root_moves.as_ref().is_none_or(|moves| moves.contains(mv));
    legal.into_iter().filter(wanted).collect()
}

fn answer(hauls: Vec<Haul>, moves: &[Move], control: &Control<'_, Fact>) -> Answer {
    let nodes = control.progress.nodes.get();
    let Some(haul) = hauls.into_iter().next() else {
        return Answer { best: Some(moves[0]), ponder: None, line: None, ended: Ended::Stopped };
    };
    let line = haul.line.map(|line| Line { nodes: nodes.max(line.nodes), ..line });
    let pv = line.as_ref().map_or(&[] as &[Move], |line| &line.pv);
    Answer {
        best: pv.first().copied().or_else(|| moves.first().copied()),
        ponder: pv.get(1).copied(),
        ended: haul.ended,
        line,
    }
}
