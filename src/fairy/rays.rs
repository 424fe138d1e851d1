//! Rays: where a piece goes from each square, in order, as flat tables for the table builder.
//!
//! A *hop* is one target of a ray with the set of squares that must be empty before it. Rays run
//! forward (moves) or backward (un-moves: the step negated, since asymmetric pieces must be taken
//! back against their step).

use super::movement::Step;
use crate::geometry::Square;

/// One target of a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Where the piece arrives.
    pub to: u8,
    /// True for the first hop of its ray: an obstacle ends only its own ray.
    pub first: bool,
    /// The squares between, which must be empty.
    pub between: u64,
}

/// For each square, the hops of all rays one after the other.
#[derive(Clone, Debug, Default)]
pub struct Rays {
    start: Vec<u16>,
    hops: Vec<Hop>,
}

impl Rays {
    /// Rays along these steps; `turned` for the opponent's men, `backward` for un-moves.
    pub fn new(steps: impl Iterator<Item = Step> + Clone, turned: bool, backward: bool) -> Self {
        let mut rays = Self { start: vec![0], hops: Vec::new() };
        for from in Square::all() {
            for step in steps.clone() {
                let step = if turned { step.turned() } else { step };
                let sign = if backward { -1 } else { 1 };
                let (dx, dy) = (sign * i32::from(step.dx), sign * i32::from(step.dy));
                let (mut at, mut between) = (from, 0);
                for number in 0..step.reach {
                    let Some(to) = at.offset(dx, dy) else { break };
                    rays.hops.push(Hop { to: to.number(), first: number == 0, between });
                    between |= 1 << to.index();
                    at = to;
                }
            }
            rays.start.push(rays.hops.len() as u16);
        }
        rays
    }

    /// The hops from a square.
    #[inline]
    pub fn from(&self, square: usize) -> &[Hop] {
        &self.hops[self.start[square] as usize..self.start[square + 1] as usize]
    }
}
