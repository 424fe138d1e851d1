//! Every cell of endings on random boards, with random pieces and rules, against the graph solver.

use super::with_control;
use crate::fairy::PieceSet;
use crate::game::definition::{BareRoyal, Game, GameRules, MovementPart, PieceSpec, Promotion};
use crate::game::material::OTHERS_MAX;
use crate::game::solved::ILLEGAL;
use crate::game::{GameMaterial, GameTables};
use crate::grid::{Grid, SquareSet};
use crate::rules::Metric;
use crate::tests::reference::random_movement;
use crate::tests::reference::solver::{ReferencePiece, ReferenceRules, ReferenceSolver};
use std::ops::Range;
use std::sync::Arc;
use umbrail_chess::SplitMix64;
use umbrail_chess::geometry::Color;

/// Returns the pieces of a game for the graph solver: for each kind White's, then Black's.
fn pieces(game: &Game) -> Vec<ReferencePiece> {
    let flip = game.flip();
    let squares = usize::from(game.grid.size());
    let flipped = |set: u128| set.squares().fold(0, |all, s| all | u128::bit(flip[usize::from(s)]));
    let piece = |kind: usize, color: Color| {
        let white = color.is_white();
        let piece = &game.pieces[kind];
        let zone = if white { piece.zone } else { flipped(piece.zone) };
        let moves = piece.moves.iter().map(|mv| {
            let template = if white { mv.template } else { mv.template.mapped(&flip) };
            (template, mv.becomes.map(|kind| 2 * usize::from(kind) + usize::from(!white)))
        });
        ReferencePiece::with_moves(color, zone, squares, moves)
    };
    (0..game.pieces.len()).flat_map(|kind| Color::ALL.map(|color| piece(kind, color))).collect()
}

/// Builds an endgame and compares all cells of both directions; returns their number and the
/// longest win.
fn compare(game: &Arc<Game>, name: &str) -> (u64, usize) {
    let material = GameMaterial::read(name, game).unwrap();
    let tables =
        with_control(|control| GameTables::build(game, &material, Metric::Dtm, u64::MAX, control))
            .unwrap();
    let rules = ReferenceRules {
        stalemate_loses: game.rules.stalemate_loses,
        bare_loses: game.rules.bare != BareRoyal::Plays,
        bares_back: game.rules.bare == BareRoyal::LosesUnlessItBares,
        facing: if game.rules.facing { game.pieces[0].facing.clone() } else { vec![] },
    };
    let squares = usize::from(game.grid.size());
    let mut solver = ReferenceSolver::on_board(squares, pieces(game), rules);
    let number = |kind: u8, color: Color| 2 * usize::from(kind) + color.index();
    let (mut cells, mut longest) = (0, 0);
    for winner in Color::ALL {
        let key = material.key(winner);
        let table = &tables.solved[&key];
        let royal = |color: Color| {
            let side = if color == winner { &key.attackers } else { &key.losers };
            number(side[0], color)
        };
        let mut numbers = vec![royal(Color::White), royal(Color::Black)];
        let color = |man: usize| if man < key.strikers() { winner } else { !winner };
        numbers.extend((0..key.others()).map(|man| number(key.kind(man), color(man))));
        let reference = solver.solve(&numbers);
        let turned = |square: u8| {
            if winner.is_white() { square } else { game.grid.flipped(square) }
        };
        for placement in 0..squares.pow(numbers.len() as u32) {
            let square = |n: u32| (placement / squares.pow(n) % squares) as u8;
            let at: Vec<u8> = (0..numbers.len() as u32).map(square).collect();
            let (home, loser) = match winner {
                Color::White => (at[0], at[1]),
                Color::Black => (at[1], at[0]),
            };
            let mut men = [0; OTHERS_MAX];
            for (to, &square) in men.iter_mut().zip(&at[2..]) {
                *to = turned(square);
            }
            if (1..at.len()).any(|n| at[..n].contains(&at[n])) {
                continue;
            }
            for turn in Color::ALL {
                let attacker_moves = turn == winner;
                let cell = table.cell(attacker_moves, turned(home), &men, turned(loser));
                let stored = cell.filter(|&cell| cell != ILLEGAL);
                let stored = stored.and_then(|cell| table.plies(cell, attacker_moves));
                let parity = usize::from(attacker_moves);
                let right = reference.plies(&at, turn).filter(|plies| plies % 2 == parity);
                assert_eq!(stored, right, "{name} on {}, {at:?}, {turn} to move", game.grid);
                cells += 1;
                longest = longest.max(stored.unwrap_or(0));
            }
        }
    }
    (cells, longest)
}

