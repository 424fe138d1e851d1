//! Cases of a strategy and the players that search them.

use super::*;
use crate::problem::piece::{PieceId, PieceMask};

/// Returns a case by the number of the piece that stays.
fn split(piece: u8) -> Assumptions {
    let mut split = Assumptions::default();
    split.stay = PieceMask::EMPTY.with(PieceId::new(piece));
    split
}

fn all(games: usize) -> PlayResult {
    PlayResult { complete: true, games: vec![vec![]; games], ..PlayResult::default() }
}

fn cases(games_max: usize) -> Cases {
    let whole = ResidualCase { assumptions: Assumptions::default(), depth: 0 };
    Cases::new(whole, games_max, 100, &Cancel::default())
}

#[test]
fn players_take_different_cases_and_share_the_last_one() {
    let cases = cases(9);
    let one = cases.take().unwrap();
    assert_eq!(cases.share(&one, 90), 90);
    let two = cases.take().unwrap();
    assert_eq!((cases.share(&one, 90), cases.share(&two, 90)), (45, 45));
    cases.split(&two, PlayResult::default(), vec![split(1), split(2), split(3)]);
    assert!(one.over.is_raised() && !cases.done.is_raised());
    let taken = [0; 3].map(|_| cases.take().unwrap());
    let [first, second, third] = &taken;
    assert_eq!(taken.each_ref().map(|taken| taken.assumptions), [split(1), split(2), split(3)]);
    assert_eq!((one.number(), taken.each_ref().map(TakenCase::number)), (0, [1, 2, 3]));
    cases.finish(first, all(1));
    cases.finish(second, all(2));
    let other = cases.take().unwrap();
    assert_eq!((other.assumptions, other.depth), (split(3), 1));
    // Only the first result counts.
    cases.finish(&other, all(1));
    cases.finish(third, all(3));
    assert!(third.over.is_raised() && cases.done.is_raised() && cases.take().is_none());
    let answer = cases.answer();
    assert!(answer.complete && !answer.enough);
    assert_eq!(answer.games.len(), 4);
}

#[test]
fn one_player_splits_a_case_while_the_others_search() {
    let cases = cases(9);
    let (one, two) = (cases.take().unwrap(), cases.take().unwrap());
    assert!(cases.may_split(&one) && !cases.may_split(&two));
    cases.keep_whole(&one);
    assert!(cases.may_split(&two) && !cases.may_split(&one));
    cases.split(&two, PlayResult::default(), vec![split(1)]);
    assert!(!cases.may_split(&one), "it is none any more");
    assert!(cases.may_split(&cases.take().unwrap()));
}

#[test]
fn enough_games_end_all_cases() {
    let cases = cases(3);
    let whole = cases.take().unwrap();
    cases.split(&whole, PlayResult::default(), vec![split(1), split(2), split(3)]);
    let [first, second, third] = [0; 3].map(|_| cases.take().unwrap());
    cases.finish(&first, all(2));
    cases.finish(&second, all(2));
    assert!(third.over.is_raised());
    let answer = cases.answer();
    assert!(answer.enough && !answer.complete);
    assert_eq!(answer.games.len(), 3);
}

#[test]
fn what_is_not_decided_is_not_complete_and_its_games_count() {
    let cases = cases(9);
    let whole = cases.take().unwrap();
    cases.split(&whole, PlayResult::default(), vec![split(1), split(2)]);
    let [first, second] = [0; 2].map(|_| cases.take().unwrap());
    cases.finish(&first, all(1));
    assert!(cases.spend(99));
    cases.finish(&second, PlayResult { complete: false, ..all(2) });
    assert!(!cases.done.is_raised());
    assert!(!cases.spend(1), "all moves are made");
    cases.finish(&second, PlayResult { complete: false, ..all(1) });
    assert!(cases.done.is_raised());
    let answer = cases.answer();
    assert!(!answer.complete && !answer.enough);
    assert_eq!(answer.games.len(), 3);
}

#[test]
fn the_needed_moves_shown_are_those_of_the_case_with_the_game() {
    let cases = cases(9);
    let whole = cases.take().unwrap();
    let before = PlayResult { free: [3, 4], ..PlayResult::default() };
    cases.split(&whole, before, vec![split(1), split(2)]);
    let [first, second] = [0; 2].map(|_| cases.take().unwrap());
    cases.finish(&first, PlayResult { needed: [1; 32], ..all(0) });
    cases.finish(&second, PlayResult { needed: [2; 32], ..all(1) });
    let answer = cases.answer();
    assert_eq!((answer.free, answer.needed), ([3, 4], [2; 32]));
}

#[test]
fn cases_without_players_can_be_left_to_others() {
    let cases = cases(9);
    assert_eq!(cases.leave(), [], "no player searches anything");
    let whole = cases.take().unwrap();
    assert_eq!(cases.leave(), [], "it is searched here");
    cases.split(&whole, PlayResult::default(), vec![split(1), split(2), split(3)]);
    let first = cases.take().unwrap();
    let left = cases.leave();
    assert_eq!(left.len(), 2);
    assert!(left.contains(&ResidualCase { assumptions: split(3), depth: 1 }));
    assert_eq!(cases.leave(), []);
    cases.finish(&first, all(1));
    let answer = cases.answer();
    assert_eq!((answer.complete, answer.games.len(), answer.left), (true, 1, left));
}

#[test]
fn a_case_without_parts_is_decided() {
    let cases = cases(9);
    let whole = cases.take().unwrap();
    cases.split(&whole, PlayResult { free: [3, 4], ..PlayResult::default() }, vec![]);
    assert!(cases.done.is_raised());
    let answer = cases.answer();
    assert!(answer.complete && answer.free == [3, 4]);
}
