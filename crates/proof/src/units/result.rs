//! Text format of a unit's result.
//!
//! The text has a line per fact and ends with `end`, so truncation is detected. Claims are written
//! as lines of an archive; their checksums and games are checked again when they are read.

use crate::enumerate::{ClaimPlace, TreePlace};
use crate::files::archive::{claim_line, claim_of_line};
use crate::problem::Problem;
use crate::run::record::{ClaimRecord, EnumeratedTree, RunCounts};
use crate::units::error::ResultError;
use crate::units::unit::{NUMBER_MAX, end_text, read_end};
use std::fmt::Write as _;

/// Result of a part of a claim. Strategies are numbered from the start of the part.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChunkRecord {
    /// Place of the claim.
    pub(super) place: TreePlace,
    /// Start of the part.
    pub(super) from: ClaimPlace,
    /// End of the part; `None` for the end of the claim.
    pub(super) until: Option<ClaimPlace>,
    /// Number of strategies in the part.
    pub(super) strategies: u32,
    /// Counts and games of the part.
    pub(super) record: ClaimRecord,
}

/// Result of a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct UnitResult {
    /// Finished claims.
    pub(super) claims: Vec<ClaimRecord>,
    /// Parts of claims.
    pub(super) chunks: Vec<ChunkRecord>,
    /// Moves and games of a case of one strategy. The unit that gave the case away counts the
    /// strategy.
    pub(super) cases: Vec<ClaimRecord>,
    /// Claims with a strategy that was given up.
    pub(super) dropped: Vec<u64>,
    /// The tree, if its end was reached.
    pub(super) tree: Option<EnumeratedTree>,
    /// Other units named by this one.
    pub(super) children: Vec<String>,
    /// Duration in milliseconds.
    pub(super) spent_ms: u64,
}

impl UnitResult {
    /// Returns the text of the result of a unit.
    pub(super) fn text(&self, unit: &str) -> String {
        let mut text = format!("unit {unit}\nspent {}\n", self.spent_ms);
        self.claims.iter().for_each(|record| text += &claim_line(record));
        for ChunkRecord { place, from, until, strategies, record } in &self.chunks {
            let (until, line) = (end_text(until.as_ref()), claim_line(record));
            let _ = write!(text, "piece {place} {from} {until} {strategies} {line}");
        }
        self.cases.iter().for_each(|record| text += &format!("case {}", claim_line(record)));
        for claim in &self.dropped {
            let _ = writeln!(text, "dropped {claim}");
        }
        if let Some(EnumeratedTree { claims, digest }) = self.tree {
            let _ = writeln!(text, "tree {claims} {digest:016x}");
        }
        for child in &self.children {
            let _ = writeln!(text, "child {child}");
        }
        text + "end\n"
    }

    /// Parses a result and its unit. Every game is replayed by the rules.
    ///
    /// # Errors
    /// Returns the first line that cannot be parsed.
    pub(super) fn read(problem: &Problem, text: &str) -> Result<(String, Self), ResultError> {
        let mut result = Self::default();
        let mut unit = None;
        let mut lines = text.split_inclusive('\n');
        for line in lines.by_ref() {
            let bare = line.trim_end();
            let (word, rest) = bare.split_once(' ').unwrap_or((bare, ""));
            let known = match word {
                "end" => break,
                "unit" => {
                    unit = Some(rest.to_owned());
                    Some(())
                }
                "spent" => rest.parse().ok().map(|spent| result.spent_ms = spent),
                "claim" => claim_of_line(problem, line).map(|record| result.claims.push(record)),
                "piece" => chunk(problem, rest).map(|chunk| result.chunks.push(chunk)),
                "case" => {
                    claim_of_line(problem, rest_of(line)).map(|record| result.cases.push(record))
                }
                "dropped" => rest.parse().ok().map(|claim| result.dropped.push(claim)),
                "tree" => tree(rest).map(|tree| result.tree = Some(tree)),
                "child" => {
                    result.children.push(rest.to_owned());
                    Some(())
                }
                _ => None,
            };
            known.ok_or_else(|| ResultError::Line(bare.to_owned()))?;
        }
        result.check_range()?;
        let ended = text.ends_with("\nend\n") && lines.next().is_none();
        let unit = unit.filter(|_| ended).ok_or(ResultError::Truncated)?;
        Ok((unit, result))
    }

