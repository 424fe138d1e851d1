//! Perft side by side: Umbrail's core against cozy-chess and shakmaty, same machine, same minute.
//!
//! `cargo bench -p umbrail-chess --bench perft [-- ROUNDS]` runs the three in turn, round after round, and prints the
//! best time of each and the ratio to the faster peer. "made" makes every last move; "counted" lets
//! each library count the last ply in its own way.

use cozy_chess::Board;
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};
use std::time::{Duration, Instant};
use umbrail_chess::Position;
use umbrail_chess::geometry::Setup;
use umbrail_chess::perft::{perft, perft_made};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn cozy(board: &Board, depth: u32, count: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if count && depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += cozy(&child, depth - 1, count);
            }
        }
        false
    });
    nodes
}

fn shakmaty(position: &Chess, depth: u32, count: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves();
    if count && depth == 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for mv in &moves {
        let mut child = position.clone();
        child.play_unchecked(*mv);
        nodes += shakmaty(&child, depth - 1, count);
    }
    nodes
}

fn main() {
    let rounds = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(5u32);
    println!(
        "{:<10} {:<8} {:>5} {:>12}  Mnodes/s: umbrail, cozy-chess, shakmaty; ratio to the faster",
        "position", "leaves", "depth", "nodes"
    );
    for (name, fen, depth) in [("start", Setup::START_FEN, 6), ("kiwipete", KIWIPETE, 5)] {
        let Ok(setup) = fen.parse::<Setup>() else { continue };
        let Ok(own) = Position::try_from(&setup) else { continue };
        let Ok(board) = fen.parse::<Board>() else { continue };
        let Ok(fen) = fen.parse::<Fen>() else { continue };
        let Ok(chess) = fen.into_position::<Chess>(CastlingMode::Standard) else { continue };
        for (leaves, count) in [("counted", true), ("made", false)] {
            let depth = if count { depth } else { depth - 1 };
            let mut best = [Duration::MAX; 3];
            let mut nodes = [0; 3];
            for _ in 0..rounds {
                for (who, slot) in best.iter_mut().enumerate() {
                    let start = Instant::now();
                    nodes[who] = match who {
                        0 if count => perft(&own, depth),
                        0 => perft_made(&own, depth),
                        1 => cozy(&board, depth, count),
                        _ => shakmaty(&chess, depth, count),
                    };
                    *slot = (*slot).min(start.elapsed());
                }
            }
            assert!(nodes.iter().all(|&n| n == nodes[0]), "the three disagree: {nodes:?}");
            let speed = best.map(|time| nodes[0] as f64 / time.as_secs_f64() / 1e6);
            let peer = speed[1].max(speed[2]);
            println!(
                "{name:<10} {leaves:<8} {depth:>5} {:>12}  {:>7.1} {:>7.1} {:>7.1}   {:.2}",
                nodes[0],
                speed[0],
                speed[1],
                speed[2],
                speed[0] / peer
            );
        }
    }
}
