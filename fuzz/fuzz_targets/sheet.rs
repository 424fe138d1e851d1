//! Any text as a sheet of proof games or a list of strategies: faults are named with their lines.

#![no_main]

use libfuzzer_sys::fuzz_target;
use umbrail::proof::files::{sheet, strategy_file};

fuzz_target!(|text: &str| {
    let lines = text.lines().count().max(1);
    for entry in sheet::read(text) {
        if let Err(error) = entry {
            assert!((1..=lines).contains(&error.line) && error.column > 0, "{error}");
        }
    }
    match strategy_file::read(text, &|| false) {
        Ok((_, errors)) => assert!(errors.iter().all(|error| (1..=lines).contains(&error.line))),
        Err(error) => assert!(error.line <= lines + 1, "{error:?}"),
    }
});
