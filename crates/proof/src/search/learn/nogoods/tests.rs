//! Tests of the nogood store.

use super::*;
use umbrail_chess::geometry::Square;

#[test]
fn the_best_nogoods_refute_most_and_useless_ones_are_not_tested() {
    let store = NogoodStore::default();
    let some = |bits| PieceMask(bits);
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
    let routes_key = |pieces: PieceMask| u64::from(pieces.0);
    (1..=100).for_each(|bits| store.bump_activity(PieceMask(bits), 200 - bits));
    assert_eq!(store.root_candidates(routes_key, 99).len(), NOGOODS_MAX);
    assert_eq!(store.root_candidates(routes_key, 99)[0].0, PieceMask(1));
    assert!(
        store.root_candidates(routes_key, 99).iter().any(|set| set.0 == PieceMask(100)),
        "the latest is stored"
    );
}

#[test]
fn nogoods_are_tested_again_where_their_routes_are_the_same() {
    let store = NogoodStore::default();
    let (good, bad) = (PieceMask(1), PieceMask(2));
    store.bump_activity(good, 9);
    store.bump_activity(bad, 8);
    for tried in 0..100 {
        store.record_trial(good, tried % 4 == 0);
        store.record_trial(bad, false);
    }
    let routes_key = |pieces: PieceMask| u64::from(pieces.0);
    let root_candidates = store.root_candidates(routes_key, 1);
    assert_eq!(root_candidates, [(good, 1, false)], "bad never refuted anything");
    store.record_verdict(2, true);
    store.record_verdict(1, false);
    assert!(store.root_candidates(routes_key, 0) == [(bad, 2, true)]);
}

#[test]
fn what_refuted_often_is_passed_on_and_taken_once() {
    let (store, other) = (NogoodStore::default(), NogoodStore::default());
    store.bump_activity(PieceMask(1), 9);
    store.bump_activity(PieceMask(2), 8);
    assert_eq!(store.facts(), []);
    store.record_use(PieceMask(2), 2000, SHARED_REFUTED);
    let interposition = Interposition { pieces: PieceMask(5), square: Square::new(9), moves: 70 };
    store.record_interposition(interposition);
    let facts = store.facts();
    let expected = [LearnedFact::Conflict(PieceMask(2)), LearnedFact::Interposition(interposition)];
    assert_eq!(facts, expected);
    facts.iter().chain(&facts).for_each(|&fact| other.learn(fact));
    assert_eq!(other.interpositions(), [interposition]);
    let known = other.state().nogoods.iter().filter(|one| one.pieces == PieceMask(2)).count();
    assert_eq!((known, other.facts().len()), (1, 1), "the conflict has refuted nothing there");
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
