//! Claims whose results come in several units: ranges of strategies, and cases of one strategy.

use crate::run::record::{ClaimRecord, Success};
use crate::units::unit::Unit;
use std::collections::BTreeMap;

/// What is known of one claim.
#[derive(Debug, Default)]
struct OpenPieces {
    /// Results of the strategies from an index up to another one.
    ranges: Vec<(u32, u32, ClaimRecord)>,
    /// Results of cases.
    cases: Vec<ClaimRecord>,
    /// Cases that have no result yet.
    awaited: usize,
}

/// The claims of a run that are not finished, by part and claim.
#[derive(Debug, Default)]
pub(super) struct ClaimPieces(BTreeMap<(u16, u64), OpenPieces>);

impl ClaimPieces {
    fn of(&mut self, part: u16, claim: u64) -> &mut OpenPieces {
        self.0.entry((part, claim)).or_default()
    }

    /// A unit has become part of the tree. If it is a case, its claim waits for it.
    pub(super) fn expect(&mut self, unit: &str) {
        if let Some((part, claim)) = claim_of_case(unit) {
            self.of(part, claim).awaited += 1;
        }
    }

    /// A unit of the tree has a result. If it is a case, its claim has one case less to wait for.
    pub(super) fn answered(&mut self, unit: &str) -> Option<(u16, u64)> {
        let (part, claim) = claim_of_case(unit)?;
        let open = self.of(part, claim);
        open.awaited = open.awaited.saturating_sub(1);
        Some((part, claim))
    }

    /// Takes the result of the strategies from an index up to another one.
    pub(super) fn range(&mut self, from: u32, until: u32, record: ClaimRecord) -> (u16, u64) {
        let key = (record.retraction, record.claim);
        self.of(key.0, key.1).ranges.push((from, until, record));
        key
    }

    /// Takes the result of a case.
    pub(super) fn case(&mut self, record: ClaimRecord) {
        self.of(record.retraction, record.claim).cases.push(record);
    }

    /// Takes out the record of a claim, if every strategy and every case of it has its result. A strategy has at most
    /// `games_max` games.
    pub(super) fn take_whole(&mut self, key: (u16, u64), games_max: usize) -> Option<ClaimRecord> {
        let whole = self.0.get_mut(&key)?.whole(games_max)?;
        self.0.remove(&key);
        Some(whole)
    }
}

/// Part and claim of a case; none for other units.
fn claim_of_case(unit: &str) -> Option<(u16, u64)> {
    match unit.parse().ok()? {
        Unit::Case { part, claim, .. } => Some((part, claim)),
        _ => None,
    }
}

impl OpenPieces {
    /// The ranges must follow each other without gaps, from the first strategy to the last one.
    fn whole(&mut self, games_max: usize) -> Option<ClaimRecord> {
        self.ranges.sort_by_key(|(from, until, _)| (*from, *until));
        let mut next = 0;
        for (from, until, _) in &self.ranges {
            if *from != next {
                return None;
            }
            next = *until;
        }
        if next != u32::MAX || self.awaited > 0 {
            return None;
        }
        let ranges = self.ranges.iter().map(|(_, _, record)| record);
        let mut all = ranges.chain(&self.cases);
        let mut sum = all.next()?.clone();
        for record in all {
            let (mine, more) = (&mut sum.counts, &record.counts);
            mine.enumerated += more.enumerated;
            mine.unrefuted += more.unrefuted;
            mine.searched += more.searched;
            mine.filtered += more.filtered;
            mine.moves += more.moves;
            record
                .successes
                .iter()
                .for_each(|success| join(&mut sum.successes, success, games_max));
        }
        sum.successes.sort_by_key(|success| success.number);
        Some(sum)
    }
}

/// Adds the games of a strategy to those known of it. Cases exclude each other, so no game comes twice.
fn join(successes: &mut Vec<Success>, success: &Success, games_max: usize) {
    let Some(known) = successes.iter_mut().find(|known| known.number == success.number) else {
        successes.push(success.clone());
        return;
    };
    known.games.extend(success.games.iter().cloned());
    known.complete &= success.complete && known.games.len() <= games_max;
    known.games.truncate(games_max);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::record::{RunCounts, StrategyNumber};
    use crate::search::LeftCase;
    use crate::strategy::projection::project;
    use crate::strategy::waypoints::Waypoints;

    fn case(depth: u32) -> String {
        let case = LeftCase { depth, ..LeftCase::default() };
        Unit::Case { part: 0, place: Default::default(), claim: 4, index: 1, case }.to_string()
    }

    fn record(enumerated: u64, successes: Vec<Success>) -> ClaimRecord {
        let counts = RunCounts { enumerated, moves: 3, ..RunCounts::default() };
        ClaimRecord { claim: 4, counts, successes, ..ClaimRecord::default() }
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
    fn a_claim_waits_for_all_cases_and_has_their_games() {
        let mut pieces = ClaimPieces::default();
        let key = pieces.range(0, 2, record(2, vec![success(0, 1)]));
        [case(1), case(2), "seek 0 -@0:0000000000000000".to_owned()]
            .iter()
            .for_each(|unit| pieces.expect(unit));
        pieces.range(2, u32::MAX, record(5, vec![success(2, 1)]));
        assert_eq!(pieces.take_whole(key, 9), None);
        pieces.case(record(0, vec![success(1, 2)]));
        assert_eq!(pieces.answered(&case(1)), Some(key));
        assert_eq!(pieces.take_whole(key, 9), None);
        pieces.case(record(0, vec![success(1, 1)]));
        assert_eq!(pieces.answered(&case(2)), Some(key));
        let whole = pieces.take_whole(key, 9).unwrap();
        assert_eq!((whole.counts.enumerated, whole.counts.moves), (7, 12));
        let games =
            whole.successes.iter().map(|one| (one.number.index, one.games.len(), one.complete));
        assert_eq!(games.collect::<Vec<_>>(), [(0, 1, true), (1, 3, true), (2, 1, true)]);
        assert_eq!(pieces.take_whole(key, 9), None, "it was taken out");
    }

    #[test]
    fn a_strategy_has_no_more_games_than_are_wanted() {
        let mut known = vec![success(1, 2)];
        join(&mut known, &success(1, 1), 3);
        assert!(known[0].complete && known[0].games.len() == 3);
        join(&mut known, &success(1, 1), 3);
        assert!(!known[0].complete && known[0].games.len() == 3);
    }
}
