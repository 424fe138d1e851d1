//! Registry of the units of a run and their results.
//!
//! Units form a tree: the roots follow from the problem, and the result of a unit names its
//! children. The run is over when every unit of the tree has a result; an empty queue proves
//! nothing. Only one result of a unit counts, so a unit may be handed out repeatedly. A second
//! check follows: the claims of the archive must be all claims of the tree.

use crate::enumerate::ClaimPlace;
use crate::files::archive::{Archive, Header};
use crate::problem::Problem;
use crate::run::RunReport;
use crate::run::record::{ClaimRecord, FinishedClaims, RunArchive};
use crate::units::chunks::ClaimChunks;
use crate::units::error::{ResultDifference, ResultError};
use crate::units::result::{ChunkRecord, UnitResult};
use crate::units::spec::RunSpec;
use crate::units::unit::{Unit, end_text};
use std::collections::{BTreeMap, HashMap, HashSet};
use umbrail_control::UnitId;

/// Effect of an accepted result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accepted {
    /// Units named by the result, and by results that were waiting for it.
    pub children: Vec<String>,
    /// Claims finished by the result.
    pub claims: Vec<ClaimRecord>,
}

/// State of a run, as far as its results show.
#[derive(Debug)]
pub struct UnitRegistry {
    problem: Problem,
    header: Header,
    run: String,
    archive: Archive,
    /// Units of the tree without a result, with their texts.
    open: HashMap<UnitId, String>,
    /// Units of the tree with a result, and their durations in milliseconds.
    closed: HashMap<UnitId, u64>,
    /// Results of units that no other result has named yet.
    early: HashMap<UnitId, (String, UnitResult)>,
    /// Claims with results for some of their strategies only.
    chunks: ClaimChunks,
    /// Maximum number of games recorded per strategy.
    games_max: usize,
    /// Units that were given up, with the reason.
    failed: HashMap<UnitId, (String, String)>,
    /// Claims with a strategy that was given up.
    dropped: HashSet<(u16, u64)>,
}

impl UnitRegistry {
    /// Creates the registry of the run named `run`, with the finished claims of an earlier run.
    pub fn new(spec: &RunSpec, run: &str, archived: FinishedClaims) -> Self {
        let header = Header::of(&spec.problem, &spec.params);
        let mut registry = Self {
            problem: spec.problem,
            header,
            run: run.to_owned(),
            archive: Archive { claims: archived, ..Archive::default() },
            open: HashMap::new(),
            closed: HashMap::new(),
            early: HashMap::new(),
            chunks: ClaimChunks::default(),
            games_max: spec.params.games_max,
            failed: HashMap::new(),
            dropped: HashSet::new(),
        };
        spec.roots().into_iter().for_each(|root| {
            registry.open.insert(UnitId::of(&registry.run, &root), root);
        });
        registry
    }

    /// Returns the identifier of a unit of this run.
    pub fn id(&self, unit: &str) -> UnitId {
        UnitId::of(&self.run, unit)
    }

    /// Checks that a result can be read and that its games solve the problem.
    ///
    /// # Errors
    /// Returns the damage.
    pub fn check(&self, text: &str) -> Result<(), ResultError> {
        UnitResult::read(&self.problem, text).map(|_| ())
    }

