//! Nogood store: facts learned from one strategy for the others of its problem.
//!
//! A nogood is a set of pieces that alone refuted positions. Strategies of a problem differ in a
//! few routes, so such a set often refutes other strategies too, and pieces with equal routes
//! nearly always do. The store affects only the duration of a search.

use crate::problem::piece::{PieceId, PieceMask};
use crate::search::learn::class_verdict::{ClassVerdict, SharedAttempt};
use crate::search::learn::fact::LearnedFact;
use crate::search::learn::interposition::Interposition;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use umbrail_chess::geometry::Color;
use umbrail_control::{FastMap, lock};

/// Maximum number of nogoods.
const NOGOODS_MAX: usize = 32;

/// Activity of a nogood above which all activities are halved.
const ACTIVITY_MAX: u32 = 1 << 12;

/// Number of tested positions above which the counts of a nogood are halved.
const TESTED_MAX: u64 = 1 << 17;

/// Prior refutation rate of a new nogood: 4 of 128 positions.
const PRIOR: [u64; 2] = [4, 128];

/// Maximum number of positions per refutation; nogoods that need more are not tested.
const REFUTATION_RATE_MIN: u64 = 64;

/// Root tests with untested routes that a nogood may fail at first, and the additional ones that
/// each refutation earns.
const TRIALS_FIRST: u64 = 32;
const TRIALS_EARNED: u64 = 12;

/// Refutations of roots, or of positions, from which a nogood is sent to other processes.
const SHARED_TRIED: u64 = 4;
const SHARED_REFUTED: u64 = 1000;

/// Maximum number of verdicts on routes.
const VERDICTS_MAX: usize = 1 << 16;

/// Moves of searches per move of learning; learning may also use `LEARNING_FIRST` moves in advance.
const LEARNING_SHARE: u64 = 1;
const LEARNING_FIRST: u64 = 200_000;

/// A set of pieces that alone refuted positions.
#[derive(Clone, Copy, Debug)]
struct Nogood {
    pieces: PieceMask,
    activity: u32,
    /// Positions tested, and positions refuted.
    tested: u64,
    refuted: u64,
    /// Root tests with untested routes, and refutations among them.
    tried: [u64; 2],
}

impl Nogood {
    const fn new(pieces: PieceMask, activity: u32) -> Self {
        Self { pieces, activity, tested: 0, refuted: 0, tried: [0; 2] }
    }

    /// Returns true if the nogood is tested at roots with untested routes.
    const fn is_promising(&self) -> bool {
        self.tried[0] <= TRIALS_FIRST + TRIALS_EARNED * self.tried[1]
    }

    /// Returns the refuted positions per million.
    const fn rate(&self) -> u64 {
        (self.refuted + PRIOR[0]) * 1_000_000 / (self.tested + PRIOR[1])
    }
}

/// Minimum number of moves before the deep analysis of a strategy, unless a player's limit is
/// lower.
const TRIAL_MIN: u64 = 2_000;

/// Moves available for interpositions before any search. A share of the search moves is added, and
/// each next attempt needs half as many moves more.
const INTERPOSITION_FIRST: u64 = 3_000_000;
const INTERPOSITION_SHARE: u64 = 1;

/// Maximum number of interpositions.
const INTERPOSITIONS_MAX: usize = 8;

/// Maximum number of entries of the promotion-class verdict cache.
const CLASS_VERDICTS_MAX: usize = 1 << 16;

/// State protected by the lock.
struct StoreState {
    /// Nogoods, most active first.
    nogoods: Vec<Nogood>,
    /// Verdicts by the key of a set of routes: true if these refuted a root.
    verdicts: FastMap<u64, bool>,
    /// Interpositions, latest first.
    interpositions: Vec<Interposition>,
    /// Verdicts by the common strategy of the class.
    class_verdicts: FastMap<String, ClassVerdict>,
}

/// Store of all learned facts, for one player or several.
pub(crate) struct NogoodStore {
    state: Mutex<StoreState>,
    played: AtomicU64,
    spent: AtomicU64,
    /// Move count after which deep analysis currently pays.
    trial: AtomicU64,
    /// Moves spent on interpositions.
    interposition_moves: AtomicU64,
    /// Moves that must be available before the next attempt.
    interposition_next: AtomicU64,
}

