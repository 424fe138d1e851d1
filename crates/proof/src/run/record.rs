//! The records of a run: its facts, its finished claims, and the strategies it takes up from a
//! file.
//!
//! Archives and strategy files depend on these types; their writers implement [`Journal`] and
//! [`StrategySink`].

use crate::problem::Problem;
use crate::problem::retraction::Retraction;
use crate::strategy::Strategy;
use crate::strategy::waypoints::Waypoints;
use std::collections::BTreeMap;
use std::fmt;
use umbrail_chess::Move;

/// A fact reported while a run goes on.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A strategy has at least one game. Reported again with more games when the strategy is
    /// exhausted.
    Success(Box<Success>),
    /// The refutation table is smaller than required, since there is not that much memory.
    SmallerTable {
        /// Bytes required.
        wanted: u64,
        /// Bytes that it has; none without any memory.
        granted: u64,
    },
}

/// The place of a strategy in the order of one seeker: the retracted last move, its claim, and its
/// index within the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StrategyNumber {
    /// Number of the retracted last move, from 1; 0 when none was retracted.
    pub(crate) retraction: u16,
    /// Claim node at the sync depth.
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

/// A strategy that has at least one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Success {
    /// Its number.
    pub number: StrategyNumber,
    /// The strategy.
    pub strategy: Strategy,
    /// Moves that each man needs, by the man's number.
    pub needed: [u8; 32],
    /// Squares by which men must go.
    pub waypoints: Waypoints,
    /// Free moves of both colors.
    pub free: [i32; 2],
    /// Its games, different from each other; all of them iff `complete`.
    pub games: Vec<Vec<Move>>,
    /// Whether every game of the strategy is listed.
    pub complete: bool,
}

/// How far a run came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Leaves of the tree, before any rule was applied.
    pub leaves: u64,
    /// Strategies enumerated.
    pub enumerated: u64,
    /// Those of them that analysis refuted.
    pub refuted: u64,
    /// Those of them that analysis did not refute: the sum of `searched`, `dropped`, `filtered`, and those that were
    /// only counted.
    pub unrefuted: u64,
    /// Strategies searched completely, of those that analysis did not refute.
    pub searched: u64,
    /// Strategies that were dropped or given up during their search.
    pub dropped: u64,
    /// Strategies that fail the condition, and were not searched.
    pub filtered: u64,
    /// Moves made in search.
    pub moves: u64,
    /// Nodes of the tree.
    pub nodes: u64,
    /// Claims of the tree.
    pub claims: u64,
}

/// The result of a finished claim, sufficient to leave the claim out of a later run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClaimRecord {
    /// Number of the retracted last move, from 1; 0 when none was retracted.
    pub(crate) retraction: u16,
    /// Number of the claim.
    pub(crate) claim: u64,
    /// Its counts: enumerated, unrefuted, searched, filtered, moves. A claim with a dropped strategy is never
    /// finished.
    pub(crate) counts: RunCounts,
    /// Its strategies with games.
    pub successes: Vec<Success>,
}

/// Receives finished claims.
pub trait Journal: Sync {
    /// A claim is finished.
    fn claim(&self, record: &ClaimRecord);
    /// A seeker enumerated a part completely: the number of claims, and the digest of the tree
    /// above them.
    fn part(&self, retraction: u16, claims: u64, digest: u64);
}

/// Receives strategies.
pub trait StrategySink: Sync {
    /// Analysis did not refute this strategy.
    fn keep(&self, number: StrategyNumber, free: [i32; 2], strategy: &Strategy);
}

/// One strategy of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedStrategy {
    /// Its number.
    pub number: StrategyNumber,
    /// Free moves of White and Black, as they were known.
    pub free: [i32; 2],
    /// The strategy, of the problem before the retracted last move.
    pub strategy: Strategy,
}

/// The contents of a strategy file.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyList {
    /// The problem.
    pub problem: Problem,
    /// When the last move is retracted.
    pub retraction: Retraction,
    /// The strategies, in the order of the file.
    pub strategies: Vec<ListedStrategy>,
    /// Whether these are all strategies of the problem.
    pub complete: bool,
    /// The digest of the problem and of the strategies.
    pub digest: u64,
}

/// Finished claims by part and claim number.
pub(crate) type FinishedClaims = BTreeMap<(u16, u64), ClaimRecord>;