    /// Checks that no number exceeds [`NUMBER_MAX`].
    fn check_range(&self) -> Result<(), ResultError> {
        let chunks = self.chunks.iter().map(|chunk| &chunk.record);
        let records = self.claims.iter().chain(chunks).chain(&self.cases);
        let numbers = records.flat_map(|record| {
            let counts = &record.counts;
            let RunCounts { enumerated, unrefuted, searched, filtered, moves, .. } = counts;
            [record.claim, *enumerated, *unrefuted, *searched, *filtered, *moves]
        });
        let tree = self.tree.iter().map(|tree| tree.claims);
        let rest = self.dropped.iter().copied().chain(tree).chain([self.spent_ms]);
        match numbers.chain(rest).find(|number| *number >= NUMBER_MAX) {
            Some(number) => Err(ResultError::Number(number)),
            None => Ok(()),
        }
    }
}

/// Returns a line without its first word.
fn rest_of(line: &str) -> &str {
    line.split_once(' ').map_or("", |(_, rest)| rest)
}

fn chunk(problem: &Problem, text: &str) -> Option<ChunkRecord> {
    let mut words = text.splitn(5, ' ');
    let place = words.next()?.parse().ok()?;
    let (from, until) = (words.next()?.parse().ok()?, read_end(words.next()?)?);
    let strategies = words.next()?.parse().ok()?;
    let record = claim_of_line(problem, words.next()?)?;
    Some(ChunkRecord { place, from, until, strategies, record })
}

fn tree(text: &str) -> Option<EnumeratedTree> {
    let (claims, digest) = text.split_once(' ')?;
    let (claims, digest) = (claims.parse().ok()?, u64::from_str_radix(digest, 16).ok()?);
    Some(EnumeratedTree { claims, digest })
}

#[cfg(test)]
mod tests {
    use super::{ChunkRecord, ResultError, UnitResult};
    use crate::Diagram;
    use crate::problem::{Length, Problem};
    use crate::run::record::{ClaimRecord, EnumeratedTree, RunCounts};

    #[test]
    fn results_are_read_as_they_are_written_and_damage_is_noticed() {
        let problem = Problem { diagram: Diagram::initial(), plies: 4, length: Length::Parity };
        let counts = RunCounts { enumerated: 3, unrefuted: 2, searched: 2, ..RunCounts::default() };
        let record = |claim| ClaimRecord { claim, counts, ..ClaimRecord::default() };
        let chunk = |from: &str, until: Option<&str>, strategies| ChunkRecord {
            place: "0@6:0".parse().unwrap(),
            from: from.parse().unwrap(),
            until: until.map(|until| until.parse().unwrap()),
            strategies,
            record: record(6),
        };
        let result = UnitResult {
            claims: vec![record(4), record(5)],
            chunks: vec![chunk("-", Some("2/7"), 7), chunk("2/7", None, 3)],
            cases: vec![record(7)],
            dropped: vec![8],
            tree: Some(EnumeratedTree { claims: 9, digest: 10 }),
            children: vec!["seek 0 -@0:0000000000000000".to_owned()],
            spent_ms: 12,
        };
        let text = result.text("claims 0 -@0:0000000000000000 4 7");
        let (unit, read) = UnitResult::read(&problem, &text).unwrap();
        assert_eq!((unit.as_str(), read), ("claims 0 -@0:0000000000000000 4 7", result));
        for wrong in ["", &text[..text.len() - 2], &text.replace("searched 2", "searched 3")] {
            assert!(UnitResult::read(&problem, wrong).is_err(), "{wrong}");
        }
        let large = UnitResult { dropped: vec![u64::MAX], ..UnitResult::default() };
        let large = UnitResult::read(&problem, &large.text("claims 0 -@0:0 4 7"));
        assert_eq!(large, Err(ResultError::Number(u64::MAX)));
        assert!(UnitResult::read(&problem, &(text + "claim")).is_err());
    }
}