    /// Records a result. A second result of a unit changes nothing.
    ///
    /// # Errors
    /// Returns the defect of the result: damage, a game that does not solve the problem, or a known
    /// claim with other numbers.
    pub fn accept(
        &mut self,
        text: &str,
        run_archive: &dyn RunArchive,
    ) -> Result<Accepted, ResultError> {
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
                    child.parse().iter().for_each(|unit| self.chunks.expect(unit));
                    waiting.push(id);
                    accepted.children.push(child.clone());
                }
            }
            self.enter(&unit, result, run_archive, &mut accepted)?;
        }
        // Second results of a unit are not needed.
        self.early.retain(|id, _| !self.closed.contains_key(id));
        Ok(accepted)
    }

    fn enter(
        &mut self,
        unit: &str,
        result: UnitResult,
        run_archive: &dyn RunArchive,
        accepted: &mut Accepted,
    ) -> Result<(), ResultError> {
        let unit: Unit = unit.parse()?;
        let part = unit.part();
        let mut touched = vec![];
        for record in result.claims {
            let strategies = u32::try_from(record.counts.enumerated).unwrap_or(u32::MAX);
            let (from, until) = (ClaimPlace::default(), None);
            touched.push(self.chunks.part(ChunkRecord { from, until, strategies, record }));
        }
        touched.extend(result.chunks.into_iter().map(|chunk| self.chunks.part(chunk)));
        if let Unit::Case { base, .. } = &unit {
            result.cases.into_iter().for_each(|record| self.chunks.case(base.clone(), record));
        }
        touched.extend(self.chunks.answered(&unit));
        for key in touched {
            if let Some(whole) = self.chunks.take_whole(key, self.games_max) {
                self.claim(whole, run_archive, accepted)?;
            }
        }
        self.dropped.extend(result.dropped.iter().map(|claim| (part, *claim)));
        if let Some(tree) = result.tree {
            if self.archive.parts.insert(part, tree).is_some_and(|known| known != tree) {
                return Err(ResultError::Trees);
            }
            run_archive.part(part, tree.claims, tree.digest);
        }
        Ok(())
    }

    fn claim(
        &mut self,
        record: ClaimRecord,
        run_archive: &dyn RunArchive,
        accepted: &mut Accepted,
    ) -> Result<(), ResultError> {
        if !self.archive.claims.contains_key(&(record.retraction, record.claim)) {
            run_archive.claim(&record);
            accepted.claims.push(record.clone());
        }
        Ok(self.archive.insert(record)?)
    }

    /// Records that a unit was given up, with the reason. Returns false if the unit already has a
    /// result.
    pub fn give_up(&mut self, unit: &str, why: &str) -> bool {
        let id = self.id(unit);
        if self.closed.contains_key(&id) {
            return false;
        }
        // The unit may not be named by any result yet.
        self.failed.insert(id, (unit.to_owned(), why.to_owned()));
        true
    }

    /// Returns the units without a result that were not given up.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        let given_up = |id: &UnitId| self.failed.contains_key(id);
        self.open.iter().filter(move |(id, _)| !given_up(id)).map(|(_, unit)| unit.as_str())
    }

    /// Returns true if a unit is one of [`missing`](Self::missing).
    pub fn is_missing(&self, unit: &str) -> bool {
        let id = self.id(unit);
        self.open.contains_key(&id) && !self.failed.contains_key(&id)
    }

    /// Returns true if every unit of the tree has a result or was given up.
    pub fn is_closed(&self) -> bool {
        self.missing().next().is_none()
    }

    /// Returns the number of units with a result, and the number of known units without one.
    pub fn units(&self) -> (usize, usize) {
        (self.closed.len(), self.open.len())
    }

    /// Returns the duration of each unit in milliseconds.
    pub fn durations(&self) -> impl Iterator<Item = u64> {
        self.closed.values().copied()
    }

    /// Returns the units that were given up, with the reasons.
    pub fn failed(&self) -> impl Iterator<Item = (&str, &str)> {
        let open = self.failed.iter().filter(|(id, _)| self.open.contains_key(id));
        open.map(|(_, (unit, why))| (unit.as_str(), why.as_str()))
    }

    /// Returns the number of finished claims, and of all claims once the tree is known.
    pub fn claims(&self) -> (u64, Option<u64>) {
        let known: u64 = self.archive.parts.values().map(|tree| tree.claims).sum();
        (self.archive.claims.len() as u64, (known > 0).then_some(known))
    }

    /// Returns the report of all claims so far. The report is complete only if the run is over,
    /// nothing was given up, and the archive has every claim of the tree.
    pub fn report(&self) -> RunReport {
        let mut report = self.archive.report(&self.header).unwrap_or_default();
        let over = self.is_closed() && self.failed().next().is_none() && self.dropped.is_empty();
        report.enumerated &= over || !report.refusals.is_empty();
        report.searched &= report.enumerated;
        report.counts.dropped += self.dropped.len() as u64;
        report.successes.sort_by_key(|one| one.number);
        report
    }

    /// Returns true if the current results suffice to end the run.
    pub fn is_enough(&self, spec: &RunSpec) -> bool {
        spec.params.is_enough(&self.report())
    }

    /// Returns true if a result states that none of its strategies has a game, which a second
    /// worker can confirm.
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

    /// Compares the values that must be equal in two results of one unit: the numbers of strategies
    /// and games.
    ///
    /// # Errors
    /// Returns the first difference.
    pub fn compare(&self, one: &str, other: &str) -> Result<(), ResultDifference> {
        let [one, other] = [one, other].map(|text| UnitResult::read(&self.problem, text));
        let ((unit, one), (again, other)) = (one?, other?);
        if unit != again {
            return Err(ResultDifference::Units(unit, again));
        }
        // A worker divides a unit earlier while others wait; only parts common to both can be
        // compared.
        let (one, other) = (parts(&one), parts(&other));
        for (at, record) in &one {
            let Some(second) = other.get(at) else { continue };
            let claim = record.claim;
            let (a, b) = (record.counts.enumerated, second.counts.enumerated);
            if a != b {
                return Err(ResultDifference::Strategies(claim, a, b));
            }
            let games = |record: &ClaimRecord| -> usize {
                record.successes.iter().map(|success| success.games.len()).sum()
            };
            let (a, b) = (games(record), games(second));
            if a != b {
                return Err(ResultDifference::Games(claim, a, b));
            }
        }
        Ok(())
    }
}

/// Returns the records of a result by claim and by the limits of the part: empty for a whole claim,
/// `case` for a case.
fn parts(result: &UnitResult) -> BTreeMap<(u64, String), &ClaimRecord> {
    let whole = result.claims.iter().map(|record| ((record.claim, String::new()), record));
    let parts = result.chunks.iter().map(|ChunkRecord { from, until, record, .. }| {
        ((record.claim, format!("{from} {}", end_text(until.as_ref()))), record)
    });
    let cases = result.cases.iter().map(|record| ((record.claim, "case".to_owned()), record));
    whole.chain(parts).chain(cases).collect()
}

#[cfg(test)]
mod tests;
