//! Kings, castling, and men that attack them in contact.

use crate::distance::Distances;
use crate::enumerate::precedence::dies_on;
use crate::enumerate::precedence::graph::{Event, Graph};
use crate::enumerate::precedence::occupancy::{NONE, Stay, Stays};
use crate::problem::man::{Man, MenSet};
use crate::strategy::itinerary::{Deed, Fate, Life};
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// Adds what castling and the king's stops say.
///
/// Admissible, by the rules of castling and check. Only attacks in contact, of knights and of pawns count,
/// since no third man can stop them:
/// - the king's square, its way and its target are not attacked at that moment; so whoever attacks them
///   has left by then or comes later (that all squares up to the rook are empty is said elsewhere);
/// - a man that comes to attack the king's home before castling gives a check that no king's move and no
///   interposition may answer, so he is taken where he stands; one who does not die there comes later;
/// - the king never steps where he is attacked: an attacker has left by then or comes later; one who comes
///   after the king's last move gives a check that only his death or the end of the game answers.
pub(crate) fn orders(lives: &[Life; 32], distances: &Distances, stays: &Stays, graph: &mut Graph) {
    unanswered(lives, distances, stays, graph);
    for color in Color::ALL {
        if let Some(castling) = stays.castling[color.index()] {
            castle(lives, stays, graph, color, castling);
        }
        king(lives, stays, graph, color);
    }
}

fn castle(lives: &[Life; 32], stays: &Stays, graph: &mut Graph, color: Color, castling: Event) {
    let king = Man::king(color);
    let Some(wing) = lives[king.index()].castles else { return };
    let square = |file| Square::at(file, king.origin().rank());
    let target = square(wing.files().0);
    let way = attacks::between(king.origin(), target).with(target).with(king.origin());
    for stay in stays.stays.iter() {
        if stay.man.color() == color {
            continue;
        }
        let attacked = contact(stay) & way;
        if attacked.is_empty() {
            continue;
        }
        let survives = !dies_on(&lives[stay.man.index()], stay.square);
        if attacked.contains(king.origin()) && survives && stay.from != NONE {
            graph.before(castling, stay.from);
        } else {
            around(graph, castling, stay);
        }
    }
}

fn king(lives: &[Life; 32], stays: &Stays, graph: &mut Graph, color: Color) {
    let king = Man::king(color);
    let life = &lives[king.index()];
    let rests = stays.king_rests[color.index()];
    for stay in stays.stays.iter().filter(|stay| stay.man.color() != color) {
        let attacked = contact(stay);
        for stop in life.stops() {
            let Deed::Takes(victim) = stop.deed else { continue };
            if attacked.contains(stop.square) {
                around(graph, stays.deaths[victim.index()], stay);
            }
        }
        if rests == NONE || !attacked.contains(life.end) {
            continue;
        }
        let other = &lives[stay.man.index()];
        if stay.from == stay.to && other.fate == Fate::Rests && other.end == stay.square {
            // He arrives where he rests, perhaps in the last ply.
            continue;
        }
        if dies_on(&lives[stay.man.index()], stay.square) {
            around(graph, rests, stay);
        } else if stay.to == NONE {
            if stay.from != NONE {
                graph.before(rests, stay.from);
            }
        } else {
            graph.before(stay.to, rests);
        }
    }
}

/// Kings that no milestone asks to move, but whose home is attacked in contact by somebody who comes there
/// and is not taken there.
///
/// Admissible: either the king is away by then, or he answers the check by a move, since no third man can
/// shield it, unless it comes with the last ply, where the checker rests.
pub(crate) fn checked_kings(lives: &[Life; 32], stays: &Stays) -> MenSet {
    let mut checked = MenSet::EMPTY;
    for color in Color::ALL {
        let king = Man::king(color);
        if !lives[king.index()].is_idle(king) {
            continue;
        }
        let checks = |stay: &Stay| {
            let other = &lives[stay.man.index()];
            let rests = other.fate == Fate::Rests && other.end == stay.square;
            stay.man.color() != color
                && stay.from != NONE
                && !rests
                && !dies_on(other, stay.square)
                && contact(stay).contains(king.origin())
        };
        if stays.stays.iter().any(checks) {
            checked = checked.with(king);
        }
    }
    checked
}

/// Squares where a king may go from a check in contact: not those of still men, not those that they guard,
/// and not those that the checker attacks in contact or through the square that the king leaves.
fn escapes(distances: &Distances, color: Color, king: Square, checker: &Stay) -> Bitboard {
    let near = attacks::king(king) - distances.still - distances.guarded[color.index()];
    let slides = matches!(checker.role, Role::Bishop | Role::Rook | Role::Queen);
    let through = if slides { attacks::line(checker.square, king) } else { Bitboard::EMPTY };
    (near - contact(checker) - through).without(checker.square)
}

/// Checks in contact to which a king that moves later has no answer: the checker comes before or after
/// the king's stay.
fn unanswered(lives: &[Life; 32], distances: &Distances, stays: &Stays, graph: &mut Graph) {
    for at in stays.stays.iter().filter(|at| at.man.role() == Role::King && at.to != NONE) {
        let color = at.man.color();
        for stay in stays.stays.iter().filter(|stay| stay.man.color() != color) {
            if stay.from == NONE
                || !contact(stay).contains(at.square)
                || dies_on(&lives[stay.man.index()], stay.square)
                || escapes(distances, color, at.square, stay).any()
            {
                continue;
            }
            if at.from == NONE {
                graph.before(at.to, stay.from);
            } else {
                graph.either((stay.from, at.from), (at.to, stay.from));
            }
        }
    }
}

/// Somebody's stay is over before a move, or begins after it.
fn around(graph: &mut Graph, event: Event, stay: &Stay) {
    match (stay.from == NONE, stay.to == NONE) {
        // He stands there for ever; the bounds see that.
        (true, true) => {}
        (true, false) => graph.before(stay.to, event),
        (false, true) => graph.before(event, stay.from),
        (false, false) => graph.either((stay.to, event), (event, stay.from)),
    }
}

/// What a man attacks that nobody can shield.
fn contact(stay: &Stay) -> Bitboard {
    attacks::of(stay.role, stay.man.color(), stay.square, attacks::king(stay.square))
}
