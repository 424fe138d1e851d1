//! Fairy conditions: counts of Popeye 4.104 for problems with all solutions, and walk tests.

use super::walk::walk;
use super::{ARRAY, Case, Way};
use crate::positions::conditions::{BoardPattern, Circe, LosingChess, Pattern};
use crate::positions::problem::Turns;
use crate::positions::rules::RuleSet;

fn check<R: RuleSet>(rules: R, start: &str, target: &str, plies: u16, expected: u128) {
    let case = Case { start, target, plies, turns: Turns::Alternating };
    assert_eq!(case.solve(rules, Way::default(), 3).0, expected, "{target} in {plies}");
}

#[test]
fn monochromatic_problems() {
    for (start, target, plies, games) in [
        (ARRAY, "rnbqkbnr/p1pp1ppp/8/1p2p3/1P5P/8/P1PPPPP1/RNBQKBNR", 4, 4),
        (ARRAY, "rnbqkbnr/1p1ppppp/8/p1p5/P2P1P2/8/1PP1P1PP/RNBQKBNR", 5, 12),
        (
            "rnbqkbnr/p1pppp1p/8/1p4p1/5PP1/8/PPPPP2P/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/p1pppp1p/8/6P1/p5P1/8/1PPPP2P/RNBQKBNR",
            3,
            1,
        ),
        (
            "rnbqk1nr/pppp1ppp/8/4p3/P7/b7/1PPPPPPP/1NBQKBNR w Kkq - 0 1",
            "rnb1k1nr/pppp1ppp/8/4p3/P6P/P7/2PPPKP1/1NBQ1BNR",
            5,
            2,
        ),
        (ARRAY, "rn1qkbnr/p1pppp1Q/8/1p4p1/3Pb3/8/PPP2PPP/RNB1KBNR", 8, 19),
    ] {
        check(BoardPattern(Pattern::Monochromatic), start, target, plies, games);
    }
}

#[test]
fn bichromatic_problems() {
    for (start, target, plies, games) in [
        (ARRAY, "rnbqkbnr/1ppppp1p/p5p1/8/8/NPP5/P2PPPPP/R1BQKBNR", 5, 12),
        (ARRAY, "r1bqkbnr/pppppp2/n5pp/8/8/3P1N2/PPP1PPPP/R1BQKBNR", 6, 6),
        (
            "r1bqkbnr/pppnpppp/3p4/8/8/3P1N2/PPP1PPPP/RNBQKB1R w KQkq - 0 1",
            "r1bqkbnr/ppp2ppp/1n1pp3/8/8/3P4/PPPNPPPP/R1BQKBNR",
            4,
            4,
        ),
        (
            "r1bqkbnr/pppppppp/8/8/3n4/P6N/1PPPPPPP/RNBQKB1R w KQkq - 0 1",
            "r1bqkbnr/pp1ppppp/2p5/8/8/P2P3N/1PPNnPPP/R1BQKBR1",
            5,
            6,
        ),
    ] {
        check(BoardPattern(Pattern::Bichromatic), start, target, plies, games);
    }
}

#[test]
fn grid_problems() {
    for (start, target, plies, games) in [
        (ARRAY, "rnbqkb1r/pppp1p1p/7n/4p1p1/P2P4/7N/1PP1PPPP/RNBQKB1R", 6, 36),
        (
            "rnbqkbnr/1pppp1pp/5p2/p7/1P6/5P2/P1PPP1PP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/1pppp2p/5pp1/P7/8/4PP2/P1PP2PP/RNBQKBNR",
            3,
            2,
        ),
        (
            "rnbqkbnr/ppp1ppp1/3p4/7p/7P/6P1/PPPPPP2/RNBQKBNR w KQkq - 0 1",
            "rnbqkb1r/ppp1pp2/3p1n2/6Pp/4P3/6P1/PPPP1P2/RNBQKBNR",
            4,
            1,
        ),
    ] {
        check(BoardPattern(Pattern::Grid), start, target, plies, games);
    }
}

#[test]
fn losing_chess_problems() {
    for (start, target, plies, games) in [
        (ARRAY, "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR", 1, 1),
        (ARRAY, "r1bqkbnr/pppppppp/8/8/1n2PP2/7P/PPPP2P1/RNBQKBNR", 5, 10),
        (ARRAY, "rnbqkbr1/pppppppp/8/8/1P4n1/N5P1/P1PPPP1P/1RBQKBNR", 7, 24),
        (
            "rnbqkb1r/ppppppp1/7n/8/3P4/8/PPP1PPPP/RN1QKBNR w KQkq - 0 1",
            "rnbqkb1r/ppppp1p1/5p1n/8/3PP3/2N5/PPP2PPP/R2QKBNR",
            3,
            2,
        ),
        // Popeye's regression test 4.51 to 4.53, no. 15.
        (ARRAY, "rnb1k1nr/pp1pppbp/2p5/8/8/8/P1PPP1PP/1NBQ1RK1", 17, 0),
    ] {
        check(LosingChess, start, target, plies, games);
    }
}

#[test]
fn circe_problems() {
    for (start, target, plies, games) in [
        (ARRAY, "rnbqkbnr/ppppp2p/6p1/5p2/P7/1P6/2PPPPPP/RNBQKBNR", 4, 4),
        (ARRAY, "rnbq1bnr/pppp1kpp/4p3/8/8/N7/PPPPPPPP/R1BQKB1R", 7, 9),
        (
            "rnbqkbnr/ppppp1pp/8/5p2/8/P4P2/1PPPP1PP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppp2pp/8/4pp2/6P1/P4P1P/1PPPP3/RNBQKBNR",
            3,
            2,
        ),
        (
            "rnbqkbnr/ppp1ppp1/3p4/7p/8/6PP/PPPPPP2/RNBQKBNR w KQkq - 0 1",
            "r1bqkb1r/pppnppp1/3p3n/7p/5P1P/6P1/PPPPP3/RNBQKBNR",
            4,
            4,
        ),
        (ARRAY, "rnbqkbnr/2pppppp/1p6/8/1p2P2P/8/PPPPKPP1/RNBQ1BNR", 8, 57),
    ] {
        check(Circe, start, target, plies, games);
    }
}

#[test]
fn no_bound_loses_a_position_of_fairy_games() {
    let turns = Turns::Alternating;
    let tested = [
        walk(&BoardPattern(Pattern::Monochromatic), ARRAY, turns, 300, 31),
        walk(&BoardPattern(Pattern::Bichromatic), ARRAY, turns, 300, 32),
        walk(&BoardPattern(Pattern::Grid), ARRAY, turns, 300, 33),
        walk(&LosingChess, ARRAY, turns, 300, 34),
        walk(&Circe, ARRAY, turns, 600, 35),
        walk(&Circe, "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", turns, 600, 36),
    ];
    for [positions, _] in tested {
        assert!(positions > 3_000, "{tested:?}");
    }
    assert!(tested[5][1] > 100, "{tested:?}");
}
