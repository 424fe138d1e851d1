//! Counts and digests of a walk.

use crate::enumerate::request::{EnumerationResult, WalkCounts};
use crate::enumerate::state::NodeRefutation;
use crate::rules::Rule;
use crate::strategy::itinerary::{Itinerary, StopKind};
use std::hash::Hasher;
use umbrail_control::FastHasher;

/// Number of rules with a count, at least the number of rules.
const RULES_MAX: usize = 64;

/// Counts and digests of a walk so far.
pub(crate) struct WalkTally {
    result: EnumerationResult,
    /// Nodes refuted, by rule.
    refuted: [u64; RULES_MAX],
}

impl Default for WalkTally {
    fn default() -> Self {
        Self { result: EnumerationResult::default(), refuted: [0; RULES_MAX] }
    }
}

impl WalkTally {
    /// Returns the number of claims met, and the digest of the decisions above the sync depth.
    pub(super) const fn claims_and_digest(&self) -> (u64, u64) {
        (self.result.claims, self.result.digest)
    }

    /// Adopts these values of a walk that has met the same part of the tree.
    pub(super) const fn adopt(&mut self, claims: u64, digest: u64) {
        (self.result.claims, self.result.digest) = (claims, digest);
    }

    /// Returns the counts for display.
    pub(super) const fn counts(&self) -> WalkCounts {
        let EnumerationResult { nodes, found, kept, .. } = self.result;
        WalkCounts { nodes, found, kept }
    }

    /// Counts a node.
    pub(super) const fn count_node(&mut self) {
        self.result.nodes += 1;
    }

    /// Counts a claim.
    pub(super) const fn count_claim(&mut self) {
        self.result.claims += 1;
    }

    /// Counts a leaf.
    pub(super) const fn count_leaf(&mut self) {
        self.result.found += 1;
    }

    /// Counts a strategy, and mixes it into the digest of strategies.
    pub(super) fn keep(&mut self, itineraries: &[Itinerary; 32]) {
        self.result.kept += 1;
        self.result.emitted = self.result.emitted.wrapping_add(hash(itineraries));
    }

    /// Counts a refuted node.
    pub(super) const fn cut(&mut self, dead: NodeRefutation) {
        match dead {
            NodeRefutation::NoWay(_) => self.result.cut[0] += 1,
            NodeRefutation::Moves(_) => self.result.cut[1] += 1,
            NodeRefutation::Captures(_) => self.result.cut[2] += 1,
            NodeRefutation::Victim(_) => self.result.cut[3] += 1,
            NodeRefutation::Refuted(rule) => self.refuted[rule as usize] += 1,
        }
    }

    /// Mixes a decision above the sync depth into the digest.
    pub(super) fn mark(&mut self, decision: &[u8]) {
        for &byte in decision {
            self.result.digest = (self.result.digest ^ u64::from(byte))
                .wrapping_mul(0x0000_0100_0000_01B3)
                .rotate_left(5);
        }
    }

    /// Returns the result of the walk.
    pub(super) fn finish(self, complete: bool) -> EnumerationResult {
        let counts = Rule::ALL.iter().map(|&rule| (rule, self.refuted[rule as usize]));
        let refuted = counts.filter(|&(_, count)| count > 0).collect();
        EnumerationResult { complete, refuted, ..self.result }
    }
}

/// Returns a hash of decided itineraries that is reproducible between runs.
fn hash(itineraries: &[Itinerary; 32]) -> u64 {
    let mut hasher = FastHasher::default();
    for itinerary in itineraries {
        hasher.write_u8(itinerary.end.number());
        for stop in itinerary.stops() {
            let kind = match stop.kind {
                StopKind::Takes(victim) => victim.number(),
                StopKind::TakesEnPassant(victim) => 32 + victim.number(),
                StopKind::Promotes(kind) => 64 + kind as u8,
            };
            hasher.write_u32(u32::from(kind) << 8 | u32::from(stop.square.number()));
        }
    }
    hasher.finish()
}
