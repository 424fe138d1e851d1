//! The walk through the tree.

mod branching;
mod propagator;

use crate::enumerate::agreement::KnownBranch;
use crate::enumerate::branches::SeekerPosition;
use crate::enumerate::claims::{ClaimDecision, Claims};
use crate::enumerate::ends::{RootEnds, SORTED_ENDS_MAX};
use crate::enumerate::place_tracker::{Branch, PlaceTracker, WalkEnd, WalkFrom};
use crate::enumerate::progress_trace::{ProgressTrace, WalkProgress};
use crate::enumerate::request::{EnumerationOptions, EnumerationResult, FoundStrategy};
use crate::enumerate::state::{NodeRefutation, NodeState};
use crate::enumerate::tally::WalkTally;
use crate::problem::Problem;
use crate::problem::piece::{PieceId, PieceMask};
use crate::strategy::itinerary::PromotionPlan;
use propagator::Propagator;
use std::ops::ControlFlow;
use umbrail_control::Cancel;

/// Walks the tree and emits each strategy that may have a game once. [`ControlFlow::Break`] and a
/// raised `cancel` end the walk early; `complete` is then false.
pub fn enumerate_strategies(
    problem: &Problem,
    options: &EnumerationOptions,
    claims: &dyn Claims,
    cancel: &Cancel,
    emit: &mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
) -> EnumerationResult {
    enumerate_watched(problem, options, claims, cancel, &ProgressTrace::default(), emit)
}

/// Like [`enumerate_strategies`], with a trail for display.
pub(crate) fn enumerate_watched(
    problem: &Problem,
    options: &EnumerationOptions,
    claims: &dyn Claims,
    cancel: &Cancel,
    trail: &ProgressTrace,
    emit: &mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
) -> EnumerationResult {
    let progress = WalkProgress::new(cancel, Some(trail));
    TreeWalk::new(problem, options, claims, progress, emit).walk().0
}

/// Walks from a place onward, without the part before it.
pub(crate) fn enumerate_from(
    problem: &Problem,
    options: &EnumerationOptions,
    from: &WalkFrom<'_>,
    claims: &dyn Claims,
    cancel: &Cancel,
    trail: &ProgressTrace,
    emit: &mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
) -> (EnumerationResult, WalkEnd) {
    let progress = WalkProgress::new(cancel, Some(trail));
    let mut walk = TreeWalk::new(problem, options, claims, progress, emit);
    walk.root_ends = Some(from.ends);
    walk.tally.adopt(from.place.claims, from.place.digest);
    walk.places = PlaceTracker::begin_at(from);
    walk.walk()
}

/// Claim that the seeker took last.
#[derive(Clone, Copy, Debug, Default)]
struct ClaimCursor {
    number: u64,
    /// Number of its next strategy.
    next: u32,
}

/// A walk through the tree, or through the branch that leads to one known strategy.
pub(crate) struct TreeWalk<'a> {
    pub(super) problem: &'a Problem,
    pub(super) options: &'a EnumerationOptions,
    pub(super) claims: &'a dyn Claims,
    emit: &'a mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
    /// See [`crate::enumerate::ends::SORTED_ENDS_MAX`].
    pub(super) ends_max: usize,
    /// End assignments, if several walks share them.
    pub(super) root_ends: Option<&'a RootEnds>,
    pub(super) known: KnownBranch<'a>,
    pub(super) propagator: Propagator,
    pub(super) progress: WalkProgress<'a>,
    pub(super) places: PlaceTracker,
    pub(super) position: SeekerPosition,
    pub(super) tally: WalkTally,
    claim: ClaimCursor,
}

