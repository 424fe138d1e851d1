//! Tests of enumeration: nothing is lost, nothing is repeated, and every seeker walks an identical
//! tree.

use crate::check::random::{STYLES, random_game};
use crate::check::twin;
use crate::enumerate::*;
use crate::{Diagram, Length, Problem, Rule, Rules, Strategy, game_of, project};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use umbrail_chess::{Move, Position};
use umbrail_control::Cancel;

const GAMES: &str = include_str!("../../tests/golden/spg-games.tsv");

fn diagram_after(game: &[Move]) -> Diagram {
    Diagram::of(&game.iter().fold(Position::startpos(), |position, &mv| position.after(mv)))
}

fn problem_of(game: &[Move]) -> Problem {
    Problem { diagram: diagram_after(game), plies: game.len() as u16, length: Length::Exact }
}

fn check(name: &str, game: &[Move], options: &EnumerationOptions) {
    let strategy = project(game).unwrap();
    if let Err(lost) = follow(&problem_of(game), options, &strategy) {
        panic!("{name}: {strategy}\n{:?}\n{}", lost.dead, lost.node);
    }
}

fn all(problem: &Problem, rules: Rules) -> (Vec<Strategy>, EnumerationResult) {
    let mut found = Vec::new();
    let options = EnumerationOptions { rules, ..EnumerationOptions::default() };
    let enumerated =
        enumerate_strategies(problem, &options, &AllClaims, &Cancel::default(), &mut |leaf| {
            found.push(leaf.strategy);
            ControlFlow::Continue(())
        });
    assert!(enumerated.complete);
    assert_eq!(enumerated.kept, found.len() as u64);
    (found, enumerated)
}

#[test]
fn every_known_game_is_a_leaf() {
    for line in GAMES.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let (name, _, moves) = (fields.next().unwrap(), fields.next(), fields.next().unwrap());
        check(name, &game_of(moves).unwrap(), &EnumerationOptions::default());
    }
}

