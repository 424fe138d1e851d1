//! Any text as a FEN: it is refused in words, or read and written back the same. A believed position
//! survives every legal move with its key intact, and one of standard chess has castling of standard chess only.

#![no_main]

use libfuzzer_sys::fuzz_target;
use umbrail::chess::{CastlingMode, Position};
use umbrail::geometry::Setup;

fuzz_target!(|text: &str| {
    let setup: Setup = match text.parse() {
        Ok(setup) => setup,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let again: Setup = setup.to_string().parse().expect("what is written can be read");
    assert_eq!(again.to_string(), setup.to_string());
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        let Ok(position) = Position::from_setup(&setup, mode) else { return };
        assert!(mode.is_chess960() || !position.castling_mode().is_chess960(), "{position}");
        for mv in position.legal_moves() {
            let next = position.after(mv);
            assert_eq!(next.key(), next.computed_key());
            let again = Position::from_setup(&next.to_setup(), mode);
            assert!(again.is_ok_and(|again| again.is_same(&next)), "{position} {mv:?}");
        }
    }
});
