//! What the play of one strategy teaches for the others of its problem: which men get in each other's way.
//!
//! Strategies of a problem differ in a few routes, so the men who made one fail often make others fail, and
//! men with the same routes nearly always do. Only the time that play takes depends on it.

use crate::fast_map::FastMap;
use crate::problem::man::{Man, MenSet};
use crate::search::learn::class_verdict::ClassVerdict;
use crate::search::learn::class_verdict::SharedAttempt;
use crate::search::learn::interposition::Interposition;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use umbrail_chess::geometry::Color;

/// So many sets are remembered.
const NOGOODS_MAX: usize = 32;

/// When a set is worth so much, everything is worth half.
const ACTIVITY_MAX: u32 = 1 << 12;

/// When a set was asked so often, its account is halved.
const ASKED_MAX: u64 = 1 << 17;

/// A set refutes so many positions of so many, as long as nothing is known of it.
const PRIOR: [u64; 2] = [4, 128];

/// Sets that refute less than one position in so many are not worth asking.
const REFUTATION_RATE_MIN: u64 = 64;

/// A set is asked about so many arrays with unknown duties for nothing, and so many for each one that it refutes.
const TRIES_FIRST: u64 = 32;
const TRIES_EARNED: u64 = 12;

/// So many verdicts on arrays are remembered.
const VERDICTS_MAX: usize = 1 << 16;

/// Learning takes one move for so many in play, and so many for nothing.
const LEARNING_SHARE: u64 = 1;
const LEARNING_FIRST: u64 = 200_000;

/// A set of men who by themselves refuted positions.
#[derive(Clone, Copy, Debug)]
struct Nogood {
    men: MenSet,
    activity: u32,
    /// Of how many positions it was asked, and how many it refuted.
    tested: u64,
    refuted: u64,
    /// Of how many arrays with unknown duties it was asked, and how many it refuted.
    tried: [u64; 2],
}

impl Nogood {
    const fn new(men: MenSet, activity: u32) -> Self {
        Self { men, activity, tested: 0, refuted: 0, tried: [0; 2] }
    }

    /// Whether to ask about arrays with unknown duties.
    const fn is_promising(&self) -> bool {
        self.tried[0] <= TRIES_FIRST + TRIES_EARNED * self.tried[1]
    }

    /// Positions refuted, of a million.
    const fn rate(&self) -> u64 {
        (self.refuted + PRIOR[0]) * 1_000_000 / (self.tested + PRIOR[1])
    }
}

/// A strategy is never thought about deeply before so many moves, unless a player wants it earlier.
const TRIAL_MIN: u64 = 2_000;

/// Moves that may be made for shields when nothing was played, and one more for so many in play; the next time needs
/// half as many more.
const INTERPOSITION_FIRST: u64 = 3_000_000;
const INTERPOSITION_SHARE: u64 = 1;

/// So many shields are remembered.
const INTERPOSITIONS_MAX: usize = 8;

/// Of so many strategies it is remembered that others have them in common and whether these fail.
const CLASS_VERDICTS_MAX: usize = 1 << 16;

/// Lessons and verdicts.
struct StoreState {
    /// The most worthy first.
    nogoods: Vec<Nogood>,
    /// By what men have to do: whether they refuted an array.
    verdicts: FastMap<u64, bool>,
    /// The latest first.
    interpositions: Vec<Interposition>,
    /// By the strategy that others have in common.
    class_verdicts: FastMap<String, ClassVerdict>,
}

/// All that was learned, by one player or several.
pub struct NogoodStore {
    state: Mutex<StoreState>,
    played: AtomicU64,
    spent: AtomicU64,
    /// After so many moves deep thought is worth while at present, as far as players agree.
    trial: AtomicU64,
    /// Moves made for shields.
    interposition_moves: AtomicU64,
    /// With so many moves they are sought next.
    interposition_next: AtomicU64,
}

impl Default for NogoodStore {
    /// All men of either side and the other king: what a side without free moves does seldom depends on
    /// more of the enemy than what he shuts, and whom it checks.
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

    /// The sets to ask about an array, the most worthy first: what they have to do is in `routes_key`. True for those
    /// who refuted another array with the same duties; of the others only promising ones, at most so many.
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

    /// Men with these duties, unknown before, refuted an array or did not.
    pub(crate) fn record_trial(&self, men: MenSet, refuted: bool) {
        if let Some(nogood) = self.state().nogoods.iter_mut().find(|nogood| nogood.men == men) {
            nogood.tried[0] += 1;
            nogood.tried[1] += u64::from(refuted);
        }
    }

    /// The sets to ask about every position, at most so many, the best first.
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

    /// A set was worth so much.
    pub(crate) fn bump_activity(&self, men: MenSet, activity: u32) {
        let nogoods = &mut self.state().nogoods;
        if let Some(nogood) = nogoods.iter_mut().find(|nogood| nogood.men == men) {
            nogood.activity += activity;
        } else {
            // A newcomer takes the place of the last one, and has to prove itself.
            nogoods.truncate(NOGOODS_MAX - 1);
            nogoods.push(Nogood::new(men, activity));
        }
        nogoods.sort_by_key(|nogood| Reverse(nogood.activity));
        if nogoods[0].activity > ACTIVITY_MAX {
            nogoods.iter_mut().for_each(|nogood| nogood.activity /= 2);
        }
    }

