//! Move counts of golden files (`id`, `epd`, `perft DEPTH COUNT` lines) against the move generator,
//! counted and made.

use std::fs;
use std::path::Path;
use umbrail_chess::fen::Epd;
use umbrail_chess::perft::{divide, perft, perft_made};
use umbrail_chess::{CastlingMode, Position};

fn check(file: &str, mode: CastlingMode) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    let text = fs::read_to_string(&path).expect("golden file");
    let mut position = None;
    let mut checked = 0;
    for line in text.lines() {
        if let Some(epd) = line.strip_prefix("epd ") {
            let setup = Epd::read(epd).expect("golden epd").setup;
            position = Some((epd, Position::from_setup(&setup, mode).expect("golden position")));
        } else if let Some(count) = line.strip_prefix("perft ") {
            let (depth, nodes) = count.split_once(' ').expect("depth and count");
            let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
            let (epd, position) = position.as_ref().expect("epd before perft");
            assert_eq!(perft(position, depth), nodes, "{epd} at depth {depth}");
            if nodes < 20_000 {
                assert_eq!(perft_made(position, depth), nodes, "{epd} at depth {depth}, made");
                let parts: u64 = divide(position, depth).iter().map(|(_, part)| part).sum();
                assert_eq!(parts, nodes, "{epd} at depth {depth}, divided");
            }
            checked += 1;
        }
    }
    assert!(checked >= 100, "{file} holds only {checked} counts");
}

#[test]
fn orthodox_counts_agree() {
    check("orthodox.perft", CastlingMode::Standard);
}

#[test]
fn chess960_counts_agree() {
    check("chess960.perft", CastlingMode::Chess960);
}

#[test]
fn double_fischer_random_counts_agree() {
    check("dfrc.perft", CastlingMode::Chess960);
}

#[test]
fn traps_are_stepped_over() {
    check("traps.perft", CastlingMode::Chess960);
}

#[test]
fn random_positions_agree() {
    check("random.perft", CastlingMode::Standard);
}
