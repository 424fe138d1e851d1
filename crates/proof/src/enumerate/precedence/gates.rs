//! Gates: the squares through which an officer leaves home and enters its final square.

use crate::distance::Distances;
use crate::enumerate::precedence::graph::{Event, PrecedenceGraph};
use crate::enumerate::precedence::occupancy::{NONE, Timelines};
use crate::problem::piece::PieceId;
use arrayvec::ArrayVec;
use umbrail_chess::geometry::{Bitboard, Square};
use umbrail_chess::{Role, attacks};

/// Adds the constraints of gates; returns false if a piece has no gate.
///
/// *Admissible*: an officer's first move passes or enters a square next to its home (for a knight,
/// one of its targets). One of these squares is therefore empty by then: a piece that starts there
/// has left it. The officer's last move passes a square next to its final square, so one of these
/// is still empty, or the officer starts from it: a piece whose final square this is arrives later.
/// Squares of still pieces, and for kings guarded squares, are not gates.
pub(crate) fn orders(
    distances: &Distances,
    timelines: &Timelines,
    graph: &mut PrecedenceGraph,
) -> bool {
    if timelines.exits.is_empty() && timelines.entries.is_empty() {
        return true;
    }
    // By square: the departure of the piece that stands there since the first ply, and the arrival
    // of the piece that stays there to the end.
    let mut until = [NONE; 64];
    let mut since = [NONE; 64];
    for occupancy in &timelines.occupancies {
        let (home, rest) = (occupancy.from == NONE, occupancy.to == NONE);
        if home && !rest {
            until[occupancy.square.index()] = occupancy.to;
        } else if rest && !home {
            since[occupancy.square.index()] = occupancy.from;
        }
    }
    let leave = |square: Square, event: Event| (until[square.index()], event);
    let come = |square: Square, event: Event| (event, since[square.index()]);
    timelines.exits.iter().all(|&(piece, event)| {
        let gates = gates(distances, piece, piece.role(), piece.origin());
        clause(graph, gates, |square| leave(square, event))
    }) && timelines.entries.iter().all(|&(piece, role, square, event)| {
        let gates = gates(distances, piece, role, square);
        clause(graph, gates, |square| come(square, event))
    })
}

/// Returns the neighboring squares by an officer's way to move.
fn gates(distances: &Distances, piece: PieceId, role: Role, square: Square) -> Bitboard {
    let near = attacks::of(role, piece.color(), square, attacks::king(square)) - distances.still;
    if role == Role::King { near - distances.guarded[piece.color().index()] } else { near }
}

/// Adds the disjunction "one of the gates is open"; returns false if there is no gate.
fn clause(
    graph: &mut PrecedenceGraph,
    gates: Bitboard,
    precedence: impl Fn(Square) -> (Event, Event),
) -> bool {
    let mut orders: ArrayVec<(Event, Event), 8> = ArrayVec::new();
    for square in gates.squares() {
        let (first, second) = precedence(square);
        // No piece is certain to be there, or it arrives or leaves by that very move: the gate is
        // open.
        if first == NONE || second == NONE || first == second {
            return true;
        }
        let _ = orders.try_push((first, second));
    }
    match orders[..] {
        [] => false,
        [(first, second)] => {
            graph.before(first, second);
            true
        }
        _ => {
            graph.any_of(&orders);
            true
        }
    }
}
