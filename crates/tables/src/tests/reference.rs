//! Every cell of endgames of all kinds of pieces against a plain graph solver.

pub(crate) mod solver;

use super::build_with;
use crate::fairy::PieceSet;
use crate::layout::Others;
use crate::rules::{Metric, Rules};
use crate::tablebase::Tablebase;
use rayon::prelude::*;
use solver::{Reference, ReferencePiece, ReferenceSolver};
use umbrail_chess::SplitMix64;
use umbrail_chess::geometry::Color;

/// Builds an endgame both ways and compares all cells; returns their number and the longest win.
fn agrees(name: &str, definitions: &str) -> (u64, usize) {
    let set = PieceSet::with_definitions(definitions).unwrap();
    let mut table = build_with(name, &Rules::orthodox(Metric::Dtm), &set);
    let material = table.material().canonical();
    let [white, black] = Color::ALL.map(|color| material.side(color));
    let piece = |color| move |piece: &_| ReferencePiece::new(piece, color);
    let (whites, blacks) = (white.iter().map(|p| piece(Color::White)(&**p)), &black);
    let mut all: Vec<ReferencePiece> = whites.collect();
    all.splice(1..1, blacks.iter().map(|p| piece(Color::Black)(&**p)));
    // Royals first: White's, Black's, then White's other pieces and Black's.
    let others = blacks.len() - 1;
    all[2..].rotate_left(others);
    let count = all.len();
    let reference = ReferenceSolver::new(all).solve(&(0..count).collect::<Vec<_>>());
    let (mut cells, mut longest) = (0, 0);
    for winner in Color::ALL {
        let (compared, plies) = compare(&mut table, &reference, winner, [white.len(), black.len()])
            .unwrap_or_else(|fault| panic!("{name} {definitions}: {fault}"));
        (cells, longest) = (cells + compared, longest.max(plies));
    }
    (cells, longest)
}

/// Compares the cells of one direction.
fn compare(
    table: &mut Tablebase,
    reference: &Reference,
    winner: Color,
    [whites, blacks]: [usize; 2],
) -> Result<(u64, usize), String> {
    let keys = table.keys();
    let key = &keys[winner.index()];
    let Some(solved) = table.table_set.whole(key) else { return Err("no table".to_owned()) };
    let turned = |square: u8| if winner.is_white() { square } else { square ^ 56 };
    let others = whites + blacks - 2;
    let (mut cells, mut longest) = (0, 0);
    for number in 0..64usize.pow(others as u32 + 2) {
        let square = |n: usize| (number >> (6 * n) & 63) as u8;
        let squares: Vec<u8> = (0..others + 2).map(square).collect();
        if (1..squares.len()).any(|n| squares[..n].contains(&squares[n])) {
            continue;
        }
        let (royal, loser) = match winner {
            Color::White => (squares[0], squares[1]),
            Color::Black => (squares[1], squares[0]),
        };
        let mut pieces: Others = Others::default();
        let first = if winner.is_white() { 0 } else { whites - 1 };
        for n in 0..others {
            pieces[n] = turned(squares[2 + (first + n) % others.max(1)]);
        }
        for turn in Color::ALL {
            let (word, spot) = match turn == winner {
                true => solved.won_word(turned(royal), &pieces),
                false => solved.lost_word(turned(royal), &pieces),
            };
            let stored = match (word >> turned(loser) & 1 != 0, turn == winner) {
                (false, _) => None,
                (true, true) => solved.won_ply(spot, turned(loser)),
                (true, false) => solved.lost_ply(spot, turned(loser)),
            };
            // The winner wins in an odd number of plies, and the loser loses in an even one.
            let parity = usize::from(turn == winner);
            let right = reference.plies(&squares, turn).filter(|plies| plies % 2 == parity);
            if stored != right {
                return Err(format!("{squares:?}, {turn} to move: {stored:?}, not {right:?}"));
            }
            cells += 1;
            longest = longest.max(stored.unwrap_or(0));
        }
    }
    Ok((cells, longest))
}

