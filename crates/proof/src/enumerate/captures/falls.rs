//! Where and as what a victim can be captured.

use crate::distance::NEVER;
use crate::enumerate::captures::captors::for_each_turn;
use crate::enumerate::captures::options::{Fall, room, weighs};
use crate::enumerate::state::State;
use crate::problem::man::Man;
use crate::rules::{Rule, Rules};
use crate::strategy::itinerary::{Deed, Fate, Life, Plan, Stop};
use crate::strategy::pawn_rank;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Square};

/// Calls back with the ways a victim can end.
pub(crate) fn falls_of(state: &State, victim: Man, rules: Rules, mut call: impl FnMut(Fall)) {
    let life = state.life(victim);
    let room = room(state, victim);
    let distances = &state.distances;
    if life.plan != Plan::Unknown {
        let role = life.role(victim);
        let at = life.last();
        let held = !life.stops().is_empty() && distances.shunned(victim.color(), role).contains(at);
        let squares = if held {
            Bitboard::of(at)
        } else {
            distances.table(victim.color(), role).within(at, room as usize)
        };
        call(Fall { turn: None, squares, moves: 0 });
        return;
    }
    let may_need = if rules.has(Rule::PawnWalk) {
        state.spare_captures(victim.color())
    } else {
        i32::from(NEVER)
    };
    let fits = |fallen: &Life| i32::from(fallen.need) - i32::from(life.need) <= may_need;
    let forward = if victim.color().is_white() { 1 } else { -1 };
    let ways = distances.pawns(victim.color());
    let at = life.last();
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
            if let Some(mut fallen) = fallen(life, victim, None, square)
                && weighs(state, victim, &mut fallen, room)
                && fits(&fallen)
            {
                squares = squares.with(square);
            }
        }
    }
    call(Fall { turn: None, squares, moves: 0 });
    for_each_turn(state, victim, room, |square, kind, turned, left| {
        if !fits(turned) {
            return;
        }
        let table = distances.table(victim.color(), kind);
        let squares = if distances.shunned(victim.color(), kind).contains(square) {
            Bitboard::of(square)
        } else {
            table.within(square, left as usize)
        };
        let moves = turned.cost - life.cost;
        call(Fall { turn: Some((square, kind)), squares, moves });
    });
}

/// The victim's life when it is captured; the captor is to be set.
pub(crate) fn fallen(
    life: &Life,
    victim: Man,
    turn: Option<(Square, Role)>,
    square: Square,
) -> Option<Life> {
    let mut fallen = *life;
    if let Some((at, kind)) = turn {
        fallen = life.with(life.stops().len(), Stop { square: at, deed: Deed::Becomes(kind) })?;
        fallen.plan = Plan::Becomes(kind);
    } else if life.plan == Plan::Unknown {
        fallen.plan = Plan::Never;
    }
    // Whoever takes it: the enemy king stands for all.
    fallen.fate = Fate::Dies(Man::king(!victim.color()));
    fallen.end = square;
    Some(fallen)
}

/// Least own moves of a victim to its death on one of these squares.
pub(crate) fn least_moves(state: &State, victim: Man, fall: &Fall, squares: Bitboard) -> u8 {
    let life = state.life(victim);
    if life.plan == Plan::Unknown && fall.turn.is_none() {
        let ways = state.distances.pawns(victim.color());
        let moves = squares.squares().map(|square| ways.way(life.last(), square).moves);
        return moves.min().unwrap_or(NEVER);
    }
    let (at, role) = fall.turn.unwrap_or((life.last(), life.role(victim)));
    let table = state.distances.table(victim.color(), role);
    let moves = squares.squares().map(|square| table.moves(at, square)).min().unwrap_or(NEVER);
    moves.saturating_add(fall.moves)
}

/// If a victim can be taken en passant: where the captor lands, and the victim's life.
pub(crate) fn passing(state: &State, victim: Man, rules: Rules) -> Option<(Square, Life)> {
    let life = state.life(victim);
    if life.plan != Plan::Unknown || !life.stops().is_empty() {
        return None;
    }
    let forward = if victim.color().is_white() { 1 } else { -1 };
    let (landing, stood) =
        victim.origin().offset(0, forward).zip(victim.origin().offset(0, 2 * forward))?;
    let way = state.distances.pawns(victim.color()).way(victim.origin(), stood);
    if way.captures != 0 || way.moves != 1 {
        return None;
    }
    let mut died = fallen(life, victim, None, stood)?;
    let fits = weighs(state, victim, &mut died, room(state, victim));
    let walked = !rules.has(Rule::PawnWalk) || died.need == 0;
    (fits && walked).then_some((landing, died))
}
