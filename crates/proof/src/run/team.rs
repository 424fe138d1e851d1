//! Work sharing: workers without a strategy join the search of a strategy that takes long.

use crate::run::queue::NAP;
use crate::run::record::StrategyNumber;
use crate::search::TeamSearch;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use umbrail_control::lock;

/// A strategy that takes long, and its number.
#[derive(Clone, Debug)]
pub(crate) struct OpenSearch {
    pub(crate) number: StrategyNumber,
    /// Worker that announced it.
    pub(crate) worker: usize,
    pub(crate) call: Arc<TeamSearch>,
}

/// State protected by the lock.
#[derive(Debug)]
struct TeamState {
    open: Vec<OpenSearch>,
    /// Players that still have strategies. Only these can announce a search.
    busy: usize,
}

impl TeamState {
    /// Returns the open search with the fewest players.
    fn call(&mut self) -> Option<OpenSearch> {
        self.open.retain(|one| !one.call.is_answered());
        self.open.iter().min_by_key(|one| one.call.joined()).cloned()
    }
}

/// Players of a part.
#[derive(Debug)]
pub(crate) struct Team {
    state: Mutex<TeamState>,
    news: Condvar,
}

impl Team {
    /// Creates a team of `players`, all busy.
    pub(crate) fn new(players: usize) -> Self {
        let state = TeamState { open: Vec::new(), busy: players };
        Self { state: Mutex::new(state), news: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, TeamState> {
        lock(&self.state)
    }

    /// Announces a search that others may join.
    pub(crate) fn announce(&self, open: OpenSearch) {
        let mut state = self.state();
        state.open.retain(|one| !one.call.is_answered());
        state.open.push(open);
        self.news.notify_all();
    }

    /// Returns the open search with the fewest players.
    pub(crate) fn call(&self) -> Option<OpenSearch> {
        self.state().call()
    }

    /// Like [`Self::call`]; waits briefly for an announcement while other players may still make
    /// one.
    pub(crate) fn next(&self) -> Option<OpenSearch> {
        let mut state = self.state();
        let call = state.call();
        if call.is_some() || state.busy == 0 {
            return call;
        }
        let waited = self.news.wait_timeout(state, NAP);
        waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state).call()
    }

    /// Returns the open search of one strategy, announced by this worker. Two units may give
    /// different strategies of one claim equal numbers.
    pub(crate) fn search_of(
        &self,
        worker: usize,
        number: StrategyNumber,
    ) -> Option<Arc<TeamSearch>> {
        let state = self.state();
        let mine = |one: &&OpenSearch| (one.worker, one.number) == (worker, number);
        let open = state.open.iter().rev().filter(mine).find(|one| !one.call.is_answered())?;
        Some(Arc::clone(&open.call))
    }

    /// Registers that a player has run out of strategies; it may still help.
    pub(crate) fn rest(&self) {
        let mut state = self.state();
        state.busy = state.busy.saturating_sub(1);
        self.news.notify_all();
    }

    /// Returns true if no player can announce a search any more.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.state().busy == 0
    }
}
