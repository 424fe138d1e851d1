//! Legal positions of random games, and positions that are illegal by each argument.

use super::{Argument, Legality, examine};
use std::time::Instant;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_chess::{Position, SplitMix64};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};

fn examined(fen: &str) -> (Legality, Option<Color>) {
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(1).unwrap();
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|()| {});
    examine(&fen.parse::<Setup>().unwrap(), &control)
}

fn arguments(fen: &str) -> Vec<Argument> {
    match examined(fen).0 {
        Legality::Illegal(arguments) => arguments,
        other => panic!("{fen}: {other:?}"),
    }
}

/// The position after some random moves.
fn random_position(seed: u64, plies: u64) -> Position {
    let mut random = SplitMix64::new(seed);
    let mut position = Position::startpos();
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position = position.after(moves[(random.below(moves.len() as u64)) as usize]);
    }
    position
}

#[test]
fn positions_of_random_games_are_legal() {
    // Other seeds may take longer; these need at most 1,500 positions each.
    for seed in (0..18).chain(24..29) {
        let position = random_position(seed, 4 + seed * 2);
        let fen = position.to_setup().to_string();
        match examined(&fen) {
            (Legality::Legal(game), turn) => {
                let end = game.iter().fold(Position::startpos(), |before, &mv| before.after(mv));
                assert_eq!(turn, Some(position.turn()));
                assert!(end.is_same(&position), "{fen}");
            }
            (other, _) => panic!("{fen}: {other:?}"),
        }
    }
}

#[test]
fn each_argument_refutes_a_position() {
    for (fen, expected) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNN w - - 0 1",
            "white shows 1 promoted piece, but only 0 of its pawns are missing",
        ),
        ("4k3/8/8/8/8/8/1P6/B3K3 w - - 0 1", "white's bishop on a1 cannot have come there"),
        (
            "rnbqkbnr/p1p2p1p/1p1pp1p1/8/4B3/8/PPPPPPPP/RNBQK1NR w - - 0 1",
            "white has 1 promoted piece, since",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/1P6/1PPPPPPP/RNBQKBNR b - - 0 1",
            "must have captured at least 1 piece, but no piece can have been captured by them",
        ),
        (
            "rnbqk1nr/pppppppp/8/8/8/1P6/1PPPPPPP/RNBQKBNR b - - 0 1",
            "captured by them (one bishop was captured at home)",
        ),
        ("rnbqkbnr/pppp1ppp/8/8/8/PPP5/PPP5/RNBQKBNR w - - 0 1", "white's pawns cannot all"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "parity: "),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "may castle by the FEN, but has no rook on h1"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn can have passed e6"),
        (
            "4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1",
            "black is in double check, and no last move of white",
        ),
        (
            "r1bqkb1r/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R w KQkq - 0 1",
            "retro-stalemate: black has no last move",
        ),
        (
            "r1bqkb1r/pppppppp/8/8/8/P7/1PPPPPPP/R1BQKB1R b KQkq - 0 1",
            "every line of last moves ends after 1 half-move at most (last move: a3)",
        ),
    ] {
        let arguments = arguments(fen);
        let text = arguments.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        assert!(text.contains(expected), "{fen}: {text}");
    }
}

#[test]
fn rights_of_a_fen_count() {
    // Without the right, king or rook has moved and returned.
    let game = |fen: &str| match examined(fen).0 {
        Legality::Legal(game) => game.len(),
        other => panic!("{fen}: {other:?}"),
    };
    let placement = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    assert_eq!(game(placement), 2);
    assert_eq!(game(&format!("{placement} w KQkq - 0 1")), 2);
    assert!(game(&format!("{placement} w kq - 0 1")) > 2);
    let passing = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
    assert!(game(passing) >= 3);
}

#[test]
fn a_placement_alone_leaves_the_side_to_move_open() {
    let array = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert_eq!(examined(array), (Legality::Legal(vec![]), Some(Color::White)));
    let after = examined("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR").1;
    assert!(after.is_some());
}
