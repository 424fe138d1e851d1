//! Any lines in a UCI conversation: no panic, and `isready` is still answered.

#![no_main]

use libfuzzer_sys::fuzz_target;
use umbrail::protocol::Uci;
use umbrail::session::MODULES;

#[path = "../conversation.rs"]
mod conversation;

fuzz_target!(|bytes: &[u8]| {
    let said = conversation::run(Box::new(Uci::new(MODULES)), bytes, "isready");
    assert!(said.ends_with("readyok\n") || said.is_empty(), "{said}");
});
