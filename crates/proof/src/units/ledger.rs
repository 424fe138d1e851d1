//! The ledger of a run: which units there are, which have a result, and what follows from all of them.
//!
//! Units form a tree: the roots follow from the problem, all others are named by the result of their
//! parent. The run is over when every unit of that tree has a result; that a queue is empty proves
//! nothing. Every unit has one result, so it does not matter how often it was handed out. What the
//! units prove is then proved once more: the claims of the archive must be all that the tree has.

use crate::enumerate::ClaimPlace;
use crate::files::archive::{Archive, Header};
use crate::problem::Problem;
use crate::run::RunReport;
use crate::run::record::{ClaimRecord, FinishedClaims, Journal};
use crate::units::pieces::ClaimPieces;
use crate::units::result::{PieceRecord, UnitResult};
use crate::units::spec::RunSpec;
use crate::units::unit::{Unit, end_text};
use std::collections::{BTreeMap, HashMap, HashSet};
use umbrail_control::UnitId;

/// What became of a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accepted {
    /// Units named by it, and by results that were waiting for it.
    pub children: Vec<String>,
    /// Claims finished by it.
    pub claims: Vec<ClaimRecord>,
}

/// What is known of a run from its results.
#[derive(Debug)]
pub struct UnitLedger {
    problem: Problem,
    header: Header,
    run: String,
    archive: Archive,
    /// Units of the tree without a result, with their texts.
    open: HashMap<UnitId, String>,
    /// Units of the tree with a result, and how long they took in milliseconds.
    closed: HashMap<UnitId, u64>,
    /// Results of units that no other result has named yet.
    early: HashMap<UnitId, (String, UnitResult)>,
    /// Claims of which some strategies are searched.
    pieces: ClaimPieces,
    /// Games counted of a strategy.
    games_max: usize,
    /// Units that were given up, and why.
    failed: HashMap<UnitId, (String, String)>,
    /// Claims with a strategy that was given up.
    dropped: HashSet<(u16, u64)>,
}

impl UnitLedger {
    /// The ledger of a run that has this name, with the finished claims of an earlier one.
    pub fn new(spec: &RunSpec, run: &str, archived: FinishedClaims) -> Self {
        let header = Header::of(&spec.problem, &spec.params);
        let mut ledger = Self {
            problem: spec.problem,
            header,
            run: run.to_owned(),
            archive: Archive { claims: archived, ..Archive::default() },
            open: HashMap::new(),
            closed: HashMap::new(),
            early: HashMap::new(),
            pieces: ClaimPieces::default(),
            games_max: spec.params.games_max,
            failed: HashMap::new(),
            dropped: HashSet::new(),
        };
        spec.roots().into_iter().for_each(|root| {
            ledger.open.insert(UnitId::of(&ledger.run, &root), root);
        });
        ledger
    }

    /// The name of a unit of this run.
    pub fn id(&self, unit: &str) -> UnitId {
        UnitId::of(&self.run, unit)
    }

