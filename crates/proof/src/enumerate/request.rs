//! Options and results of an enumeration.

use crate::enumerate::claim_place::ClaimPlace;
use crate::rules::{Rule, Rules};
use crate::strategy::Strategy;

/// Options of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct EnumerationOptions {
    /// Enabled deductions.
    pub rules: Rules,
    /// Depth at which nodes are claimed. Level 1 is the choice of both colors' ends; each promotion
    /// square and each captured piece adds one.
    pub(crate) sync_depth: u8,
}

impl Default for EnumerationOptions {
    /// At depth 3 the common part of a walk is 1 to 5 % of its nodes, and there are thousands of
    /// claims (measured on the problems of Stelvio's manual). At depth 4 it is up to a fifth.
    fn default() -> Self {
        Self { rules: Rules::default(), sync_depth: 3 }
    }
}

/// A strategy that may have a game.
#[derive(Clone, Debug)]
pub struct FoundStrategy {
    /// Routes of all pieces.
    pub strategy: Strategy,
    /// Moves that White and Black have beyond the tree's bound.
    pub free: [u16; 2],
    /// Number of the claim that contains the strategy.
    pub(crate) claim: u64,
    /// Index among the strategies of that claim, from the start of the walk in it.
    pub(crate) index: u32,
    /// Place in the claim, if the walk records places.
    pub(crate) place: Option<ClaimPlace>,
}

/// Result of a walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnumerationResult {
    /// Leaves of the tree in the claims that were taken.
    pub found: u64,
    /// Strategies emitted: leaves that no rule refuted.
    pub(crate) kept: u64,
    /// Nodes visited.
    pub(crate) nodes: u64,
    /// Claim numbers met, whether taken or not; equal for every complete walk.
    pub(crate) claims: u64,
    /// Digest of all decisions above the sync depth; equal for every complete walk.
    pub(crate) digest: u64,
    /// Digest of the strategies emitted; additive over seekers (with wrapping).
    pub(crate) emitted: u64,
    /// True if the walk was complete.
    pub(crate) complete: bool,
    /// Leaves refuted, by rule.
    pub(crate) refuted: Vec<(Rule, u64)>,
    /// Branches cut for lack of a path, of moves, of captures, or of ways to capture a victim.
    pub(crate) cut: [u64; 4],
}

/// Progress of a seeker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkCounts {
    /// Nodes visited.
    pub nodes: u64,
    /// Leaves before any rule was applied.
    pub found: u64,
    /// Strategies that no rule of the tree refuted.
    pub kept: u64,
}
