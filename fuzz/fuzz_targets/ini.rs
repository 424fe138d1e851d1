//! Any text as an option file: faults are named with their lines, and what was set is in range.

#![no_main]

use libfuzzer_sys::fuzz_target;
use umbrail::protocol::ini;
use umbrail::session::{Options, specs};

fuzz_target!(|text: &str| {
    let mut options = Options::default();
    for error in ini::read(text, &mut options) {
        assert!((1..=text.lines().count().max(1)).contains(&error.line), "{error}");
    }
    for spec in specs() {
        let mut again = options.clone();
        let value = spec.text(&options);
        assert!(spec.read(&mut again, Some(&value)).is_ok(), "{} = {value}", spec.name);
        assert_eq!(again, options, "{}", spec.name);
    }
});
