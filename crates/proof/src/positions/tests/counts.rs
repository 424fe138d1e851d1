//! Problems with known numbers of games.
//!
//! Sources: examples and regression tests of Popeye (github.com/thomas-maeder/popeye), the Natch
//! test suite, and the collections named. Popeye confirms the counts of all short ones.

use super::{ARRAY, Case, Way};
use crate::positions::rules::Orthodox;
use crate::positions::turns::Turns;

fn check(case: Case<'_>, expected: u128) {
    let (games, ..) = case.solve(Orthodox, Way::default(), 3);
    assert_eq!(games, expected, "{} in {}", case.target, case.plies);
}

fn from<'a>(start: &'a str, target: &'a str, plies: u16) -> Case<'a> {
    Case { start, target, plies, turns: Turns::Alternating }
}

#[test]
fn proof_games_from_the_array() {
    check(Case::dia("rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R", 3), 1);
    check(Case::dia("rn1qkbnr/ppp1pppp/3p4/5b2/8/N4N2/PPPPPPPP/R1BQKB1R", 4), 2);
    check(Case::dia("rnbqkbn1/pppppppr/8/7p/6PP/2P5/PP1PPP2/RNBQKBNR", 5), 6);
    check(Case::dia("r1bqkbnr/ppp2ppp/3p4/8/8/8/PPPPPPPP/R1BQKBNR", 8), 1);
    check(Case::dia("rn1qkbnr/ppp1pppp/3p4/8/4P3/8/PPPP1PPP/RNBQKBNR", 7), 1);
    check(Case::dia("rnbqkbnr/ppp2ppp/3pp3/8/8/1PP5/P2PPPPP/RNB1KBNR", 8), 1);
    check(Case::dia("rnbqkb1r/ppp2ppp/8/8/8/8/PPPPPPPP/RNBQKB1R", 8), 1);
    check(Case::dia("rnbq1bnr/pppppkpB/5p2/8/8/4P3/PPPP1PPP/RNBQK1NR", 5), 1);
}

#[test]
fn longer_proof_games() {
    // Popeye's BEISPIEL/proof.inp, nos. 5 and 8.
    check(Case::dia("rn2qbnr/ppp1p1pp/5k2/8/5p2/5P2/PPPPb1PP/RNBQKBNR", 14), 1);
    check(Case::dia("nrbqkbrn/pppppppp/8/3B4/4QK2/6P1/PPPPPP1P/RNB3NR", 20), 1);
    // abrobecker.free.fr, no. 8; anselan.com, C02.
    check(Case::dia("2b1kbnr/2p1pppp/8/8/8/8/1PPP1PPP/R1BQKBNR", 13), 1);
    check(Case::dia("2b1kbnr/p1p1pppp/8/8/8/8/P2P1PPP/RNBQKBNR", 13), 1);
}

#[test]
fn the_same_diagram_has_games_in_some_lengths_only() {
    // Neither side can lose a single move (Popeye's regression test 4.55 to 4.57, no. 26).
    let target = "rnbqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    check(Case::dia(target, 14), 0);
    let (games, ..) = Case::dia(target, 12).solve(Orthodox, Way::default(), 5);
    assert!(games >= 5, "{games}");
}

#[test]
fn games_from_other_starts() {
    // N. Geissler and O. Sick, Andernach 2001 (Popeye's BEISPIEL/atob.inp no. 3).
    check(from("8/P1Pk1P2/8/3P3K/8/8/2p4p/8 b - - 0 1", "8/3k4/8/7K/8/8/8/8", 11), 1);
    let start = "rnbqkbnr/1ppppp1p/8/p5p1/8/4P3/PPPPQPPP/RNB1KBNR w KQkq - 0 1";
    check(from(start, "rnbqkbnr/3ppp1p/Qp6/p1p3p1/4P3/8/PPPP1PPP/RNB1KBNR", 4), 4);
    // Without a white king, by en passant too (regression test 4.55 to 4.57, no. 20).
    check(from("6k1/2p5/8/3P4/8/8/B7/8 b - - 0 1", "6k1/8/2P5/8/8/8/B7/8", 2), 2);
}

