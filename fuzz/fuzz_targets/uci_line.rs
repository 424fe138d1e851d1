//! Any lines in a UCI conversation: no panic, and `isready` is still answered.

#![no_main]

use libfuzzer_sys::fuzz_target;
use umbrail::protocol::Uci;
use umbrail::tasks::MODULES;

#[path = "../conversation.rs"]
mod conversation;

fuzz_target!(|bytes: &[u8]| {
    let printed = conversation::run(Box::new(Uci::new(MODULES)), bytes, "isready");
    assert!(printed.ends_with("readyok\n") || printed.is_empty(), "{printed}");
});
