//! Consistency of the records of an archive, without a walk through the tree.
//!
//! A checksum shows that a line is as it was written, not that it is true: anyone can compute a checksum.

use super::{Archive, ArchiveError, Header};
use crate::check::piece_moves::moves_of_pieces;
use crate::problem::Problem;
use crate::problem::census::Census;
use crate::problem::retraction::{earlier, of_part};
use crate::run::record::ClaimRecord;
use crate::run::{RunCounts, Success};
use crate::strategy::projection::project;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use umbrail_chess::geometry::Color;

/// A part of the tree as its records must agree with it.
struct PartFacts {
    problem: Problem,
    /// Moves from the end of its games to that of the whole games.
    tail: usize,
    /// The census refuses it, so it has no claims.
    is_refused: bool,
    /// Strategies that move certain pieces too early are not counted, so an index may exceed the count.
    skips: bool,
}

/// What every record of an archive must agree with.
pub(super) struct RecordRules {
    parts: BTreeMap<u16, PartFacts>,
    games_max: usize,
    has_condition: bool,
    shard: (u64, u64),
}

impl RecordRules {
    /// # Errors
    /// When the header does not name a problem or its settings.
    pub(super) fn of(header: &Header) -> Result<Self, ArchiveError> {
        let (problem, params) = (header.problem()?, header.params()?);
        let facts = |problem: Problem, tail, skips| PartFacts {
            problem,
            tail,
            is_refused: Census::of(&problem).is_err(),
            skips,
        };
        let parts = match earlier(&problem, params.retraction) {
            _ if Census::of(&problem).is_err() => BTreeMap::new(),
            None => BTreeMap::from([(0, facts(problem, 0, false))]),
            Some(parts) => (1..)
                .zip(parts)
                .map(|(number, part)| {
                    let skips = part.unmoved.pieces().next().is_some();
                    (number, facts(part.problem, part.tail.len(), skips))
                })
                .collect(),
        };
        let has_condition = params.condition.is_some();
        Ok(Self { parts, games_max: params.games_max, has_condition, shard: header.shard() })
    }

    /// Whether a part of this number can have claims.
    pub(super) fn has_part(&self, part: u16) -> bool {
        self.parts.get(&part).is_some_and(|part| !part.is_refused)
    }

    /// Returns what cannot be true of a claim.
    pub(super) fn fault(&self, record: &ClaimRecord) -> Option<&'static str> {
        let Some(part) = self.parts.get(&record.retraction).filter(|part| !part.is_refused) else {
            return Some("there is no such part");
        };
        let (shard, shards) = self.shard;
        if record.claim % shards.max(1) != shard {
            return Some("the claim belongs to another shard");
        }
        let RunCounts { enumerated, unrefuted, searched, filtered, .. } = record.counts;
        if unrefuted > enumerated || searched.checked_add(filtered) != Some(unrefuted) {
            return Some("its counts contradict each other");
        }
        if filtered > 0 && !self.has_condition {
            return Some("no condition excludes strategies");
        }
        let indexes: BTreeSet<u32> = record.successes.iter().map(|one| one.number.index).collect();
        if indexes.len() as u64 > searched {
            return Some("more strategies have games than were searched");
        }
        if !part.skips && indexes.last().is_some_and(|&last| u64::from(last) >= enumerated) {
            return Some("a strategy has a number beyond their count");
        }
        record.successes.iter().find_map(|success| self.fault_of_games(part, success))
    }

    /// Returns what cannot be true of a strategy with games, each of which is known to solve the problem.
    fn fault_of_games(&self, part: &PartFacts, success: &Success) -> Option<&'static str> {
        let Success { strategy, needed, free, games, complete, .. } = success;
        if games.iter().any(|game| project(game).is_ok_and(|own| own != *strategy)) {
            return Some("its games belong to several strategies");
        }
        if !complete && games.len() < self.games_max {
            return Some("a search ended before it had enough games");
        }
        for color in Color::ALL {
            let own = needed.iter().skip(16 * color.index()).take(16);
            let sum: i32 = own.map(|&moves| i32::from(moves)).sum();
            if free[color.index()] != i32::from(part.problem.budget(color)) - sum {
                return Some("free moves and needed moves do not add up");
            }
        }
        let mut most = [0; 32];
        for game in games {
            let played = moves_of_pieces(&game[..game.len().saturating_sub(part.tail)]);
            most.iter_mut().zip(played).for_each(|(most, moves)| *most = moves.max(*most));
        }
        let exceeds = needed.iter().zip(most).any(|(&needed, moves)| needed > moves);
        exceeds.then_some("a piece needs more moves than it makes")
    }
}

/// Whether two records of one claim state the same: equal counts of strategies, and for each strategy the same games,
/// unless its search ended early.
pub(super) fn agree(one: &ClaimRecord, other: &ClaimRecord) -> bool {
    type Games<'a> = BTreeMap<u32, (bool, HashSet<&'a [umbrail_chess::Move]>)>;
    let games = |record| {
        let ClaimRecord { successes, .. }: &ClaimRecord = record;
        let mut games = Games::new();
        for success in successes {
            let entry = games.entry(success.number.index).or_insert((true, HashSet::new()));
            entry.0 &= success.complete;
            entry.1.extend(success.games.iter().map(Vec::as_slice));
        }
        games
    };
    let (mine, theirs) = (games(one), games(other));
    one.counts.enumerated == other.counts.enumerated
        && one.counts.filtered == other.counts.filtered
        && mine.len() == theirs.len()
        && mine.iter().zip(&theirs).all(|((index, (all, games)), (same, (both, others)))| {
            index == same && (!(all & both) || games == others)
        })
}

impl Archive {
    /// What cannot be true of the claims together: claims beyond the number that their part has, and games that are there
    /// twice.
    pub fn contradictions(&self) -> Vec<String> {
        let mut found = vec![];
        for (&part, tree) in &self.parts {
            let beyond = self.claims.range((part, tree.claims)..(part + 1, 0)).next();
            if let Some((&(_, claim), _)) = beyond {
                let (claims, of) = (tree.claims, of_part(part));
                found.push(format!("claims{of}: {claims}, and yet there is claim {claim}"));
            }
        }
        let mut games = HashSet::new();
        for (&(part, claim), record) in &self.claims {
            let all = record.successes.iter().flat_map(|success| &success.games);
            if !all.fold(true, |once, game| once & games.insert(game.as_slice())) {
                let of = of_part(part);
                found.push(format!("a game of claim {claim}{of} is there twice"));
            }
        }
        found
    }
}
