//! Lengths of endings on other boards.

use super::{build, on, with_control};
use umbrail_chess::geometry::Color;

/// Checks White's longest win in plies.
fn longest(board: &str, definitions: &str, name: &str, plies: usize) {
    let tables = build(&on(board, definitions), name);
    assert_eq!(tables.statistics().max_win(Color::White), plies, "{name} on {board}");
}

/// Lengths from a prototype of this method and its twin without words.
#[test]
fn queen_against_rook_on_other_boards() {
    longest("4x4", "", "KQ.KR", 39);
    longest("6x6", "", "KQ.KR", 45);
    longest("8x7", "", "KQ.KR", 65);
    longest("8x8", "", "KQ.KR", 69);
    longest("8x8c", "", "KQ.KR", 47);
}

#[test]
#[ignore = "nightly: minutes"]
fn queen_against_rook_on_large_boards() {
    longest("10x8", "", "KQ.KR", 109);
    longest("9x10", "", "KQ.KR", 101);
    longest("10x10", "", "KQ.KR", 107);
    longest("11x11", "", "KQ.KR", 137);
    longest("10x8", "", "KBN.K", 77);
}

#[test]
fn verified_tables_agree_with_their_moves() {
    for (board, definitions, name) in [
        ("5x5", "", "KP.K"),
        ("4x6", "X = gQ", "KX.KR"),
        ("6x5c", "X = KNADcaKmcabK", "KX.K"),
        ("10x8", "A = BN", "KA.K"),
        ("4x5", "", "KP.KP"),
    ] {
        let tables = build(&on(board, definitions), name);
        let verdict = with_control(|control| tables.verify(1, control)).unwrap();
        assert_eq!(verdict.faults, [""; 0], "{name} on {board}");
        assert!(verdict.checked > 10_000);
    }
}
