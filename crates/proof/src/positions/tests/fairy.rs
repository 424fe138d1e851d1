//! Fairy conditions: published and counted problems, bounds off against on, and walk tests.
//!
//! `fairy_problems.txt` has problems from Popeye's examples and tests, and short ones of which all games were
//! counted by Popeye 4.104: id, target, start (empty for the array), plies, series or not, conditions, pieces, squares
//! of Alice's board B at the end and at the start, number of games, a game.

use super::admissible::{plain, sets};
use super::walk::walk;
use super::{Way, count};
use crate::positions::fairy_game::replay_fairy;
use crate::positions::fairy_problem::PreparedProblem;
use crate::positions::rules::RuleSet;
use crate::positions::{
    ConditionName, FairyProblem, FairyStart, PieceName, Turns, castling_of, men_of,
};
use crate::problem::Length;
use std::collections::BTreeMap;
use umbrail_chess::geometry::{Bitboard, Setup, Square};

static PROBLEMS: &str = include_str!("fairy_problems.txt");

/// One line of the table.
struct Known {
    id: &'static str,
    problem: FairyProblem,
    games: u128,
    game: &'static str,
}

fn squares(text: &str) -> Bitboard {
    let square = |at: usize| text[at..at + 2].parse::<Square>().unwrap();
    (0..text.len()).step_by(2).map(square).collect()
}

fn known(line: &'static str) -> Known {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, target, start, plies, series, conditions, pieces, b, b_start, games, game] =
        fields[..]
    else {
        panic!("{line}");
    };
    let pieces: Vec<(char, PieceName)> = pieces
        .split_terminator(';')
        .map(|piece| {
            let (letter, name) = piece.split_once('=').unwrap();
            (letter.chars().next().unwrap(), PieceName::named(name).unwrap())
        })
        .collect();
    let mut from = FairyStart::ARRAY;
    if !start.is_empty() {
        let setup: Setup = start.parse().unwrap();
        from = FairyStart {
            men: Some(men_of(&setup, &pieces, squares(b_start)).unwrap()),
            turn: setup.turn,
            castling: castling_of(&setup.castling),
            en_passant: setup.en_passant,
        };
    }
    let mut conditions: Vec<ConditionName> =
        conditions.split_terminator('|').map(|name| ConditionName::read(name).unwrap()).collect();
    let imitator_end = match conditions.len() {
        2 => conditions.pop().map(|end| end.squares[0]),
        _ => None,
    };
    let problem = FairyProblem {
        start: from,
        target: men_of(&target.parse().unwrap(), &pieces, squares(b)).unwrap(),
        states_boards: true,
        imitator_end,
        plies: plies.parse().unwrap(),
        length: Length::Exact,
        turns: if series == "s" { Turns::Series } else { Turns::Alternating },
        conditions,
        pieces: pieces.iter().map(|(_, piece)| *piece).collect(),
        letters: vec![],
        uncolored: false,
        added: vec![],
    };
    Known { id, problem, games: games.parse().unwrap(), game }
}

fn all() -> impl Iterator<Item = Known> {
    PROBLEMS.lines().filter(|line| !line.starts_with('#')).map(known)
}

#[test]
fn problems_have_the_known_games() {
    for Known { id, problem, games, game } in all() {
        let PreparedProblem { rules, start, target, .. } = problem.prepare().unwrap();
        let size = (problem.plies, problem.turns);
        let listed = if game.is_empty() { 0 } else { 600 };
        let (found, lines, _) = count(&rules, start, target.clone(), size, Way::default(), listed);
        assert_eq!(found, games, "{id}");
        let texts: Vec<String> = lines
            .iter()
            .map(|line| {
                let game =
                    replay_fairy(&rules, &start, &target, (problem.turns, problem.plies), line);
                game.expect("a game that replays").text
            })
            .collect();
        assert!(game.is_empty() || texts.iter().any(|text| text == game), "{id}: {texts:?}");
    }
}

#[test]
fn every_condition_is_counted_without_bounds_as_with_them() {
    let mut tested = 0;
    for Known { id, problem, games, .. } in all() {
        if problem.plies > 4 {
            continue;
        }
        let PreparedProblem { rules, start, target, .. } = problem.prepare().unwrap();
        for set in sets() {
            let way = Way { set, ..Way::default() };
            let size = (problem.plies, problem.turns);
            // Without the bound on missing squares, only the shortest are short enough.
            if set.missing || problem.plies <= 3 {
                let found = count(&rules, start, target.clone(), size, way, 0).0;
                assert_eq!(found, games, "{id} {set:?}");
                tested += 1;
            }
        }
        if problem.plies <= 3 && problem.start.men.is_some() {
            assert_eq!(plain(&rules, &start, &target.men, problem.plies, problem.turns), games);
        }
    }
    assert!(tested > 200, "{tested}");
}

#[test]
fn no_bound_loses_a_position_of_games_with_conditions() {
    let mut walked: BTreeMap<String, u64> = BTreeMap::new();
    for Known { problem, .. } in all() {
        let mut name = problem.conditions.iter().map(ToString::to_string).collect::<String>();
        if problem.target.iter().any(|man| man.piece.is_neutral()) {
            name += " with neutral pieces";
        }
        let seen = walked.entry(name.clone()).or_default();
        // One start each, and the array for all.
        if *seen > 1 || problem.imitator_end.is_some() {
            continue;
        }
        let PreparedProblem { rules, start, .. } = problem.prepare().unwrap();
        let games = if rules.bound_facts().men_go_by_steps { 60 } else { 12 };
        let [positions, _] = walk(&rules, &start, Turns::Alternating, games, 7 + *seen);
        *seen += 1;
        assert!(positions > 20, "{name}: {positions}");
    }
    assert!(walked.len() > 40, "{walked:?}");
}

#[test]
fn without_boards_the_men_of_alice_chess_end_on_either_board() {
    let mut tested = 0;
    for Known { id, mut problem, games, .. } in all() {
        if !id.starts_with("gen-alice") || problem.plies > 6 {
            continue;
        }
        problem.states_boards = false;
        problem.target.iter_mut().for_each(|man| man.on_b = false);
        let states_start = problem.start.men.iter().flatten().any(|man| man.on_b);
        assert_eq!(problem.check().is_ok(), problem.start.men.is_none() || states_start, "{id}");
        let PreparedProblem { rules, start, target, .. } = problem.prepare().unwrap();
        let size = (problem.plies, problem.turns);
        let found = count(&rules, start, target.clone(), size, Way::default(), 0).0;
        assert!(found >= games, "{id}: {found}");
        // In two moves each, every displaced man has moved once: the boards follow.
        assert!(id != "gen-alicechess-1" || found == games, "{found}");
        for set in sets().into_iter().filter(|set| set.missing && problem.plies <= 4) {
            let way = Way { set, ..Way::default() };
            assert_eq!(count(&rules, start, target.clone(), size, way, 0).0, found, "{id} {set:?}");
            tested += 1;
        }
    }
    assert!(tested > 8, "{tested}");
}
