//! Moves of the games from their initial positions, and ends of games.

use crate::game::{Game, GameEndReason, GameMoves, GamePosition, Preset};
use std::sync::Arc;
use umbrail_chess::geometry::Color;

fn moves(name: &str) -> GameMoves {
    GameMoves::new(&Arc::new(Game::read(Preset::named(name).unwrap().text()).unwrap()))
}

fn start(moves: &GameMoves) -> GamePosition {
    moves.position(&moves.game.start, ['K', 'K']).unwrap()
}

/// Number of move sequences.
fn perft(moves: &GameMoves, position: &GamePosition, plies: u32) -> u64 {
    let all = moves.legal(position);
    if plies == 1 {
        return all.len() as u64;
    }
    all.iter().map(|mv| perft(moves, &moves.after(position, mv), plies - 1)).sum()
}

/// Tests of Fairy-Stockfish (`tests/perft.sh`); Xiangqi also chessprogramming.org, Chinese Chess
/// Perft Results.
#[test]
fn games_have_the_published_numbers_of_move_sequences() {
    for (name, plies, expected) in [
        ("xiangqi", 1, 44),
        ("xiangqi", 2, 1_920),
        ("xiangqi", 3, 79_666),
        // En passant and castling, which are not modelled, are possible later only.
        ("capablanca", 4, 805_128),
        ("shatranj", 4, 68_122),
        ("makruk", 4, 273_026),
        ("losalamos", 5, 191_846),
        ("grand", 3, 259_514),
    ] {
        let moves = moves(name);
        assert_eq!(perft(&moves, &start(&moves), plies), expected, "{name} {plies}");
    }
    // By hand: steps of pawns, and jumps over them.
    for (name, expected) in [("gardner", 7), ("gothic", 28)] {
        let moves = moves(name);
        assert_eq!(perft(&moves, &start(&moves), 1), expected, "{name}");
    }
}

#[test]
fn games_end_by_their_rules() {
    let white = Some(Color::White);
    for (name, fen, expected) in [
        ("xiangqi", "3k5/9/9/9/9/3R5/9/9/9/4K4 b", Some((white, GameEndReason::Mate))),
        ("xiangqi", "3k5/9/R8/9/9/9/9/9/9/4K4 b", None),
        ("xiangqi", "3k5/R8/9/9/9/9/9/9/9/4K4 b", Some((white, GameEndReason::Stalemate))),
        ("makruk", "k7/8/K7/8/8/8/8/1R6 b", Some((None, GameEndReason::Stalemate))),
        ("shatranj", "8/8/8/8/8/1k6/8/K3Q3 b", Some((white, GameEndReason::Bared))),
        ("shatranj", "8/8/8/8/8/1k6/8/K7 w", Some((None, GameEndReason::Bared))),
        // The ferz can be captured, which bares the other side, too.
        ("shatranj", "8/8/8/8/8/3k4/4Q3/K7 b", None),
        ("gardner", "k4/5/K4/5/5 w", Some((None, GameEndReason::RoyalsOnly))),
    ] {
        let moves = moves(name);
        let end = moves.end(&moves.position(fen, ['K', 'K']).unwrap());
        assert_eq!(end.map(|end| (end.winner, end.reason)), expected, "{name} {fen}");
    }
}

#[test]
fn moves_are_read_as_guis_write_them_and_others_refused() {
    let grand = moves("grand");
    let fen = "4k5/10/1P8/10/10/10/10/10/10/4K5 w - - 0 1[]";
    let position = grand.position(fen, ['K', 'K']).unwrap();
    let read = |text: &str| grand.read_move(&position, text);
    let letters = |text: &str| read(text).map(|mv| grand.name(&mv)).map_err(|e| e.to_string());
    assert_eq!(letters("b8b9q"), Ok("b8b9q".to_owned()));
    assert_eq!(letters("b8b9="), Ok("b8b9".to_owned()));
    assert_eq!(letters("B8B9"), Ok("b8b9".to_owned()));
    assert_eq!(letters("b8c9"), Err("the P on b8 cannot go there".to_owned()));
    assert_eq!(letters("e10e9"), Err("no piece of white stands on e10".to_owned()));
    for text in ["", "e", "e1", "e1é", "é", "xyz", "e12e1", "z9a1"] {
        assert_eq!(letters(text), Err("expected a move such as e2e4".to_owned()), "{text}");
    }
    let makruk = moves("makruk");
    let position = makruk.position("4k3/8/8/1P6/8/8/8/4K2r w", ['K', 'K']).unwrap();
    let refused = |text: &str| makruk.read_move(&position, text).unwrap_err().to_string();
    assert_eq!(refused("b5b6"), "it leaves the royal en prise");
    let position = makruk.position("4k3/8/8/1P6/8/8/8/4K3 w", ['K', 'K']).unwrap();
    // There is only one piece to become.
    assert_eq!(makruk.name(&makruk.read_move(&position, "b5b6").unwrap()), "b5b6m");
    let capablanca = moves("capablanca");
    let position = capablanca.position("10/1P8/10/8k1/10/10/10/4K5 w", ['K', 'K']).unwrap();
    let refused = capablanca.read_move(&position, "b7b8").unwrap_err().to_string();
    assert!(refused.starts_with("the letter of the new piece is missing, one of "), "{refused}");
}

#[test]
fn an_endgame_has_an_example() {
    for (name, material) in [("xiangqi", "KHC.KAAE"), ("grand", "KA.KC"), ("makruk", "KSM.K")] {
        let moves = moves(name);
        let material = crate::game::GameMaterial::read(material, &moves.game).unwrap();
        let position = moves.example(&material).unwrap();
        let fen = moves.fen(&position);
        let read = moves.position(&fen, ['K', 'K']).unwrap();
        assert_eq!(moves.fen(&read), fen);
        assert_eq!(moves.material(&position).unwrap().to_string(), material.to_string());
        assert!(material.covers(&moves.material(&position).unwrap()));
    }
}
