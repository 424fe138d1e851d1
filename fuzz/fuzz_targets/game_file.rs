//! Damaged and forged records of games for training: they are refused, or their moves are legal and
//! they are written back the same.

#![no_main]

#[path = "../edits.rs"]
mod edits;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use umbrail::chess::{Position, parse_uci};
use umbrail::training::{GameRecord, GameResult, Ply};
use xxhash_rust::xxh3::xxh3_64;

static VALID: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let start = Position::startpos();
    let mut position = start.clone();
    let mut plies = vec![];
    for word in ["e2e4", "c7c5", "g1f3", "d7d6", "f1b5"] {
        let best = parse_uci(&position, word).expect("a move");
        position = position.after(best);
        plies.push(Ply { best, score: 20 });
    }
    let record = GameRecord { start, outcome: GameResult::Draw, adjudicated: false, plies };
    record.to_bytes()
});

fuzz_target!(|input: &[u8]| {
    let mut bytes = edits::edited(&VALID[..VALID.len() - 4], input);
    let sum = xxh3_64(&bytes) as u32;
    bytes.extend(sum.to_le_bytes());
    let Ok((record, length)) = GameRecord::from_bytes(&bytes) else { return };
    assert!(length <= bytes.len());
    let mut position = record.start.clone();
    for ply in &record.plies {
        assert!(position.legal_moves().contains(&ply.best));
        position = position.after(ply.best);
    }
    assert_eq!(GameRecord::from_bytes(&record.to_bytes()).map(|(again, _)| again), Ok(record));
});
