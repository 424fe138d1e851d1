//! Figures of others for boards of other sizes and for fairy pieces. `docs/tables.md` lists them
//! with those of games, which are in `presets.rs`.

use super::{build, on};
use umbrail_chess::geometry::Color;

/// Returns the longest win of White in moves.
fn moves(board: &str, definitions: &str, name: &str) -> usize {
    build(&on(board, definitions), name).longest_win(Color::White).div_ceil(2)
}

/// Checks the longest win in moves on square boards, from `first` files on.
fn on_square_boards(name: &str, first: usize, published: &[usize]) {
    for (side, &expected) in (first..).zip(published) {
        assert_eq!(moves(&format!("{side}x{side}"), "", name), expected, "{name} on {side}x{side}");
    }
}

/// Vaclav Kotesovec, OEIS A225551, A225552, A225556 and A227437: longest checkmates on n x n
/// boards.
#[test]
fn kotesovec_on_small_boards() {
    on_square_boards("KQ.K", 4, &[4, 6, 7, 8, 10, 11, 12, 14]);
    on_square_boards("KR.K", 4, &[7, 10, 12, 14, 16, 18, 21, 23]);
    on_square_boards("KBN.K", 4, &[14, 13, 22, 21]);
    on_square_boards("KNNN.K", 4, &[10, 10]);
}

/// The same sequences on larger boards.
#[test]
#[ignore = "nightly: minutes"]
fn kotesovec_on_large_boards() {
    on_square_boards("KBN.K", 8, &[33, 29, 47, 39]);
    on_square_boards("KNNN.K", 6, &[16, 18, 21]);
}

/// H. G. Muller: pieces of Chess with Different Armies with their king (chessvariants.com, comments
/// of May 2019).
#[test]
fn muller_on_pieces_that_mate_alone() {
    for (movement, expected) in [("W4", 17), ("WD", 29), ("HFD", 27)] {
        assert_eq!(moves("8x8", &format!("X = {movement}"), "KX.K"), expected, "{movement}");
    }
}
