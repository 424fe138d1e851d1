//! Unit source of one process, for all units or those of one shard.

use crate::run::RunReport;
use crate::run::record::{FinishedClaims, RunArchive};
use crate::units::registry::UnitRegistry;
use crate::units::spec::RunSpec;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;
use umbrail_control::{LeasedUnit, NextUnit, UnitEnd, UnitSource, lock};

/// Time that a worker waits for a unit before it polls the stop signal.
const NAP: Duration = Duration::from_millis(20);

/// Maximum number of attempts at a unit that fails.
const ATTEMPTS_MAX: u64 = 3;

/// Unit source within one process, with the registry that proves the run complete.
pub struct LocalUnits<'a> {
    state: Mutex<LocalState>,
    news: Condvar,
    run_archive: &'a dyn RunArchive,
    /// Index of this shard and number of shards.
    shard: (u64, u64),
    /// Maximum number of waiting units.
    room: usize,
}

struct LocalState {
    registry: UnitRegistry,
    waiting: VecDeque<LeasedUnit>,
    /// Workers without a unit.
    idle: usize,
    faults: Vec<String>,
}

impl<'a> LocalUnits<'a> {
    /// Creates the source of a run, with at most `room` waiting units. Every shard walks the tree
    /// above the sync depth; each other unit belongs to one shard.
    pub fn new(
        spec: &RunSpec,
        archived: FinishedClaims,
        run_archive: &'a dyn RunArchive,
        shard: (u64, u64),
        room: usize,
    ) -> Self {
        let registry = UnitRegistry::new(spec, &spec.question(), archived);
        let (waiting, faults) = (spec.roots().into_iter().map(first_attempt).collect(), vec![]);
        let state = LocalState { registry, waiting, idle: 0, faults };
        Self {
            state: Mutex::new(state),
            news: Condvar::new(),
            run_archive,
            shard,
            room: room.max(1),
        }
    }

    fn state(&self) -> MutexGuard<'_, LocalState> {
        lock(&self.state)
    }

    /// Returns true if a unit belongs to another shard. Children of a unit belong to the shard of
    /// their claims.
    fn is_foreign(&self, state: &LocalState, unit: &str) -> bool {
        let (shard, count) = self.shard;
        count > 1
            && unit.starts_with("claims ")
            && state.registry.id(unit).number() % u128::from(count) != u128::from(shard)
    }

    /// Returns the report of the work done, which is complete when all units of all shards are
    /// done.
    pub fn report(&self) -> RunReport {
        let state = self.state();
        let mut report = state.registry.report();
        report.faults.extend(state.faults.iter().cloned());
        report
    }

    /// Returns the units that were given up, with the reasons.
    pub fn failed(&self) -> Vec<(String, String)> {
        let state = self.state();
        state.registry.failed().map(|(unit, why)| (unit.to_owned(), why.to_owned())).collect()
    }

    /// Returns the duration of each unit in milliseconds.
    pub fn durations(&self) -> Vec<u64> {
        self.state().registry.durations().collect()
    }
}

impl UnitSource for LocalUnits<'_> {
    fn next(&self, _: usize) -> NextUnit {
        let mut state = self.state();
        if state.waiting.is_empty() && !state.registry.is_closed() {
            state.idle += 1;
            let waited = self.news.wait_timeout(state, NAP);
            state = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
            state.idle -= 1;
        }
        match state.waiting.pop_front() {
            Some(unit) => NextUnit::Unit(unit),
            None if state.registry.is_closed() => NextUnit::Never,
            None => NextUnit::Later,
        }
    }

    fn offer(&self, text: &str) -> bool {
        let mut state = self.state();
        if self.is_foreign(&state, text) {
            return true;
        }
        if state.waiting.len() >= self.room {
            return false;
        }
        state.waiting.push_back(first_attempt(text.to_owned()));
        self.news.notify_one();
        true
    }

    fn has_idle_workers(&self) -> bool {
        let state = self.state();
        state.idle > 0 && state.waiting.is_empty()
    }

    fn finish(&self, unit: LeasedUnit, end: UnitEnd) {
        let mut state = self.state();
        match end {
            UnitEnd::Done(result) => match state.registry.accept(&result, "", self.run_archive) {
                Ok(accepted) => {
                    for child in accepted
                        .children
                        .iter()
                        .filter(|child| self.is_foreign(&state, child))
                        .cloned()
                        .collect::<Vec<_>>()
                    {
                        state.registry.give_up(&child, "it belongs to another shard");
                    }
                }
                Err(why) => state.faults.push(format!("unit {}: {why}", unit.text)),
            },
            UnitEnd::Failed(why) if unit.attempt >= ATTEMPTS_MAX => {
                state.registry.give_up(&unit.text, &why);
            }
            UnitEnd::Failed(_) => {
                state.waiting.push_back(LeasedUnit { attempt: unit.attempt + 1, ..unit });
            }
            UnitEnd::HandedBack => state.waiting.push_front(unit),
        }
        self.news.notify_all();
    }
}

fn first_attempt(text: String) -> LeasedUnit {
    LeasedUnit { text, lease: 1, attempt: 1, is_whole: false }
}
