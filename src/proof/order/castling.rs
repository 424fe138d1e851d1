//! Kings, castling, and men that attack them in contact.

use super::dies_on;
use super::graph::{Event, Graph};
use super::stays::{NONE, Stay, Stays};
use crate::chess::attacks;
use crate::geometry::{Bitboard, Color, Square};
use crate::proof::man::Man;
use crate::proof::seek::{Deed, Fate, Life};

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
pub(super) fn orders(lives: &[Life; 32], stays: &Stays, graph: &mut Graph) {
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
