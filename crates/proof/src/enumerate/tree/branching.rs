//! Branching: enumerates the open decisions of a node, and emits leaves.

use super::{ClaimCursor, TreeWalk};
use crate::enumerate::captures::options::Capture;
use crate::enumerate::leaf::strategy;
use crate::enumerate::place_tracker::Branch;
use crate::enumerate::progress_trace::NodeDecision;
use crate::enumerate::request::FoundStrategy;
use crate::enumerate::state::{NodeRefutation, NodeState};
use crate::problem::piece::{PieceId, PieceMask};
use crate::strategy::itinerary::{ItineraryStop, PromotionPlan, StopKind};
use std::ops::ControlFlow;
use std::sync::Arc;
use umbrail_chess::geometry::{Color, Square};

impl TreeWalk<'_> {
    /// Branches on the promotion square of a surviving pawn.
    pub(super) fn promotions(
        &mut self,
        depth: u8,
        state: &NodeState,
        pawn: PieceId,
    ) -> ControlFlow<()> {
        let PromotionPlan::Promotes(kind) = state.itinerary(pawn).promotion else {
            return ControlFlow::Continue(());
        };
        let rank = if pawn.color().is_white() { 7 } else { 0 };
        for square in (0..8).map(|file| Square::at(file, rank)) {
            let stop = ItineraryStop { square, kind: StopKind::Promotes(kind) };
            let Some(itinerary) = state.itinerary(pawn).with(0, stop) else { continue };
            let mut child = state.clone();
            child.set(pawn, itinerary);
            if !self.known.admits(&child) {
                continue;
            }
            match self.branch(depth, usize::from(square.file()), 8)? {
                Branch::Before => continue,
                Branch::Leads => {}
                Branch::Walked => self.mark(&[pawn.number(), square.number()], depth),
            }
            let decision = NodeDecision::Promotion(pawn, square, kind);
            let timed = depth <= self.options.sync_depth;
            self.progress.note(depth, decision, (usize::from(square.file()), 8), timed);
            self.enter(depth + 1, child, PieceMask::EMPTY.with(pawn))?;
        }
        ControlFlow::Continue(())
    }

    /// Branches on the captor and the square of the victim with the fewest options.
    pub(super) fn captures(&mut self, depth: u8, mut state: NodeState) -> ControlFlow<()> {
        let rules = self.options.rules;
        let mut ways = self.propagator.take_ways();
        let chosen = self.propagator.advance(&mut state, &mut ways);
        let result = match chosen {
            Err(dead) => {
                self.cut(&state, dead);
                ControlFlow::Continue(())
            }
            Ok(victim) => {
                let mut captures = Vec::new();
                ways.captures(&state, victim, rules, &mut captures);
                if depth < self.options.sync_depth {
                    let precedence = |capture: &Capture| {
                        [capture.captor, capture.victim]
                            .map(|(piece, itinerary)| itinerary.cost - state.itinerary(piece).cost)
                    };
                    captures.sort_by_key(|capture| precedence(capture).iter().sum::<u8>());
                }
                self.branches(depth, &state, victim, &captures)
            }
        };
        self.propagator.give_back(ways);
        result
    }

    fn branches(
        &mut self,
        depth: u8,
        state: &NodeState,
        victim: PieceId,
        captures: &[Capture],
    ) -> ControlFlow<()> {
        if state.open.len() == 1
            && self.known.strategy().is_none()
            && depth >= self.options.sync_depth
        {
            return self.leaves(depth, state, captures);
        }
        for (number, capture) in captures.iter().enumerate() {
            let mut child = state.clone();
            for (piece, itinerary) in [capture.captor, capture.victim] {
                child.set(piece, itinerary);
            }
            child.open = child.open.without(victim);
            if !self.known.admits(&child) {
                continue;
            }
            let (captor, end) = (capture.captor.0, capture.victim.1.end);
            match self.branch(depth, number, captures.len())? {
                Branch::Before => continue,
                Branch::Leads => {}
                Branch::Walked => {
                    self.mark(&[victim.number(), captor.number(), end.number()], depth);
                }
            }
            let timed = depth <= self.options.sync_depth;
            let place = (number, captures.len());
            self.progress.note(depth, NodeDecision::of(capture), place, timed);
            // Both itineraries are already evaluated.
            self.enter(depth + 1, child, PieceMask::EMPTY)?;
        }
        ControlFlow::Continue(())
    }

    /// Handles the last level below the sync depth, where each capture makes a leaf. This is
    /// equivalent to entering a child, but one state serves all while nothing follows from the
    /// captures.
    fn leaves(&mut self, depth: u8, state: &NodeState, captures: &[Capture]) -> ControlFlow<()> {
        let mut child = state.clone();
        child.open = PieceMask::EMPTY;
        for (number, capture) in captures.iter().enumerate() {
            if self.branch(depth, number, captures.len())? == Branch::Before {
                continue;
            }
            let (captor, victim) = (capture.captor, capture.victim);
            let old = (child.set(captor.0, captor.1), child.set(victim.0, victim.1));
            self.count()?;
            if Color::ALL.into_iter().any(|color| child.spare(color) < 0) {
                self.cut(&child, NodeRefutation::Moves(Color::White));
            } else if !child.is_walked() {
                self.cut(&child, NodeRefutation::Captures(Color::White));
            } else {
                let (distances, walls) = (Arc::clone(&child.distances), child.walls);
                let changed = child.follow(&mut self.propagator.tools);
                if changed.is_empty() {
                    self.leaf(&child)?;
                } else {
                    let mut other = child.clone();
                    match self.propagator.settle(&mut other, changed) {
                        Ok(()) => self.leaf(&other)?,
                        Err(dead) => self.cut(&other, dead),
                    }
                    (child.distances, child.walls) = (distances, walls);
                }
            }
            child.set(victim.0, old.1);
            child.set(captor.0, old.0);
        }
        ControlFlow::Continue(())
    }

    /// Emits a leaf, where everything is decided.
    pub(super) fn leaf(&mut self, state: &NodeState) -> ControlFlow<()> {
        if !state.is_walked() {
            self.cut(state, NodeRefutation::Captures(Color::White));
            return ControlFlow::Continue(());
        }
        self.tally.count_leaf();
        let free = match self.propagator.free_moves(state) {
            Ok(free) => free,
            Err(dead) => {
                self.cut(state, dead);
                return ControlFlow::Continue(());
            }
        };
        let Some(strategy) = strategy(state.itineraries()) else {
            return ControlFlow::Continue(());
        };
        self.tally.keep(state.itineraries());
        self.progress.show(&self.tally);
        let place = self.places.of_strategy();
        let ClaimCursor { number: claim, next: index } = self.claim;
        self.claim.next += 1;
        (self.emit)(FoundStrategy { strategy, free, claim, index, place })
    }
}
