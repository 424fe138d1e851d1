//! Report of a run: games, counts, and the progress of the run. [`Verdict`](crate::report::Verdict)
//! states what it proves.

use crate::problem::census::Refusal;
use crate::rules::Rule;
use crate::run::record::{ClaimRecord, RunCounts, Success};
use crate::strategy::Strategy;
use std::collections::BTreeMap;
use umbrail_chess::Move;

/// Strategies by the free moves of White and Black: enumerated, and left after analysis.
pub type Histogram = BTreeMap<(i32, i32), (u64, u64)>;

/// Maximum number of refuted strategies kept as examples for each rule.
pub(crate) const EXAMPLES_MAX: usize = 3;

/// What a report takes from an archive instead of from the work of this process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenClaims {
    /// Claims whose strategies were not searched by this process.
    pub claims: u64,
    /// True if their strategies were counted again, and their games assigned to them.
    pub recounted: bool,
    /// What shows that the archive is wrong.
    pub contradictions: Vec<String>,
}

/// The report of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunReport {
    /// Reasons why no game can exist, if counting alone proves it.
    pub refusals: Vec<Refusal>,
    /// Strategies with games, by number.
    pub successes: Vec<Success>,
    /// Progress of the run.
    pub counts: RunCounts,
    /// All strategies by free moves.
    pub histogram: Histogram,
    /// Refuted strategies by rule; `None` for those refuted by counting moves.
    pub refused: BTreeMap<Option<Rule>, u64>,
    /// All strategies by free moves for each retracted last move (0 if none was retracted).
    pub histograms: BTreeMap<u16, Histogram>,
    /// Some refuted strategies by rule, at most three for each.
    pub examples: BTreeMap<Option<Rule>, Vec<Strategy>>,
    /// Branches of the tree that were cut: a piece without a path, too few moves, too few captures,
    /// a victim without captor.
    pub cut: [u64; 4],
    /// True if every strategy was enumerated, and counted, searched or dropped.
    pub enumerated: bool,
    /// True if every strategy was enumerated and searched completely. Together with the games of
    /// each success this makes the verdict final.
    pub searched: bool,
    /// True if all claims of this run's shard are finished, so that none of them is missing when
    /// the archives of all shards are joined. Also set for a whole run that is its only shard.
    pub shard_finished: bool,
    /// True if strategies were only counted, as requested.
    pub counted_only: bool,
    /// Digest of the strategy file whose strategies were searched instead of enumerating any.
    pub strategy_digest: Option<u64>,
    /// Size of the refutation table in bytes; 0 if nothing was searched.
    pub table_bytes: u64,
    /// What was taken from an archive.
    pub taken: TakenClaims,
    /// Faults of the program: a game that does not replay, seekers that disagree.
    pub faults: Vec<String>,
}

impl RunReport {
    /// Counts a strategy by its free moves; `left` unless analysis refuted it.
    pub(crate) fn enter(&mut self, retraction: u16, free: [i32; 2], left: bool) {
        for histogram in [&mut self.histogram, self.histograms.entry(retraction).or_default()] {
            let bin = histogram.entry((free[0], free[1])).or_default();
            bin.0 += 1;
            bin.1 += u64::from(left);
        }
        self.counts.unrefuted += u64::from(left);
    }

    /// Counts a strategy that analysis refuted.
    pub(crate) fn refuse(&mut self, rule: Option<Rule>, strategy: &Strategy) {
        self.counts.refuted += 1;
        *self.refused.entry(rule).or_default() += 1;
        let examples = self.examples.entry(rule).or_default();
        if examples.len() < EXAMPLES_MAX {
            examples.push(strategy.clone());
        }
    }

    /// Adds a claim that was finished earlier.
    pub(crate) fn take_claim(&mut self, record: &ClaimRecord) {
        let (mine, theirs) = (&mut self.counts, &record.counts);
        mine.enumerated += theirs.enumerated;
        mine.refuted += theirs.enumerated.saturating_sub(theirs.unrefuted);
        mine.unrefuted += theirs.unrefuted;
        mine.searched += theirs.searched;
        mine.filtered += theirs.filtered;
        mine.moves += theirs.moves;
        record.successes.iter().cloned().for_each(|success| self.add(success));
    }

    /// Adds a success; if another last move has reached its strategy, adds its games to that
    /// strategy.
    pub(crate) fn add(&mut self, success: Success) {
        match self.successes.iter_mut().find(|one| one.strategy == success.strategy) {
            Some(known) => {
                known.games.extend(success.games);
                known.complete &= success.complete;
                known.number = known.number.min(success.number);
            }
            None => self.successes.push(success),
        }
    }

    /// Returns all games, in the order of their strategies.
    pub fn games(&self) -> impl Iterator<Item = (&Success, &Vec<Move>)> {
        self.successes.iter().flat_map(|one| one.games.iter().map(move |game| (one, game)))
    }

    /// Returns the number of games known.
    pub fn count(&self) -> usize {
        self.successes.iter().map(|one| one.games.len()).sum()
    }

    /// Returns the strategies that can be played in more than one way.
    pub fn cooks(&self) -> impl Iterator<Item = &Success> {
        self.successes.iter().filter(|one| one.games.len() > 1)
    }

    /// Returns true if some strategy can be played in more than one way, and the author does not intend that: of several
    /// intended solutions, more than one may lie in a strategy, as long as there are no others.
    pub fn is_cooked(&self, intended: usize) -> bool {
        self.cooks().next().is_some() && (intended < 2 || self.count() > intended)
    }

    /// Returns the number of games by length in plies.
    pub fn lengths(&self) -> BTreeMap<usize, u64> {
        let mut lengths = BTreeMap::new();
        for (_, game) in self.games() {
            *lengths.entry(game.len()).or_default() += 1;
        }
        lengths
    }

    /// Returns true if no game is missing.
    pub fn is_complete(&self) -> bool {
        self.searched
            && self.faults.is_empty()
            && self.taken.contradictions.is_empty()
            && self.successes.iter().all(|one| one.complete)
    }
}