/// Games that a plausible but wrong rule would lose.
const TRAPS: &[(&str, &str)] = &[
    (
        "a man dies at home without moving: that clears the way, too",
        "Nf3 Nf6 a3 Nd5 a4 Ne3 a5 Nxf1 a6 Ng3 axb7 Nh5 O-O",
    ),
    (
        "an earlier visit is not the stay before death",
        "e4 Nc6 Nc3 Nb8 Nb5 d6 Nd4 Bd7 Nc6 Bxc6 a3 Bd5 Bb5+ Nc6 Bxc6+",
    ),
    (
        "a promotion gives mate beside a king that moved",
        "e4 d6 e5 dxe5 d4 Qd6 d5 Qb6 d6 e6 d7+ Ke7 d8=Q#",
    ),
    ("the same for Black", "c3 d5 Qc2 d4 Qg6 Bf5 d3 Be4 dxe4 d3 Kd1 d2 Kc2 d1=B#"),
    ("a king is away when his home is attacked", "e3 Nc6 Ke2 Nb4 a3 Nxc2 a4 Nb4 Ke1"),
    (
        "a victim steps aside and comes back to die",
        "e4 Nf6 Nf3 Nh5 Be2 Nc6 O-O Nb8 Re1 Ng3 Bf1 Nxf1",
    ),
    ("king and rook arrive by one move", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"),
    ("taken en passant at once", "a4 h5 a5 b5 axb6 h4 g4 hxg3"),
];

#[test]
fn games_that_rules_have_lost_are_leaves() {
    for (name, moves) in TRAPS {
        check(name, &game_of(moves).unwrap(), &EnumerationOptions::default());
    }
}

#[test]
fn every_random_game_is_a_leaf() {
    for (number, style) in STYLES.into_iter().enumerate() {
        for seed in 0..25 {
            let plies = 8 + (7 * seed as usize + 5 * number) % 50;
            let game = random_game(style, plies, seed + 1000 * number as u64);
            check(&format!("{style:?} {seed}"), &game, &EnumerationOptions::default());
        }
    }
}

/// Small problems: the final diagrams of random games.
fn small(plies: std::ops::Range<usize>, count: u64) -> impl Iterator<Item = Problem> {
    (0..count).flat_map(move |seed| {
        plies.clone().map(move |plies| {
            let style = STYLES[seed as usize % STYLES.len()];
            problem_of(&random_game(style, plies, 77 * seed + plies as u64))
        })
    })
}

#[test]
fn all_strategies_of_the_twins_games_are_leaves_once() {
    for problem in small(0..6, 12) {
        let (found, _) = all(&problem, Rules::default());
        let once: BTreeSet<&Strategy> = found.iter().collect();
        assert_eq!(once.len(), found.len(), "{problem}: some strategy comes twice");
        for strategy in &found {
            assert_eq!(strategy.check(&problem.diagram), Ok(()), "{problem}: {strategy}");
        }
        for game in twin::all_games(&problem) {
            let strategy = project(&game).unwrap();
            assert!(once.contains(&strategy), "{problem}: {strategy} is missing");
        }
    }
}

#[test]
fn a_rule_switched_off_only_adds_strategies() {
    use Rule::*;
    let tree = [StillPieces, PawnWalls, PawnCaptures, UnanswerableChecks, GuardedSquares];
    let precedence = [
        EventOrder,
        SingleMoveLegs,
        SquareExclusion,
        CaptureRelay,
        CastlingPaths,
        RequiredSquares,
        ForcedExcursions,
        OpenExits,
        ConfinedPieces,
    ];
    let rules = tree.into_iter().chain(precedence);
    for problem in small(5..9, 8) {
        let (with, _) = all(&problem, Rules::default());
        let mut everything: Option<BTreeSet<Strategy>> = None;
        for rule in rules.clone() {
            let (without, _) = all(&problem, Rules::default().set(rule, false));
            let without: BTreeSet<Strategy> = without.into_iter().collect();
            for strategy in &with {
                assert!(without.contains(strategy), "{problem}: {strategy} only with {rule:?}");
            }
            let all = everything.get_or_insert_default();
            all.extend(without);
        }
        let (none, _) = all(&problem, Rules::NONE);
        let none: BTreeSet<Strategy> = none.into_iter().collect();
        assert!(everything.unwrap().is_subset(&none), "{problem}");
    }
}

#[test]
fn one_seeker_and_several_find_the_same() {
    let game = game_of("e4 d5 exd5 Nf6 Nf3 e5 dxe6 Bb4 exf7+ Kxf7 Be2 Rf8 O-O Kg8").unwrap();
    let problem = problem_of(&game);
    let options = EnumerationOptions { sync_depth: 2, ..EnumerationOptions::default() };
    let walk = |claims: &dyn Claims| {
        enumerate_strategies(&problem, &options, claims, &Cancel::default(), &mut |_| {
            ControlFlow::Continue(())
        })
    };
    let alone = walk(&AllClaims);
    assert!(alone.complete && alone.kept > 1 && alone.claims > 3, "{alone:?}");
    for count in [2, 3, 5] {
        let parts = (0..count).map(|shard| walk(&ShardClaims { shard, count, within: AllClaims }));
        agree(&alone, &parts.collect::<Vec<_>>());
    }
    let counter = Counter::default();
    let raced: Vec<EnumerationResult> = std::thread::scope(|scope| {
        let seekers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut emit = |_| ControlFlow::Continue(());
                    enumerate_strategies(
                        &problem,
                        &options,
                        &counter,
                        &Cancel::default(),
                        &mut emit,
                    )
                })
            })
            .collect();
        seekers.into_iter().map(|seeker| seeker.join().unwrap()).collect()
    });
    assert_eq!(counter.taken(), alone.claims);
    agree(&alone, &raced);
}

/// Claims divided between two seekers, and their shared state.
struct Together<C> {
    claims: C,
    branches: SharedBranches,
}

impl<C: Claims> Claims for Together<C> {
    fn take(&self, number: u64) -> bool {
        self.claims.take(number)
    }

    fn branches(&self) -> Option<&SharedBranches> {
        Some(&self.branches)
    }
}

#[test]
fn seekers_that_share_branches_find_the_same_with_fewer_nodes() {
    let game = game_of("e4 d5 exd5 Nf6 Nf3 e5 dxe6 Bb4 exf7+ Kxf7 Be2 Rf8 O-O Kg8").unwrap();
    let problem = problem_of(&game);
    for sync_depth in [1, 2, 3] {
        let options = EnumerationOptions { sync_depth, ..EnumerationOptions::default() };
        // The second seeker starts when the first one has emitted this number of strategies, and
        // overtakes it.
        for first in [1, 3, 1000] {
            let walk = |claims: &dyn Claims, emit: &mut dyn FnMut()| {
                let mut emit = |_| {
                    emit();
                    ControlFlow::Continue(())
                };
                enumerate_strategies(&problem, &options, claims, &Cancel::default(), &mut emit)
            };
            let alone = walk(&AllClaims, &mut || ());
            let together =
                Together { claims: Counter::default(), branches: SharedBranches::default() };
            let (mut emitted, mut second) = (0, None);
            let one = walk(&together, &mut || {
                emitted += 1;
                if emitted == first {
                    second = Some(walk(&together, &mut || ()));
                }
            });
            let two = second.unwrap_or_else(|| walk(&together, &mut || ()));
            let nodes = one.nodes + two.nodes;
            agree(&alone, &[one, two]);
            let shared = Together { claims: AllClaims, branches: SharedBranches::default() };
            let raced = Counter::default();
            let apart: u64 = (0..2).map(|_| walk(&raced, &mut || ()).nodes).sum();
            assert!(nodes < apart, "{nodes} of {apart}");
            assert_eq!(walk(&shared, &mut || ()).emitted, alone.emitted);
        }
    }
}

