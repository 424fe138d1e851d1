//! What a walk through the tree is asked, and what it brings.

use crate::rules::{Rule, Rules};
use crate::strategy::Strategy;

/// How to seek.
#[derive(Clone, Copy, Debug)]
pub struct EnumerationOptions {
    /// The deductions that are on.
    pub rules: Rules,
    /// Depth at which nodes are claimed: 1 is the choice of both colors' ends, each promotion square and
    /// each captured man is one more.
    pub sync_depth: u8,
}

impl Default for EnumerationOptions {
    /// Depth 3 leaves the common part of a walk at 1 to 5 % of its nodes and gives thousands of claims
    /// (measured on the problems of Stelvio's manual); at depth 4 it is up to a fifth.
    fn default() -> Self {
        Self { rules: Rules::default(), sync_depth: 3 }
    }
}

/// A strategy that may have a game.
#[derive(Clone, Debug)]
pub struct FoundStrategy {
    /// The routes of all men.
    pub strategy: Strategy,
    /// Moves that White and Black have beyond the tree's bound.
    pub free: [u16; 2],
    /// Number of the claimed node it comes from.
    pub claim: u64,
    /// Its number among the strategies of that node.
    pub index: u32,
}

/// What a walk met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnumerationResult {
    /// Leaves of the tree in the claims that were taken.
    pub found: u64,
    /// Strategies emitted: leaves that no rule refuted.
    pub kept: u64,
    /// Nodes visited.
    pub nodes: u64,
    /// Claim numbers met, whether taken or not: the same for every seeker that walked to the end.
    pub claims: u64,
    /// A digest of all that was decided above the sync depth: the same for every such seeker.
    pub digest: u64,
    /// A digest of the strategies emitted, which adds up over seekers (with wrapping).
    pub emitted: u64,
    /// Whether the walk came to its end.
    pub complete: bool,
    /// Leaves refuted, by rule.
    pub refuted: Vec<(Rule, u64)>,
    /// Branches cut for want of a way, moves, captures, or options for a victim.
    pub cut: [u64; 4],
}
