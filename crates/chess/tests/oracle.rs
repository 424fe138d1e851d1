//! The rules against two established libraries, on random walks through orthodox chess and Chess960:
//! legal moves, checks, ends, notations, and invariants on the way.

use cozy_chess::{Board, GameStatus};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::San};
use umbrail_chess::fen::shredder_fen;
use umbrail_chess::geometry::{Bitboard, Setup};
use umbrail_chess::perft::count_moves;
use umbrail_chess::retro::last_moves;
use umbrail_chess::{Move, MoveKinds, Position, SplitMix64, parse_san, parse_uci, to_san, to_uci};

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

/// The position with all castling rights of Chess960.
fn from_setup(setup: &Setup) -> Position {
    Position::from_setup(setup, umbrail_chess::CastlingMode::Chess960).expect("a position")
}

/// Walks at random and calls the visitor before every move.
fn walk(seed: u64, start: Board, plies: usize, visit: impl Fn(&Position, &Board, &[Move])) {
    let mut dice = SplitMix64::new(seed);
    let setup: Setup = format!("{start:#}").parse().expect("start fen");
    let mut position = from_setup(&setup);
    let mut board = start;
    for _ in 0..plies {
        let moves: Vec<Move> = position.legal_moves().into_iter().collect();
        visit(&position, &board, &moves);
        if moves.is_empty() {
            break;
        }
        let mv = moves[dice.below(moves.len() as u64) as usize];
        board.play(to_uci(&position, mv, true).parse().expect("cozy reads our move"));
        position = position.after(mv);
    }
}

#[test]
fn legal_moves_equal_those_of_cozy_chess() {
    for seed in 0..300 {
        let start = match seed % 3 {
            0 => Board::default(),
            _ => Board::chess960_startpos((seed as u32 * 37) % 960),
        };
        walk(seed, start, 150, |position, board, moves| {
            let mut theirs = Vec::new();
            board.generate_moves(|set| {
                theirs.extend(set.into_iter().map(|mv| mv.to_string()));
                false
            });
            let ours = moves.iter().map(|&mv| to_uci(position, mv, true)).collect();
            assert_eq!(sorted(ours), sorted(theirs), "{position}");
            assert_eq!(count_moves(position) as usize, moves.len(), "{position}");
            assert_eq!(position.in_check(), !board.checkers().is_empty(), "{position}");
            if moves.is_empty() {
                assert_eq!(position.is_mate(), board.status() == GameStatus::Won, "{position}");
            }
        });
    }
}

#[test]
fn notations_equal_those_of_shakmaty() {
    for seed in 1000..1060 {
        walk(seed, Board::default(), 120, |position, _, moves| {
            let fen: Fen = position.to_string().parse().expect("shakmaty reads our fen");
            let theirs: Chess = fen.into_position(CastlingMode::Standard).expect("legal");
            let san: Vec<_> = (theirs.legal_moves().iter())
                .map(|&mv| shakmaty::san::SanPlus::from_move(theirs.clone(), mv).to_string())
                .collect();
            let ours = moves.iter().map(|&mv| to_san(position, mv)).collect();
            assert_eq!(sorted(ours), sorted(san), "{position}");
            let their_fen = Fen::from_position(&theirs, EnPassantMode::Legal).to_string();
            assert_eq!(position.to_string(), their_fen);
            for &mv in moves {
                let san = to_san(position, mv);
                assert_eq!(parse_san(position, &san), Ok(mv), "{san} in {position}");
                assert!(san.parse::<San>().is_ok() || san.ends_with(['+', '#']), "{san}");
                let uci = to_uci(position, mv, false);
                assert_eq!(parse_uci(position, &uci), Ok(mv), "{uci} in {position}");
            }
        });
    }
}

#[test]
fn invariants_hold_on_the_way() {
    for seed in 2000..2060 {
        let start = match seed % 2 {
            0 => Board::default(),
            _ => Board::chess960_startpos((seed as u32 * 31) % 960),
        };
        walk(seed, start, 120, |position, _, moves| {
            let again: Setup = shredder_fen(position).parse().unwrap();
            assert_eq!(from_setup(&again), *position);
            let mut split = Vec::new();
            for kinds in [MoveKinds::Noisy, MoveKinds::Quiet] {
                position.targets(kinds, Bitboard::FULL, |targets| {
                    split.extend(targets.moves().map(|mv| (kinds, mv)));
                });
            }
            assert_eq!(split.len(), moves.len(), "{position}");
            for (kinds, mv) in split {
                let noisy = position.is_capture(mv) || mv.promotion().is_some();
                assert_eq!(noisy, kinds == MoveKinds::Noisy, "{mv:?} in {position}");
                assert!(position.is_legal(mv), "{mv:?} in {position}");
                if !noisy && !position.is_castle(mv) {
                    let role = position.role_at(mv.from()).expect("a man moves");
                    let reported = position.check_squares().gives(role, mv);
                    assert_eq!(reported, position.gives_check(mv), "{mv:?} in {position}");
                }
                let next = position.after(mv);
                assert_eq!(next.key(), next.computed_key(), "{mv:?} in {position}");
            }
        });
    }
}

#[test]
fn the_move_just_played_is_among_the_possible_last_moves() {
    for seed in 3000..3040 {
        walk(seed, Board::default(), 100, |position, _, moves| {
            for &mv in moves.iter().step_by(5) {
                let next = position.after(mv);
                let last = last_moves(&next);
                // What could have been taken back differs only in rights that the move gave up.
                assert!(last.iter().any(|last| last.mv == mv), "{mv:?} in {position}");
                for back in last {
                    assert!(back.before.after(back.mv).is_same(&next), "{back:?} to {next}");
                }
            }
        });
    }
}
