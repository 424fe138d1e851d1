//! Statements of results, and what waits for cases.

use super::*;
use crate::run::record::{RunCounts, StrategyNumber, Success};
use crate::strategy::projection::project;
use crate::strategy::waypoints::Waypoints;
use crate::{Diagram, Length};
use umbrail_chess::{Position, parse_uci};

const CLAIMS: &str = "claims 0 0@2:0000000000000000 2 9";
const CASE: &str = "case 0 0@4:0000000000000000 - 1/3 2 2:0.1.0/17-0-28!6-ff";

fn problem() -> Problem {
    let setup = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR".parse().unwrap();
    Problem { diagram: Diagram::from_setup(&setup).unwrap(), plies: 3, length: Length::Exact }
}

fn record(claim: u64, enumerated: u64, successes: Vec<Success>) -> ClaimRecord {
    let counts = RunCounts { enumerated, ..RunCounts::default() };
    ClaimRecord { claim, counts, successes, ..ClaimRecord::default() }
}

/// A strategy with games of these lengths.
fn success(index: u32, lengths: &[usize], complete: bool) -> Success {
    let mv = parse_uci(&Position::startpos(), "e2e4").unwrap();
    let game = |length: &usize| vec![mv; *length];
    Success {
        number: StrategyNumber { retraction: 0, claim: 4, index },
        strategy: project(&[]).unwrap(),
        needed: [0; 32],
        waypoints: Waypoints::default(),
        free: [0; 2],
        games: lengths.iter().map(game).collect(),
        complete,
    }
}

fn take(repeats: &mut Repeats, worker: &str, unit: &str, result: &UnitResult) -> Vec<Repeat> {
    repeats.take(worker, unit, &unit.parse().unwrap(), result)
}

#[test]
fn a_strategy_with_cases_waits_for_all_of_them() {
    let mut repeats = Repeats::default();
    let first = UnitResult {
        claims: vec![record(2, 5, vec![]), record(3, 6, vec![]), record(4, 7, vec![])],
        children: vec![CASE.to_owned()],
        ..UnitResult::default()
    };
    let done = take(&mut repeats, "one", CLAIMS, &first);
    assert_eq!(done.len(), 1, "claim 4 waits for its case");
    assert_eq!(
        (done[0].unit.as_str(), done[0].strategies),
        ("claims 0 0@2:0000000000000000 2 4", 11)
    );
    assert_eq!(done[0].stated, "claim 2 - end strategies 5\nclaim 3 - end strategies 6\n");
    let second = CASE.replace(" 2:0.1.0", " 3:0.1.0");
    let case = UnitResult {
        cases: vec![record(4, 0, vec![success(2, &[2], true)])],
        children: vec![second.clone()],
        spent_ms: REPEATED_MS_MAX,
        ..UnitResult::default()
    };
    assert_eq!(take(&mut repeats, "two", CASE, &case), []);
    let last = UnitResult { spent_ms: 1, ..UnitResult::default() };
    let done = take(&mut repeats, "three", &second, &last);
    assert_eq!(done.len(), 1);
    assert_eq!(done[0].unit, "claims 0 0@2:0000000000000000 4 5");
    assert_eq!(done[0].workers.iter().collect::<Vec<_>>(), ["one", "three", "two"]);
    assert!(done[0].stated.starts_with("claim 4 - end strategies 7 | 2 : "), "{}", done[0].stated);
    assert!(!done[0].is_repeatable, "it took more than ten minutes");
}

#[test]
fn a_second_result_must_state_the_same_and_leave_nothing_to_others() {
    let result = |lengths: &[usize], complete| UnitResult {
        claims: vec![record(4, 3, vec![success(1, lengths, complete)])],
        ..UnitResult::default()
    };
    let unit = "claims 0 0@4:0000000000000000 4 5";
    let stated =
        |result: &UnitResult| take(&mut Repeats::default(), "one", unit, result)[0].stated.clone();
    let first = UnitResult { claims: vec![record(4, 3, vec![])], ..UnitResult::default() };
    let compared =
        |second: &UnitResult| compare(&problem(), unit, &stated(&first), &second.text(unit));
    assert_eq!(compared(&first), Ok(()));
    let other = UnitResult { claims: vec![record(4, 2, vec![])], ..UnitResult::default() };
    assert!(matches!(compared(&other), Err(ResultDifference::Statements(..))));
    assert!(matches!(compared(&UnitResult::default()), Err(ResultDifference::Statements(..))));
    let partial = UnitResult { children: vec![CASE.to_owned()], ..first.clone() };
    assert_eq!(compared(&partial), Err(ResultError::Partial.into()));
    let named = compare(&problem(), unit, &stated(&first), &first.text(CLAIMS));
    assert!(matches!(named, Err(ResultDifference::Units(..))));
    // Which games are kept of too many is left open.
    assert_ne!(stated(&result(&[1, 2], true)), stated(&result(&[1], true)));
    assert_eq!(stated(&result(&[1, 2], false)), stated(&result(&[1], false)));
}
