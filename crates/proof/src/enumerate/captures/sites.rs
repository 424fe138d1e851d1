//! Capture sites: squares of captors and victims, and the resulting itineraries.

use crate::enumerate::state::NodeState;
use crate::problem::pawn::rank_gain;
use crate::problem::piece::PieceId;
use crate::strategy::itinerary::{Itinerary, ItineraryStop, PromotionPlan, StopKind};
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Square};

/// Role of a captor in a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// An officer, or a pawn after its decided promotion.
    Officer,
    /// A pawn. If it captures on the last rank, its promotion there is already decided.
    Pawn,
    /// A pawn that promotes to this type with the capture, which decides its promotion.
    Promoting(Role),
    /// A pawn that promoted to this type on that square earlier, which decides its promotion.
    Promoted(Square, Role),
}

/// A captor, a place among its stops, and the squares where it can capture now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CaptorSquares {
    /// The captor.
    pub captor: PieceId,
    /// Role of the captor in the capture.
    pub manner: Manner,
    /// Index of the new stop among its stops (for a pawn, the square determines it).
    pub place: u8,
    /// The squares.
    pub squares: Bitboard,
}

/// Role of a victim when it is captured, and the squares where it can be captured now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Death {
    /// For a pawn with undecided promotion, its promotion square and type; `None` if it is captured
    /// as a pawn.
    pub turn: Option<(Square, Role)>,
    /// The squares.
    pub squares: Bitboard,
    /// Moves of the promotion, if it is decided here.
    pub moves: u8,
}

/// Returns the number of moves that a piece may make beyond its current cost.
pub(crate) fn room(state: &NodeState, piece: PieceId) -> i32 {
    let itinerary = state.itinerary(piece);
    state.spare(piece.color()) + i32::from(itinerary.bound) - i32::from(itinerary.cost)
}

/// Evaluates a changed itinerary; returns false if it costs over `room` moves more than before.
pub(crate) fn weighs(
    state: &NodeState,
    piece: PieceId,
    itinerary: &mut Itinerary,
    room: i32,
) -> bool {
    let before = state.itinerary(piece).cost;
    itinerary.weigh(piece, &state.distances, &state.walls)
        && i32::from(itinerary.cost) - i32::from(before) <= room
}

/// Returns the captor's itinerary with one more capture.
pub(crate) fn take(
    state: &NodeState,
    hit: &CaptorSquares,
    stop: ItineraryStop,
    room: i32,
) -> Option<Itinerary> {
    let itinerary = state.itinerary(hit.captor);
    let turn = |square, kind| ItineraryStop { square, kind: StopKind::Promotes(kind) };
    let mut taking = match hit.manner {
        Manner::Officer => itinerary.with(usize::from(hit.place), stop)?,
        Manner::Pawn => itinerary.with(pawn_place(itinerary, hit.captor, stop.square)?, stop)?,
        Manner::Promoting(kind) => {
            let len = itinerary.stops().len();
            itinerary.with(len, stop)?.with(len + 1, turn(stop.square, kind))?
        }
        Manner::Promoted(square, kind) => {
            let len = itinerary.stops().len();
            itinerary.with(len, turn(square, kind))?.with(len + 1, stop)?
        }
    };
    if let Manner::Promoting(kind) | Manner::Promoted(_, kind) = hit.manner {
        taking.promotion = PromotionPlan::Promotes(kind);
    }
    weighs(state, hit.captor, &mut taking, room).then_some(taking)
}

/// Returns the index of a pawn's capture among its stops, which are ordered by rank. `None` if the
/// pawn already captures on that rank.
fn pawn_place(itinerary: &Itinerary, pawn: PieceId, square: Square) -> Option<usize> {
    let mut place = 0;
    for stop in itinerary.pawn_stops() {
        match rank_gain(pawn, stop.square, square) {
            0 => return None,
            1.. => place += 1,
            _ => break,
        }
    }
    Some(place)
}

/// Calls back with each promotion square and type of an undecided pawn, its itinerary with this
/// promotion, and the moves it has left.
pub(crate) fn for_each_turn(
    state: &NodeState,
    pawn: PieceId,
    room: i32,
    mut call: impl FnMut(Square, Role, &Itinerary, i32),
) {
    let itinerary = state.itinerary(pawn);
    let ways = state.distances.pawns(pawn.color());
    let rank = if pawn.color().is_white() { 7 } else { 0 };
    for square in (0..8).map(|file| Square::at(file, rank)) {
        let way = ways.way(itinerary.last(), square);
        if !way.exists() || i32::from(way.moves) > room {
            continue;
        }
        for kind in Role::PROMOTIONS {
            let stop = ItineraryStop { square, kind: StopKind::Promotes(kind) };
            let Some(mut turned) = itinerary.with(itinerary.stops().len(), stop) else { continue };
            turned.promotion = PromotionPlan::Promotes(kind);
            if weighs(state, pawn, &mut turned, room) {
                let left = room - (i32::from(turned.cost) - i32::from(itinerary.cost));
                call(square, kind, &turned, left);
            }
        }
    }
}
