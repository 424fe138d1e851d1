//! Legal moves against those of other generators.

use super::FairyBoard;
use crate::fairy::PieceSet;

fn perft(board: &FairyBoard, depth: u32) -> u64 {
    let piece_set = PieceSet::default();
    let promotions: Vec<_> = "QRBN".chars().filter_map(|l| piece_set.get(l).cloned()).collect();
    let moves = board.moves_to(&promotions);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|mv| perft(&board.after(mv), depth - 1)).sum()
}

fn check(fen: &str, depth: u32, nodes: u64) {
    let setup = fen.parse().unwrap();
    let board = FairyBoard::read(&setup, &PieceSet::default(), ['K', 'K']).unwrap();
    assert_eq!(perft(&board, depth), nodes, "{fen}");
}

/// Node counts are from the generator of `shakmaty`, in `oracle` below.
#[test]
fn moves_agree_with_the_oracle() {
    for fen in [
        "8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P3/8 w - - 0 1",
        "8/P7/8/4k3/8/8/p7/4K3 w - - 0 1",
        "8/8/8/1k6/3Pp3/8/8/7K b - d3 0 1",
        "8/6P1/5k2/8/3p4/8/4P3/K7 w - - 0 1",
        "4k2r/8/8/8/8/8/6q1/R3K2R w KQk - 0 1",
        "r3k3/8/8/8/3b4/8/8/R3K2R b KQq - 0 1",
        "8/8/8/8/8/3k4/8/R3K2R w KQ - 0 1",
    ] {
        if let Some(nodes) = oracle(fen, 3) {
            check(fen, 3, nodes);
        }
    }
}

fn oracle(fen: &str, depth: u32) -> Option<u64> {
    use shakmaty::{CastlingMode, Chess, fen::Fen};
    let pieces = fen.split(' ').next()?.chars().filter(char::is_ascii_alphabetic).count();
    if pieces > crate::material::PIECES_MAX {
        return None;
    }
    let position: Chess = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?;
    Some(shakmaty::perft(&position, depth))
}

fn moves(fen: &str, definitions: &str) -> Vec<String> {
    let pieces = PieceSet::with_definitions(definitions).unwrap();
    let board = FairyBoard::read(&fen.parse().unwrap(), &pieces, ['K', 'K']).unwrap();
    let mut names: Vec<String> = board.moves().iter().map(ToString::to_string).collect();
    names.sort_unstable();
    names
}

#[test]
fn bent_pieces_move_pin_and_capture_on_their_way() {
    // A cannon checks over one knight; both knights may not leave the rank one by one.
    let checked = moves("7k/8/8/8/c2N3K/8/8/8 w - - 0 1", "C = mRcpR").join(" ");
    assert_eq!(checked, "d4b3 d4b5 d4c2 d4c6 d4e2 d4e6 d4f3 d4f5 h4g3 h4g5 h4h3 h4h5");
    let pinned = moves("7k/8/8/8/c1NN3K/8/8/8 w - - 0 1", "C = mRcpR").join(" ");
    assert_eq!(pinned, "h4g3 h4g4 h4g5 h4h3 h4h5");
    // Checkers: over the enemy piece to the empty square, which it captures.
    let draughts = moves("7k/8/8/8/8/n7/1X6/7K w - - 0 1", "X = fmFfcafmF\nN = fmW");
    assert_eq!(draughts, ["b2c3", "h1g1", "h1g2", "h1h2"]);
    let draughts = moves("7k/8/8/8/8/2n5/1X6/7K w - - 0 1", "X = fmFfcafmF\nN = fmW");
    assert_eq!(draughts, ["b2a3", "b2c3,c3d4", "h1g1", "h1g2", "h1h2"]);
    // A capture without moving is no pass.
    let lion = moves("7k/8/8/8/8/8/8/X1K1n3 w - - 0 1", "X = mcabK\nN = fmW");
    assert!(lion.contains(&"0000".to_owned()) && !lion.contains(&"a1a1".to_owned()));
    let lion = moves("7k/8/8/8/8/8/n7/X1K5 w - - 0 1", "X = mcabK\nN = fmW");
    assert!(lion.contains(&"a1a2,a2a1".to_owned()));
}
