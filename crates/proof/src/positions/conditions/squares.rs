//! Conditions about squares: Hole, Wormholes, Actuated Revolving Centre, and Imitator.
//!
//! - *Hole*: no man enters or passes the listed squares.
//! - *Wormholes*: a man that arrives on a listed square goes on to another listed square that is empty, as the
//!   mover chooses; without one, the move is illegal. Pawns move from holes on their first rank. Only a man that captured or promoted may end where it
//!   started.
//! - *ActuatedRevolvingCentre*: after a move from or to d4, e4, d5 or e5, these squares turn by 90° clockwise.
//! - *Imitator*: a man I of no side makes the vector of each move (of castling, the sum of both); a move is
//!   illegal if I would leave the board, or pass or enter an occupied square. I blocks lines.
//!
//! Source: Popeye 4.104; BCPS glossary.
//!
//! *State*: the square of the imitator.
//!
//! *Bounds*: Hole and Imitator only forbid moves. Wormholes and the turning center put men on other squares:
//! a ply fills one square and, if the center turns, up to four more of any color.

use crate::positions::board::Man;
use crate::positions::fairy::{FairyCondition, FairyPosition, FairyRules, PlayedMove, Traits};
use crate::positions::problem::TargetBoard;
use crate::positions::rules::BoundFacts;
use umbrail_chess::geometry::{Bitboard, Square};

/// Property of squares.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SquareCondition {
    /// Squares that do not exist.
    Hole(Bitboard),
    /// Squares that lead to each other.
    Wormholes(Bitboard),
    /// The center turns.
    RevolvingCentre,
    /// The square of the imitator at the start.
    Imitator(Square),
    /// The square of the imitator at the end.
    ImitatorEnd(Square),
}

/// Returns the demand that the imitator ends on a square.
pub(crate) fn imitator_ends_on(square: Square) -> Box<dyn FairyCondition> {
    Box::new(SquareCondition::ImitatorEnd(square))
}

/// Squares of the center, clockwise.
const CENTER: [Square; 4] = [Square::D4, Square::D5, Square::E5, Square::E4];

impl FairyCondition for SquareCondition {
    fn traits(&self) -> Traits {
        Traits {
            state: matches!(self, Self::Imitator(_)),
            check_by_capture: matches!(self, Self::Wormholes(_) | Self::Imitator(_)),
            effects: true,
            ..Traits::default()
        }
    }

    fn weaken(&self, facts: &mut BoundFacts) {
        match self {
            Self::Wormholes(_) => facts.give_up_steps(),
            Self::RevolvingCentre => {
                facts.fill_more(4, 4, 4);
                facts.give_up_steps();
            }
            Self::Hole(_) | Self::Imitator(_) | Self::ImitatorEnd(_) => {}
        }
    }

    fn begin(&self, _: &FairyRules, start: &mut FairyPosition) {
        if let Self::Imitator(square) = *self {
            start.extra.imitator = Some(square);
        }
    }

    fn step_ok(&self, _: Square, to: Square) -> bool {
        !matches!(self, Self::Hole(holes) if holes.contains(to))
    }

    fn frees_pawn(&self, from: Square) -> bool {
        matches!(self, Self::Wormholes(holes) if holes.contains(from))
    }

    fn blockers(&self, position: &FairyPosition, _: Square, blockers: Bitboard) -> Bitboard {
        match self {
            Self::Hole(holes) => blockers | *holes,
            Self::Imitator(_) => position.extra.imitator.map_or(blockers, |at| blockers.with(at)),
            _ => blockers,
        }
    }

    fn effect(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        mut played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        match self {
            Self::Hole(_) | Self::ImitatorEnd(_) => out.push(played),
            Self::Wormholes(holes) => {
                if !holes.contains(played.at) {
                    return out.push(played);
                }
                for to in (*holes - played.next.occupied()).without(played.at) {
                    let is_null = played.victim.is_none() && played.mv.promotion.is_none();
                    if to == played.mv.from && is_null {
                        continue;
                    }
                    let mut jumped = played;
                    let man = jumped.next.remove(played.at);
                    jumped.next.put(man, to);
                    jumped.at = to;
                    jumped.mv.choice = u32::from(to.number()) + 1;
                    out.push(jumped);
                }
            }
            Self::RevolvingCentre => {
                let concerned = |square| CENTER.contains(&square);
                if concerned(played.mv.from) || concerned(played.at) {
                    turn_center(rules, &mut played);
                }
                out.push(played);
            }
            Self::Imitator(_) => {
                played.next.extra.imitator = imitated(before, &played);
                if played.next.extra.imitator.is_some() {
                    out.push(played);
                }
            }
        }
    }

    fn is_target(&self, position: &FairyPosition, _: &TargetBoard) -> bool {
        match self {
            Self::ImitatorEnd(end) => position.extra.imitator == Some(*end),
            _ => true,
        }
    }
}

fn turn_center(rules: &FairyRules, played: &mut PlayedMove) {
    let next = &mut played.next;
    let men = CENTER.map(|at| next.at(at));
    for (at, man) in CENTER.into_iter().zip(men) {
        if !man.is_none() {
            next.remove(at);
        }
    }
    for (index, man) in men.into_iter().enumerate().filter(|(_, man): &(usize, Man)| !man.is_none())
    {
        let to = CENTER[(index + 1) % 4];
        next.put(man, to);
        rules.reinstate(next, to);
    }
    if let Some(index) = CENTER.iter().position(|&at| at == played.at) {
        played.at = CENTER[(index + 1) % 4];
    }
}

/// Returns the square of the imitator after a move; `None` if it cannot travel.
fn imitated(before: &FairyPosition, played: &PlayedMove) -> Option<Square> {
    let start = before.extra.imitator?;
    let part = |a: u8, b: u8| i32::from(b) - i32::from(a);
    let vector =
        |from: Square, to: Square| (part(from.file(), to.file()), part(from.rank(), to.rank()));
    let mv = played.mv;
    let (mut dx, mut dy) = vector(mv.from, mv.to);
    if let Some((from, to)) = mv.rook {
        let rook = vector(from, to);
        (dx, dy) = (dx + rook.0, dy + rook.1);
    }
    let end = start.offset(dx, dy)?;
    // The squares that the imitator passes must be empty of all but the man that moves.
    let is_line = dx == 0 || dy == 0 || dx.abs() == dy.abs();
    let is_slide = is_line && !mv.is_castling();
    let men = before.occupied().without(mv.from);
    if is_slide {
        let steps = dx.abs().max(dy.abs());
        for step in 1..steps {
            let at = start.offset(dx.signum() * step, dy.signum() * step)?;
            if men.contains(at) {
                return None;
            }
        }
    }
    // The man that moved may stand on the square of arrival.
    (!played.next.occupied().contains(end)).then_some(end)
}