impl Default for NogoodStore {
    /// Initial nogoods: all pieces of one side and the other king. The possibilities of a side
    /// without free moves rarely depend on other enemy pieces.
    fn default() -> Self {
        let side = |color: Color| PieceMask::of_color(color).with(PieceId::king(!color));
        let nogoods = Color::ALL.map(|color| Nogood::new(side(color), 1)).into();
        let (verdicts, class_verdicts) = (FastMap::default(), FastMap::default());
        let state = Mutex::new(StoreState {
            nogoods,
            verdicts,
            interpositions: Vec::new(),
            class_verdicts,
        });
        let none = || AtomicU64::new(0);
        Self {
            state,
            played: none(),
            spent: none(),
            trial: AtomicU64::new(u64::MAX),
            interposition_moves: none(),
            interposition_next: AtomicU64::new(INTERPOSITION_FIRST),
        }
    }
}

impl NogoodStore {
    fn state(&self) -> MutexGuard<'_, StoreState> {
        lock(&self.state)
    }

    /// Returns the nogoods to test at a root, most active first; `routes_key` returns the key of
    /// their routes. The flag is true for those that refuted another root with equal routes. Of the
    /// others only promising ones are returned, at most `most`.
    pub(crate) fn root_candidates(
        &self,
        routes_key: impl Fn(PieceMask) -> u64,
        most: usize,
    ) -> Vec<(PieceMask, u64, bool)> {
        let state = self.state();
        let mut unknown = 0;
        let ask = |nogood: &Nogood| {
            let routes_key = routes_key(nogood.pieces);
            let known = state.verdicts.get(&routes_key);
            if known.is_none() && nogood.is_promising() && unknown < most {
                unknown += 1;
                return Some((nogood.pieces, routes_key, false));
            }
            known.filter(|&&refuted| refuted).map(|_| (nogood.pieces, routes_key, true))
        };
        state.nogoods.iter().filter_map(ask).collect()
    }

    /// Records the result of a root test with untested routes.
    pub(crate) fn record_trial(&self, pieces: PieceMask, refuted: bool) {
        if let Some(nogood) = self.state().nogoods.iter_mut().find(|nogood| nogood.pieces == pieces)
        {
            nogood.tried[0] += 1;
            nogood.tried[1] += u64::from(refuted);
        }
    }

    /// Returns the nogoods to test at every position, best first, at most `most`.
    pub(crate) fn best(&self, most: usize) -> Vec<PieceMask> {
        let state = self.state();
        let mut nogoods: Vec<&Nogood> = state
            .nogoods
            .iter()
            .filter(|nogood| nogood.rate() * REFUTATION_RATE_MIN >= 1_000_000)
            .collect();
        nogoods.sort_by_key(|nogood| Reverse(nogood.rate()));
        nogoods.iter().take(most).map(|nogood| nogood.pieces).collect()
    }

    /// Raises the activity of a nogood, or adds it.
    pub(crate) fn bump_activity(&self, pieces: PieceMask, activity: u32) {
        let nogoods = &mut self.state().nogoods;
        if let Some(nogood) = nogoods.iter_mut().find(|nogood| nogood.pieces == pieces) {
            nogood.activity += activity;
        } else {
            // A new nogood replaces the least active one, and starts with the prior rate.
            nogoods.truncate(NOGOODS_MAX - 1);
            nogoods.push(Nogood::new(pieces, activity));
        }
        nogoods.sort_by_key(|nogood| Reverse(nogood.activity));
        if nogoods[0].activity > ACTIVITY_MAX {
            nogoods.iter_mut().for_each(|nogood| nogood.activity /= 2);
        }
    }

    /// Adds to the counts of a nogood.
    pub(crate) fn record_use(&self, pieces: PieceMask, tested: u64, refuted: u64) {
        if let Some(nogood) = self.state().nogoods.iter_mut().find(|nogood| nogood.pieces == pieces)
        {
            nogood.tested += tested;
            nogood.refuted += refuted;
            if nogood.tested > TESTED_MAX {
                nogood.tested /= 2;
                nogood.refuted /= 2;
            }
        }
    }

    /// Records whether pieces with these routes refuted a root.
    pub(crate) fn record_verdict(&self, routes_key: u64, refuted: bool) {
        let verdicts = &mut self.state().verdicts;
        if verdicts.len() >= VERDICTS_MAX {
            verdicts.clear();
        }
        verdicts.insert(routes_key, refuted);
    }

    /// Returns facts for other processes: conflicts that refuted often, and interpositions.
    pub(crate) fn facts(&self) -> Vec<LearnedFact> {
        let state = self.state();
        let proven =
            |nogood: &&Nogood| nogood.tried[1] >= SHARED_TRIED || nogood.refuted >= SHARED_REFUTED;
        let conflicts =
            state.nogoods.iter().filter(proven).map(|nogood| LearnedFact::Conflict(nogood.pieces));
        let interpositions = state.interpositions.iter().copied().map(LearnedFact::Interposition);
        conflicts.chain(interpositions).collect()
    }

    /// Adds a fact of another process, unless it is known. A conflict starts with the prior rate
    /// here.
    pub(crate) fn learn(&self, fact: LearnedFact) {
        match fact {
            LearnedFact::Conflict(pieces) => {
                if self.state().nogoods.iter().all(|nogood| nogood.pieces != pieces) {
                    self.bump_activity(pieces, 1);
                }
            }
            LearnedFact::Interposition(interposition) => {
                let known = self.interpositions();
                let same = |one: &Interposition| {
                    (one.pieces, one.square) == (interposition.pieces, interposition.square)
                };
                if !known.iter().any(same) {
                    self.record_interposition(interposition);
                }
            }
        }
    }

    /// Returns the interpositions that strategies of the problem needed, latest first.
    pub(crate) fn interpositions(&self) -> Vec<Interposition> {
        self.state().interpositions.clone()
    }

    /// Records that a strategy needs an interposition.
    pub(crate) fn record_interposition(&self, interposition: Interposition) {
        let interpositions = &mut self.state().interpositions;
        interpositions.retain(|known| {
            (known.pieces, known.square) != (interposition.pieces, interposition.square)
        });
        interpositions.truncate(INTERPOSITIONS_MAX - 1);
        interpositions.insert(0, interposition);
    }

    /// Returns the verdict on a class of strategies; if there is none, marks the class as in
    /// progress.
    pub(crate) fn attempt_class(
        &self,
        common: &str,
        first: impl FnOnce() -> SharedAttempt,
    ) -> ClassVerdict {
        let class_verdicts = &mut self.state().class_verdicts;
        if let Some(known) = class_verdicts.get(common) {
            return known.clone();
        }
        if class_verdicts.len() >= CLASS_VERDICTS_MAX {
            class_verdicts.clear();
        }
        let first = ClassVerdict::InProgress(first());
        class_verdicts.insert(common.to_owned(), first.clone());
        first
    }

    /// Records whether a class is refuted. Returns true if any player has refuted it.
    pub(crate) fn record_class_verdict(&self, common: String, fail: bool) -> bool {
        let class_verdicts = &mut self.state().class_verdicts;
        let fail = fail || matches!(class_verdicts.get(&common), Some(ClassVerdict::Infeasible));
        class_verdicts
            .insert(common, if fail { ClassVerdict::Infeasible } else { ClassVerdict::Unknown });
        fail
    }

    /// Adds moves spent on interpositions.
    pub(crate) fn record_interposition_moves(&self, moves: u64) {
        self.interposition_moves.fetch_add(moves, Ordering::Relaxed);
    }

    /// Returns the moves available for interpositions, after `played` moves of the current
    /// strategy; `None` until enough have accumulated since the last attempt. The total is a share
    /// of the search moves, plus an advance.
    pub(crate) fn interposition_moves_left(&self, played: u64) -> Option<u64> {
        let all = INTERPOSITION_FIRST
            + (self.played.load(Ordering::Relaxed) + played) / INTERPOSITION_SHARE;
        let left = all.saturating_sub(self.interposition_moves.load(Ordering::Relaxed));
        let next = self.interposition_next.load(Ordering::Relaxed);
        (left >= next).then(|| {
            self.interposition_next.store(next + next / 2, Ordering::Relaxed);
            left
        })
    }

    /// Returns the move count after which to analyse a strategy deeply, at most `most`.
    pub(crate) fn trial(&self, most: u64) -> u64 {
        self.trial.load(Ordering::Relaxed).min(most)
    }

    /// Adapts the move count of [`Self::trial`]: the more often deep analysis refutes strategies,
    /// the earlier it starts. This affects only the duration.
    pub(crate) fn record_deep_analysis(&self, most: u64, refused: bool) {
        let trial = self.trial(most);
        let next = if refused { trial / 4 * 3 } else { trial.saturating_mul(2) };
        self.trial.store(next.clamp(TRIAL_MIN.min(most), most), Ordering::Relaxed);
    }

    /// Adds the moves of a finished search.
    pub(crate) fn record_search(&self, moves: u64) {
        // Relaxed, here and below: these figures only distribute time.
        self.played.fetch_add(moves, Ordering::Relaxed);
    }

    /// Adds moves spent on learning.
    pub(crate) fn record_learning(&self, moves: u64) {
        self.spent.fetch_add(moves, Ordering::Relaxed);
    }

    /// Returns true if learning has budget left after `played` moves of the current strategy.
    pub(crate) fn has_budget(&self, played: u64) -> bool {
        let before = self.played.load(Ordering::Relaxed);
        self.spent.load(Ordering::Relaxed) * LEARNING_SHARE <= before + played + LEARNING_FIRST
    }
}

#[cfg(test)]
mod tests;