impl<'a> TreeWalk<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        options: &'a EnumerationOptions,
        claims: &'a dyn Claims,
        progress: WalkProgress<'a>,
        emit: &'a mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
    ) -> Self {
        Self {
            problem,
            options,
            claims,
            emit,
            ends_max: SORTED_ENDS_MAX,
            root_ends: None,
            known: KnownBranch::default(),
            propagator: Propagator::new(options.rules),
            progress,
            places: PlaceTracker::default(),
            position: SeekerPosition::default(),
            tally: WalkTally::default(),
            claim: ClaimCursor::default(),
        }
    }

    /// Walks the tree to its end, or to the end of the walk.
    fn walk(mut self) -> (EnumerationResult, WalkEnd) {
        let complete = self.ends().is_continue();
        self.progress.finish(&self.tally);
        (self.tally.finish(complete), self.places.end())
    }

    /// Enters branch `number` of `of`, below a node at `depth`.
    ///
    /// The state of a node depends only on the decisions that lead to it. A walk that skips the
    /// part before its start therefore meets identical claims and strategies in identical order.
    pub(super) fn branch(
        &mut self,
        depth: u8,
        number: usize,
        of: usize,
    ) -> ControlFlow<(), Branch> {
        match depth.checked_sub(self.options.sync_depth) {
            Some(within) => self.places.branch_within(within, number, of, self.claims),
            None => self.places.branch(depth, number, self.tally.claims_and_digest()),
        }
    }

    /// Mixes a decision above the sync depth into the digest.
    pub(super) fn mark(&mut self, decision: &[u8], depth: u8) {
        if depth < self.options.sync_depth {
            self.tally.mark(decision);
        }
    }

    /// Records a refuted state.
    pub(super) fn cut(&mut self, state: &NodeState, dead: NodeRefutation) {
        self.tally.cut(dead);
        self.known.record_lost(state, dead);
    }

    /// Counts a node, and polls at intervals.
    #[inline]
    fn count(&mut self) -> ControlFlow<()> {
        self.tally.count_node();
        self.poll()
    }

    /// Polls at intervals: the cancel signal, and requests for the path.
    #[inline]
    pub(super) fn poll(&mut self) -> ControlFlow<()> {
        self.progress.poll(&self.tally)
    }

    /// Takes the next claim, unless another seeker has it; returns true if it was taken.
    fn claim(&mut self) -> ControlFlow<(), bool> {
        let (number, _) = self.tally.claims_and_digest();
        let meeting = self.claims.meet(number, &|| self.places.here());
        if meeting == ClaimDecision::End {
            return ControlFlow::Break(());
        }
        self.tally.count_claim();
        let mine = meeting == ClaimDecision::Take;
        if mine {
            self.claim = ClaimCursor { number, next: self.places.take_before() };
        }
        ControlFlow::Continue(mine)
    }

    /// Settles a state with itineraries that are not evaluated yet, and continues below it or
    /// leaves it.
    ///
    /// At the sync depth the state may be recorded as dead or alive. The number of a recorded state
    /// is known, and only the seeker that claims it must settle it.
    pub(crate) fn enter(
        &mut self,
        depth: u8,
        mut state: NodeState,
        changed: PieceMask,
    ) -> ControlFlow<()> {
        let parts = depth == self.options.sync_depth;
        let shared = if parts { self.claims.branches() } else { None };
        let branch = if parts { self.position.pass_branch() } else { 0 };
        let known = shared.and_then(|known| known.is_alive(branch));
        if known == Some(false) || known == Some(true) && !self.claim()? {
            return self.poll();
        }
        let verdict = self.propagator.settle(&mut state, changed);
        if let (None, Some(shared)) = (known, shared) {
            shared.note(branch, verdict.is_ok());
        }
        if let Err(dead) = verdict {
            self.cut(&state, dead);
            return if depth == 1 { self.count() } else { ControlFlow::Continue(()) };
        }
        self.known.record(&state);
        self.count()?;
        let promoter = PieceId::all().find(|piece| {
            let itinerary = state.itinerary(*piece);
            matches!(itinerary.promotion, PromotionPlan::Promotes(_)) && itinerary.turn().is_none()
        });
        let leaf = promoter.is_none() && state.open.is_empty();
        let claims = parts && known.is_none() || leaf && depth < self.options.sync_depth;
        if claims && !self.claim()? {
            return ControlFlow::Continue(());
        }
        match promoter {
            Some(pawn) => self.promotions(depth, &state, pawn),
            None if leaf => self.leaf(&state),
            None => self.captures(depth, state),
        }
    }
}
