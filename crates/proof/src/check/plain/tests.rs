//! Tests of the plain enumeration against the solver's tree and an exhaustive search.

use super::plain_strategies;
use crate::check::random::{STYLES, random_game};
use crate::check::twin::all_games;
use crate::enumerate::{AllClaims, EnumerationOptions, enumerate_strategies};
use crate::{Diagram, Length, Problem, Rules, Strategy, project};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use umbrail_chess::Position;
use umbrail_control::Cancel;

/// The solver's tree with these rules.
fn tree(problem: &Problem, rules: Rules) -> BTreeSet<Strategy> {
    let mut found = BTreeSet::new();
    let options = EnumerationOptions { rules, ..EnumerationOptions::default() };
    enumerate_strategies(problem, &options, &AllClaims, &Cancel::default(), &mut |leaf| {
        found.insert(leaf.strategy);
        ControlFlow::Continue(())
    });
    found
}

#[test]
fn every_strategy_of_the_tree_and_of_every_game_is_listed_once() {
    let (mut all, mut kept, mut too_large) = (0, 0, 0);
    for seed in 0..40u64 {
        let style = STYLES[seed as usize % STYLES.len()];
        let game = random_game(style, 3 + seed as usize % 9, 91 * seed);
        let end = game.iter().fold(Position::startpos(), |position, &mv| position.after(mv));
        let diagram = Diagram::of(&end);
        // Moves to spare give strategies that only the rules of the tree exclude.
        let plies = game.len() as u16 + 2 * (seed as u16 % 3);
        let problem = Problem { diagram, plies, length: Length::Exact };
        let mut listed = BTreeSet::new();
        let complete = plain_strategies(&problem, 2_000_000, &mut |strategy| {
            assert!(listed.insert(strategy), "{problem}: a strategy comes twice");
            ControlFlow::Continue(())
        });
        if !complete {
            too_large += 1;
            continue;
        }
        let own = tree(&problem, Rules::default());
        assert!(own.is_subset(&listed), "{problem}");
        assert!(tree(&problem, Rules::NONE).is_subset(&listed), "{problem}");
        for game in Some(problem).filter(|one| one.plies < 6).iter().flat_map(all_games) {
            assert!(listed.contains(&project(&game).unwrap()), "{problem}: {game:?}");
        }
        (all, kept) = (all + listed.len(), kept + own.len());
    }
    let numbers = format!("{all} listed, {kept} in the tree, {too_large} problems too large");
    assert!(all > kept && kept > 60 && too_large < 30, "{numbers}");
}

#[test]
fn a_limit_ends_the_walk() {
    let problem = Problem { diagram: Diagram::initial(), plies: 8, length: Length::Parity };
    let mut count = 0;
    assert!(!plain_strategies(&problem, 10, &mut |_| ControlFlow::Continue(())));
    assert!(!plain_strategies(&problem, u64::MAX, &mut |_| {
        count += 1;
        ControlFlow::Break(())
    }));
    assert_eq!(count, 1);
}
