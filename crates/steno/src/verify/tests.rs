//! Tests of stenos of games, verified move by move.

use super::{Mismatch, PlayedMove, fits};
use crate::vocabulary::Vocabulary;
use umbrail_chess::geometry::Setup;
use umbrail_chess::{Move, Position, parse_san};

fn game(text: &str) -> Vec<Move> {
    let mut position = Position::startpos();
    let mut moves = Vec::new();
    for san in text.split_whitespace() {
        let mv = parse_san(&position, san).unwrap();
        position = position.after(mv);
        moves.push(mv);
    }
    moves
}

#[test]
fn angelinis_first_steno_fits_its_game() {
    let moves = game("g4 h5 Bg2 hxg4 Bxb7 Rxh2 Nh3 Bxb7 O-O Rh1#");
    let start = Position::startpos();
    assert_eq!(fits("ghLxLR3xo#", Vocabulary::Classic, false, &start, &moves), Ok(()));
    let mismatch = fits("ghLxLR3xO#", Vocabulary::Classic, false, &start, &moves);
    assert_eq!(mismatch, Err(Mismatch::Prints(8, "O".to_owned())));
    let mismatch = fits("ghLx", Vocabulary::Classic, false, &start, &moves);
    assert_eq!(mismatch, Err(Mismatch::Length { moves: 10, turns: 4 }));
}

fn marks(fen: &str, san: &str, vocabulary: Vocabulary, expected: &str) {
    let position = Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap();
    let played = PlayedMove::new(&position, parse_san(&position, san).unwrap(), None);
    assert_eq!(played.marks(vocabulary, false).into_iter().collect::<String>(), expected, "{san}");
}

#[test]
fn every_mark_of_a_move_is_found() {
    use Vocabulary::{Classic, Extended, Length, Pgn};
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
    marks(castles, "O-O", Classic, "~g8Ko");
    marks(castles, "O-O-O", Extended, "~c8K-O0_<");
    marks(castles, "O-O", Pgn, "~O");
    marks(castles, "O-O", Length, "~3");
    let promotes = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    marks(promotes, "axb8=Q+", Classic, "~b8Pqx+");
    marks(promotes, "axb8=Q+", Pgn, "~ab8Q=x+");
    marks(promotes, "axb8=Q+", Length, "~7");
    marks("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8#", Extended, "~a8R-+#|^");
    marks("8/8/8/3pP3/8/8/8/K6k w - d6 0 1", "exd6", Extended, "~d6Px%\\^<");
}
