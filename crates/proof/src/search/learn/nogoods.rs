//! The nogood store: what the search of one strategy teaches for the others of its problem.
//!
//! A nogood is a set of men that refuted positions by themselves. Strategies of a problem differ in
//! a few routes, so such a set often refutes other strategies too, and men with the same routes
//! nearly always do. The store influences only the time that a search takes.

use crate::fast_map::FastMap;
use crate::problem::man::{Man, MenSet};
use crate::search::learn::class_verdict::ClassVerdict;
use crate::search::learn::class_verdict::SharedAttempt;
use crate::search::learn::interposition::Interposition;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use umbrail_chess::geometry::Color;

/// Capacity for nogoods.
const NOGOODS_MAX: usize = 32;

/// When the activity of a nogood exceeds this, all activities are halved.
const ACTIVITY_MAX: u32 = 1 << 12;

/// When a nogood has been tested on this number of positions, its counts are halved.
const TESTED_MAX: u64 = 1 << 17;

/// Prior refutation rate of a new nogood: 4 of 128 positions.
const PRIOR: [u64; 2] = [4, 128];

/// Nogoods that refute less than one position in this number are not tested.
const REFUTATION_RATE_MIN: u64 = 64;

/// Root tests with untested routes that a nogood may take without success, and the additional ones
/// that each refutation earns.
const TRIALS_FIRST: u64 = 32;
const TRIALS_EARNED: u64 = 12;

/// Capacity for verdicts on routes.
const VERDICTS_MAX: usize = 1 << 16;

/// Learning may take one move for every `LEARNING_SHARE` moves of searches, and `LEARNING_FIRST`
/// moves in advance.
const LEARNING_SHARE: u64 = 1;
const LEARNING_FIRST: u64 = 200_000;

/// A set of men that refuted positions by themselves.
#[derive(Clone, Copy, Debug)]
struct Nogood {
    men: MenSet,
    activity: u32,
    /// Positions tested, and positions refuted.
    tested: u64,
    refuted: u64,
    /// Root tests with untested routes, and refutations among them.
    tried: [u64; 2],
}

impl Nogood {
    const fn new(men: MenSet, activity: u32) -> Self {
        Self { men, activity, tested: 0, refuted: 0, tried: [0; 2] }
    }

    /// Whether to test it at roots with untested routes.
    const fn is_promising(&self) -> bool {
        self.tried[0] <= TRIALS_FIRST + TRIALS_EARNED * self.tried[1]
    }

    /// Refuted positions per million.
    const fn rate(&self) -> u64 {
        (self.refuted + PRIOR[0]) * 1_000_000 / (self.tested + PRIOR[1])
    }
}

/// Least number of moves before the deep analysis of a strategy, unless a player's limit is lower.
const TRIAL_MIN: u64 = 2_000;

/// Moves that may be spent on interpositions before any search, and the share of search moves that
/// is added. Each time the next attempt needs half as many more.
const INTERPOSITION_FIRST: u64 = 3_000_000;
const INTERPOSITION_SHARE: u64 = 1;

/// Capacity for interpositions.
const INTERPOSITIONS_MAX: usize = 8;

/// Capacity of the promotion-class verdict cache.
const CLASS_VERDICTS_MAX: usize = 1 << 16;

/// The state behind the lock.
struct StoreState {
    /// The most active first.
    nogoods: Vec<Nogood>,
    /// By the key of men's routes: whether they refuted a root.
    verdicts: FastMap<u64, bool>,
    /// The latest first.
    interpositions: Vec<Interposition>,
    /// By the common strategy of the class.
    class_verdicts: FastMap<String, ClassVerdict>,
}

/// Everything learned, by one player or several.
pub(crate) struct NogoodStore {
    state: Mutex<StoreState>,
    played: AtomicU64,
    spent: AtomicU64,
    /// Move count after which deep analysis pays at present.
    trial: AtomicU64,
    /// Moves spent on interpositions.
    interposition_moves: AtomicU64,
    /// Moves that must be available for the next attempt.
    interposition_next: AtomicU64,
}

