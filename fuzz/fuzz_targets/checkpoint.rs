//! Damaged and forged files of unfinished stenos: they are refused, or the search goes on from them
//! with a result that its own games confirm.

#![no_main]

#[path = "../edits.rs"]
mod edits;

use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};
use std::time::Instant;
use umbrail::chess::Position;
use umbrail::control::{Cancel, Clock, Control, Pool, Progress};
use umbrail::steno::{
    StenoEvent, StenoOutcome, StenoParams, StenoRequest, UnfinishedSteno, Vocabulary, solve,
};

fn request() -> StenoRequest {
    StenoRequest::new("~~~~#", Vocabulary::Classic, Position::startpos()).expect("a steno")
}

fn solved(request: &StenoRequest, moves_max: u64) -> StenoOutcome {
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let (pool, quiet) = (Pool::new(1).expect("a thread"), |_: StenoEvent| {});
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &quiet);
    let params =
        StenoParams { moves_max: Some(moves_max), lookahead: false, ..StenoParams::default() };
    solve(request, &params, &control)
}

static VALID: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let stopped = solved(&request(), 5_000);
    UnfinishedSteno::new(stopped.reusable_layers, false).to_bytes(&request())
});

/// Checksum at the end of the file.
fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = 0xCBF2_9CE4_8422_2325u64 ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        sum = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum ^= sum >> 29;
    }
    sum
}

fuzz_target!(|input: &[u8]| {
    let body = &VALID[..VALID.len() - 8];
    let mut bytes = edits::edited(body, input);
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    let Ok(work) = UnfinishedSteno::from_bytes(&bytes) else { return };
    let mut request = request();
    request.reusable_layers = Some(Arc::clone(work.layers()));
    let _ = solved(&request, 20_000);
});