/// Returns a random movement of any kind.
pub(crate) fn random_movement(numbers: &mut SplitMix64) -> String {
    let mut pick = |list: &[&str]| list[numbers.below(list.len() as u64) as usize].to_owned();
    let mut text = String::new();
    for part in 0..3 {
        let directions = pick(&["", "", "", "", "", "", "f", "s", "v", "b", "l", "fr"]);
        let use_ = pick(&["", "", "", "", "m", "c"]);
        text += &match pick(&["step", "lame", "hop", "leap", "bent", "locust", "odd"]).as_str() {
            "step" => {
                directions
                    + &use_
                    + &pick(&["W", "F", "D", "N", "A", "R", "B", "N0", "W3", "(1,3)"])
            }
            "lame" => {
                directions
                    + &use_
                    + &pick(&["n", "n", "j"])
                    + &pick(&["N", "D", "A", "Z", "H", "D0", "N2"])
            }
            "hop" => {
                directions
                    + &use_
                    + &pick(&["p", "g", "pj", "gj"])
                    + &pick(&["R", "B", "Q", "N0", "R3"])
            }
            "leap" => {
                directions
                    + &use_
                    + &pick(&["oW", "oR", "oN", "oB", "zB", "zR", "qN0", "jR", "jjB"])
            }
            "bent" => {
                pick(&["ya", "a", "pa", "ta", "ga", "mpa", "yga"]).replace("yg", "g")
                    + &pick(&["fs", "f", "", "s", "b"])
                    + &use_
                    + &pick(&["W", "F", "K", "R", "D"])
            }
            "locust" => {
                pick(&["c", "mc", "cp", "cy"])
                    + "a"
                    + &pick(&["f", "b", "", "fs"])
                    + &pick(&["m", "", "c"])
                    + &pick(&["W", "F", "K", "R", "D"])
            }
            _ => pick(&[
                "afsafsmW", "cafcafmF", "nDafsW", "fmWfcF", "mRcpR", "FyafsF", "WyafsW", "mcabK",
                "pafpafmW", "oyafsF",
            ]),
        };
        if part == 0 && pick(&["one", "more", "more"]) == "one" {
            break;
        }
    }
    text
}

/// Compares random endings of three pieces, and of four every `four`-th time; returns the cells
/// and the endings that some side wins.
fn compare_random(seed: u64, rounds: u64, four: u64) -> (u64, usize) {
    let mut numbers = SplitMix64::new(seed);
    let endings: Vec<(&str, String)> = (1..=rounds)
        .map(|round| {
            let mut definitions = String::new();
            for letter in ['X', 'Y', 'Z'] {
                let line = loop {
                    let line = format!("{letter} = {}\n", random_movement(&mut numbers));
                    if PieceSet::with_definitions(&line).is_ok() {
                        break line;
                    }
                };
                definitions += &line;
            }
            let names: &[&str] = match round % four {
                0 => &["KX.KY", "KXY.K", "XY.KZ", "KXX.K", "KX.YZ", "K.KXY"],
                _ => &["KX.K", "XY.K", "KX.K", "XX.K", "K.KZ", "KX.Z", "X.Y"],
            };
            (names[numbers.below(names.len() as u64) as usize], definitions)
        })
        .collect();
    let found: Vec<(u64, usize)> = endings
        .par_iter()
        .map(|(name, definitions)| {
            let (cells, longest) = agrees(name, definitions);
            eprintln!("{name} {}: {longest}", definitions.replace('\n', "; "));
            (cells, longest)
        })
        .collect();
    let won = found.iter().filter(|(_, longest)| *longest > 2).count();
    (found.iter().map(|(cells, _)| cells).sum(), won)
}

#[test]
fn usual_endings_agree_with_the_graph_solver() {
    for (name, definitions, plies) in [
        ("KR.K", "", 32),
        ("KX.K", "X = gQ", 0),
        ("KX.K", "X = KNADcaKmcabK", 10),
        ("KX.K", "X = FyafsF", 18),
    ] {
        let (cells, longest) = agrees(name, definitions);
        eprintln!("{name} {definitions}: {longest}");
        assert!(cells > 900_000);
        assert!(plies == 0 || longest == plies, "{name} {definitions}: {longest}");
    }
}

#[test]
fn random_endings_agree_with_the_graph_solver() {
    let (cells, won) = compare_random(1, 12, 13);
    assert!(cells > 9_000_000 && won >= 4, "{cells} {won}");
}

/// Three hundred endings, every fifth of four pieces.
#[test]
#[ignore = "nightly: about an hour"]
fn hundreds_of_random_endings_agree_with_the_graph_solver() {
    let (cells, won) = compare_random(2, 300, 5);
    assert!(cells > 1_000_000_000 && won > 150, "{cells} {won}");
}
