//! The walk through the tree.

pub(in crate::enumerate) mod beginning;
mod branching;

use crate::enumerate::agreement::agrees;
use crate::enumerate::captures::options;
use crate::enumerate::claim_place::ClaimPlace;
use crate::enumerate::claims::{ClaimDecision, Claims};
use crate::enumerate::ends::{RootEnds, SORTED_ENDS_MAX};
use crate::enumerate::place::{PlaceTracker, TreePlace};
use crate::enumerate::precedence::PrecedenceChecker;
use crate::enumerate::progress_trace::{DecisionPath, ProgressTrace, WalkCounts};
use crate::enumerate::request::{EnumerationOptions, EnumerationResult, FoundStrategy};
use crate::enumerate::state::{NodeRefutation, NodeState, Tools};
use crate::problem::Problem;
use crate::problem::piece::{PieceId, PieceMask};
use crate::rules::Rule;
use crate::strategy::Strategy;
use crate::strategy::itinerary::{Itinerary, PromotionPlan, StopKind};
use std::hash::Hasher;
use std::ops::ControlFlow;
use umbrail_control::Cancel;
use umbrail_control::FastHasher;

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
    let mut walk = TreeWalk::new(problem, options, claims, cancel, emit);
    walk.trail = Some(trail);
    walked(&mut walk, trail);
    walk.enumerated
}

/// Start and end of a partial walk.
pub(crate) struct WalkFrom<'a> {
    /// First node.
    pub(crate) place: &'a TreePlace,
    /// If that node is a claim, the start in it.
    pub(crate) within: &'a ClaimPlace,
    /// End in that claim; `None` if the walk continues after it.
    pub(crate) until: Option<&'a ClaimPlace>,
    /// Number of the first strategy of the walk.
    pub(crate) index: u32,
    /// End assignments, shared by all walks of a problem.
    pub(crate) ends: &'a RootEnds,
}

/// Outcome of a walk that began at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WalkEnd {
    /// The tree is exhausted, or the walk was cancelled.
    Over,
    /// The walk reached its requested end.
    AtPlace,
    /// The walk did not begin: the tree has no such place.
    Lost,
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
    let mut walk = TreeWalk::new(problem, options, claims, cancel, emit);
    walk.trail = Some(trail);
    walk.root_ends = Some(from.ends);
    walk.begin_at(from);
    walked(&mut walk, trail);
    let end = match (walk.places.is_lost, walk.places.is_past) {
        (true, _) => WalkEnd::Lost,
        (false, true) => WalkEnd::AtPlace,
        (false, false) => WalkEnd::Over,
    };
    (walk.enumerated, end)
}

/// Walks the tree, and completes the counts.
fn walked(walk: &mut TreeWalk<'_>, trail: &ProgressTrace) {
    walk.enumerated.complete = walk.ends().is_continue();
    let EnumerationResult { nodes, found, kept, .. } = walk.enumerated;
    trail.finish(WalkCounts { nodes, found, kept });
    let counts = Rule::ALL.iter().map(|&rule| (rule, walk.refuted[rule as usize]));
    walk.enumerated.refuted = counts.filter(|&(_, count)| count > 0).collect();
}

/// A walk through the tree, or through the branch that leads to one known strategy.
pub(crate) struct TreeWalk<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) options: &'a EnumerationOptions,
    pub(crate) claims: &'a dyn Claims,
    cancel: &'a Cancel,
    emit: &'a mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
    pub(crate) tools: Tools,
    /// See [`crate::enumerate::ends::SORTED_ENDS_MAX`].
    pub(crate) ends_max: usize,
    precedence: PrecedenceChecker,
    refuted: [u64; 64],
    /// Known strategy, if only its branch is walked.
    pub(crate) target: Option<&'a Strategy>,
    /// State where the branch of the target was lost.
    pub(crate) lost: Option<(NodeState, NodeRefutation)>,
    /// Last state that agreed with the target.
    pub(crate) last: Option<NodeState>,
    /// Buffers, reused between nodes.
    ways: Vec<options::CaptureOptions>,
    pub(crate) trail: Option<&'a ProgressTrace>,
    pub(crate) path: DecisionPath,
    pub(crate) places: PlaceTracker,
    /// Branches below the sync depth, counted to space the end checks.
    pub(in crate::enumerate) asked: u32,
    /// End assignments, if several walks share them.
    pub(crate) root_ends: Option<&'a RootEnds>,
    claim: u64,
    /// Number of the next strategy of the claim.
    pub(crate) index: u32,
    /// Finished branches of the root.
    pub(crate) ends: u64,
    /// Branches met at the sync depth, dead or alive.
    pub(crate) branches: u64,
    /// Current block of branches of the root, and its branches recorded as dead.
    pub(crate) reported: (u64, u64),
    /// Number of opportunities to poll.
    polls: u64,
    pub(crate) enumerated: EnumerationResult,
}

