//! Verdicts of runs that found these games and came this far.

use super::*;
use crate::problem::census::Refusal;
use crate::run::{RunCounts, StrategyNumber, Success};
use crate::{Diagram, Waypoints, game_of, project};
use umbrail_chess::geometry::Color;

const SHORT: &str = "d4 Nf6 Bf4 Nd5 Bxc7";
const LONG: &str = "d3 Nf6 Be3 Ng8 d4 Nf6 Bf4";
const OTHER: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6";

fn success(games: &[&str]) -> Success {
    let games: Vec<_> = games.iter().map(|game| game_of(game).unwrap()).collect();
    Success {
        number: StrategyNumber { retraction: 0, claim: 0, index: 0 },
        strategy: project(&games[0]).unwrap(),
        needed: [0; 32],
        waypoints: Waypoints::default(),
        free: [0, 0],
        games,
        complete: true,
    }
}

/// A complete run that found these games, by strategy.
fn complete(strategies: &[&[&str]]) -> RunReport {
    let successes = strategies.iter().map(|games| success(games)).collect();
    RunReport { successes, enumerated: true, searched: true, ..RunReport::default() }
}

fn stopped(strategies: &[&[&str]]) -> RunReport {
    RunReport { enumerated: false, searched: false, ..complete(strategies) }
}

fn problem(plies: u16, length: Length) -> Problem {
    Problem { diagram: Diagram::initial(), plies, length }
}

fn verdict(plies: u16, report: &RunReport) -> Verdict {
    Verdict::of(&problem(plies, Length::Parity), &Params::default(), report)
}

fn intended(intended: usize, plies: u16, report: &RunReport) -> Verdict {
    let params = Params { intended, ..Params::default() };
    Verdict::of(&problem(plies, Length::Parity), &params, report)
}

#[test]
fn the_only_game_of_the_stated_length_is_computer_tested() {
    let found = verdict(5, &complete(&[&[SHORT]]));
    assert_eq!(found.word, ProblemVerdict::Unique);
    assert_eq!(found.text, "C+: exactly one proof game in 2.5 moves");
    assert_eq!(found.stipulation, "PG in 2.5");
    assert_eq!(found.intention, "1 solution is intended; the verdict agrees");
    assert!(found.is_computer_tested() && found.complete && found.shorter.is_none());
}

#[test]
fn a_shorter_game_comes_first_and_is_no_solution_of_the_stated_length() {
    let expected = "a game of 2.5 moves exists, so 3.5 is not the shortest length; ";
    for (report, word, rest) in [
        (
            complete(&[&[SHORT]]),
            ProblemVerdict::Shorter,
            "exactly one proof game in 2.5 moves and none in 3.5",
        ),
        (
            complete(&[&[SHORT], &[LONG], &[OTHER]]),
            ProblemVerdict::Several,
            "one proof game in 2.5 moves and 2 in 3.5, each alone in its strategy",
        ),
        (
            complete(&[&[SHORT, LONG]]),
            ProblemVerdict::Cooked,
            "cooked: one proof game in 2.5 moves and 1 in 3.5, 1 strategy playable in several ways",
        ),
        (
            stopped(&[&[SHORT]]),
            ProblemVerdict::Partial,
            "not fully tested in 3.5 moves: one proof game in 2.5 moves found so far; strategies: 0 enumerated: 0 \
             refuted by analysis, 0 searched; the enumeration is not complete",
        ),
    ] {
        for count in 0..4 {
            let found = intended(count, 7, &report);
            assert_eq!((found.word, found.shorter), (word, Some(5)));
            assert_eq!(found.text, format!("{expected}{rest}"));
            assert_eq!(found.correct, Some(false), "{}", found.text);
            assert!(!found.is_computer_tested() && !found.text.contains("C+"));
            assert!(found.intention.ends_with("the verdict differs"), "{}", found.intention);
        }
    }
    // Three lengths, none of them the stated one.
    let found = verdict(9, &complete(&[&["e4 e5 Nf3"], &[SHORT], &[LONG]]));
    let rest = "one proof game in 1.5 moves, 1 in 2.5, 1 in 3.5 and none in 4.5, each alone in its strategy";
    assert!(
        found.text.starts_with("a game of 1.5 moves exists, so 4.5 is not")
            && found.text.ends_with(rest)
    );
}

#[test]
fn a_limit_of_one_game_leaves_a_strategy_open() {
    let mut report = complete(&[&[SHORT]]);
    report.successes[0].complete = false;
    let found = verdict(5, &report);
    assert_eq!((found.word, found.correct, found.complete), (ProblemVerdict::Partial, None, false));
    assert!(
        found.text.ends_with("; 1 strategy with a game was not searched to its end"),
        "{}",
        found.text
    );
    // Two games of it decide.
    report.successes[0].games.push(game_of(LONG).unwrap());
    let found = verdict(7, &report);
    assert!(found.text.contains("cooked: at least one proof game in 2.5 moves and 1 in 3.5"));
}