impl Default for NogoodStore {
    /// Initial nogoods: all men of one side and the other king. What a side without free moves can
    /// do seldom depends on other enemies.
    fn default() -> Self {
        let side = |color: Color| MenSet::of_color(color).with(Man::king(!color));
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
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The nogoods to test at a root, the most active first; `routes_key` gives the key of their
    /// routes. True for those that refuted another root with the same routes; of the others only
    /// promising ones, at most `most`.
    pub(crate) fn root_candidates(
        &self,
        routes_key: impl Fn(MenSet) -> u64,
        most: usize,
    ) -> Vec<(MenSet, u64, bool)> {
        let state = self.state();
        let mut unknown = 0;
        let ask = |nogood: &Nogood| {
            let routes_key = routes_key(nogood.men);
            let known = state.verdicts.get(&routes_key);
            if known.is_none() && nogood.is_promising() && unknown < most {
                unknown += 1;
                return Some((nogood.men, routes_key, false));
            }
            known.filter(|&&refuted| refuted).map(|_| (nogood.men, routes_key, true))
        };
        state.nogoods.iter().filter_map(ask).collect()
    }

    /// Records the result of a root test with untested routes.
    pub(crate) fn record_trial(&self, men: MenSet, refuted: bool) {
        if let Some(nogood) = self.state().nogoods.iter_mut().find(|nogood| nogood.men == men) {
            nogood.tried[0] += 1;
            nogood.tried[1] += u64::from(refuted);
        }
    }

    /// The nogoods to test at every position, the best first, at most `most`.
    pub(crate) fn best(&self, most: usize) -> Vec<MenSet> {
        let state = self.state();
        let mut nogoods: Vec<&Nogood> = state
            .nogoods
            .iter()
            .filter(|nogood| nogood.rate() * REFUTATION_RATE_MIN >= 1_000_000)
            .collect();
        nogoods.sort_by_key(|nogood| Reverse(nogood.rate()));
        nogoods.iter().take(most).map(|nogood| nogood.men).collect()
    }

    /// Raises the activity of a nogood, or adds it.
    pub(crate) fn bump_activity(&self, men: MenSet, activity: u32) {
        let nogoods = &mut self.state().nogoods;
        if let Some(nogood) = nogoods.iter_mut().find(|nogood| nogood.men == men) {
            nogood.activity += activity;
        } else {
            // A new nogood replaces the least active one, and has to prove itself.
            nogoods.truncate(NOGOODS_MAX - 1);
            nogoods.push(Nogood::new(men, activity));
        }
        nogoods.sort_by_key(|nogood| Reverse(nogood.activity));
        if nogoods[0].activity > ACTIVITY_MAX {
            nogoods.iter_mut().for_each(|nogood| nogood.activity /= 2);
        }
    }

    /// Adds to the counts of a nogood.
    pub(crate) fn record_use(&self, men: MenSet, tested: u64, refuted: u64) {
        if let Some(nogood) = self.state().nogoods.iter_mut().find(|nogood| nogood.men == men) {
            nogood.tested += tested;
            nogood.refuted += refuted;
            if nogood.tested > TESTED_MAX {
                nogood.tested /= 2;
                nogood.refuted /= 2;
            }
        }
    }

    /// Records whether men with these routes refuted a root.
    pub(crate) fn record_verdict(&self, routes_key: u64, refuted: bool) {
        let verdicts = &mut self.state().verdicts;
        if verdicts.len() >= VERDICTS_MAX {
            verdicts.clear();
        }
        verdicts.insert(routes_key, refuted);
    }

    /// The interpositions that strategies of the problem needed, the latest first.
    pub(crate) fn interpositions(&self) -> Vec<Interposition> {
        self.state().interpositions.clone()
    }

    /// Records that a strategy needs an interposition.
    pub(crate) fn record_interposition(&self, interposition: Interposition) {
        let interpositions = &mut self.state().interpositions;
        interpositions
            .retain(|known| (known.men, known.square) != (interposition.men, interposition.square));
        interpositions.truncate(INTERPOSITIONS_MAX - 1);
        interpositions.insert(0, interposition);
    }

    /// The verdict on a class of strategies; if there is none, it is in progress from now on.
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

    /// Records whether a class is refuted. True if any player has shown it.
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

    /// The moves that may be spent on interpositions now, after `played` moves of the present
    /// strategy; none until enough have accumulated since the last attempt. In all they are a share
    /// of the search moves, plus a number in advance.
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

    /// Move count after which to analyse a strategy deeply, at most `most`.
    pub(crate) fn trial(&self, most: u64) -> u64 {
        self.trial.load(Ordering::Relaxed).min(most)
    }

    /// Adapts that move count: the more often deep analysis refutes strategies, the earlier it
    /// comes. Only time depends on it.
    pub(crate) fn record_deep_analysis(&self, most: u64, refused: bool) {
        let trial = self.trial(most);
        let next = if refused { trial / 4 * 3 } else { trial.saturating_mul(2) };
        self.trial.store(next.clamp(TRIAL_MIN.min(most), most), Ordering::Relaxed);
    }

    /// Adds the moves of a finished search.
    pub(crate) fn record_search(&self, moves: u64) {
        // Relaxed, here and below: these figures only divide time.
        self.played.fetch_add(moves, Ordering::Relaxed);
    }

    /// Adds moves spent on learning.
    pub(crate) fn record_learning(&self, moves: u64) {
        self.spent.fetch_add(moves, Ordering::Relaxed);
    }

    /// Whether learning has budget left after `played` moves of the present strategy.
    pub(crate) fn has_budget(&self, played: u64) -> bool {
        let before = self.played.load(Ordering::Relaxed);
        self.spent.load(Ordering::Relaxed) * LEARNING_SHARE <= before + played + LEARNING_FIRST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_nogoods_refute_most_and_useless_ones_are_not_tested() {
        let store = NogoodStore::default();
        let some = |bits| MenSet(bits);
        for bits in 1..=3 {
            store.bump_activity(some(bits), 1);
        }
        store.record_use(some(1), 10_000, 10);
        store.record_use(some(2), 10_000, 4_000);
        store.record_use(some(3), 10_000, 2_000);
        assert_eq!(store.best(2), [some(2), some(3)]);
        assert!(!store.best(9).contains(&some(1)));
    }

    #[test]
    fn the_least_active_nogood_is_replaced() {
        let store = NogoodStore::default();
        let routes_key = |men: MenSet| u64::from(men.0);
        (1..=100).for_each(|bits| store.bump_activity(MenSet(bits), 200 - bits));
        assert_eq!(store.root_candidates(routes_key, 99).len(), NOGOODS_MAX);
        assert_eq!(store.root_candidates(routes_key, 99)[0].0, MenSet(1));
        assert!(
            store.root_candidates(routes_key, 99).iter().any(|set| set.0 == MenSet(100)),
            "the latest is stored"
        );
    }

    #[test]
    fn nogoods_are_tested_again_where_their_routes_are_the_same() {
        let store = NogoodStore::default();
        let (good, bad) = (MenSet(1), MenSet(2));
        store.bump_activity(good, 9);
        store.bump_activity(bad, 8);
        for tried in 0..100 {
            store.record_trial(good, tried % 4 == 0);
            store.record_trial(bad, false);
        }
        let routes_key = |men: MenSet| u64::from(men.0);
        let root_candidates = store.root_candidates(routes_key, 1);
        assert_eq!(root_candidates, [(good, 1, false)], "bad never refuted anything");
        store.record_verdict(2, true);
        store.record_verdict(1, false);
        assert!(store.root_candidates(routes_key, 0) == [(bad, 2, true)]);
    }

    #[test]
    fn learning_stops_when_it_takes_more_than_the_search() {
        let store = NogoodStore::default();
        assert!(store.has_budget(0));
        store.record_learning(LEARNING_FIRST + 1);
        assert!(!store.has_budget(0));
        assert!(store.has_budget(LEARNING_SHARE));
        store.record_search(1);
        assert!(store.has_budget(0));
    }

    #[test]
    fn deep_analysis_comes_earlier_the_more_it_refutes() {
        let store = NogoodStore::default();
        assert_eq!(store.trial(50_000), 50_000);
        (0..40).for_each(|_| store.record_deep_analysis(50_000, true));
        assert_eq!(store.trial(50_000), TRIAL_MIN);
        assert_eq!(store.trial(100), 100, "never later than wanted");
        store.record_deep_analysis(50_000, false);
        assert_eq!(store.trial(50_000), 2 * TRIAL_MIN);
        (0..40).for_each(|_| store.record_deep_analysis(50_000, false));
        assert_eq!(store.trial(50_000), 50_000);
    }
}
