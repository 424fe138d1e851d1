//! Squares and promotions with which a victim can be captured.

use crate::distance::NEVER;
use crate::enumerate::captures::sites::{Death, for_each_turn, room, weighs};
use crate::enumerate::state::NodeState;
use crate::problem::pawn::pawn_rank;
use crate::problem::piece::PieceId;
use crate::rules::{Rule, Rules};
use crate::strategy::itinerary::{Fate, Itinerary, ItineraryStop, PromotionPlan, StopKind};
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Square};

/// Calls back with each way to capture a victim.
pub(crate) fn deaths_of(
    state: &NodeState,
    victim: PieceId,
    rules: Rules,
    mut call: impl FnMut(Death),
) {
    let itinerary = state.itinerary(victim);
    let room = room(state, victim);
    let distances = &state.distances;
    if itinerary.promotion != PromotionPlan::Unknown {
        let role = itinerary.role(victim);
        let at = itinerary.last();
        let held =
            !itinerary.stops().is_empty() && distances.forbidden(victim.color(), role).contains(at);
        let squares = if held {
            Bitboard::of(at)
        } else {
            distances.table(victim.color(), role).within(at, room as usize)
        };
        call(Death { turn: None, squares, moves: 0 });
        return;
    }
    let may_need = if rules.has(Rule::PawnCaptures) {
        state.spare_captures(victim.color())
    } else {
        i32::from(NEVER)
    };
    let fits = |captured_itinerary: &Itinerary| {
        i32::from(captured_itinerary.need) - i32::from(itinerary.need) <= may_need
    };
    let forward = if victim.color().is_white() { 1 } else { -1 };
    let ways = distances.pawns(victim.color());
    let at = itinerary.last();
    let mut squares = Bitboard::EMPTY;
    for step in 0..7 {
        let wide = step.min(may_need.max(0));
        for square in (-wide..=wide).filter_map(|side| at.offset(side, step * forward)) {
            let way = ways.way(at, square);
            if !way.exists()
                || i32::from(way.moves) > room
                || i32::from(way.captures) > may_need
                || pawn_rank(victim.color(), square) == 7
            {
                continue;
            }
            if let Some(mut captured_itinerary) =
                captured_itinerary(itinerary, victim, None, square)
                && weighs(state, victim, &mut captured_itinerary, room)
                && fits(&captured_itinerary)
            {
                squares = squares.with(square);
            }
        }
    }
    call(Death { turn: None, squares, moves: 0 });
    for_each_turn(state, victim, room, |square, kind, turned, left| {
        if !fits(turned) {
            return;
        }
        let table = distances.table(victim.color(), kind);
        let squares = if distances.forbidden(victim.color(), kind).contains(square) {
            Bitboard::of(square)
        } else {
            table.within(square, left as usize)
        };
        let moves = turned.cost - itinerary.cost;
        call(Death { turn: Some((square, kind)), squares, moves });
    });
}

/// Returns the victim's itinerary when it is captured; the captor is set later.
pub(crate) fn captured_itinerary(
    itinerary: &Itinerary,
    victim: PieceId,
    turn: Option<(Square, Role)>,
    square: Square,
) -> Option<Itinerary> {
    let mut captured_itinerary = *itinerary;
    if let Some((at, kind)) = turn {
        captured_itinerary = itinerary.with(
            itinerary.stops().len(),
            ItineraryStop { square: at, kind: StopKind::Promotes(kind) },
        )?;
        captured_itinerary.promotion = PromotionPlan::Promotes(kind);
    } else if itinerary.promotion == PromotionPlan::Unknown {
        captured_itinerary.promotion = PromotionPlan::Never;
    }
    // The enemy king represents any captor.
    captured_itinerary.fate = Fate::Dies(PieceId::king(!victim.color()));
    captured_itinerary.end = square;
    Some(captured_itinerary)
}

/// Returns the least number of own moves of a victim until it can be captured on one of these
/// squares.
pub(crate) fn least_moves(
    state: &NodeState,
    victim: PieceId,
    death: &Death,
    squares: Bitboard,
) -> u8 {
    let itinerary = state.itinerary(victim);
    if itinerary.promotion == PromotionPlan::Unknown && death.turn.is_none() {
        let ways = state.distances.pawns(victim.color());
        let moves = squares.squares().map(|square| ways.way(itinerary.last(), square).moves);
        return moves.min().unwrap_or(NEVER);
    }
    let (at, role) = death.turn.unwrap_or((itinerary.last(), itinerary.role(victim)));
    let table = state.distances.table(victim.color(), role);
    let moves = squares.squares().map(|square| table.moves(at, square)).min().unwrap_or(NEVER);
    moves.saturating_add(death.moves)
}

/// Returns the landing square of the captor and the victim's itinerary if the victim can be taken
/// en passant.
pub(crate) fn passing(
    state: &NodeState,
    victim: PieceId,
    rules: Rules,
) -> Option<(Square, Itinerary)> {
    let itinerary = state.itinerary(victim);
    if itinerary.promotion != PromotionPlan::Unknown || !itinerary.stops().is_empty() {
        return None;
    }
    let forward = if victim.color().is_white() { 1 } else { -1 };
    let (landing, stood) =
        victim.origin().offset(0, forward).zip(victim.origin().offset(0, 2 * forward))?;
    let way = state.distances.pawns(victim.color()).way(victim.origin(), stood);
    if way.captures != 0 || way.moves != 1 {
        return None;
    }
    let mut died = captured_itinerary(itinerary, victim, None, stood)?;
    let fits = weighs(state, victim, &mut died, room(state, victim));
    let walked = !rules.has(Rule::PawnCaptures) || died.need == 0;
    (fits && walked).then_some((landing, died))
}
