//! Claims whose results arrive in several units: parts of the claim, and cases of one strategy.

use crate::enumerate::ClaimPlace;
use crate::run::record::{ClaimRecord, Success};
use crate::units::result::ChunkRecord;
use crate::units::unit::Unit;
use std::collections::BTreeMap;

/// Results known of one claim.
#[derive(Debug, Default)]
struct OpenChunks {
    /// Results of parts, in the order of the claim.
    parts: Vec<ChunkRecord>,
    /// Results of cases, with the start of the unit that found the strategy.
    cases: Vec<(ClaimPlace, ClaimRecord)>,
    /// Number of cases without a result.
    awaited: usize,
}

/// Unfinished claims of a run, by part and claim.
#[derive(Debug, Default)]
pub(super) struct ClaimChunks(BTreeMap<(u16, u64), OpenChunks>);

impl ClaimChunks {
    fn of(&mut self, part: u16, claim: u64) -> &mut OpenChunks {
        self.0.entry((part, claim)).or_default()
    }

    /// Registers a unit that was added to the tree. A claim waits for each of its cases.
    pub(super) fn expect(&mut self, unit: &Unit) {
        if let Unit::Case { part, place, .. } = unit {
            self.of(*part, place.claims).awaited += 1;
        }
    }

    /// Registers that a unit of the tree has a result. For a case, its claim waits for one case
    /// less.
    pub(super) fn answered(&mut self, unit: &Unit) -> Option<(u16, u64)> {
        let Unit::Case { part, place, .. } = unit else { return None };
        let open = self.of(*part, place.claims);
        open.awaited = open.awaited.saturating_sub(1);
        Some((*part, place.claims))
    }

    /// Records the result of a part of a claim.
    pub(super) fn part(&mut self, part: ChunkRecord) -> (u16, u64) {
        let key = (part.record.retraction, part.record.claim);
        let parts = &mut self.of(key.0, key.1).parts;
        let at = parts.partition_point(|known| known.from <= part.from);
        parts.insert(at, part);
        key
    }

    /// Records the result of a case of a strategy, found by the unit that began at `base`.
    pub(super) fn case(&mut self, base: ClaimPlace, record: ClaimRecord) {
        self.of(record.retraction, record.claim).cases.push((base, record));
    }

    /// Removes and returns the record of a claim if all its parts and cases have results. A
    /// strategy has at most `games_max` games.
    pub(super) fn take_whole(&mut self, key: (u16, u64), games_max: usize) -> Option<ClaimRecord> {
        let whole = self.0.get_mut(&key)?.whole(games_max)?;
        self.0.remove(&key);
        Some(whole)
    }
}

impl OpenChunks {
    /// Joins the parts if they cover the claim without gaps. A strategy is then numbered by its
    /// index in its part plus the number of strategies in the parts before.
    fn whole(&self, games_max: usize) -> Option<ClaimRecord> {
        if self.awaited > 0 || self.parts.last()?.until.is_some() {
            return None;
        }
        let (mut next, mut before) = (Some(ClaimPlace::default()), 0u32);
        let mut first = BTreeMap::new();
        for part in &self.parts {
            if next.as_ref() != Some(&part.from) {
                return None;
            }
            first.insert(&part.from, before);
            before = before.checked_add(part.strategies)?;
            next.clone_from(&part.until);
        }
        let parts = self.parts.iter().map(|part| (&part.from, &part.record));
        let cases = self.cases.iter().map(|(base, record)| (base, record));
        let key = &self.parts.first()?.record;
        let mut sum =
            ClaimRecord { retraction: key.retraction, claim: key.claim, ..ClaimRecord::default() };
        for (base, record) in parts.chain(cases) {
            let (mine, more) = (&mut sum.counts, &record.counts);
            mine.enumerated += more.enumerated;
            mine.unrefuted += more.unrefuted;
            mine.searched += more.searched;
            mine.filtered += more.filtered;
            mine.moves += more.moves;
            let before = first.get(base)?;
            for success in &record.successes {
                let mut success = success.clone();
                success.number.index = success.number.index.checked_add(*before)?;
                join(&mut sum.successes, success, games_max);
            }
        }
        sum.successes.sort_by_key(|success| success.number);
        Some(sum)
    }
}