#[test]
fn the_intended_number_of_solutions_belongs_to_the_verdict() {
    let (one, two) = (complete(&[&[LONG]]), complete(&[&[LONG], &[OTHER]]));
    let found = intended(2, 7, &one);
    assert_eq!(found.text, "exactly one proof game in 3.5 moves, but 2 solutions are intended");
    assert_eq!((found.word, found.correct), (ProblemVerdict::Unique, Some(false)));
    assert!(!found.is_computer_tested());
    let found = intended(2, 7, &two);
    assert_eq!(
        found.text,
        "C+: exactly 2 proof games in 3.5 moves, each alone in its strategy, as intended"
    );
    assert_eq!(found.stipulation, "PG in 3.5, 2 solutions");
    assert!(found.is_computer_tested());
    let found = verdict(7, &two);
    assert_eq!(found.text, "2 proof games in 3.5 moves, each alone in its strategy");
    assert!(!found.is_computer_tested());
    let found = intended(3, 7, &two);
    assert!(
        found.text.ends_with("in its strategy, but 3 solutions are intended"),
        "{}",
        found.text
    );
    // Both solutions in one strategy, or more than are intended.
    let together = complete(&[&[LONG, OTHER]]);
    let found = intended(2, 7, &together);
    assert_eq!(
        found.text,
        "C+: exactly 2 proof games in 3.5 moves, not all alone in their strategies, as intended"
    );
    assert_eq!((found.word, found.correct), (ProblemVerdict::Several, Some(true)));
    let found = intended(3, 7, &together);
    assert!(found.text.ends_with("strategies, but 3 solutions are intended"), "{}", found.text);
    assert_eq!((found.word, found.correct), (ProblemVerdict::Several, Some(false)));
    for (count, report) in [(1, &together), (2, &complete(&[&[LONG, OTHER], &[LONG]]))] {
        let found = intended(count, 7, report);
        assert_eq!((found.word, found.correct), (ProblemVerdict::Cooked, Some(false)));
    }
    // A strategy whose search ended with the second game may have a third one.
    let mut cut = together;
    cut.successes[0].complete = false;
    let found = intended(2, 7, &cut);
    assert_eq!((found.word, found.correct), (ProblemVerdict::Partial, None));
    assert!(found.text.ends_with("; 1 strategy with a game was not searched to its end"));
    // A problem without a game is not tested correct, whatever was intended.
    assert!(!intended(0, 7, &complete(&[])).is_computer_tested());
    // Stopped runs leave it open, or have too many games already.
    assert_eq!(intended(2, 7, &stopped(&[&[LONG], &[OTHER]])).correct, None);
    assert_eq!(intended(1, 7, &stopped(&[&[LONG], &[OTHER]])).correct, Some(false));
}

#[test]
fn an_exact_length_states_that_shorter_games_were_not_searched() {
    let exact = problem(7, Length::Exact);
    let params = Params::default();
    let open = " (length exact: shorter games not searched)";
    for report in [complete(&[&[LONG]]), complete(&[]), complete(&[&[LONG, OTHER]]), stopped(&[])] {
        let found = Verdict::of(&exact, &params, &report);
        assert!(found.text.ends_with(open), "{}", found.text);
        let known = Verdict::after_shorter_lengths(&exact, &params, &report);
        assert_eq!(found.text, known.text + open);
    }
    // Counting excludes shorter games, too.
    let refusals = vec![Refusal::Kings(Color::White, 2)];
    let report = RunReport { refusals, ..complete(&[]) };
    let found = Verdict::of(&exact, &params, &report);
    assert_eq!(found.text, "no proof game in 3.5 moves: white has 2 kings, expected one");
}

#[test]
fn what_was_left_out_is_named() {
    let condition = "Sb1-c3".parse().unwrap();
    let counts =
        RunCounts { enumerated: 9, unrefuted: 9, searched: 5, filtered: 4, ..RunCounts::default() };
    for (params, report, limits) in [
        (
            Params { shard: (2, 8), ..Params::default() },
            RunReport { shard_finished: true, ..stopped(&[]) },
            "; only shard 2/8 was searched",
        ),
        (
            Params { shard: (2, 8), ..Params::default() },
            stopped(&[]),
            "; only shard 2/8 was searched; the enumeration is not complete",
        ),
        (
            Params { from_claim: 500, ..Params::default() },
            stopped(&[&[LONG]]),
            "; claims before 500 were left out; the enumeration is not complete",
        ),
        (
            Params { condition: Some(condition), ..Params::default() },
            RunReport { counts, searched: false, ..complete(&[]) },
            " 5 searched, 4 excluded by the condition; only strategies with Sb1-c3 were searched",
        ),
        (
            Params::default(),
            RunReport { faults: vec!["x".to_owned()], ..complete(&[&[LONG]]) },
            "; an internal error leaves the result open",
        ),
    ] {
        let found = Verdict::of(&problem(7, Length::Parity), &params, &report);
        assert_eq!(found.word, ProblemVerdict::Partial);
        assert!(
            found.text.starts_with("not fully tested") && found.text.ends_with(limits),
            "{}",
            found.text
        );
    }
}

#[test]
fn strategies_that_were_only_counted_prove_nothing() {
    let counts = RunCounts { enumerated: 44, refuted: 7, unrefuted: 37, ..RunCounts::default() };
    let report = RunReport { counts, counted_only: true, enumerated: true, ..RunReport::default() };
    let found = verdict(46, &report);
    assert_eq!(
        found.text,
        "strategies of 23.0 moves were only counted: 44 enumerated: 7 refuted by analysis, 37 left to be searched"
    );
    assert_eq!((found.word, found.correct), (ProblemVerdict::Partial, None));
}

#[test]
fn the_strategy_file_is_named() {
    let report = RunReport { strategy_digest: Some(0x5d), ..complete(&[&[LONG]]) };
    let found = verdict(7, &report);
    let digest = "(given the strategy file with digest 000000000000005d)";
    assert_eq!(found.text, format!("C+: exactly one proof game in 3.5 moves {digest}"));
}