    /// Takes a result. A second one of the same unit changes nothing.
    ///
    /// # Errors
    /// What is wrong with it: damage, a game that does not solve the problem, a claim that is known
    /// with other numbers.
    pub fn accept(&mut self, text: &str, journal: &dyn Journal) -> Result<Accepted, String> {
        let (unit, result) = UnitResult::read(&self.problem, text)?;
        let id = self.id(&unit);
        self.early.entry(id).or_insert((unit, result));
        let mut accepted = Accepted::default();
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if self.closed.contains_key(&id) || !self.open.contains_key(&id) {
                continue;
            }
            let Some((unit, result)) = self.early.remove(&id) else { continue };
            self.open.remove(&id);
            self.failed.remove(&id);
            self.closed.insert(id, result.spent_ms);
            for child in &result.children {
                let id = self.id(child);
                if !self.closed.contains_key(&id) && self.open.insert(id, child.clone()).is_none() {
                    child.parse().iter().for_each(|unit| self.pieces.expect(unit));
                    waiting.push(id);
                    accepted.children.push(child.clone());
                }
            }
            self.enter(&unit, result, journal, &mut accepted)?;
        }
        // A second result of a unit is of no use.
        self.early.retain(|id, _| !self.closed.contains_key(id));
        Ok(accepted)
    }

    fn enter(
        &mut self,
        unit: &str,
        result: UnitResult,
        journal: &dyn Journal,
        accepted: &mut Accepted,
    ) -> Result<(), String> {
        let unit: Unit = unit.parse()?;
        let part = unit.part();
        let mut touched = vec![];
        for record in result.claims {
            let strategies = u32::try_from(record.counts.enumerated).unwrap_or(u32::MAX);
            let (from, until) = (ClaimPlace::default(), None);
            touched.push(self.pieces.part(PieceRecord { from, until, strategies, record }));
        }
        touched.extend(result.pieces.into_iter().map(|piece| self.pieces.part(piece)));
        if let Unit::Case { base, .. } = &unit {
            result.cases.into_iter().for_each(|record| self.pieces.case(base.clone(), record));
        }
        touched.extend(self.pieces.answered(&unit));
        for key in touched {
            if let Some(whole) = self.pieces.take_whole(key, self.games_max) {
                self.claim(whole, journal, accepted)?;
            }
        }
        self.dropped.extend(result.dropped.iter().map(|claim| (part, *claim)));
        if let Some((claims, digest)) = result.tree {
            let known = self.archive.parts.insert(part, (claims, digest));
            if known.is_some_and(|known| known != (claims, digest)) {
                return Err("two workers walked different trees".to_owned());
            }
            journal.part(part, claims, digest);
        }
        Ok(())
    }

    fn claim(
        &mut self,
        record: ClaimRecord,
        journal: &dyn Journal,
        accepted: &mut Accepted,
    ) -> Result<(), String> {
        if !self.archive.claims.contains_key(&(record.retraction, record.claim)) {
            journal.claim(&record);
            accepted.claims.push(record.clone());
        }
        self.archive.insert(record).map_err(|error| error.to_string())
    }

    /// Notes that a unit was given up, and why. False when it has a result all the same.
    pub fn give_up(&mut self, unit: &str, why: &str) -> bool {
        let id = self.id(unit);
        if self.closed.contains_key(&id) {
            return false;
        }
        // Perhaps no result has named it yet.
        self.failed.insert(id, (unit.to_owned(), why.to_owned()));
        true
    }

    /// The units without a result that were not given up.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        let given_up = |id: &UnitId| self.failed.contains_key(id);
        self.open.iter().filter(move |(id, _)| !given_up(id)).map(|(_, unit)| unit.as_str())
    }

    /// Whether every unit of the tree has a result or was given up.
    pub fn is_closed(&self) -> bool {
        self.missing().next().is_none()
    }

    /// The number of units with a result, and of those known to have none.
    pub fn units(&self) -> (usize, usize) {
        (self.closed.len(), self.open.len())
    }

    /// How long each unit took, in milliseconds.
    pub fn durations(&self) -> impl Iterator<Item = u64> {
        self.closed.values().copied()
    }

    /// The units that were given up, and why.
    pub fn failed(&self) -> impl Iterator<Item = (&str, &str)> {
        let open = self.failed.iter().filter(|(id, _)| self.open.contains_key(id));
        open.map(|(_, (unit, why))| (unit.as_str(), why.as_str()))
    }

    /// The number of finished claims, and of all claims once the tree is known.
    pub fn claims(&self) -> (u64, Option<u64>) {
        let known: u64 = self.archive.parts.values().map(|(claims, _)| claims).sum();
        (self.archive.claims.len() as u64, (known > 0).then_some(known))
    }

    /// The report of all claims so far. It is complete only if the run is over, nothing was given up,
    /// and the archive has every claim of the tree.
    pub fn report(&self) -> RunReport {
        let mut report = self.archive.report(&self.header).unwrap_or_default();
        let over = self.is_closed() && self.failed().next().is_none() && self.dropped.is_empty();
        report.enumerated &= over || !report.refusals.is_empty();
        report.searched &= report.enumerated;
        report.counts.dropped += self.dropped.len() as u64;
        report.successes.sort_by_key(|one| one.number);
        report
    }

    /// Whether the run may end with what is known now.
    pub fn is_enough(&self, spec: &RunSpec) -> bool {
        spec.params.is_enough(&self.report())
    }

    /// Whether a result says that none of its strategies has a game: what a second worker can confirm.
    pub fn is_refutation(&self, text: &str) -> bool {
        UnitResult::read(&self.problem, text).is_ok_and(|(unit, result)| {
            let records = parts(&result);
            !unit.starts_with("seek ")
                && result.children.is_empty()
                && result.dropped.is_empty()
                && !records.is_empty()
                && records.values().all(|record| record.successes.is_empty())
        })
    }

    /// Compares two results of one unit, as far as they must be equal: strategies enumerated, and games.
    ///
    /// # Errors
    /// The first difference.
    pub fn compare(&self, one: &str, other: &str) -> Result<(), String> {
        let [one, other] = [one, other].map(|text| UnitResult::read(&self.problem, text));
        let ((unit, one), (again, other)) = (one?, other?);
        if unit != again {
            return Err(format!("they belong to different units, {unit} and {again}"));
        }
        // A worker that others wait for divides a unit earlier; only what both have can be compared.
        let (one, other) = (parts(&one), parts(&other));
        for (at, record) in &one {
            let Some(second) = other.get(at) else { continue };
            let claim = record.claim;
            let (a, b) = (record.counts.enumerated, second.counts.enumerated);
            if a != b {
                return Err(format!("claim {claim} has {a} strategies or {b}"));
            }
            let games = |record: &ClaimRecord| -> usize {
                record.successes.iter().map(|success| success.games.len()).sum()
            };
            let (a, b) = (games(record), games(second));
            if a != b {
                return Err(format!("claim {claim} has {a} games or {b}"));
            }
        }
        Ok(())
    }
}

