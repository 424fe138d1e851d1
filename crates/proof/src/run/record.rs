//! The records of a run: what it tells, what it keeps, and what it can take up from an earlier run.
//!
//! Archives and strategy files stand above these types and implement [`Journal`] and [`StrategySink`].

use crate::problem::Problem;
use crate::problem::retraction::Retraction;
use crate::strategy::Strategy;
use crate::strategy::waypoints::Waypoints;
use std::collections::BTreeMap;
use std::fmt;
use umbrail_chess::Move;

/// Something worth telling while a run goes on.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A strategy has at least one game. Told again with more games when the strategy is exhausted.
    Success(Box<Success>),
}

/// Where a strategy stands in the order of one seeker: the last move that was taken back, its claim, and
/// its index within the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StrategyNumber {
    /// Number of the last move that was taken back, from 1; 0 when none was.
    pub retraction: u16,
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
    /// Where it stands.
    pub number: StrategyNumber,
    /// The strategy.
    pub strategy: Strategy,
    /// Moves that each man needs, by its number.
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
    /// Leaves of the seeking tree, before any rule looked at them.
    pub leaves: u64,
    /// Strategies found by seeking.
    pub found: u64,
    /// Strategies that analysis could not reject.
    pub kept: u64,
    /// Strategies played to the end.
    pub played: u64,
    /// Strategies that were dropped while they were played, or given up.
    pub dropped: u64,
    /// Strategies that the condition or the starting number kept from being played.
    pub filtered: u64,
    /// Moves made in play.
    pub moves: u64,
    /// Nodes of the seeking tree.
    pub nodes: u64,
    /// Claims of the seeking tree.
    pub claims: u64,
}

/// Everything a finished claim gave. Enough to leave the claim out of a later run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClaimRecord {
    /// Number of the last move that was taken back, from 1; 0 when none was.
    pub retraction: u16,
    /// Number of the claim.
    pub claim: u64,
    /// What was done in it: found, kept, played, filtered, moves. A claim with a dropped strategy is
    /// never finished.
    pub counts: RunCounts,
    /// Its strategies with games.
    pub successes: Vec<Success>,
}

/// Somebody who keeps finished claims.
pub trait Journal: Sync {
    /// A claim is finished.
    fn claim(&self, record: &ClaimRecord);
    /// A seeker came to the end of a part: that many claims, and the digest of the tree above them.
    fn part(&self, retraction: u16, claims: u64, digest: u64);
}

/// Somebody who keeps strategies.
pub trait StrategySink: Sync {
    /// Thinking did not refuse this one.
    fn keep(&self, number: StrategyNumber, free: [i32; 2], strategy: &Strategy);
}

/// One strategy of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedStrategy {
    /// Where it stands in the order of one seeker.
    pub number: StrategyNumber,
    /// Free moves of White and Black, as they were known.
    pub free: [i32; 2],
    /// The strategy, of the problem before the last move that was taken back.
    pub strategy: Strategy,
}

/// What a file says.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyList {
    /// The problem.
    pub problem: Problem,
    /// When the last move was taken back.
    pub retraction: Retraction,
    /// The strategies, in the order of the file.
    pub strategies: Vec<ListedStrategy>,
    /// Whether these are all that the problem has.
    pub complete: bool,
}

/// Finished claims by part and claim number.
pub type FinishedClaims = BTreeMap<(u16, u64), ClaimRecord>;
