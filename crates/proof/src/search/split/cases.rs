//! Cases of a strategy that takes long, divided among its players.
//!
//! A hard case is split into others, which exclude each other and cover all its games. A free
//! player takes a case without players; if there is none, it joins the players of one.

use crate::analyse::Assumptions;
use crate::search::relax::cache::SharedCache;
use crate::search::residual_case::ResidualCase;
use crate::search::result::PlayResult;
use crate::search::searching_table::SearchingTable;
use crate::strategy::waypoints::Waypoints;
use std::sync::{Mutex, MutexGuard};
use umbrail_chess::Move;
use umbrail_control::{Cancel, lock};

/// Number of an open case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CaseNumber(u64);

/// Data of a case for one of its players.
#[derive(Clone, Debug)]
pub(crate) struct TakenCase {
    number: CaseNumber,
    /// Assumptions of the case.
    pub(crate) assumptions: Assumptions,
    /// Depth in the tree of cases.
    pub(crate) depth: u32,
    /// Number of games still needed.
    pub(crate) games_max: usize,
    /// Raised when the case needs no more players.
    pub(crate) over: Cancel,
    /// Results of its subset relaxations.
    pub(crate) shared_cache: SharedCache,
    /// Positions that its players are searching.
    pub(crate) searching: SearchingTable,
}

impl TakenCase {
    /// Returns the number of the case, from 1; 0 for the whole strategy.
    pub(crate) const fn number(&self) -> u64 {
        self.number.0
    }
}

/// An undecided case.
#[derive(Debug)]
struct OpenCase {
    number: CaseNumber,
    assumptions: Assumptions,
    depth: u32,
    players: u64,
    over: Cancel,
    shared_cache: SharedCache,
    searching: SearchingTable,
    /// True if a player is trying to split it.
    splitting: bool,
    /// Largest set of games that a player has found in it so far.
    partial: Vec<Vec<Move>>,
}

/// State protected by the lock.
#[derive(Debug, Default)]
struct CasesState {
    /// Open cases; the next one is last.
    open: Vec<OpenCase>,
    tickets: u64,
    /// Games of the decided cases, and their completeness.
    known: PlayResult,
    moves: u64,
    /// Facts about the whole strategy before it is searched.
    whole: Option<PlayResult>,
    /// Needed moves and waypoints of the first case with games.
    shown: Option<([u8; 32], Waypoints)>,
    /// Cases that other workers search.
    left: Vec<ResidualCase>,
}

/// Cases of one strategy.
#[derive(Debug)]
pub(crate) struct Cases {
    state: Mutex<CasesState>,
    games_max: usize,
    moves_max: u64,
    /// Raised when everything is known, or by the run's stop signal.
    pub(crate) done: Cancel,
}

impl Cases {
    /// Starts with one case; it is the whole strategy if its depth is 0.
    pub(crate) fn new(
        first: ResidualCase,
        games_max: usize,
        moves_max: u64,
        cancel: &Cancel,
    ) -> Self {
        let known = PlayResult { complete: true, ..PlayResult::default() };
        let mut state = CasesState { known, ..CasesState::default() };
        let done = cancel.child();
        state.add(first.assumptions, first.depth, &done);
        Self { state: Mutex::new(state), games_max, moves_max, done }
    }