#[test]
fn seekers_at_the_same_time_agree() {
    let game = game_of("e4 d5 exd5 Nf6 Nf3 e5 dxe6 Bb4 exf7+ Kxf7 Be2 Rf8 O-O Kg8").unwrap();
    let problem = Problem { plies: game.len() as u16 + 2, ..problem_of(&game) };
    for sync_depth in 1..4 {
        let options = EnumerationOptions { sync_depth, ..EnumerationOptions::default() };
        let walk = |claims: &dyn Claims| {
            let mut emit = |_| ControlFlow::Continue(());
            enumerate_strategies(&problem, &options, claims, &Cancel::default(), &mut emit)
        };
        let alone = walk(&AllClaims);
        let together = Together { claims: Counter::default(), branches: SharedBranches::default() };
        let parts: Vec<EnumerationResult> = std::thread::scope(|scope| {
            let seekers: Vec<_> = (0..3).map(|_| scope.spawn(|| walk(&together))).collect();
            seekers.into_iter().map(|seeker| seeker.join().unwrap()).collect()
        });
        agree(&alone, &parts);
    }
}

fn agree(alone: &EnumerationResult, parts: &[EnumerationResult]) {
    for part in parts {
        assert!(part.complete);
        assert_eq!((part.digest, part.claims), (alone.digest, alone.claims));
    }
    let sum =
        |of: fn(&EnumerationResult) -> u64| parts.iter().map(of).fold(0u64, u64::wrapping_add);
    assert_eq!(sum(|part| part.kept), alone.kept);
    assert_eq!(sum(|part| part.found), alone.found);
    assert_eq!(sum(|part| part.emitted), alone.emitted);
}

#[test]
fn a_break_or_a_raised_signal_ends_the_walk() {
    let game = game_of("e4 d5 exd5 Qxd5 Nc3 Qa5").unwrap();
    let problem = problem_of(&game);
    let mut seen = 0;
    let enumerated = enumerate_strategies(
        &problem,
        &EnumerationOptions::default(),
        &AllClaims,
        &Cancel::default(),
        &mut |_| {
            seen += 1;
            ControlFlow::Break(())
        },
    );
    assert!(!enumerated.complete && seen == 1);
}

#[test]
fn the_path_can_be_watched() {
    let game = game_of("e4 d5 exd5 Nf6 Nf3 e5 dxe6 Bb4 exf7+ Kxf7 Be2 Rf8 O-O Kg8").unwrap();
    let trail = ProgressTrace::default();
    trail.ask();
    let options = EnumerationOptions { sync_depth: 2, ..EnumerationOptions::default() };
    let mut emit = |_| ControlFlow::Continue(());
    let problem = Problem { plies: game.len() as u16 + 2, ..problem_of(&game) };
    let enumerated =
        enumerate_watched(&problem, &options, &AllClaims, &Cancel::default(), &trail, &mut emit);
    assert!(enumerated.complete && enumerated.nodes > 32);
    let steps = trail.steps();
    assert!(!steps.is_empty() && steps.len() <= STEPS_MAX);
    assert!(matches!(steps[0].decision, NodeDecision::Ends(..)) && steps[0].since.is_some());
    assert!(steps.iter().all(|step| (1..=step.of).contains(&step.number)), "{steps:?}");
    assert!((0.0..1.0).contains(&trail.share()));
    let capture = steps[1].decision.to_string();
    assert!(capture.contains('x'), "{capture}");
}

#[test]
fn ends_too_many_to_be_sorted_give_the_same_strategies() {
    for problem in small(5..8, 6) {
        let (sorted, _) = all(&problem, Rules::default());
        let mut found = BTreeSet::new();
        let mut emit = |leaf: FoundStrategy| {
            assert!(found.insert(leaf.strategy), "{problem}: some strategy comes twice");
            ControlFlow::Continue(())
        };
        let (options, cancel) = (EnumerationOptions::default(), Cancel::default());
        let progress = progress_trace::WalkProgress::new(&cancel, None);
        let mut walk = tree::TreeWalk::new(&problem, &options, &AllClaims, progress, &mut emit);
        walk.ends_max = 0;
        assert!(walk.ends().is_continue());
        assert_eq!(found, sorted.into_iter().collect(), "{problem}");
    }
}
