//! Damaged and forged archives of proof games: they are refused or read, and what is read has only
//! games that solve the problem.

#![no_main]

#[path = "../edits.rs"]
mod edits;
#[path = "../solved.rs"]
mod solved;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use umbrail::proof::files::archive::Archive;
use umbrail::proof::verify;
use xxhash_rust::xxh3::xxh3_64;

static VALID: LazyLock<String> = LazyLock::new(solved::archive);

/// Gives each line the checksum that it would have if it were genuine.
fn sealed(text: &str) -> String {
    let line = |line: &str| {
        let body = line.rsplit_once(" #").map_or(line, |(body, _)| body);
        format!("{body} #{:016x}\n", xxh3_64(body.as_bytes()))
    };
    text.lines().map(line).collect()
}

fuzz_target!(|input: &[u8]| {
    let bytes = edits::edited(VALID.as_bytes(), input);
    let text = sealed(&String::from_utf8_lossy(&bytes));
    let Ok((header, archive)) = Archive::read(&text, &|| false) else { return };
    let (Ok(problem), Ok(report)) = (header.problem(), archive.report(&header)) else { return };
    for game in
        archive.claims.values().flat_map(|claim| &claim.successes).flat_map(|one| &one.games)
    {
        assert!(verify(&problem, game).is_ok());
    }
    assert!(!report.enumerated || archive.missing(&header).is_ok_and(|missing| missing.is_empty()));
});