    fn state(&self) -> MutexGuard<'_, CasesState> {
        lock(&self.state)
    }

    /// Returns a case for one more player; `None` if everything is known.
    pub(crate) fn take(&self) -> Option<TakenCase> {
        let mut state = self.state();
        if self.done.is_raised() {
            return None;
        }
        let games_max = self.games_max - state.known.games.len();
        // The next case, among those with the fewest players.
        let open = state.open.iter_mut().rev().min_by_key(|open| open.players)?;
        open.players += 1;
        let &mut OpenCase {
            number,
            assumptions,
            depth,
            ref over,
            ref shared_cache,
            ref searching,
            ..
        } = open;
        let (over, shared_cache, searching) =
            (over.clone(), shared_cache.clone(), searching.clone());
        Some(TakenCase { number, assumptions, depth, games_max, over, shared_cache, searching })
    }

    /// Removes and returns the cases that no player searches, while at least one player searches
    /// another one. Other workers must search them; their games are missing here.
    pub(crate) fn leave(&self) -> Vec<ResidualCase> {
        let mut state = self.state();
        if self.done.is_raised() || state.open.iter().all(|open| open.players == 0) {
            return vec![];
        }
        let (kept, left): (Vec<_>, Vec<_>) =
            std::mem::take(&mut state.open).into_iter().partition(|open| open.players > 0);
        state.open = kept;
        let left = left
            .iter()
            .map(|&OpenCase { assumptions, depth, .. }| ResidualCase { depth, assumptions });
        let left: Vec<ResidualCase> = left.collect();
        state.left.extend(&left);
        left
    }

    /// Returns one player's share of a number of moves in this case.
    pub(crate) fn share(&self, taken: &TakenCase, moves: u64) -> u64 {
        let players = self.state().open(taken).map_or(1, |open| open.players);
        moves.checked_div(players).unwrap_or(moves)
    }

    /// Returns true if this player may try to split the case. Splitting takes as long for two
    /// players as for one; meanwhile the others search.
    pub(crate) fn may_split(&self, taken: &TakenCase) -> bool {
        let mut state = self.state();
        state.open(taken).is_some_and(|open| !std::mem::replace(&mut open.splitting, true))
    }

    /// Records that the player does not split the case.
    pub(crate) fn keep_whole(&self, taken: &TakenCase) {
        if let Some(open) = self.state().open(taken) {
            open.splitting = false;
        }
    }

    /// Counts moves; returns false when the limit is reached.
    pub(crate) fn spend(&self, moves: u64) -> bool {
        let mut state = self.state();
        state.moves += moves;
        state.moves < self.moves_max
    }

    /// Returns the number of moves left.
    pub(crate) fn moves_left(&self) -> u64 {
        self.moves_max.saturating_sub(self.state().moves).max(1)
    }

    /// Records the result of a case. A decided case is over; if the limit of moves is reached, all
    /// are.
    pub(crate) fn finish(&self, taken: &TakenCase, mut played: PlayResult) {
        let mut guard = self.state();
        let state = &mut *guard;
        let Some(at) = state.open.iter().position(|open| open.number == taken.number) else {
            return;
        };
        if taken.depth == 0 && state.whole.is_none() {
            state.whole = Some(PlayResult { games: vec![], ..played.clone() });
        }
        if state.shown.is_none() && !played.games.is_empty() {
            state.shown = Some((played.needed, played.waypoints.clone()));
        }
        if played.complete || played.enough {
            state.open.remove(at).over.raise();
            state.known.games.append(&mut played.games);
            state.known.games.truncate(self.games_max);
            state.known.enough |= played.enough || state.known.games.len() >= self.games_max;
        } else if played.games.len() > state.open[at].partial.len() {
            state.open[at].partial = played.games;
        }
        if state.open.is_empty() || state.known.enough || state.moves >= self.moves_max {
            self.done.raise();
        }
    }

    /// Replaces a case by others that exclude each other and cover all its games. `whole` holds the
    /// facts about the replaced case.
    pub(crate) fn split(&self, taken: &TakenCase, whole: PlayResult, parts: Vec<Assumptions>) {
        let mut guard = self.state();
        let state = &mut *guard;
        let Some(at) = state.open.iter().position(|open| open.number == taken.number) else {
            return;
        };
        if taken.depth == 0 && state.whole.is_none() {
            state.whole = Some(whole);
        }
        state.open.remove(at).over.raise();
        let behind = state.open.len();
        for split in parts {
            state.add(split, taken.depth + 1, &self.done);
        }
        state.open[behind..].reverse();
        if state.open.is_empty() {
            self.done.raise();
        }
    }

    /// Returns the current result for the strategy, and ends all searches.
    pub(crate) fn answer(&self) -> PlayResult {
        self.done.raise();
        let state = self.state();
        let mut played = state.known.clone();
        played.complete = state.open.is_empty() && !played.enough;
        played.games.extend(state.open.iter().flat_map(|open| open.partial.clone()));
        played.games.truncate(self.games_max);
        // With enough games the others are not needed.
        played.left = if played.enough { vec![] } else { state.left.clone() };
        if let Some(PlayResult { refused, free, needed, waypoints, .. }) = state.whole.clone() {
            let (needed, waypoints) = state.shown.clone().unwrap_or((needed, waypoints));
            (played.refused, played.free, played.needed, played.waypoints) =
                (refused, free, needed, waypoints);
        }
        played
    }
}

impl CasesState {
    /// Returns the case, if it is undecided.
    fn open(&mut self, taken: &TakenCase) -> Option<&mut OpenCase> {
        self.open.iter_mut().find(|open| open.number == taken.number)
    }

    fn add(&mut self, assumptions: Assumptions, depth: u32, done: &Cancel) {
        let (number, over) = (CaseNumber(self.tickets), done.child());
        self.tickets += 1;
        let (shared_cache, searching, partial) =
            (SharedCache::default(), SearchingTable::default(), vec![]);
        let (players, splitting) = (0, false);
        let open = OpenCase {
            number,
            assumptions,
            depth,
            players,
            over,
            shared_cache,
            searching,
            splitting,
            partial,
        };
        self.open.push(open);
    }
}

#[cfg(test)]
mod tests;
