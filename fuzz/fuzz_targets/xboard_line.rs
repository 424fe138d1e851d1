//! Any lines in an XBoard conversation: no panic, and no line that xboard takes for a failed start.

#![no_main]

use libfuzzer_sys::fuzz_target;
use umbrail::protocol::Xboard;
use umbrail::tasks::MODULES;

#[path = "../conversation.rs"]
mod conversation;

fuzz_target!(|bytes: &[u8]| {
    let printed = conversation::run(Box::new(Xboard::new(MODULES)), bytes, "force");
    for line in printed.lines().filter(|line| !line.starts_with('#')) {
        for phrase in
            ["not found", "No such file", "can't alloc", "Permission denied", "unknown host"]
        {
            assert!(!line.contains(phrase), "{line}");
        }
    }
});
