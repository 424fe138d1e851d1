//! Results in any order, units that are given up, and comparisons.

use super::*;
use crate::run::Params;
use crate::run::record::{EnumeratedTree, RunCounts};
use crate::{Diagram, Length};
use std::sync::Mutex;

#[derive(Default)]
struct Lines(Mutex<Vec<String>>);

impl RunArchive for Lines {
    fn claim(&self, record: &ClaimRecord) {
        self.0.lock().unwrap().push(format!("{} {}", record.claim, record.counts.enumerated));
    }

    fn part(&self, _: u16, claims: u64, _: u64) {
        self.0.lock().unwrap().push(format!("tree {claims}"));
    }
}

const ROOT: &str = "seek 0 -@0:0000000000000000";
const FIRST: &str = "claims 0 0@0:0000000000000000 0 4";
const HEAD: &str = "piece 0 0@1:0000000000000000 - 1/3 0";
const TAIL: &str = "piece 0 0@1:0000000000000000 1/3 end 9";

const UNITS: [&str; 4] = [ROOT, FIRST, HEAD, TAIL];

fn record(claim: u64, enumerated: u64) -> ClaimRecord {
    let counts = RunCounts { enumerated, ..RunCounts::default() };
    ClaimRecord { claim, counts, ..ClaimRecord::default() }
}

fn registry() -> UnitRegistry {
    let setup = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR".parse().unwrap();
    let diagram = Diagram::from_setup(&setup).unwrap();
    let problem = Problem { diagram, plies: 3, length: Length::Exact };
    let spec = RunSpec::new(&problem, &Params::default(), &FinishedClaims::new());
    UnitRegistry::new(&spec, "test", FinishedClaims::new())
}

fn results() -> Vec<String> {
    let child = |unit: &str| vec![unit.to_owned()];
    let seek = UnitResult {
        tree: Some(EnumeratedTree { claims: 2, digest: 7 }),
        children: child(FIRST),
        ..UnitResult::default()
    };
    let first = UnitResult {
        claims: vec![record(0, 2)],
        children: vec![HEAD.to_owned(), TAIL.to_owned()],
        ..UnitResult::default()
    };
    let chunk = |from: &str, until: Option<&str>, strategies| ChunkRecord {
        place: "0@1:0".parse().unwrap(),
        from: from.parse().unwrap(),
        until: until.map(|until| until.parse().unwrap()),
        strategies,
        record: record(1, strategies.into()),
    };
    let head = UnitResult { chunks: vec![chunk("-", Some("1/3"), 3)], ..UnitResult::default() };
    let tail = UnitResult { chunks: vec![chunk("1/3", None, 4)], ..UnitResult::default() };
    [(ROOT, seek), (FIRST, first), (HEAD, head), (TAIL, tail)]
        .map(|(unit, result)| result.text(unit))
        .to_vec()
}

/// Tries every order in which four results may arrive, each result twice.
#[test]
fn results_in_any_order_prove_the_same() {
    let results = results();
    for order in 0..256usize {
        let order: Vec<usize> = (0..4).map(|at| order >> (2 * at) & 3).collect();
        let (mut registry, lines) = (registry(), Lines::default());
        assert_eq!(registry.missing().collect::<Vec<_>>(), [ROOT]);
        for &at in order.iter().chain(&order) {
            registry.accept(&results[at], "w", &lines).unwrap();
        }
        let all = (0..4).all(|at| order.contains(&at));
        assert!((0..4).all(|at| registry.has_result(UNITS[at]) == order.contains(&at)));
        assert_eq!(registry.is_closed(), all, "{order:?}");
        let mut lines = lines.0.into_inner().unwrap();
        lines.sort();
        if all {
            assert_eq!(lines, ["0 2", "1 7", "tree 2"]);
            assert!(registry.report().searched || registry.report().counts.enumerated == 9);
        }
    }
}

#[test]
fn a_unit_that_is_given_up_leaves_the_run_incomplete() {
    let (mut registry, lines) = (registry(), Lines::default());
    for result in &results()[..3] {
        registry.accept(result, "w", &lines).unwrap();
    }
    assert_eq!(registry.missing().collect::<Vec<_>>(), [TAIL]);
    assert!(registry.give_up(TAIL, "panicked") && !registry.give_up(HEAD, "panicked"));
    assert!(registry.is_closed() && !registry.report().enumerated);
    assert_eq!(registry.failed().collect::<Vec<_>>(), [(TAIL, "panicked")]);
    registry.accept(&results()[3], "w", &lines).unwrap();
    assert!(registry.is_closed() && registry.report().enumerated && registry.failed().count() == 0);
}