/// Returns a random game: board, pieces `K`, `X`, `Y`, `Z`, and rules.
fn random_game(numbers: &mut SplitMix64, squares_max: u8) -> (Game, String) {
    let mut below = |n: u64| numbers.below(n);
    let mut grid = loop {
        let sides = [4 + below(7) as u8, 4 + below(7) as u8];
        if sides[0] * sides[1] <= squares_max {
            break Grid::new(sides[0], sides[1], below(5) == 0).unwrap();
        }
    };
    if below(5) == 0 {
        let hole = u128::bit(below(u64::from(grid.size())) as u8);
        let other = u128::bit(grid.flipped(hole.first()));
        grid = grid.without(hole | other).unwrap();
    }
    let rules = GameRules {
        stalemate_loses: below(3) == 0,
        bare: [BareRoyal::Plays, BareRoyal::Plays, BareRoyal::Loses, BareRoyal::LosesUnlessItBares]
            [below(4) as usize],
        facing: below(4) == 0,
        fifty_moves: false,
    };
    let royal = ["K", "K", "K", "W", "KD", "F", "mKcK", "nNW"][below(8) as usize];
    let mut definitions = format!("K = {royal}\n");
    for letter in ['X', 'Y', 'Z'] {
        definitions += &loop {
            let line = format!("{letter} = {}\n", random_movement(numbers));
            if PieceSet::with_definitions(&line).is_ok() {
                break line;
            }
        };
    }
    let set = PieceSet::with_definitions(&definitions).unwrap();
    let all = grid.squares();
    let mut below = |n: u64| numbers.below(n);
    let specs = ['K', 'X', 'Y', 'Z'].map(|letter| {
        let piece = set.get(letter).unwrap();
        let width = grid.width();
        let zone = match (letter, below(5)) {
            ('K', 0) => {
                let file = |square: u8| square % width;
                let palace =
                    |square: &u8| file(*square) >= 1 && file(*square) <= 3 && square / width < 3;
                all.squares().filter(palace).fold(0, |set, s| set | u128::bit(s))
            }
            ('X' | 'Y', 0) => all & grid.ranks(1..=3),
            _ => all,
        };
        let last = grid.ranks([grid.height()]);
        let forced = if below(2) == 0 { last } else { 0 };
        let promotes = letter == 'X' && below(2) == 0;
        let promotion =
            promotes.then(|| Promotion { letters: "YZ".to_owned(), zone: last, forced });
        let split = below(4) == 0;
        let half = grid.ranks(1..=grid.height() / 2);
        let other = set.get(if letter == 'X' { 'Y' } else { letter }).unwrap();
        let parts = match split {
            true => vec![
                MovementPart { piece, from: half },
                MovementPart { piece: other, from: all & !half },
            ],
            false => vec![MovementPart { piece, from: all }],
        };
        let (name, movement, double_step) = (String::new(), String::new(), 0);
        PieceSpec { letter, name, movement, parts, zone, promotion, double_step }
    });
    let game = Game::new(grid.to_string(), grid, rules, specs.into()).unwrap();
    (game, definitions.replace('\n', "; "))
}

/// Compares some of the random endings of a seed; returns the cells and the endings that some side
/// wins.
fn compare_random(seed: u64, rounds: Range<u64>, squares: [u8; 3]) -> (u64, usize) {
    let mut numbers = SplitMix64::new(seed);
    let (mut total, mut won) = (0, 0);
    for round in 0..rounds.end {
        let men = 2 + [1, 1, 1, 2, 2, 0][(round % 6) as usize];
        let (game, definitions) = random_game(&mut numbers, squares[men - 2]);
        let names: &[&str] = match men {
            2 => &["K.K", "Z.Z"],
            3 => &["KX.K", "ZY.K", "K.KX", "KY.Z"],
            _ => &["KX.KX", "KXY.K", "KYY.K", "KX.KZ", "K.KXX"],
        };
        let name = names[numbers.below(names.len() as u64) as usize];
        if round < rounds.start {
            continue;
        }
        eprintln!("{round}: {name} on {} {:?} {definitions}", game.grid, game.rules);
        let (cells, longest) = compare(&Arc::new(game), name);
        total += cells;
        won += usize::from(longest > 2);
    }
    (total, won)
}

#[test]
fn random_games_agree_with_the_graph_solver() {
    let (cells, won) = compare_random(1, 0..60, [100, 64, 25]);
    assert!(cells > 3_000_000 && won > 10, "{cells} {won}");
}

/// A part of three hundred games on boards up to 100 squares.
fn nightly(part: u64) {
    let (cells, won) = compare_random(2, 50 * part..50 * (part + 1), [100, 100, 49]);
    assert!(cells > 10_000_000 && won > 10, "{cells} {won}");
}

/// Declares the parts as tests of their own, which may run at the same time.
macro_rules! nightly {
    ($($name:ident: $part:expr,)*) => {$(
        #[test]
        #[ignore = "nightly: minutes"]
        fn $name() {
            nightly($part);
        }
    )*};
}

nightly! {
    games_1_to_50_agree_with_the_graph_solver: 0,
    games_51_to_100_agree_with_the_graph_solver: 1,
    games_101_to_150_agree_with_the_graph_solver: 2,
    games_151_to_200_agree_with_the_graph_solver: 3,
    games_201_to_250_agree_with_the_graph_solver: 4,
    games_251_to_300_agree_with_the_graph_solver: 5,
}
