//! Damaged and forged results of units: they are refused or recorded, and the registry goes on.

#![no_main]

#[path = "../edits.rs"]
mod edits;
#[path = "../solved.rs"]
mod solved;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use umbrail::proof::run::{ClaimRecord, RunArchive};
use umbrail::proof::units::{RunSpec, UnitRegistry};
use xxhash_rust::xxh3::xxh3_64;

struct NoArchive;

impl RunArchive for NoArchive {
    fn claim(&self, _: &ClaimRecord) {}

    fn part(&self, _: u16, _: u64, _: u64) {}
}

static VALID: LazyLock<(RunSpec, Vec<String>)> = LazyLock::new(solved::results);

/// Gives each claim the checksum that it would have if it were genuine.
fn sealed(text: &str) -> String {
    let line = |line: &str| match (line.find("claim "), line.rsplit_once(" #")) {
        (Some(at), Some((body, _))) if at <= body.len() => {
            format!("{body} #{:016x}\n", xxh3_64(&body.as_bytes()[at..]))
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

fuzz_target!(|input: &[u8]| {
    let (spec, results) = &*VALID;
    let (which, input) = input.split_first().unwrap_or((&0, &[]));
    let mut registry = UnitRegistry::new(spec, "run", Default::default()).with_repeats();
    for (at, result) in results.iter().enumerate() {
        let text = if at == usize::from(*which) % results.len() {
            sealed(&String::from_utf8_lossy(&edits::edited(result.as_bytes(), input)))
        } else {
            result.clone()
        };
        let Ok(accepted) = registry.accept(&text, "worker", &NoArchive) else { continue };
        for repeat in accepted.repeats {
            let _ = registry.compare(&repeat.unit, &repeat.stated, &text);
        }
    }
    let _ = (registry.report(), registry.missing().count());
    let text = String::from_utf8_lossy(&edits::edited(spec.text().as_bytes(), input)).into_owned();
    if let Ok(again) = RunSpec::read(&text) {
        let _ = again.roots();
    }
});