/// Adds the games of a strategy to its known games. Cases exclude each other, so games are not
/// repeated.
fn join(successes: &mut Vec<Success>, success: Success, games_max: usize) {
    let Some(known) = successes.iter_mut().find(|known| known.number == success.number) else {
        successes.push(success);
        return;
    };
    known.games.extend(success.games);
    known.complete &= success.complete && known.games.len() <= games_max;
    known.games.truncate(games_max);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::record::{RunCounts, StrategyNumber};
    use crate::search::ResidualCase;
    use crate::strategy::projection::project;
    use crate::strategy::waypoints::Waypoints;

    fn case(depth: u32) -> Unit {
        let case = ResidualCase { depth, ..ResidualCase::default() };
        let (base, at) = ("1/3".parse().unwrap(), "1/3.1/2".parse().unwrap());
        let place = "0@4:0".parse().unwrap();
        Unit::Case { part: 0, place, base, at, index: 1, case }
    }

    fn record(enumerated: u64, successes: Vec<Success>) -> ClaimRecord {
        let counts = RunCounts { enumerated, moves: 3, ..RunCounts::default() };
        ClaimRecord { claim: 4, counts, successes, ..ClaimRecord::default() }
    }

    fn part(from: &str, until: &str, strategies: u32, successes: Vec<Success>) -> ChunkRecord {
        let until = (until != "end").then(|| until.parse().unwrap());
        let record = record(u64::from(strategies) - 1, successes);
        let (place, from) = (Default::default(), from.parse().unwrap());
        ChunkRecord { place, from, until, strategies, record }
    }

    fn success(index: u32, games: usize) -> Success {
        Success {
            number: StrategyNumber { retraction: 0, claim: 4, index },
            strategy: project(&[]).unwrap(),
            needed: [0; 32],
            waypoints: Waypoints::default(),
            free: [0; 2],
            games: vec![vec![]; games],
            complete: true,
        }
    }

    #[test]
    fn a_claim_waits_for_all_parts_and_cases_and_has_their_games() {
        let mut chunks = ClaimChunks::default();
        chunks.part(part("2/3", "end", 5, vec![success(4, 1)]));
        let key = chunks.part(part("-", "1/3", 3, vec![success(0, 1)]));
        let seek = Unit::Seek { part: 0, place: Default::default() };
        [case(1), case(2), seek].iter().for_each(|unit| chunks.expect(unit));
        let base = || "1/3".parse::<ClaimPlace>().unwrap();
        chunks.case(base(), record(0, vec![success(1, 2)]));
        assert_eq!(chunks.answered(&case(1)), Some(key));
        chunks.case(base(), record(0, vec![success(1, 1)]));
        assert_eq!(chunks.answered(&case(2)), Some(key));
        assert_eq!(chunks.take_whole(key, 9), None, "what lies between is missing");
        chunks.part(part("1/3", "2/3", 4, vec![]));
        let whole = chunks.take_whole(key, 9).unwrap();
        assert_eq!((whole.counts.enumerated, whole.counts.moves), (9, 15));
        let games =
            whole.successes.iter().map(|one| (one.number.index, one.games.len(), one.complete));
        assert_eq!(games.collect::<Vec<_>>(), [(0, 1, true), (4, 3, true), (11, 1, true)]);
        assert_eq!(chunks.take_whole(key, 9), None, "it was taken out");
    }

    #[test]
    fn a_claim_waits_for_its_last_case() {
        let mut chunks = ClaimChunks::default();
        chunks.expect(&case(1));
        chunks.part(part("-", "1/3", 1, vec![]));
        let key = chunks.part(part("1/3", "end", 2, vec![]));
        assert_eq!(chunks.take_whole(key, 9), None);
        chunks.answered(&case(1));
        assert!(chunks.take_whole(key, 9).is_some());
    }

    #[test]
    fn a_strategy_has_no_more_games_than_are_wanted() {
        let mut known = vec![success(1, 2)];
        join(&mut known, success(1, 1), 3);
        assert!(known[0].complete && known[0].games.len() == 3);
        join(&mut known, success(1, 1), 3);
        assert!(!known[0].complete && known[0].games.len() == 3);
    }
}