    /// A set was asked about so many positions and refuted so many of them.
    pub(crate) fn record_use(&self, men: MenSet, tested: u64, refuted: u64) {
        if let Some(nogood) = self.state().nogoods.iter_mut().find(|nogood| nogood.men == men) {
            nogood.tested += tested;
            nogood.refuted += refuted;
            if nogood.tested > ASKED_MAX {
                nogood.tested /= 2;
                nogood.refuted /= 2;
            }
        }
    }

    /// Men with these duties refuted an array, or did not.
    pub(crate) fn record_verdict(&self, routes_key: u64, refuted: bool) {
        let verdicts = &mut self.state().verdicts;
        if verdicts.len() >= VERDICTS_MAX {
            verdicts.clear();
        }
        verdicts.insert(routes_key, refuted);
    }

    /// The shields that strategies of the problem needed, the latest first.
    pub(crate) fn interpositions(&self) -> Vec<Interposition> {
        self.state().interpositions.clone()
    }

    /// A strategy needs a shield.
    pub(crate) fn record_interposition(&self, interposition: Interposition) {
        let interpositions = &mut self.state().interpositions;
        interpositions
            .retain(|known| (known.men, known.square) != (interposition.men, interposition.square));
        interpositions.truncate(INTERPOSITIONS_MAX - 1);
        interpositions.insert(0, interposition);
    }

    /// What is known of the strategies that have this one in common; if nothing is, they are tried from now on.
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

    /// They all fail, or that was not shown. Whether anybody has shown it.
    pub(crate) fn record_class_verdict(&self, common: String, fail: bool) -> bool {
        let class_verdicts = &mut self.state().class_verdicts;
        let fail = fail || matches!(class_verdicts.get(&common), Some(ClassVerdict::Infeasible));
        class_verdicts
            .insert(common, if fail { ClassVerdict::Infeasible } else { ClassVerdict::Unknown });
        fail
    }

    /// Shields took so many moves more.
    pub(crate) fn record_interposition_moves(&self, moves: u64) {
        self.interposition_moves.fetch_add(moves, Ordering::Relaxed);
    }

    /// How many moves may be made for shields now, when so many of the present strategy have been played; none while
    /// there are not many more than last time. In all they are a share of those in play, and some for nothing.
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

    /// After how many moves to think deeply about a strategy; a player never wants to do so later than `most`.
    pub(crate) fn trial(&self, most: u64) -> u64 {
        self.trial.load(Ordering::Relaxed).min(most)
    }

    /// Deep thought refused a strategy or did not: the more often it does, the sooner it comes. Only time depends on
    /// it.
    pub(crate) fn record_deep_analysis(&self, most: u64, refused: bool) {
        let trial = self.trial(most);
        let next = if refused { trial / 4 * 3 } else { trial.saturating_mul(2) };
        self.trial.store(next.clamp(TRIAL_MIN.min(most), most), Ordering::Relaxed);
    }

    /// A strategy has been played with so many moves.
    pub(crate) fn record_search(&self, moves: u64) {
        // Relaxed, here and below: figures that only share out time.
        self.played.fetch_add(moves, Ordering::Relaxed);
    }

    /// Learning took so many moves.
    pub(crate) fn record_learning(&self, moves: u64) {
        self.spent.fetch_add(moves, Ordering::Relaxed);
    }

    /// Whether there is time to learn when so many moves of the present strategy have been played.
    pub(crate) fn has_budget(&self, played: u64) -> bool {
        let before = self.played.load(Ordering::Relaxed);
        self.spent.load(Ordering::Relaxed) * LEARNING_SHARE <= before + played + LEARNING_FIRST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_those_who_refute_most_and_worthless_ones_are_not_asked() {
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
    fn the_least_worthy_set_makes_room() {
        let store = NogoodStore::default();
        let routes_key = |men: MenSet| u64::from(men.0);
        (1..=100).for_each(|bits| store.bump_activity(MenSet(bits), 200 - bits));
        assert_eq!(store.root_candidates(routes_key, 99).len(), NOGOODS_MAX);
        assert_eq!(store.root_candidates(routes_key, 99)[0].0, MenSet(1));
        assert!(
            store.root_candidates(routes_key, 99).iter().any(|set| set.0 == MenSet(100)),
            "whoever comes last is there"
        );
    }

    #[test]
    fn men_are_asked_again_where_they_have_the_same_to_do() {
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
    fn learning_stops_where_it_takes_more_than_play() {
        let store = NogoodStore::default();
        assert!(store.has_budget(0));
        store.record_learning(LEARNING_FIRST + 1);
        assert!(!store.has_budget(0));
        assert!(store.has_budget(LEARNING_SHARE));
        store.record_search(1);
        assert!(store.has_budget(0));
    }

    #[test]
    fn thought_comes_the_sooner_the_more_it_refuses() {
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
