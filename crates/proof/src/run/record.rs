//! Records of a run: its facts, its finished claims, and strategies read from a file.
//!
//! Archives and strategy files depend on these types; their writers implement [`RunArchive`] and
//! [`StrategySink`].

use crate::problem::Problem;
use crate::problem::retraction::Retraction;
use crate::strategy::Strategy;
use crate::strategy::waypoints::Waypoints;
use std::collections::BTreeMap;
use std::fmt;
use umbrail_chess::Move;

/// A fact reported during a run.
#[derive(Clone, Debug)]
pub enum RunEvent {
    /// A strategy has at least one game. Reported again with more games when the strategy is
    /// exhausted.
    Success(Box<Success>),
    /// The refutation table is smaller than required, because there is not enough memory.
    SmallerTable {
        /// Bytes required.
        wanted: u64,
        /// Actual bytes; none without any memory.
        granted: u64,
    },
}

/// Number of a strategy in the order of one seeker: the retracted last move, its claim, and its
/// index within the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StrategyNumber {
    /// Number of the retracted last move, from 1; 0 if none was retracted.
    pub(crate) retraction: u16,
    /// Number of the claim.
    pub claim: u64,
    /// Index among the strategies of that claim.
    pub index: u32,
}

impl fmt::Display for StrategyNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.retraction > 0 {
            write!(f, "r{}/", self.retraction)?;
        }
        write!(f, "{}.{}", self.claim, self.index)
    }
}

/// A strategy with at least one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Success {
    /// Number of the strategy.
    pub number: StrategyNumber,
    /// The strategy.
    pub strategy: Strategy,
    /// Moves that each piece needs, by piece number.
    pub needed: [u8; 32],
    /// Squares that pieces must pass.
    pub waypoints: Waypoints,
    /// Free moves of both colors.
    pub free: [i32; 2],
    /// Distinct games of the strategy; all of them iff `complete`.
    pub games: Vec<Vec<Move>>,
    /// True if every game of the strategy is listed.
    pub complete: bool,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Leaves of the tree, before any rule was applied.
    pub leaves: u64,
    /// Strategies enumerated.
    pub enumerated: u64,
    /// Enumerated strategies that analysis refuted.
    pub refuted: u64,
    /// Enumerated strategies that analysis did not refute: the sum of `searched`, `dropped`,
    /// `filtered`, and those that were only counted.
    pub unrefuted: u64,
    /// Strategies searched completely, of those that analysis did not refute.
    pub searched: u64,
    /// Strategies that were dropped or given up during their search.
    pub dropped: u64,
    /// Strategies that fail the user's strategy condition, and were not searched.
    pub filtered: u64,
    /// Moves made in search.
    pub moves: u64,
    /// Nodes of the tree.
    pub nodes: u64,
    /// Claims of the tree.
    pub claims: u64,
}

/// Counts and games of a claim, or of a part of one. A claim is a numbered node of the enumeration tree at the sync
/// depth; the record of a finished one lets a later run skip it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClaimRecord {
    /// Number of the retracted last move, from 1; 0 if none was retracted.
    pub(crate) retraction: u16,
    /// Number of the claim.
    pub(crate) claim: u64,
    /// Counts of the claim: enumerated, unrefuted, searched, filtered, moves. A claim with a
    /// dropped strategy is never finished.
    pub(crate) counts: RunCounts,
    /// Strategies of the claim that have games.
    pub successes: Vec<Success>,
}

/// Receiver of finished claims.
pub trait RunArchive: Sync {
    /// Records a finished claim.
    fn claim(&self, record: &ClaimRecord);
    /// Records that a seeker enumerated a part completely: the number of claims, and the digest of
    /// the tree above them.
    fn part(&self, retraction: u16, claims: u64, digest: u64);
}

/// Receiver of strategies.
pub trait StrategySink: Sync {
    /// Records a strategy that analysis did not refute.
    fn keep(&self, number: StrategyNumber, free: [i32; 2], strategy: &Strategy);
}

/// A strategy read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedStrategy {
    /// Number of the strategy.
    pub number: StrategyNumber,
    /// Free moves of White and Black, as listed.
    pub free: [i32; 2],
    /// Strategy of the problem before the retracted last move.
    pub strategy: Strategy,
}

/// Contents of a strategy file.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyList {
    /// The problem.
    pub problem: Problem,
    /// Condition for retracting the last move.
    pub retraction: Retraction,
    /// Strategies, in the order of the file.
    pub strategies: Vec<ListedStrategy>,
    /// True if the list has all strategies of the problem.
    pub complete: bool,
    /// Digest of the problem and of the strategies.
    pub digest: u64,
}

/// A tree above the sync depth that was enumerated completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumeratedTree {
    /// Number of its claims.
    pub(crate) claims: u64,
    /// Digest of the decisions above the claims.
    pub(crate) digest: u64,
}

/// Trees of an archive by part, as an earlier run enumerated them.
pub(crate) type EnumeratedTrees = BTreeMap<u16, EnumeratedTree>;

/// Finished claims by part and claim number.
pub(crate) type FinishedClaims = BTreeMap<(u16, u64), ClaimRecord>;
