//! Tables whose distances turn out to need two bytes are checked a second time against the memory
//! limit.

use super::with_control;
use crate::fairy::PieceSet;
use crate::{
    BuildError, BuildOptions, BuildOutcome, BuildRequest, Material, Metric, Rules, TableValue,
    Tablebase, seed, solve,
};

/// Position lost in 598 plies by a seed, which exceeds one byte (White's pieces, then Black's, the
/// king last).
const DEEP: &str = "a1c1h7d8 100";
/// Seed value that the parser refuses, but the builder can store.
const WIDE: u32 = 300;
const FAR: &str = "3k4/7r/8/8/8/8/8/K1R5 b - - 0 1";

fn request(seeds: &str) -> BuildRequest {
    let piece_set = PieceSet::default();
    let material = Material::read("KR.KR", &piece_set).unwrap();
    let mut seeds = seed::read(seeds, &material, Metric::Dtm).unwrap();
    seeds.iter_mut().for_each(|line| line.value = WIDE);
    BuildRequest { material, piece_set, rules: Rules::orthodox(Metric::Dtm), seeds }
}

fn solved(request: &BuildRequest, memory_bytes: u64, counts_only: bool) -> BuildOutcome {
    let params = BuildOptions { memory_bytes, counts_only, ..BuildOptions::default() };
    with_control(|control| solve(request, &params, control))
}

#[test]
fn distances_of_two_bytes_are_checked_against_the_memory_again() {
    let (plain, deep) = (request(""), request(DEEP));
    let empty = |r: &BuildRequest| Tablebase::empty(&r.material, &r.rules, &r.piece_set).unwrap();
    // One byte per distance fits the limit; the second byte cannot be predicted.
    let narrow = empty(&plain).estimate_bytes();
    assert_eq!(empty(&deep).estimate_bytes(), narrow);
    assert!(matches!(solved(&plain, narrow, false), BuildOutcome::Complete(_)));
    let refused = match solved(&deep, narrow, false) {
        BuildOutcome::OutOfMemory(refused) => refused,
        other => panic!("expected a refusal, got {other:?}"),
    };
    // Another 128 bytes for each of the 10 * 64 * 64 words; rays and paths are included in the
    // first number.
    assert_eq!(refused.left, narrow);
    assert!((narrow..narrow + (128 * 40_960)).contains(&refused.wanted), "{refused:?}");
    // The reported requirement suffices, and one byte less does not.
    assert!(matches!(solved(&deep, refused.wanted - 1, false), BuildOutcome::OutOfMemory(_)));
    let BuildOutcome::Complete(table) = solved(&deep, refused.wanted, false) else {
        panic!("{} bytes do not do", refused.wanted)
    };
    let far = table.board(&FAR.parse().unwrap()).unwrap();
    assert_eq!(table.value(&far).unwrap(), TableValue::Loss(598));
    // Counting alone behaves alike and needs less memory.
    let options = BuildOptions { counts_only: true, ..BuildOptions::unlimited() };
    let lean = Tablebase::new(deep.clone(), options).unwrap().estimate_bytes();
    assert!(matches!(solved(&plain, lean, true), BuildOutcome::Complete(_)));
    let BuildOutcome::OutOfMemory(again) = solved(&deep, lean, true) else { panic!("no refusal") };
    assert!(again.wanted > lean && again.left == lean, "{again:?}");
    let BuildOutcome::Complete(mut counted) = solved(&deep, again.wanted, true) else {
        panic!("{} bytes do not do", again.wanted)
    };
    let longest = |table: &mut Tablebase| {
        table.statistics().map(|s| s.max_loss(umbrail_chess::geometry::Color::White))
    };
    let mut whole = *table;
    assert_eq!(longest(&mut counted), longest(&mut whole));
    assert_eq!(longest(&mut whole), Some(598));
}

/// Where a table is built in addition to others, their memory counts.
#[test]
fn what_is_held_counts_when_distances_take_two_bytes() {
    let deep = request(DEEP);
    let wanted = |before: &[&str]| {
        let mut table = Tablebase::new(deep.clone(), BuildOptions::unlimited()).unwrap();
        for name in before {
            let material = Material::read(name, &deep.piece_set).unwrap();
            with_control(|control| table.build_also(&material, u64::MAX, control)).unwrap();
        }
        let held = table.held_bytes();
        match with_control(|control| table.build_also(&deep.material, 1, control)) {
            Err(BuildError::OutOfMemory(refused)) => (refused.wanted, held),
            other => panic!("expected a refusal, got {other:?}"),
        }
    };
    let (alone, none) = wanted(&[]);
    let (beside, held) = wanted(&["KQ.KN"]);
    assert_eq!(none, 0);
    // KR.K and its sub-endings are part of both.
    assert!(beside > alone && beside <= alone + held, "{alone} {beside} {held}");
}
