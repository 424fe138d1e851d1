//! Work that a second worker can repeat to confirm the results of the first ones.
//!
//! Workers divide units differently, so units are not compared, but what their results state: the
//! strategies and games of whole claims, and of parts of claims. A piece of work is repeated as one
//! unit that is not divided. The cases of a strategy that several workers searched are repeated
//! together.

use crate::enumerate::ClaimPlace;
use crate::problem::Problem;
use crate::run::record::ClaimRecord;
use crate::units::error::{ResultDifference, ResultError};
use crate::units::result::{ChunkRecord, UnitResult};
use crate::units::unit::{Unit, end_text};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;
use umbrail_chess::Move;

/// Maximum work that is repeated as one unit, in milliseconds: a strategy that occupied many workers
/// for an hour would occupy one for days.
const REPEATED_MS_MAX: u64 = 10 * 60 * 1000;

/// Finished work, as a unit that another worker can run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Text of the unit.
    pub unit: String,
    /// Workers that did the work.
    pub workers: BTreeSet<String>,
    /// Number of strategies in it.
    pub strategies: u64,
    /// Statement of the results, to compare with the second one.
    pub stated: String,
    /// False if the work took too long to be repeated.
    pub is_repeatable: bool,
}

/// Games of a strategy, and whether they are all.
type StrategyGames = (BTreeSet<Vec<Move>>, bool);

/// Strategies and games of a claim or of a part of one.
#[derive(Debug, Default)]
struct PieceFacts {
    enumerated: u64,
    games: BTreeMap<u32, StrategyGames>,
}

impl PieceFacts {
    fn add(&mut self, record: &ClaimRecord) {
        self.enumerated += record.counts.enumerated;
        for success in &record.successes {
            let (games, complete) =
                self.games.entry(success.number.index).or_insert((BTreeSet::new(), true));
            games.extend(success.games.iter().cloned());
            *complete &= success.complete;
        }
    }

    /// Returns the statement, one line. Of a strategy with more games than are kept, their number is
    /// omitted too: which ones are kept depends on the division into cases.
    fn line(&self, claim: u64, from: &ClaimPlace, until: Option<&ClaimPlace>) -> String {
        let mut line =
            format!("claim {claim} {from} {} strategies {}", end_text(until), self.enumerated);
        for (index, (games, complete)) in &self.games {
            let _ = write!(line, " | {index}");
            match complete {
                true => games.iter().for_each(|game| {
                    let _ = write!(line, " : {game:?}");
                }),
                false => line.push_str(" some"),
            }
        }
        line + "\n"
    }
}

/// Work of which some cases have no result yet.
#[derive(Debug)]
struct OpenRepeat {
    unit: String,
    workers: BTreeSet<String>,
    facts: PieceFacts,
    until: Option<ClaimPlace>,
    /// Cases without a result.
    cases: HashSet<String>,
    spent_ms: u64,
}

/// Finished work of a run that can be repeated.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    /// By part, claim, and start in the claim.
    open: BTreeMap<(u16, u64, ClaimPlace), OpenRepeat>,
}

impl Repeats {
    /// Records the result of a unit. Returns the finished work.
    pub(super) fn take(
        &mut self,
        worker: &str,
        text: &str,
        unit: &Unit,
        result: &UnitResult,
    ) -> Vec<Repeat> {
        match unit {
            Unit::Seek { .. } => vec![],
            Unit::Case { part, place, base, .. } => {
                let key = (*part, place.claims, base.clone());
                self.case(key, worker, text, result).into_iter().collect()
            }
            Unit::Claims { .. } | Unit::Chunk { .. } => {
                let mut finished = self.whole_claims(worker, unit, result);
                for chunk in &result.chunks {
                    let ChunkRecord { place, from, until, record, .. } = chunk;
                    let (part, place, from) = (unit.part(), place.clone(), from.clone());
                    let repeated = Unit::Chunk { part, place, from, until: until.clone(), size: 0 };
                    finished.extend(self.piece(worker, &repeated, record, result));
                }
                finished
            }
        }
    }

    /// Returns the finished whole claims of a result, in runs of consecutive ones.
    fn whole_claims(&mut self, worker: &str, unit: &Unit, result: &UnitResult) -> Vec<Repeat> {
        let (Unit::Claims { part, place, .. } | Unit::Chunk { part, place, .. }) = unit else {
            return vec![];
        };
        let mut finished: Vec<Repeat> = vec![];
        let mut last = None;
        for record in &result.claims {
            let claim = record.claim;
            if !cases_of(result, claim, &ClaimPlace::default()).is_empty() {
                let (place, from, until) = (place.clone(), claim, claim + 1);
                let repeated = Unit::Claims { part: *part, place, from, until };
                finished.extend(self.piece(worker, &repeated, record, result));
                continue;
            }
            let mut facts = PieceFacts::default();
            facts.add(record);
            let line = facts.line(claim, &ClaimPlace::default(), None);
            let (first, repeat) = match (last, finished.last_mut()) {
                (Some((first, end)), Some(repeat)) if end == claim => {
                    repeat.stated += &line;
                    repeat.strategies += facts.enumerated;
                    (first, repeat)
                }
                _ => {
                    finished.push(Repeat {
                        unit: String::new(),
                        workers: BTreeSet::from([worker.to_owned()]),
                        strategies: facts.enumerated,
                        stated: line,
                        is_repeatable: result.spent_ms <= REPEATED_MS_MAX,
                    });
                    let Some(repeat) = finished.last_mut() else { break };
                    (claim, repeat)
                }
            };
            last = Some((first, claim + 1));
            let (part, place) = (*part, place.clone());
            let (from, until) = (first, claim + 1);
            repeat.unit = Unit::Claims { part, place, from, until }.to_string();
        }
        finished
    }