#[test]
fn series_movers() {
    check(Case::series("rnbqkbnr/ppp1Rppp/2Q5/6B1/P7/3PP3/1PP2PPP/1N2KBNR", 10), 1);
    check(Case::series("rnbqkQnr/pppp1ppp/8/8/8/B7/PPP1PPPP/RNB1KBNR", 8), 1);
    check(Case::series("rnbqkRnr/pppp1ppp/3Q4/8/8/8/PPP1PPPP/RNB1KBNR", 6), 1);
    check(Case::series("rnbqkR2/ppppppP1/8/8/8/8/PPPPPPP1/RNBQKBN1", 8), 1);
    check(Case::series("rnbqkb1r/pppppp2/5N2/4Q3/8/2P5/PP1PPPPP/R1B1KBNR", 9), 1);
    check(Case::series("rnbqkb1R/ppppppN1/8/8/8/8/PPPPPPP1/RNBQKBN1", 12), 1);
    check(Case::series("rnbqkb2/pppppB1p/8/8/5R2/8/PPPPPP2/RNBQKBNR", 14), 1);
    let series = |start, target, plies| Case { turns: Turns::Series, ..from(start, target, plies) };
    check(series("7r/8/8/8/p7/8/K7/8 w - - 0 1", "7r/8/8/8/K7/8/8/8", 2), 1);
    check(series("8/8/8/8/8/2k5/r4B2/4K3 w - - 0 1", "8/8/8/7K/8/2k5/8/4B3", 12), 1);
}

#[test]
fn a_massacre() {
    // Popeye's BEISPIEL/proof.inp no. 9: 28 captures in 31 plies.
    let case = Case::dia("8/5k2/8/8/8/8/3K4/6Nb", 31);
    let (games, _, nodes) = case.solve(Orthodox, Way::default(), 3);
    assert_eq!(games, 1);
    assert!((100_000..2_000_000).contains(&nodes), "{nodes}");
}

#[test]
fn threads_and_tables_change_no_number() {
    let cases = [
        Case::dia("rnbqkbn1/pppppppr/8/7p/6PP/2P5/PP1PPP2/RNBQKBNR", 5),
        Case::dia("r1bqkbnr/ppp2ppp/3p4/8/8/8/PPPPPPPP/R1BQKBNR", 8),
        from("8/P1Pk1P2/8/3P3K/8/8/2p4p/8 b - - 0 1", "8/3k4/8/7K/8/8/8/8", 11),
        from(ARRAY, "rnb1kbnr/pppp1ppp/5q2/4p3/4P3/8/PPPPQPPP/RNB1KBNR", 5),
    ];
    for case in cases {
        let counts: Vec<u128> = [(1, 16 << 20), (3, 16 << 20), (1, 1 << 13), (2, 1 << 13)]
            .into_iter()
            .map(|(threads, table_bytes)| {
                let way = Way { threads, table_bytes, ..Way::default() };
                let (games, list, _) = case.solve(Orthodox, way, 1_000);
                let mut distinct = list.clone();
                distinct.sort_by_key(|game| game.iter().map(|mv| mv.to_move()).collect::<Vec<_>>());
                distinct.dedup();
                assert_eq!(distinct.len(), list.len());
                games
            })
            .collect();
        assert!(counts.iter().all(|&count| count == counts[0]), "{}: {counts:?}", case.target);
    }
}

/// Golden figures of long problems; run with `--release` and `--ignored`.
#[test]
#[ignore = "minutes in a release build"]
fn great_massacres() {
    let way = Way { table_bytes: 512 << 20, threads: 2, ..Way::default() };
    for (target, plies, expected) in [
        // G. Wilts and N. Geissler, Phénix 28, 1994, no. 1936; the same authors, 1998 (P0005399).
        ("5k2/8/8/6B1/8/8/8/5K2", 33, 1),
        ("1B6/3k4/8/8/8/8/5K2/8", 33, 1),
    ] {
        let began = std::time::Instant::now();
        let (games, _, nodes) = Case::dia(target, plies).solve(Orthodox, way, 3);
        eprintln!("{target} {plies}: {games} games, {nodes} nodes, {:?}", began.elapsed());
        assert_eq!(games, expected, "{target}");
    }
}
