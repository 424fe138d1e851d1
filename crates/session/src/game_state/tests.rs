//! Games that are set up, played, taken back, and read again under other castling rules.

use super::{CastlingMode, Edit, GameState};
use umbrail_chess::geometry::{Color, Setup, Square};

fn game(fen: &str) -> GameState {
    let mut game = GameState::default();
    game.put(fen.parse().unwrap()).unwrap();
    game
}

#[test]
fn a_game_can_be_taken_back_to_its_start_and_no_further() {
    let mut game = GameState::default();
    for text in ["e2e4", "e5", "g1f3"] {
        let mv = game.read_move(text).unwrap();
        game.play(mv);
    }
    assert_eq!(game.history().len(), 3);
    assert_eq!(game.take_back(1), 1);
    assert_eq!(game.take_back(9), 2);
    assert_eq!(game.take_back(1), 0);
    assert_eq!(game.setup().to_string(), Setup::START_FEN);
}

#[test]
fn an_unusable_diagram_is_kept_as_it_was_given() {
    let mut game = GameState::default();
    let fairy: Setup = "8/8/8/3k4/3l4/8/8/KA6 w - - 0 1".parse().unwrap();
    assert!(game.put(fairy.clone()).is_err());
    assert!(game.position().is_err());
    assert_eq!(game.setup(), fairy);
    assert_eq!(game.read_move("a1a2"), Err(super::IllegalMove::NoPosition));
}

#[test]
fn a_new_game_leaves_the_paths_of_tables_alone() {
    let mut game = GameState::default();
    game.table_paths.push(("syzygy".to_owned(), "tables".to_owned()));
    game.new_game();
    assert_eq!(game.table_paths.len(), 1);
}

#[test]
fn a_variant_lasts_a_game_and_an_option_lasts() {
    let mut game = GameState::default();
    game.set_variant(CastlingMode::Chess960);
    assert!(game.castling_mode().is_chess960());
    game.new_game();
    assert!(!game.castling_mode().is_chess960());
    game.set_option(CastlingMode::Chess960);
    game.new_game();
    assert!(game.castling_mode().is_chess960());
}

const WALKED: &str = "r3k2r/8/8/8/8/8/4p3/R4K1R w KQkq - 0 1";

#[test]
fn castling_rights_follow_the_rules_of_the_game() {
    let mut game = game(WALKED);
    let fields = |game: &GameState| game.setup().castling;
    assert_eq!(fields(&game), "kq");
    let dropped = game.take_dropped_castling().map(|dropped| dropped.rooks.len());
    assert_eq!(dropped, Some(2));
    assert_eq!(game.take_dropped_castling(), None, "once");
    let _ = game.put(WALKED.parse().unwrap());
    assert_eq!(game.take_dropped_castling(), None, "once for a diagram");
    game.set_option(CastlingMode::Chess960);
    assert_eq!((fields(&game).as_str(), game.take_dropped_castling()), ("KQkq", None));
    game.set_option(CastlingMode::Standard);
    assert_eq!(fields(&game), "kq");
    assert!(game.take_dropped_castling().is_some(), "it has changed");
}

#[test]
fn a_game_goes_on_when_its_castling_rules_change() {
    let mut game = GameState::default();
    game.set_option(CastlingMode::Chess960);
    game.put("r4k1r/5p2/8/8/8/8/8/R4K1R w KQkq - 0 1".parse().unwrap()).unwrap();
    let castling = game.read_move("f1h1").unwrap();
    game.play(castling);
    assert!(game.pass());
    assert!(game.pass());
    let castled = "r4k1r/5p2/8/8/8/8/8/R4RK1 b kq - 3 2";
    assert_eq!(game.setup().to_string(), castled);
    game.set_option(CastlingMode::Standard);
    assert_eq!(game.setup().to_string(), castled.replace("kq", "-"));
    assert!(game.read_move("f8h8").is_err());
    let [position, start] = [game.position(), game.start_position()].map(|it| *it.unwrap());
    assert_eq!(position.key(), position.computed_key());
    assert!(start.castling_rooks().is_empty());
    assert_eq!(game.plies(), 3);
    game.set_option(CastlingMode::Chess960);
    assert_eq!(game.setup().to_string(), castled);
    assert_eq!(game.take_back(3), 3);
    assert!(game.read_move("f1h1").is_ok());
}

#[test]
fn en_passant_does_not_depend_on_castling_rules() {
    let fen = "4k3/8/8/8/4Pp2/8/8/R4K2 b Q e3 0 1";
    let mut game = game(fen);
    for mode in [CastlingMode::Chess960, CastlingMode::Standard] {
        assert!(game.read_move("f4e3").is_ok(), "{mode:?}");
        game.set_option(mode);
    }
}

#[test]
fn edits_keep_the_turn_and_grant_castling_to_pieces_at_home() {
    let mut game = game("rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1");
    let put = |color, letter, square| Edit::Put(color, letter, square);
    let edits = [
        Edit::Clear,
        put(Color::White, 'K', Square::E1),
        put(Color::White, 'R', Square::H1),
        put(Color::White, 'R', Square::D4),
        put(Color::Black, 'K', Square::E8),
        Edit::Remove(Square::D4),
    ];
    game.edit(&edits).unwrap();
    assert_eq!(game.setup().to_string(), "4k3/8/8/8/8/8/8/4K2R b K - 0 1");
}

#[test]
fn a_side_in_check_cannot_pass() {
    let mut game = game("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1");
    assert!(!game.pass());
    let mut game = GameState::default();
    assert!(game.pass());
    assert_eq!(game.take_back(1), 1);
    assert_eq!(game.setup().to_string(), Setup::START_FEN);
}
