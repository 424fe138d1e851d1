//! Any text as a move in any position: it is refused in words, or names a legal move, whose own
//! notations name it again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use umbrail::chess::{CastlingMode, Position, parse_san, parse_uci, to_san, to_uci};
use umbrail::geometry::Setup;

fuzz_target!(|input: (&str, &str)| {
    let (fen, text) = input;
    let setup = fen.parse::<Setup>().ok();
    let read = |setup| Position::from_setup(&setup, CastlingMode::Chess960).ok();
    let position = setup.and_then(read).unwrap_or_default();
    let moves = [
        parse_san(&position, text).map_err(|error| error.to_string()),
        parse_uci(&position, text).map_err(|error| error.to_string()),
    ];
    for mv in moves {
        let Ok(mv) = mv else { continue };
        assert!(position.is_legal(mv));
        assert_eq!(parse_san(&position, &to_san(&position, mv)).ok(), Some(mv));
        for chess960 in [false, true] {
            assert_eq!(parse_uci(&position, &to_uci(&position, mv, chess960)).ok(), Some(mv));
        }
    }
});