    /// Records a claim or a part of one; returns it unless it waits for cases.
    fn piece(
        &mut self,
        worker: &str,
        repeated: &Unit,
        record: &ClaimRecord,
        result: &UnitResult,
    ) -> Option<Repeat> {
        let (from, until) = match repeated {
            Unit::Chunk { from, until, .. } => (from.clone(), until.clone()),
            _ => Default::default(),
        };
        let mut facts = PieceFacts::default();
        facts.add(record);
        let open = OpenRepeat {
            unit: repeated.to_string(),
            workers: BTreeSet::from([worker.to_owned()]),
            facts,
            until,
            cases: cases_of(result, record.claim, &from).into_iter().collect(),
            spent_ms: result.spent_ms,
        };
        let key = (repeated.part(), record.claim, from);
        if open.cases.is_empty() {
            return Some(open.close(&key));
        }
        self.open.insert(key, open);
        None
    }

    fn case(
        &mut self,
        key: (u16, u64, ClaimPlace),
        worker: &str,
        text: &str,
        result: &UnitResult,
    ) -> Option<Repeat> {
        let open = self.open.get_mut(&key)?;
        open.cases.remove(text);
        open.cases.extend(cases_of(result, key.1, &key.2));
        open.workers.insert(worker.to_owned());
        open.spent_ms = open.spent_ms.saturating_add(result.spent_ms);
        result.cases.iter().for_each(|record| open.facts.add(record));
        if !open.cases.is_empty() {
            return None;
        }
        Some(self.open.remove(&key)?.close(&key))
    }
}

impl OpenRepeat {
    fn close(self, (_, claim, from): &(u16, u64, ClaimPlace)) -> Repeat {
        Repeat {
            unit: self.unit,
            workers: self.workers,
            strategies: self.facts.enumerated,
            stated: self.facts.line(*claim, from, self.until.as_ref()),
            is_repeatable: self.spent_ms <= REPEATED_MS_MAX,
        }
    }
}

/// Returns the cases that a result gives away, of strategies of the part of a claim that begins at
/// this place.
fn cases_of(result: &UnitResult, claim: u64, from: &ClaimPlace) -> Vec<String> {
    let is_here = |text: &&String| match text.parse() {
        Ok(Unit::Case { place, base, .. }) => place.claims == claim && base == *from,
        _ => false,
    };
    result.children.iter().filter(is_here).cloned().collect()
}

/// Compares the second result of a unit with the statement of the first ones.
///
/// # Errors
/// Returns the damage of the second result, or the first line that differs.
pub(super) fn compare(
    problem: &Problem,
    unit: &str,
    stated: &str,
    second: &str,
) -> Result<(), ResultDifference> {
    let (named, result) = UnitResult::read(problem, second)?;
    if named != unit {
        return Err(ResultDifference::Units(unit.to_owned(), named));
    }
    if !result.children.is_empty() || !result.dropped.is_empty() {
        return Err(ResultError::Partial.into());
    }
    let mut again = String::new();
    let line = |record: &ClaimRecord, from: &ClaimPlace, until| {
        let mut facts = PieceFacts::default();
        facts.add(record);
        facts.line(record.claim, from, until)
    };
    for record in &result.claims {
        again += &line(record, &ClaimPlace::default(), None);
    }
    for ChunkRecord { from, until, record, .. } in &result.chunks {
        again += &line(record, from, until.as_ref());
    }
    let [first, second] = [stated, again.as_str()].map(|text| text.lines().collect::<Vec<_>>());
    for at in 0..first.len().max(second.len()) {
        let [one, other] = [&first, &second].map(|lines| lines.get(at).copied().unwrap_or(""));
        if one != other {
            return Err(ResultDifference::Statements(short(one), short(other)));
        }
    }
    Ok(())
}

/// Returns the start of a line, for a message.
fn short(line: &str) -> String {
    let mut text: String = line.chars().take(120).collect();
    if text.len() < line.len() {
        text.push('…');
    }
    if text.is_empty() { "nothing".to_owned() } else { text }
}

#[cfg(test)]
mod tests;