impl<'a> TreeWalk<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        options: &'a EnumerationOptions,
        claims: &'a dyn Claims,
        cancel: &'a Cancel,
        emit: &'a mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
    ) -> Self {
        Self {
            problem,
            options,
            claims,
            cancel,
            emit,
            tools: Tools::new(options.rules),
            ends_max: SORTED_ENDS_MAX,
            precedence: PrecedenceChecker::new(options.rules),
            refuted: [0; 64],
            target: None,
            lost: None,
            last: None,
            ways: Vec::new(),
            trail: None,
            path: DecisionPath::default(),
            places: PlaceTracker::default(),
            asked: 0,
            root_ends: None,
            claim: 0,
            index: 0,
            ends: 0,
            branches: 0,
            reported: (u64::MAX, 0),
            polls: 0,
            enumerated: EnumerationResult::default(),
        }
    }

    /// Returns true if a state lies on the walk.
    pub(crate) fn admits(&self, state: &NodeState) -> bool {
        self.target.is_none_or(|target| agrees(state, target))
    }

    /// Mixes a decision above the sync depth into the digest.
    pub(crate) fn mark(&mut self, decision: &[u8], depth: u8) {
        if depth >= self.options.sync_depth {
            return;
        }
        for &byte in decision {
            self.enumerated.digest = (self.enumerated.digest ^ u64::from(byte))
                .wrapping_mul(0x0000_0100_0000_01B3)
                .rotate_left(5);
        }
    }

    pub(crate) fn cut(&mut self, state: &NodeState, dead: NodeRefutation) {
        let kind = match dead {
            NodeRefutation::NoWay(_) => 0,
            NodeRefutation::Moves(_) => 1,
            NodeRefutation::Captures(_) => 2,
            NodeRefutation::Victim(_) => 3,
            NodeRefutation::Refuted(rule) => 4 + rule as usize,
        };
        match kind {
            0..4 => self.enumerated.cut[kind] += 1,
            _ => self.refuted[kind - 4] += 1,
        }
        if self.target.is_some() {
            self.lost = Some((state.clone(), dead));
        }
    }

    /// Writes the path for display before this worker searches a strategy.
    fn show(&self) {
        if let Some(trail) = self.trail.filter(|trail| trail.is_watched()) {
            let EnumerationResult { nodes, found, kept, .. } = self.enumerated;
            trail.write(&self.path, WalkCounts { nodes, found, kept });
        }
    }

    /// Counts a node, and polls at intervals.
    #[inline]
    fn count(&mut self) -> ControlFlow<()> {
        self.enumerated.nodes += 1;
        self.poll()
    }

    /// Polls at intervals: the cancel signal, and requests for the path.
    #[inline]
    pub(crate) fn poll(&mut self) -> ControlFlow<()> {
        self.polls += 1;
        if self.polls.is_multiple_of(32) {
            if self.cancel.is_raised() {
                return ControlFlow::Break(());
            }
            if let Some(trail) = self.trail.filter(|trail| trail.is_wanted()) {
                let EnumerationResult { nodes, found, kept, .. } = self.enumerated;
                trail.write(&self.path, WalkCounts { nodes, found, kept });
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes the next claim, unless another seeker has it; returns true if it was taken.
    fn claim(&mut self) -> ControlFlow<(), bool> {
        let number = self.enumerated.claims;
        let meeting = self.claims.meet(number, &|| self.places.here());
        if meeting == ClaimDecision::End {
            return ControlFlow::Break(());
        }
        self.enumerated.claims += 1;
        let mine = meeting == ClaimDecision::Take;
        if mine {
            (self.claim, self.index) = (number, self.places.take_before());
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
        let branch = self.branches;
        self.branches += u64::from(parts);
        let known = if parts {
            self.claims.branches().and_then(|known| known.is_alive(branch))
        } else {
            None
        };
        if known == Some(false) || known == Some(true) && !self.claim()? {
            return self.poll();
        }
        let verdict = state.settle(changed, &mut self.tools);
        if let (true, None, Some(branches)) = (parts, known, self.claims.branches()) {
            branches.note(branch, verdict.is_ok());
        }
        if let Err(dead) = verdict {
            self.cut(&state, dead);
            return if depth == 1 { self.count() } else { ControlFlow::Continue(()) };
        }
        if self.target.is_some() {
            self.last = Some(state.clone());
        }
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
