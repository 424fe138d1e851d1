//! The strategy of a leaf of the tree.

use crate::problem::pawn::behind;
use crate::problem::piece::PieceId;
use crate::strategy::Strategy;
use crate::strategy::itinerary::{Fate, Itinerary, StopKind};
use crate::strategy::route::{End, Milestone, Route};

/// Builds the strategy with these itineraries; `None` if a death has no matching capture, which
/// does not occur at a leaf of the tree.
pub(crate) fn strategy(itineraries: &[Itinerary; 32]) -> Option<Strategy> {
    let mut routes: [Route; 32] =
        std::array::from_fn(|_| Route::to(End::Rest(PieceId::new(0).origin())));
    for piece in PieceId::all() {
        let itinerary = &itineraries[piece.index()];
        let route = &mut routes[piece.index()];
        route.end = match itinerary.fate {
            Fate::Rests => End::Rest(itinerary.end),
            Fate::Open => return None,
            Fate::Dies(captor) => {
                let taken = |kind| matches!(kind, StopKind::Takes(v) | StopKind::TakesEnPassant(v) if v == piece);
                let captures = itineraries[captor.index()]
                    .stops()
                    .iter()
                    .filter(|stop| !matches!(stop.kind, StopKind::Promotes(_)));
                let index = captures.into_iter().position(|stop| taken(stop.kind))? as u8;
                End::Dead { square: itinerary.end, captor, index }
            }
        };
        if let Some(wing) = itinerary.castles {
            route.milestones.try_push(Milestone::Castling(wing)).ok()?;
        }
        for stop in itinerary.stops() {
            let square = stop.square;
            let milestone = match stop.kind {
                StopKind::Takes(victim) => Milestone::Capture { square, victim, en_passant: false },
                StopKind::TakesEnPassant(victim) => {
                    debug_assert_eq!(
                        itineraries[victim.index()].end,
                        behind(piece.color(), square)
                    );
                    Milestone::Capture { square, victim, en_passant: true }
                }
                StopKind::Promotes(kind) => Milestone::Promotion { square, kind },
            };
            route.milestones.try_push(milestone).ok()?;
        }
    }
    Some(Strategy::new(routes))
}
