//! Precedence constraints of kings, castling and contact checks.

use crate::distance::Distances;
use crate::enumerate::precedence::graph::{Event, PrecedenceGraph};
use crate::enumerate::precedence::occupancy::{NONE, Occupancy, Timelines};
use crate::problem::piece::{PieceId, PieceMask};
use crate::strategy::itinerary::{Fate, Itinerary, StopKind};
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// Adds the constraints of castling and of the king's stops.
///
/// *Admissible*, by the rules of castling and check. Only contact attacks and those of knights and
/// pawns count, since no third piece can block them:
/// - The king's square, its path and its target are not attacked at that moment. An attacker of one
///   of them has left by then or arrives later. (Another constraint requires all squares up to the
///   rook to be empty.)
/// - A piece that comes to attack the king's home before castling gives a check that no king's move
///   and no interposition may answer, so it is taken where it stands. An attacker that is not taken
///   there arrives later.
/// - The king never steps on an attacked square: an attacker has left by then or arrives later. An
///   attacker that arrives after the king's last move gives a check that only its capture or the
///   end of the game answers.
pub(crate) fn orders(
    itineraries: &[Itinerary; 32],
    distances: &Distances,
    timelines: &Timelines,
    graph: &mut PrecedenceGraph,
) {
    unanswered(itineraries, distances, timelines, graph);
    for color in Color::ALL {
        if let Some(castling) = timelines.castling[color.index()] {
            castle(itineraries, timelines, graph, color, castling);
        }
        king(itineraries, timelines, graph, color);
    }
}

fn castle(
    itineraries: &[Itinerary; 32],
    timelines: &Timelines,
    graph: &mut PrecedenceGraph,
    color: Color,
    castling: Event,
) {
    let king = PieceId::king(color);
    let Some(wing) = itineraries[king.index()].castles else { return };
    let square = |file| Square::at(file, king.origin().rank());
    let target = square(wing.files().0);
    let way = attacks::between(king.origin(), target).with(target).with(king.origin());
    for occupancy in timelines.occupancies.iter() {
        if occupancy.piece.color() == color {
            continue;
        }
        let attacked = contact(occupancy) & way;
        if attacked.is_empty() {
            continue;
        }
        let survives = !itineraries[occupancy.piece.index()].may_die_on(occupancy.square);
        if attacked.contains(king.origin()) && survives && occupancy.from != NONE {
            graph.before(castling, occupancy.from);
        } else {
            around(graph, castling, occupancy);
        }
    }
}

fn king(
    itineraries: &[Itinerary; 32],
    timelines: &Timelines,
    graph: &mut PrecedenceGraph,
    color: Color,
) {
    let king = PieceId::king(color);
    let itinerary = &itineraries[king.index()];
    let rests = timelines.king_rests[color.index()];
    for occupancy in
        timelines.occupancies.iter().filter(|occupancy| occupancy.piece.color() != color)
    {
        let attacked = contact(occupancy);
        for stop in itinerary.stops() {
            let StopKind::Takes(victim) = stop.kind else { continue };
            if attacked.contains(stop.square) {
                around(graph, timelines.deaths[victim.index()], occupancy);
            }
        }
        if rests == NONE || !attacked.contains(itinerary.end) {
            continue;
        }
        let other = &itineraries[occupancy.piece.index()];
        if occupancy.from == occupancy.to
            && other.fate == Fate::Rests
            && other.end == occupancy.square
        {
            // It arrives on its final square, perhaps in the last ply.
            continue;
        }
        if itineraries[occupancy.piece.index()].may_die_on(occupancy.square) {
            around(graph, rests, occupancy);
        } else if occupancy.to == NONE {
            if occupancy.from != NONE {
                graph.before(rests, occupancy.from);
            }
        } else {
            graph.before(occupancy.to, rests);
        }
    }
}

/// Returns kings without a milestone whose home is attacked in contact by a piece that arrives
/// there and is not taken there.
///
/// *Admissible*: either the king is away by then, or it answers the check by a move, since no third
/// piece can interpose. The exception is a check in the last ply by a piece on its final square.
pub(crate) fn checked_kings(itineraries: &[Itinerary; 32], timelines: &Timelines) -> PieceMask {
    let mut checked = PieceMask::EMPTY;
    for color in Color::ALL {
        let king = PieceId::king(color);
        if !itineraries[king.index()].is_idle(king) {
            continue;
        }
        let checks = |occupancy: &Occupancy| {
            let other = &itineraries[occupancy.piece.index()];
            let rests = other.fate == Fate::Rests && other.end == occupancy.square;
            occupancy.piece.color() != color
                && occupancy.from != NONE
                && !rests
                && !other.may_die_on(occupancy.square)
                && contact(occupancy).contains(king.origin())
        };
        if timelines.occupancies.iter().any(checks) {
            checked = checked.with(king);
        }
    }
    checked
}

/// Returns the squares to which a king may escape from a contact check. Excluded are squares of
/// still pieces, squares they guard, and squares that the checker attacks in contact or through the
/// square that the king leaves.
fn escapes(distances: &Distances, color: Color, king: Square, checker: &Occupancy) -> Bitboard {
    let near = attacks::king(king) - distances.still - distances.guarded[color.index()];
    let slides = matches!(checker.role, Role::Bishop | Role::Rook | Role::Queen);
    let through = if slides { attacks::line(checker.square, king) } else { Bitboard::EMPTY };
    (near - contact(checker) - through).without(checker.square)
}

/// Orders contact checks that a king with later moves cannot answer: the checker comes before or
/// after the king's stay.
fn unanswered(
    itineraries: &[Itinerary; 32],
    distances: &Distances,
    timelines: &Timelines,
    graph: &mut PrecedenceGraph,
) {
    for at in
        timelines.occupancies.iter().filter(|at| at.piece.role() == Role::King && at.to != NONE)
    {
        let color = at.piece.color();
        for occupancy in
            timelines.occupancies.iter().filter(|occupancy| occupancy.piece.color() != color)
        {
            if occupancy.from == NONE
                || !contact(occupancy).contains(at.square)
                || itineraries[occupancy.piece.index()].may_die_on(occupancy.square)
                || escapes(distances, color, at.square, occupancy).any()
            {
                continue;
            }
            if at.from == NONE {
                graph.before(at.to, occupancy.from);
            } else {
                graph.either((occupancy.from, at.from), (at.to, occupancy.from));
            }
        }
    }
}

/// Adds the constraint that an occupancy ends before an event or begins after it.
fn around(graph: &mut PrecedenceGraph, event: Event, occupancy: &Occupancy) {
    match (occupancy.from == NONE, occupancy.to == NONE) {
        // The piece stands there throughout; the bounds cover that case.
        (true, true) => {}
        (true, false) => graph.before(occupancy.to, event),
        (false, true) => graph.before(event, occupancy.from),
        (false, false) => graph.either((occupancy.to, event), (event, occupancy.from)),
    }
}

/// Returns the squares that a piece attacks without a square in between.
fn contact(occupancy: &Occupancy) -> Bitboard {
    attacks::of(
        occupancy.role,
        occupancy.piece.color(),
        occupancy.square,
        attacks::king(occupancy.square),
    )
}
