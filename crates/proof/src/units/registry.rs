//! Registry of the units of a run and their results.
//!
//! Units form a tree: the roots follow from the problem, and the result of a unit names its
//! children. The run is over when every unit of the tree has a result; an empty queue proves
//! nothing. Only one result of a unit counts, so a unit may be handed out repeatedly. A second
//! check follows: the claims of the archive must be all claims of the tree.

use crate::enumerate::{ClaimPlace, TreePlace};
use crate::files::archive::{Archive, Header};
use crate::problem::Problem;
use crate::run::RunReport;
use crate::run::record::{ClaimRecord, FinishedClaims, RunArchive};
use crate::units::chunks::ClaimChunks;
use crate::units::error::{ResultDifference, ResultError};
use crate::units::repeats::{Repeat, Repeats, compare};
use crate::units::result::{ChunkRecord, UnitResult};
use crate::units::spec::RunSpec;
use crate::units::unit::Unit;
use std::collections::{HashMap, HashSet};
use umbrail_control::UnitId;

/// Effect of an accepted result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accepted {
    /// Units named by the result, and by results that were waiting for it.
    pub children: Vec<String>,
    /// Claims finished by the result.
    pub claims: Vec<ClaimRecord>,
    /// Work finished by the result that a second worker can repeat.
    pub repeats: Vec<Repeat>,
}

/// Result of a unit that no other result has named yet.
#[derive(Debug)]
struct EarlyResult {
    unit: String,
    worker: String,
    result: UnitResult,
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
    early: HashMap<UnitId, EarlyResult>,
    /// Claims with results for some of their strategies only.
    chunks: ClaimChunks,
    /// Work that second workers can repeat; `None` if nobody repeats any.
    repeats: Option<Repeats>,
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
            repeats: None,
            games_max: spec.params.games_max,
            failed: HashMap::new(),
            dropped: HashSet::new(),
        };
        spec.roots().into_iter().for_each(|root| {
            registry.open.insert(UnitId::of(&registry.run, &root), root);
        });
        registry
    }

    /// Lets [`accept`](Self::accept) return the work that a second worker can repeat.
    #[must_use]
    pub fn with_repeats(mut self) -> Self {
        self.repeats = Some(Repeats::default());
        self
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

    /// Records a result of this worker. A second result of a unit changes nothing.
    ///
    /// # Errors
    /// Returns the defect of the result: damage, a game that does not solve the problem, or a known
    /// claim with other numbers.
    pub fn accept(
        &mut self,
        text: &str,
        worker: &str,
        run_archive: &dyn RunArchive,
    ) -> Result<Accepted, ResultError> {
        let (unit, result) = UnitResult::read(&self.problem, text)?;
        let id = self.id(&unit);
        let worker = worker.to_owned();
        self.early.entry(id).or_insert(EarlyResult { unit, worker, result });
        let mut accepted = Accepted::default();
        let mut waiting = vec![id];
        while let Some(id) = waiting.pop() {
            if self.closed.contains_key(&id) || !self.open.contains_key(&id) {
                continue;
            }
            let Some(early) = self.early.remove(&id) else { continue };
            self.open.remove(&id);
            self.failed.remove(&id);
            self.closed.insert(id, early.result.spent_ms);
            for child in &early.result.children {
                let id = self.id(child);
                if !self.closed.contains_key(&id) && self.open.insert(id, child.clone()).is_none() {
                    child.parse().iter().for_each(|unit| self.chunks.expect(unit));
                    waiting.push(id);
                    accepted.children.push(child.clone());
                }
            }
            self.enter(early, run_archive, &mut accepted)?;
        }
        // Second results of a unit are not needed.
        self.early.retain(|id, _| !self.closed.contains_key(id));
        Ok(accepted)
    }

    fn enter(
        &mut self,
        EarlyResult { unit: text, worker, result }: EarlyResult,
        run_archive: &dyn RunArchive,
        accepted: &mut Accepted,
    ) -> Result<(), ResultError> {
        let unit: Unit = text.parse()?;
        let part = unit.part();
        if let Some(repeats) = &mut self.repeats {
            accepted.repeats.extend(repeats.take(&worker, &text, &unit, &result));
        }
        let mut touched = vec![];
        for record in result.claims {
            let strategies = u32::try_from(record.counts.enumerated).unwrap_or(u32::MAX);
            let (place, from, until) = (TreePlace::default(), ClaimPlace::default(), None);
            touched.push(self.chunks.part(ChunkRecord { place, from, until, strategies, record }));
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

    /// Returns true if a unit has a result, perhaps before another result has named it.
    pub fn has_result(&self, unit: &str) -> bool {
        let id = self.id(unit);
        self.closed.contains_key(&id) || self.early.contains_key(&id)
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

    /// Compares the second result of a unit with the [statement](Repeat::stated) of the first ones.
    ///
    /// # Errors
    /// Returns the damage of the second result, or the first difference.
    pub fn compare(&self, unit: &str, stated: &str, second: &str) -> Result<(), ResultDifference> {
        compare(&self.problem, unit, stated, second)
    }
}

#[cfg(test)]
mod tests;
