//! Any text as a FEN: it is refused in words, or read and written back the same. A believed position
//! survives every legal move with its key intact.

#![no_main]

use libfuzzer_sys::fuzz_target;
use umbrail::chess::Position;
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
    let Ok(position) = Position::try_from(&setup) else { return };
    for mv in position.legal_moves() {
        let next = position.after(mv);
        assert_eq!(next.key(), next.computed_key());
        assert!(Position::try_from(&next.to_setup()).is_ok(), "{position} {mv:?}");
    }
});
