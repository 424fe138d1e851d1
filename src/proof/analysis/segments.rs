//! Legs of two moves that can go by one of two squares: which one it is may decide something.

use super::atlas::Atlas;
use super::gait::Gait;
use super::pairs::Shun;
use super::plan::Plan;
use crate::chess::Role;
use crate::geometry::{Bitboard, Color, Square};
use crate::proof::man::Man;
use crate::proof::ways::Ways;

/// A leg of two moves, of a side without free moves, that goes by one of two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Whose leg.
    pub man: Man,
    /// Its number.
    pub leg: u8,
    /// The squares.
    pub by: [Square; 2],
}

impl Segment {
    /// What is said by saying that the leg goes by the square with this index: it does not stop on the
    /// other one.
    pub fn by(&self, index: usize) -> Shun {
        (self.man, self.leg, Bitboard::of(self.by[1 - index]))
    }
}

/// The squares by which men of a side without free moves must go.
///
/// Such a man stands after each of its moves one move nearer to the end of its leg, on a square on which a walk
/// of the least number of moves can stop; if there is only one so far away, it goes by that one.
pub fn ways(plan: &Plan, atlas: &Atlas) -> Ways {
    let mut ways = Ways::default();
    for life in &plan.lives {
        let free = plan.free[life.man.color().index()];
        if free != 0 || plan.away.contains(life.man) || life.man.is_pawn() {
            continue;
        }
        for (number, leg) in (0..).zip(&life.legs) {
            let moves = &atlas.get(leg.field).moves;
            let between = leg.stops.without(leg.start).without(leg.aim.square()) & !leg.shunned;
            for away in (1..moves[leg.start.index()]).rev() {
                let mut squares = between.squares().filter(|square| moves[square.index()] == away);
                if let (Some(square), None) = (squares.next(), squares.next()) {
                    ways.add(life.man, number, square);
                }
            }
        }
    }
    ways
}

/// All such legs of a plan.
///
/// *Exactly one of the two squares is stopped on in every game*: a side without free moves makes only the
/// moves that its men need, so the leg takes two moves; after the first of them the man stands on a square
/// on which a walk of two moves can stop, and there are only these two.
pub fn segments(plan: &Plan, atlas: &Atlas) -> Vec<Segment> {
    let mut found = vec![];
    for life in &plan.lives {
        let color: Color = life.man.color();
        if plan.free[color.index()] != 0 || plan.away.contains(life.man) {
            continue;
        }
        for (number, leg) in life.legs.iter().enumerate() {
            let pawn = leg.gait == Gait::of(Role::Pawn, color);
            let moves = atlas.get(leg.field).moves[leg.start.index()];
            if pawn || moves != 2 {
                continue;
            }
            let between = leg.stops.without(leg.start).without(leg.aim.square()) & !leg.shunned;
            let mut squares = between.squares();
            if let (Some(one), Some(other), None) = (squares.next(), squares.next(), squares.next())
            {
                found.push(Segment { man: life.man, leg: number as u8, by: [one, other] });
            }
        }
    }
    found
}
