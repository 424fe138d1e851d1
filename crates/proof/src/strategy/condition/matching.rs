//! Matching of path conditions against routes.

use crate::problem::castling::castled_square;
use crate::problem::piece::PieceId;
use crate::strategy::condition::{Analysed, FateCondition, PathCondition, PathStep};
use crate::strategy::route::{End, Milestone};
use umbrail_chess::Role;
use umbrail_chess::geometry::Square;

/// A stop of a piece: a capture, a promotion, castling, or its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RouteStop {
    /// The square.
    pub square: Square,
    /// Piece that it takes there.
    pub takes: Option<PieceId>,
    /// Type that it promotes to there.
    pub becomes: Option<Role>,
}

/// Returns the stops of a piece in order. The origin is excluded, unless the piece leaves and
/// returns to rest there.
pub(crate) fn stops(piece: PieceId, analysed: &Analysed<'_>) -> Vec<RouteStop> {
    let route = analysed.strategy.route(piece);
    let mut stops: Vec<RouteStop> = Vec::with_capacity(route.milestones.len() + 1);
    let mut at = piece.origin();
    for node in &route.milestones {
        match *node {
            Milestone::Capture { square, victim, .. } => {
                stops.push(RouteStop { square, takes: Some(victim), becomes: None });
                at = square;
            }
            Milestone::Promotion { square, kind } => {
                match stops.last_mut().filter(|last| at == square && last.takes.is_some()) {
                    Some(last) => last.becomes = Some(kind),
                    None => stops.push(RouteStop { square, takes: None, becomes: Some(kind) }),
                }
                at = square;
            }
            Milestone::Castling(wing) => {
                at = castled_square(piece, wing);
                stops.push(RouteStop { square: at, takes: None, becomes: None });
            }
        }
    }
    let away_and_back = stops.is_empty() && analysed.needed[piece.index()] > 0;
    if route.last_square() != at || away_and_back {
        stops.push(RouteStop { square: route.last_square(), takes: None, becomes: None });
    }
    stops
}

pub(crate) fn holds(path: &PathCondition, analysed: &Analysed<'_>) -> bool {
    let piece = path.who.piece;
    let end = analysed.strategy.route(piece).end;
    let fate = match (path.fate, end) {
        (None, _)
        | (Some(FateCondition::Alive), End::Rest(_))
        | (Some(FateCondition::Dead), End::Dead { .. }) => true,
        (Some(FateCondition::TakenBy(by)), End::Dead { captor, .. }) => by == captor,
        _ => false,
    };
    if !fate {
        return false;
    }
    let all = stops(piece, analysed);
    // A king named by its castling square is past that stop.
    let done = usize::from(path.who.castled.is_some());
    follows(&path.segments, &all, done, path.stays)
}

/// Returns true if the segments match the stops after the first `done` of them. Tries every stop
/// that a segment may match, since a later segment can need another one.
fn follows(segments: &[PathStep], stops: &[RouteStop], done: usize, stays: bool) -> bool {
    let Some((segment, rest)) = segments.split_first() else {
        return !stays || done >= stops.len();
    };
    let on = |next: usize| follows(rest, stops, next, stays);
    // With no capture in between: the stops up to and including the next capture.
    let reach = stops
        .iter()
        .skip(done)
        .position(|stop| stop.takes.is_some())
        .map_or(stops.len(), |ahead| done + ahead + 1);
    let takes = |at: usize, piece: Option<PieceId>, square: Option<Square>| {
        stops[at].takes.is_some_and(|victim| piece.is_none_or(|piece| piece == victim))
            && square.is_none_or(|square| square == stops[at].square)
    };
    match *segment {
        PathStep::To(square) => {
            let fits = |stop: &RouteStop| stop.square == square && stop.takes.is_none();
            stops.get(done).is_some_and(fits) && on(done + 1)
        }
        PathStep::Takes(piece, square) => {
            (done..reach).any(|at| takes(at, piece, square) && on(at + 1))
        }
        PathStep::TakesLater(piece, square) => {
            (done..stops.len()).any(|at| takes(at, piece, square) && on(at + 1))
        }
        PathStep::Reaches(square) => {
            // Directly after a capture on that very square, the piece is already there.
            let here = done > 0 && stops[done - 1].square == square;
            (here && on(done)) || (done..reach).any(|at| stops[at].square == square && on(at + 1))
        }
        PathStep::Visits(square) => {
            (done..stops.len()).any(|at| stops[at].square == square && on(at + 1))
        }
        PathStep::Promotes(kind) => {
            let here = done > 0 && stops[done - 1].becomes == Some(kind);
            let next = (done..reach)
                .find(|&at| stops[at].becomes.is_some())
                .filter(|&at| stops[at].takes.is_none() && stops[at].becomes == Some(kind));
            (here && on(done)) || next.is_some_and(|at| on(at + 1))
        }
    }
}
