//! Any text as a game: it is refused with the word, or its moves are legal.

#![no_main]

use libfuzzer_sys::fuzz_target;
use umbrail::chess::{CastlingMode, Position};
use umbrail::steno::game::Game;

fuzz_target!(|text: &str| {
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        match Game::read_all(text, &Position::startpos(), mode) {
            Ok(games) => assert!(games.len() <= text.len()),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
