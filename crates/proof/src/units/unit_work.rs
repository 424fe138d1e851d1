//! Context of the work on a unit, and the part of the tree that it covers.

use crate::enumerate::{ClaimPlace, RootEnds, TreePlace};
use crate::run::part::RetractionRun;
use crate::search::ResidualCase;
use crate::units::spec::RunSpec;
use crate::units::worker_state::WorkerState;
use std::time::Duration;

/// Reason why the work on a unit has no result.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoResult {
    /// The work was stopped.
    Stopped,
    /// The unit does not belong to this tree.
    Misplaced,
}

/// Context of the work on a unit.
pub(super) struct UnitWork<'w, 'a> {
    pub(super) spec: &'w RunSpec,
    pub(super) part: &'w RetractionRun<'a>,
    pub(super) ends: &'w RootEnds,
    pub(super) worker: usize,
    /// Predicate for a unit to divide itself, given its duration so far; depends on waiting
    /// workers.
    pub(super) is_over_budget: &'w dyn Fn(Duration) -> bool,
    /// False for a unit that this worker must run alone.
    pub(super) is_divisible: bool,
    /// Target duration of the units that a unit divides itself into.
    pub(super) aim: Duration,
    /// Queues a unit; returns false if the queue is full.
    pub(super) offer: &'w dyn Fn(&str) -> bool,
    /// Current work of the worker.
    pub(super) post: &'w WorkerState,
}

/// Part of the tree that belongs to a unit.
pub(super) struct UnitExtent {
    /// Claims of the unit.
    pub(super) claims: std::ops::Range<u64>,
    /// Start in the first claim.
    pub(super) from: ClaimPlace,
    /// End in the first claim; `None` for the end of the claim.
    pub(super) until: Option<ClaimPlace>,
    /// For a single strategy, its index and the case to search.
    pub(super) case: Option<(u32, ResidualCase)>,
    /// Start of the unit that numbers the strategies; equals `from` except for a case.
    pub(super) base: ClaimPlace,
    /// Strategies per unit to divide this one into if its own were not counted; otherwise 0.
    pub(super) size: u32,
}

impl UnitExtent {
    /// Returns the extent of whole claims.
    pub(super) fn of_claims(claims: std::ops::Range<u64>) -> Self {
        let (from, base) = (ClaimPlace::default(), ClaimPlace::default());
        Self { claims, from, until: None, case: None, base, size: 0 }
    }

    /// Returns the extent of the whole claim at a place.
    pub(super) fn of_claim(place: &TreePlace) -> Self {
        Self::of_claims(place.claims..place.claims + 1)
    }

    /// Returns the start of the unit in one of its claims.
    pub(super) fn begin(&self, claim: u64) -> ClaimPlace {
        match claim == self.claims.start {
            true => self.from.clone(),
            false => ClaimPlace::default(),
        }
    }
}
