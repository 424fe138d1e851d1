//! What a worker needs for a unit, and what a unit has of the tree.

use crate::enumerate::{ClaimPlace, RootEnds, TreePlace};
use crate::run::part::RunPart;
use crate::search::LeftCase;
use crate::units::post::WorkerPost;
use crate::units::spec::RunSpec;
use std::time::Duration;

/// Why the work on a unit has no result.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoResult {
    /// It was stopped.
    Stopped,
    /// The unit does not belong to this tree.
    Misplaced,
}

/// What the work on a unit needs.
pub(super) struct UnitWork<'w, 'a> {
    pub(super) spec: &'w RunSpec,
    pub(super) part: &'w RunPart<'a>,
    pub(super) ends: &'w RootEnds,
    pub(super) worker: usize,
    /// When a unit divides itself: how long it has taken, and whether others wait.
    pub(super) is_over_budget: &'w dyn Fn(Duration) -> bool,
    /// How long the units should take into which a unit divides itself.
    pub(super) aim: Duration,
    /// Queues a unit; false when there is no room.
    pub(super) offer: &'w dyn Fn(&str) -> bool,
    /// What the worker is at.
    pub(super) post: &'w WorkerPost,
}

/// What a unit has of the tree.
pub(super) struct UnitExtent {
    /// Its claims.
    pub(super) claims: std::ops::Range<u64>,
    /// Where it begins in the first of them.
    pub(super) from: ClaimPlace,
    /// Where it ends in it; none for the end of the claim.
    pub(super) until: Option<ClaimPlace>,
    /// A single strategy: the number of it, and the case that is searched.
    pub(super) case: Option<(u32, LeftCase)>,
    /// Where the unit began that numbers the strategies; `from` but for a case.
    pub(super) base: ClaimPlace,
    /// Strategies that the units should have that are made of it, when its own were not counted; else 0.
    pub(super) size: u32,
}

impl UnitExtent {
    /// All of some claims.
    pub(super) fn of_claims(claims: std::ops::Range<u64>) -> Self {
        let (from, base) = (ClaimPlace::default(), ClaimPlace::default());
        Self { claims, from, until: None, case: None, base, size: 0 }
    }

    /// All of the claim at a place.
    pub(super) fn of_claim(place: &TreePlace) -> Self {
        Self::of_claims(place.claims..place.claims + 1)
    }

    /// Where it begins in one of its claims.
    pub(super) fn begin(&self, claim: u64) -> ClaimPlace {
        match claim == self.claims.start {
            true => self.from.clone(),
            false => ClaimPlace::default(),
        }
    }
}
