//! Propagation at a node: capture options, bounds and the precedence of events, to a fixpoint.

use crate::enumerate::captures::options::CaptureOptions;
use crate::enumerate::precedence::PrecedenceChecker;
use crate::enumerate::state::{NodeRefutation, NodeState, Tools};
use crate::problem::piece::{PieceId, PieceMask};
use crate::rules::Rules;
use umbrail_chess::geometry::Color;

/// Deductions about one node, with their caches and buffers.
pub(in crate::enumerate) struct Propagator {
    pub(in crate::enumerate) tools: Tools,
    precedence: PrecedenceChecker,
    /// Buffers, reused between nodes.
    ways: Vec<CaptureOptions>,
}

impl Propagator {
    pub(super) fn new(rules: Rules) -> Self {
        let (tools, precedence) = (Tools::new(rules), PrecedenceChecker::new(rules));
        Self { tools, precedence, ways: vec![] }
    }

    /// Returns a buffer for capture options.
    pub(super) fn take_ways(&mut self) -> CaptureOptions {
        self.ways.pop().unwrap_or_default()
    }

    /// Returns a buffer for use by other nodes.
    pub(super) fn give_back(&mut self, ways: CaptureOptions) {
        self.ways.push(ways);
    }

    /// Settles a state after a change of these pieces.
    pub(super) fn settle(
        &mut self,
        state: &mut NodeState,
        changed: PieceMask,
    ) -> Result<(), NodeRefutation> {
        state.settle(changed, &mut self.tools)
    }

    /// Returns the moves by color that a leaf leaves free.
    pub(super) fn free_moves(&mut self, state: &NodeState) -> Result<[u16; 2], NodeRefutation> {
        let slack = Color::ALL.map(|color| state.spare(color).max(0) as u16);
        let judged = self.precedence.check(state.itineraries(), &state.distances, slack, [0; 2]);
        let mut free = slack;
        for (piece, moves) in judged.map_err(NodeRefutation::Refuted)?.moves {
            free[piece.color().index()] -= u16::from(moves);
        }
        Ok(free)
    }

    /// Propagates the capture options and the precedence of events to a fixpoint, and chooses the
    /// next victim.
    pub(super) fn advance(
        &mut self,
        state: &mut NodeState,
        ways: &mut CaptureOptions,
    ) -> Result<PieceId, NodeRefutation> {
        loop {
            let victim = self.choose(state, ways)?;
            let slack = Color::ALL.map(|color| state.spare(color).max(0) as u16);
            let captures = Color::ALL.map(|color| state.spare_captures(color));
            let judged =
                self.precedence.check(state.itineraries(), &state.distances, slack, captures);
            let excursions = judged.map_err(NodeRefutation::Refuted)?;
            if excursions.moves.is_empty() {
                return Ok(victim);
            }
            let mut risen = false;
            for (piece, moves) in excursions.moves {
                risen |= moves > 0;
                state.raise(piece, state.itinerary(piece).bound.saturating_add(moves));
            }
            if !risen {
                return Ok(victim);
            }
            let changed = state.freeze(&mut self.tools);
            state.settle(changed, &mut self.tools)?;
        }
    }

    /// Chooses the next victim, and raises the bounds by the cost of each victim's path to its
    /// capture.
    fn choose(
        &mut self,
        state: &mut NodeState,
        ways: &mut CaptureOptions,
    ) -> Result<PieceId, NodeRefutation> {
        let rules = self.tools.rules;
        ways.find(state, rules);
        if state.open.len() == 1
            && let Some(victim) = state.open.pieces().next()
        {
            return Ok(victim);
        }
        loop {
            let before = Color::ALL.map(|color| state.bound(color));
            let mut best: Option<(u32, PieceId)> = None;
            for victim in state.open.pieces() {
                let survey = ways.survey(state, victim);
                if survey.count == 0 {
                    return Err(NodeRefutation::Victim(victim));
                }
                state.raise(victim, state.itinerary(victim).cost.saturating_add(survey.moves));
                if best.is_none_or(|(count, _)| survey.count < count) {
                    best = Some((survey.count, victim));
                }
            }
            for color in Color::ALL {
                if state.spare(color) < 0 {
                    return Err(NodeRefutation::Moves(color));
                }
            }
            let Some((_, victim)) = best else {
                return Err(NodeRefutation::Victim(PieceId::new(0)));
            };
            if Color::ALL.map(|color| state.bound(color)) == before {
                return Ok(victim);
            }
            let changed = state.freeze(&mut self.tools);
            if !changed.is_empty() {
                state.settle(changed, &mut self.tools)?;
            }
            ways.find(state, rules);
            if changed.is_empty() {
                return Ok(victim);
            }
        }
    }
}
