//! Damaged and forged networks: they are refused, or evaluate.

#![no_main]

#[path = "../edits.rs"]
mod edits;

use libfuzzer_sys::fuzz_target;
use umbrail::search::Network;
use xxhash_rust::xxh3::xxh3_64;

/// Returns a small network of version 1: head, weights of zero, checksum.
fn valid() -> Vec<u8> {
    let mut bytes = b"umbrail network\n".to_vec();
    for number in [1u16, 16, 1, 400, 255, 64, 1] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.resize(bytes.len() + 2 * (768 * 16 + 16 + 32) + 4, 0);
    bytes
}

fuzz_target!(|input: &[u8]| {
    let mut bytes = edits::edited(&valid(), input);
    let sum = xxh3_64(&bytes);
    bytes.extend(sum.to_le_bytes());
    if let Ok(network) = Network::from_bytes(&bytes) {
        assert_eq!(Network::from_bytes(&network.to_bytes()).map(|_| ()), Ok(()));
    }
});