/// What a result has: by claim, and by the places in it; nothing but the claim for a whole one, and `case` for a case.
fn parts(result: &UnitResult) -> BTreeMap<(u64, String), &ClaimRecord> {
    let whole = result.claims.iter().map(|record| ((record.claim, String::new()), record));
    let parts = result.pieces.iter().map(|PieceRecord { from, until, record, .. }| {
        ((record.claim, format!("{from} {}", end_text(until.as_ref()))), record)
    });
    let cases = result.cases.iter().map(|record| ((record.claim, "case".to_owned()), record));
    whole.chain(parts).chain(cases).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Params;
    use crate::run::record::RunCounts;
    use crate::{Diagram, Length};
    use std::sync::Mutex;

    #[derive(Default)]
    struct Lines(Mutex<Vec<String>>);

    impl Journal for Lines {
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

    fn record(claim: u64, enumerated: u64) -> ClaimRecord {
        let counts = RunCounts { enumerated, ..RunCounts::default() };
        ClaimRecord { claim, counts, ..ClaimRecord::default() }
    }

    fn ledger() -> UnitLedger {
        let setup = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR".parse().unwrap();
        let diagram = Diagram::from_setup(&setup).unwrap();
        let problem = Problem { diagram, plies: 3, length: Length::Exact };
        let spec = RunSpec::new(&problem, &Params::default(), &FinishedClaims::new());
        UnitLedger::new(&spec, "test", FinishedClaims::new())
    }

    fn results() -> Vec<String> {
        let child = |unit: &str| vec![unit.to_owned()];
        let seek =
            UnitResult { tree: Some((2, 7)), children: child(FIRST), ..UnitResult::default() };
        let first = UnitResult {
            claims: vec![record(0, 2)],
            children: vec![HEAD.to_owned(), TAIL.to_owned()],
            ..UnitResult::default()
        };
        let piece = |from: &str, until: Option<&str>, strategies| PieceRecord {
            from: from.parse().unwrap(),
            until: until.map(|until| until.parse().unwrap()),
            strategies,
            record: record(1, strategies.into()),
        };
        let head = UnitResult { pieces: vec![piece("-", Some("1/3"), 3)], ..UnitResult::default() };
        let tail = UnitResult { pieces: vec![piece("1/3", None, 4)], ..UnitResult::default() };
        [(ROOT, seek), (FIRST, first), (HEAD, head), (TAIL, tail)]
            .map(|(unit, result)| result.text(unit))
            .to_vec()
    }

    /// Every order in which four results may come, each twice.
    #[test]
    fn results_in_any_order_prove_the_same() {
        let results = results();
        for order in 0..256usize {
            let order: Vec<usize> = (0..4).map(|at| order >> (2 * at) & 3).collect();
            let (mut ledger, lines) = (ledger(), Lines::default());
            assert_eq!(ledger.missing().collect::<Vec<_>>(), [ROOT]);
            for &at in order.iter().chain(&order) {
                ledger.accept(&results[at], &lines).unwrap();
            }
            let all = (0..4).all(|at| order.contains(&at));
            assert_eq!(ledger.is_closed(), all, "{order:?}");
            let mut lines = lines.0.into_inner().unwrap();
            lines.sort();
            if all {
                assert_eq!(lines, ["0 2", "1 7", "tree 2"]);
                assert!(ledger.report().searched || ledger.report().counts.enumerated == 9);
            }
        }
    }

    #[test]
    fn a_unit_that_is_given_up_leaves_the_run_incomplete() {
        let (mut ledger, lines) = (ledger(), Lines::default());
        for result in &results()[..3] {
            ledger.accept(result, &lines).unwrap();
        }
        assert_eq!(ledger.missing().collect::<Vec<_>>(), [TAIL]);
        assert!(ledger.give_up(TAIL, "panicked") && !ledger.give_up(HEAD, "panicked"));
        assert!(ledger.is_closed() && !ledger.report().enumerated);
        assert_eq!(ledger.failed().collect::<Vec<_>>(), [(TAIL, "panicked")]);
        ledger.accept(&results()[3], &lines).unwrap();
        assert!(ledger.is_closed() && ledger.report().enumerated && ledger.failed().count() == 0);
    }

    #[test]
    fn two_results_of_a_unit_are_compared() {
        let ledger = ledger();
        let of = |enumerated| {
            let claims = vec![record(0, enumerated)];
            UnitResult { claims, ..UnitResult::default() }.text(FIRST)
        };
        assert_eq!(ledger.compare(&of(2), &of(2)), Ok(()));
        assert_eq!(ledger.compare(&of(2), &of(3)).unwrap_err(), "claim 0 has 2 strategies or 3");
        assert!(ledger.is_refutation(&of(2)) && !ledger.is_refutation(&results()[0]));
    }
}
