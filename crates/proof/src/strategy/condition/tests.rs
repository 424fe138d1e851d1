//! Tests of the condition language, row by row of the manual, and of its errors.

use crate::strategy::condition::*;
use crate::{game_of, project};

fn parsed(text: &str) -> Condition {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(text: &str) -> String {
    text.parse::<Condition>().expect_err(text).to_string()
}

/// Returns true if the strategy of a game fulfils a condition, with the given moves needed by the
/// piece `who`.
fn passes(game: &str, condition: &str) -> bool {
    let strategy = project(&game_of(game).unwrap()).unwrap();
    let mut needed = [0; 32];
    // Enough for these tests: a piece that rests at home without milestones has not moved.
    for (piece, route) in strategy.routes() {
        needed[piece.index()] = u8::from(route.last_square() != piece.origin());
    }
    parsed(condition).holds(&Analysed { strategy: &strategy, needed: &needed, free: [2, 0] })
}

const ITALIAN: &str = "e4 e5 Nf3 Nc6 Bc4 Bc5 Bxf7+ Kxf7 O-O Nf6 Nxe5+ Nxe5 d4 Bxd4";

#[test]
fn every_row_of_the_tables_is_understood() {
    let rows = "Sb1-c4|Sb1-b1|Sb1xb1|Sb1xc4|Sb1_c4|Sb1_xc4|Sb1__c4|Sb1.a|Sb1.d|Sb1<|Sb1<.a|Sb1<.d|\
        Sb1<.Qd8:|Sb1-c1<.Qd8:|Sb1.Qd8:|Pa2xb5|Pa2xQd8|Pa2xQd8 b5|Pa2=R|Pa2-a8=R|Pa2xb5=R|Pa2xb5=R-c4<|\
        Kg1-g1-h2<|Kc1-c1-h2<|Kg8-g8-h2<|Kc8-c8-h2<|fm:w>=5|cc:Sb1>=3|ml:Sb1<5|\
        Pc2-c8=B-e6<.Pf7: AND Ra1-a4<.a|Pa2xSg8_b8=RxQd8_c4.a|NOT Sb1<.a AND fm:b=0";
    for row in rows.split('|') {
        parsed(row);
    }
    // The bar that the manual prints for the underscore, with and without blanks.
    assert_eq!(parsed("Pa2xSg8 | b8=RxQd8 | c4.a"), parsed("Pa2xSg8_b8=RxQd8_c4.a"));
    assert_eq!(parsed("Pa2xNg8"), parsed("Pa2xSg8"));
}

#[test]
fn paths_are_matched_from_the_origin() {
    for (condition, holds) in [
        ("Sg1-f3", false),
        ("Sg1xPe7 e5<.Sb8:", true),
        ("Sg1xe5", true),
        ("Sg1xPd7", false),
        ("Sg1.d", true),
        ("Sg1.a", false),
        ("Bf1-c4", false),
        ("Bf1xPf7<.Ke8:", true),
        ("Bf1_f7", true),
        ("Bf1<", false),
        ("Sb1<.a", true),
        ("Sb1<.d", false),
        ("Kg1<.a", true),
        ("Kg1-g1<", true),
        ("Kc1", false),
        ("Rf1<.a", true),
        ("Rh1-f1<", true),
        ("Pd2-d4<.Bf8:", true),
        ("Pd2.Bf8:", true),
        ("Pd2.Bc8:", false),
        ("Sb8_xSg1 e5", true),
        ("Sb8__e5<.a", true),
        ("Ke8xf7<", true),
        ("cc:Ke8=1 AND cc:Ke1=0", true),
        ("cc:Ke8>1 OR fm:w>=2", true),
        ("fm:w<2", false),
        ("ml:Sb1=0 AND NOT ml:Sb8=0", true),
        ("NOT Sb1<.a AND fm:w=2", false),
        ("NOT (Sb1<.d AND fm:w=2)", true),
    ] {
        assert_eq!(passes(ITALIAN, condition), holds, "{condition}");
    }
}

#[test]
fn promotions_are_stops() {
    let game = "a4 b5 axb5 a6 bxa6 c6 a7 Qc7 axb8=N Qxb8";
    for (condition, holds) in [
        ("Pa2xPb7 b5xPa7_xb8=S<.Qd8:", true),
        ("Pa2xb5xa6xb8=S", true),
        ("Pa2xb5xa6xb8=Q", false),
        ("Pa2__xSb8=N", true),
        ("Pa2=S", false),
        ("Pa2xb5=S", false),
        ("Pb7-b5.Pa2:", true),
    ] {
        assert_eq!(passes(game, condition), holds, "{condition}");
    }
    let game = "h4 g5 hxg5 h5 g6 h4 g7 h3 gxh8=R hxg2 R8h5 gxh1=Q";
    assert!(passes(game, "Ph7xPg2 g2xRh1 h1=Q"));
    assert!(passes(game, "Ph2xPg7_xh8=R-h5<.a"));
    assert!(!passes("h4 g5 hxg5 Nf6 g6 Nh5 g7 Nf6 g8=R h6", "Ph2-g8=R"));
    assert!(passes("h4 g5 hxg5 Nf6 g6 Nh5 g7 Nf6 g8=R h6", "Ph2xg5=R<"));
}

#[test]
fn errors_point_at_a_column() {
    for (text, error) in [
        (
            "",
            "condition, column 1: expected a man by its first square (Sb1, Pa2, Kg1 for a king that castles), fm:, cc:, ml:, NOT or a bracket",
        ),
        (
            "Sb1-c4 AND Sb1 OR Pa2",
            "condition, column 16: AND and OR beside each other need brackets: ((A OR B) AND C) or (A OR (B AND C))",
        ),
        ("(Sb1", "condition, column 1: this bracket is never closed"),
        ("Sb1)", "condition, column 4: ')' closes no bracket"),
        ("Sc4-d6", "condition, column 1: no piece starts on c4"),
        ("Qb1", "condition, column 1: Sb1 starts on b1, not Qb1"),
        ("Kf1-f1", "condition, column 1: no king starts on f1 or castles there"),
        ("Sb1=Q", "condition, column 4: Sb1 is not a pawn and cannot promote"),
        ("Pa2=K", "condition, column 5: a pawn becomes Q, R, B or S"),
        ("ml:Sb1<x", "condition, column 8: ml must be compared with a whole number"),
        ("fm:x>2", "condition, column 4: fm: must name w or b, as in fm:w>=5"),
        ("fm:w2", "condition, column 5: fm must be followed by one of < <= = >= >"),
        (
            "Sb1.x",
            "condition, column 5: expected how it ends: .a (alive), .d (dead) or .Qd8: (taken by Qd8)",
        ),
        ("Sb1-c9", "condition, column 5: expected a square such as c4"),
        ("Sb1 Pa2", "condition, column 5: expected AND, OR or the end, found 'P'"),
    ] {
        assert_eq!(refused(text), error);
    }
    let deep = "(".repeat(100_000);
    assert!(refused(&deep).contains("too many brackets"));
}
