//! Moves of the search against those of `umbrail_chess`, which shares no code with it.

use super::position;
use crate::positions::board::SearchPosition;
use crate::positions::problem::start_of;
use crate::positions::rules::{MoveBuffer, MoveClass, Orthodox, RuleSet, after, pseudo_legal};
use umbrail_chess::geometry::Setup;
use umbrail_chess::perft::perft;
use umbrail_chess::{Position, SplitMix64};

fn legal(before: &SearchPosition<()>, class: MoveClass) -> Vec<(u16, SearchPosition<()>)> {
    let mut moves = MoveBuffer::new();
    pseudo_legal(before, class, &mut moves);
    let moves = moves.into_iter().filter_map(|mv| {
        let after = after(before, mv);
        let is_legal = !Orthodox.in_check(&after, before.turn);
        is_legal.then(|| (mv.to_move().bits(), after))
    });
    moves.collect()
}

fn count(position: &SearchPosition<()>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => legal(position, MoveClass::All).iter().map(|(_, next)| count(next, depth - 1)).sum(),
    }
}

#[test]
fn numbers_of_moves_equal_the_known_ones() {
    // The six positions of the chess programming wiki, "Perft Results".
    for (fen, depth, nodes) in [
        (Setup::START_FEN, 4, 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
        ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89_890),
    ] {
        let setup: Setup = fen.parse().unwrap();
        let start = Position::try_from(&setup).unwrap();
        assert_eq!(perft(&start, depth), nodes, "{fen}");
        assert_eq!(count(&position(fen), depth), nodes, "{fen}");
        assert_eq!(position::<()>(fen), start_of(&start), "{fen}");
    }
}

#[test]
fn random_games_have_the_same_moves_and_positions() {
    let mut numbers = SplitMix64::new(1_936);
    for _ in 0..150 {
        let mut theirs = Position::startpos();
        for _ in 0..80 {
            let ours: SearchPosition<()> = start_of(&theirs);
            let moves = theirs.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mut mine = legal(&ours, MoveClass::All);
            mine.sort_unstable_by_key(|(mv, _)| *mv);
            let mut expected: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
            expected.sort_unstable();
            assert_eq!(mine.iter().map(|(mv, _)| *mv).collect::<Vec<_>>(), expected);
            for (class, is_capture) in [(MoveClass::Captures, true), (MoveClass::Quiet, false)] {
                let mut part: Vec<u16> = legal(&ours, class).iter().map(|(mv, _)| *mv).collect();
                part.sort_unstable();
                let mut expected: Vec<u16> = moves
                    .iter()
                    .filter(|&&mv| theirs.is_capture(mv) == is_capture)
                    .map(|mv| mv.bits())
                    .collect();
                expected.sort_unstable();
                assert_eq!(part, expected);
            }
            let (bits, mut reached) = mine[numbers.below(mine.len() as u64) as usize];
            let mv = *moves.iter().find(|mv| mv.bits() == bits).unwrap();
            theirs = theirs.after(mv);
            // Here a pinned pawn can keep the square, there only a legal capture does.
            if theirs.en_passant().is_none() {
                reached.en_passant = None;
            }
            assert_eq!(reached, start_of(&theirs));
        }
    }
}
