//! Precedence constraints of kings, castling and contact checks.

use crate::distance::Distances;
use crate::enumerate::precedence::graph::{Event, PrecedenceGraph};
use crate::enumerate::precedence::occupancy::{NONE, Occupancy, Timelines};
use crate::problem::man::{Man, MenSet};
use crate::strategy::itinerary::{Fate, Itinerary, StopKind};
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// Adds the constraints of castling and of the king's stops.
///
/// *Admissible*, by the rules of castling and check. Only attacks in contact, of knights and of
/// pawns count, since no third man can block them:
/// - the king's square, its path and its target are not attacked at that moment; so an attacker of
///   one of them has left by then or comes later (that all squares up to the rook are empty is a
///   constraint elsewhere);
/// - a man that comes to attack the king's home before castling gives a check that no king's move
///   and no interposition may answer, so it is taken where it stands; an attacker that is not taken
///   there comes later;
/// - the king never steps on an attacked square: an attacker has left by then or comes later; an
///   attacker that comes after the king's last move gives a check that only its capture or the end
///   of the game answers.
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
    let king = Man::king(color);
    let Some(wing) = itineraries[king.index()].castles else { return };
    let square = |file| Square::at(file, king.origin().rank());
    let target = square(wing.files().0);
    let way = attacks::between(king.origin(), target).with(target).with(king.origin());
    for occupancy in timelines.occupancies.iter() {
        if occupancy.man.color() == color {
            continue;
        }
        let attacked = contact(occupancy) & way;
        if attacked.is_empty() {
            continue;
        }
        let survives = !itineraries[occupancy.man.index()].may_die_on(occupancy.square);
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
    let king = Man::king(color);
    let itinerary = &itineraries[king.index()];
    let rests = timelines.king_rests[color.index()];
    for occupancy in timelines.occupancies.iter().filter(|occupancy| occupancy.man.color() != color)
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
        let other = &itineraries[occupancy.man.index()];
        if occupancy.from == occupancy.to
            && other.fate == Fate::Rests
            && other.end == occupancy.square
        {
            // It arrives where it rests, perhaps in the last ply.
            continue;
        }
        if itineraries[occupancy.man.index()].may_die_on(occupancy.square) {
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

/// Kings without a milestone whose home is attacked in contact by a man that comes there and is not
/// taken there.
///
/// *Admissible*: either the king is away by then, or it answers the check by a move, since no third
/// man can interpose, unless the check comes with the last ply, where the checker rests.
pub(crate) fn checked_kings(itineraries: &[Itinerary; 32], timelines: &Timelines) -> MenSet {
    let mut checked = MenSet::EMPTY;
    for color in Color::ALL {
        let king = Man::king(color);
        if !itineraries[king.index()].is_idle(king) {
            continue;
        }
        let checks = |occupancy: &Occupancy| {
            let other = &itineraries[occupancy.man.index()];
            let rests = other.fate == Fate::Rests && other.end == occupancy.square;
            occupancy.man.color() != color
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

/// Squares to which a king may escape from a check in contact: not those of still men, not those
/// that they guard, and not those that the checker attacks in contact or through the square that
/// the king leaves.
fn escapes(distances: &Distances, color: Color, king: Square, checker: &Occupancy) -> Bitboard {
    let near = attacks::king(king) - distances.still - distances.guarded[color.index()];
    let slides = matches!(checker.role, Role::Bishop | Role::Rook | Role::Queen);
    let through = if slides { attacks::line(checker.square, king) } else { Bitboard::EMPTY };
    (near - contact(checker) - through).without(checker.square)
}

/// Checks in contact to which a king that moves later has no answer: the checker comes before or
/// after the king's stay.
fn unanswered(
    itineraries: &[Itinerary; 32],
    distances: &Distances,
    timelines: &Timelines,
    graph: &mut PrecedenceGraph,
) {
    for at in timelines.occupancies.iter().filter(|at| at.man.role() == Role::King && at.to != NONE)
    {
        let color = at.man.color();
        for occupancy in
            timelines.occupancies.iter().filter(|occupancy| occupancy.man.color() != color)
        {
            if occupancy.from == NONE
                || !contact(occupancy).contains(at.square)
                || itineraries[occupancy.man.index()].may_die_on(occupancy.square)
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

/// An occupancy ends before an event, or begins after it.
fn around(graph: &mut PrecedenceGraph, event: Event, occupancy: &Occupancy) {
    match (occupancy.from == NONE, occupancy.to == NONE) {
        // It stands there throughout; the bounds cover that.
        (true, true) => {}
        (true, false) => graph.before(occupancy.to, event),
        (false, true) => graph.before(event, occupancy.from),
        (false, false) => graph.either((occupancy.to, event), (event, occupancy.from)),
    }
}

/// The squares that a man attacks without a square in between.
fn contact(occupancy: &Occupancy) -> Bitboard {
    attacks::of(
        occupancy.role,
        occupancy.man.color(),
        occupancy.square,
        attacks::king(occupancy.square),
    )
}
