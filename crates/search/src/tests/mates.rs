//! Tests of `mate` limits, compared with a plain search of every move.

use super::{depth, position, request, run, run_on};
use crate::{Ended, Engine, Limits, Score, SearchInfo};
use umbrail_chess::geometry::Setup;
use umbrail_chess::{Position, to_uci};

fn mate_in(moves: u32) -> Limits {
    Limits { mate: Some(moves), ..Limits::default() }
}

/// Reference implementation: every move, every reply, nothing remembered.
fn mates_plainly(position: &Position, moves: u32) -> bool {
    moves > 0
        && position.legal_moves().into_iter().any(|mv| {
            let next = position.after(mv);
            next.is_mate()
                || (!next.is_stalemate()
                    && next
                        .legal_moves()
                        .iter()
                        .all(|&mv| mates_plainly(&next.after(mv), moves - 1)))
        })
}

#[test]
fn a_mate_by_zugzwang_is_not_hidden_by_passing() {
    let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    assert!(mates_plainly(&position(fen), 2) && !mates_plainly(&position(fen), 1));
    let answer = run(fen, mate_in(2));
    let line = answer.line.unwrap();
    assert_eq!((line.score, line.pv.len()), (Score::Mate(2), 3));
    assert_eq!(to_uci(&position(fen), line.pv[0], false), "a1a6");
}

#[test]
fn the_side_that_is_mated_learns_it() {
    for (fen, moves) in
        [("8/3p4/2pP4/2k1P3/7p/3RN3/2PP3K/1R6 b - - 0 1", 3), ("k7/8/1K6/8/8/8/8/7R b - - 0 1", 1)]
    {
        let root = position(fen);
        let escapes = |moves: u32| {
            root.legal_moves().into_iter().any(|mv| !mates_plainly(&root.after(mv), moves))
        };
        assert!(!escapes(moves) && escapes(moves - 1), "{fen}");
        let line = run(fen, mate_in(moves)).line.unwrap();
        assert_eq!(line.score, Score::Mate(-(moves as i32)), "{fen}");
        assert_eq!(line.pv.len() as u32, 2 * moves, "{fen}");
        let end = line.pv.iter().fold(root, |position, &mv| position.after(mv));
        assert!(end.is_mate(), "{fen}");
    }
}

#[test]
fn mates_that_do_not_exist_are_disproved() {
    for (fen, moves) in [
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 1),
        ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", 1),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 2),
    ] {
        assert!(!mates_plainly(&position(fen), moves), "{fen}");
        let (answer, facts, _) = run_on(&Engine::new(4), &request(fen, mate_in(moves)), 1);
        assert!(facts.iter().any(|fact| matches!(fact, SearchInfo::NoMate { .. })), "{fen}");
        assert!(answer.best.is_some() && answer.ended == Ended::Complete);
    }
}

#[test]
fn proven_lines_are_whole() {
    for (fen, moves) in [
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("8/1Q6/8/8/8/3k4/8/K7 w - - 0 1", 10),
        ("8/8/8/8/8/2k5/8/K1B3R1 w - - 0 1", 16),
    ] {
        let line = run(fen, mate_in(moves)).line.unwrap();
        let Score::Mate(found) = line.score else { panic!("{fen}: {:?}", line.score) };
        assert!(found as u32 <= moves, "{fen}: {found}");
        assert_eq!(line.pv.len() as i32, 2 * found - 1, "{fen}");
        let end = line.pv.iter().fold(position(fen), |position, &mv| {
            assert!(position.is_legal(mv));
            position.after(mv)
        });
        assert!(end.is_mate(), "{fen}");
    }
}

#[test]
fn a_limit_ends_the_proof_too() {
    let limits = Limits { nodes: Some(150_000), ..mate_in(5) };
    let (answer, _, counted) = run_on(&Engine::new(4), &request(Setup::START_FEN, limits), 1);
    assert!(answer.best.is_some() && answer.ended == Ended::Stopped);
    assert!((149_000..=150_600).contains(&counted), "{counted}");
}

#[test]
fn being_mated_is_counted_too() {
    let line = run("k7/8/1K6/8/8/8/8/7R b - - 0 1", depth(6)).line.unwrap();
    assert_eq!(line.score, Score::Mate(-1));
}

#[test]
fn no_side_to_move_with_moves_is_mated_in_0() {
    let (answer, reported, _) = run_on(&Engine::new(1), &request(Setup::START_FEN, mate_in(0)), 1);
    assert!(answer.best.is_some() && answer.ended == Ended::Complete);
    assert!(matches!(reported.last(), Some(SearchInfo::NoMate { moves: 0 })));
}
