//! Agreement between the decisions at a node and a known strategy.

use crate::enumerate::state::{NodeRefutation, NodeState};
use crate::problem::piece::PieceId;
use crate::strategy::Strategy;
use crate::strategy::itinerary::{Fate, Itinerary, PromotionPlan, StopKind};
use crate::strategy::route::{End, Milestone, Route};

/// Branch of a known strategy, if only that branch is walked.
#[derive(Default)]
pub(crate) struct KnownBranch<'a> {
    strategy: Option<&'a Strategy>,
    /// State where the branch was lost.
    lost: Option<(NodeState, NodeRefutation)>,
    /// Last state that agreed with the strategy.
    last: Option<NodeState>,
}

impl<'a> KnownBranch<'a> {
    pub(super) fn of(strategy: &'a Strategy) -> Self {
        Self { strategy: Some(strategy), ..Self::default() }
    }

    pub(super) const fn strategy(&self) -> Option<&'a Strategy> {
        self.strategy
    }

    /// Returns true if a state lies on the walk.
    #[inline]
    pub(super) fn admits(&self, state: &NodeState) -> bool {
        self.strategy.is_none_or(|strategy| agrees(state, strategy))
    }

    /// Records a state that is not refuted.
    pub(super) fn record(&mut self, state: &NodeState) {
        if self.strategy.is_some() {
            self.last = Some(state.clone());
        }
    }

    /// Records a refuted state.
    pub(super) fn record_lost(&mut self, state: &NodeState, dead: NodeRefutation) {
        if self.strategy.is_some() {
            self.lost = Some((state.clone(), dead));
        }
    }

    /// Returns the refutation of the branch, and its last state.
    pub(super) fn end(self) -> (Option<NodeRefutation>, Option<NodeState>) {
        match self.lost {
            Some((state, dead)) => (Some(dead), Some(state)),
            None => (None, self.last),
        }
    }
}

/// Returns true if all decisions agree with a strategy.
fn agrees(state: &NodeState, strategy: &Strategy) -> bool {
    strategy.routes().all(|(piece, route)| itinerary_agrees(state.itinerary(piece), piece, route))
}

/// Returns true if the decisions about a piece agree with its route. This holds for exactly one
/// child of a state.
pub(crate) fn itinerary_agrees(itinerary: &Itinerary, piece: PieceId, route: &Route) -> bool {
    if itinerary.castles != route.castling() {
        return false;
    }
    let ends = match (itinerary.fate, route.end) {
        (Fate::Rests, End::Rest(square)) => itinerary.end == square,
        (Fate::Dies(by), End::Dead { square, captor, .. }) => {
            by == captor && itinerary.end == square
        }
        (Fate::Open, End::Dead { .. }) => true,
        _ => false,
    };
    let plan = match (itinerary.promotion, route.promotion()) {
        (PromotionPlan::Never, turn) => turn.is_none(),
        (PromotionPlan::Promotes(kind), Some((_, becomes))) => kind == becomes,
        (PromotionPlan::Promotes(_), None) => false,
        (PromotionPlan::Unknown, _) => true,
    };
    if !ends || !plan {
        return false;
    }
    // The decided stops occur in order among the milestones; an undecided pawn has captured only as
    // a pawn.
    let mut milestones = route.milestones.iter();
    itinerary.stops().iter().all(|stop| {
        for milestone in milestones.by_ref() {
            match (*milestone, stop.kind) {
                (Milestone::Capture { square, victim, en_passant }, kind) => {
                    let same = match kind {
                        StopKind::Takes(piece) => piece == victim && !en_passant,
                        StopKind::TakesEnPassant(piece) => piece == victim && en_passant,
                        StopKind::Promotes(_) => false,
                    };
                    if same {
                        return square == stop.square;
                    }
                }
                (Milestone::Promotion { square, kind }, StopKind::Promotes(becomes)) => {
                    return square == stop.square && kind == becomes;
                }
                (Milestone::Promotion { .. }, _)
                    if itinerary.turn().is_none() && piece.is_pawn() =>
                {
                    return false;
                }
                _ => {}
            }
        }
        false
    })
}
