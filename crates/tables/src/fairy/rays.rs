//! Rays: ordered targets of a piece from each square, as flat tables for the table builder.
//!
//! Rays run forward (moves) or backward (un-moves: the step negated, since asymmetric pieces must
//! be retracted against their step).

use super::movement::MoveAtom;
use umbrail_chess::geometry::Square;

/// One target of a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RayStep {
    /// Squares that must be empty for a quiet move: those between and the target.
    pub clear: u64,
    /// Target square.
    pub to: u8,
    /// Number of later steps on the ray; an obstacle at this step blocks them too.
    pub left: u8,
}

/// Direction of rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RayDirection {
    /// From the square of a piece to its targets.
    Moves,
    /// From a target back to the square of origin: retractions.
    Retractions,
}

/// Steps of all rays of each square, in sequence.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rays {
    start: Vec<u32>,
    ray_steps: Vec<RayStep>,
}

impl Rays {
    /// Builds rays along these steps; `turned` for the opponent's pieces.
    pub(crate) fn along(steps: &[MoveAtom], turned: bool, direction: RayDirection) -> Self {
        Self::build(|from| {
            let ray = |step: &MoveAtom| {
                let step = if turned { step.turned() } else { *step };
                let sign = if direction == RayDirection::Retractions { -1 } else { 1 };
                let (dx, dy) = (sign * i32::from(step.dx), sign * i32::from(step.dy));
                let mut at = from;
                (0..step.reach)
                    .map_while(|_| {
                        at = at.offset(dx, dy)?;
                        Some(at)
                    })
                    .collect()
            };
            steps.iter().map(ray).collect()
        })
    }

    /// Builds rays square by square: for each ray its targets in order.
    pub(crate) fn build(rays: impl Fn(Square) -> Vec<Vec<Square>>) -> Self {
        let mut built = Self { start: Vec::with_capacity(65), ray_steps: Vec::new() };
        built.start.push(0);
        for from in Square::all() {
            for ray in rays(from) {
                let mut clear = 0;
                for (number, to) in ray.iter().enumerate() {
                    clear |= 1 << to.index();
                    let left = (ray.len() - 1 - number) as u8;
                    built.ray_steps.push(RayStep { clear, to: to.number(), left });
                }
            }
            built.start.push(built.ray_steps.len() as u32);
        }
        built.ray_steps.shrink_to_fit();
        built
    }

    /// Returns the ray steps from a square.
    #[inline]
    pub(crate) fn from(&self, square: usize) -> &[RayStep] {
        &self.ray_steps[self.start[square] as usize..self.start[square + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::{RayDirection, Rays};
    use crate::fairy::MoveAtom;
    use umbrail_chess::geometry::Square;

    #[test]
    fn rays_run_outwards_and_know_what_must_be_clear() {
        let rays = Rays::along(&[MoveAtom::slide(1, 0)], false, RayDirection::Moves);
        let ray_steps = rays.from(Square::F1.index());
        assert_eq!(ray_steps.iter().map(|h| (h.to, h.left)).collect::<Vec<_>>(), [(6, 1), (7, 0)]);
        assert_eq!(ray_steps[1].clear, 0b1100_0000);
    }

    #[test]
    fn unmoves_go_against_the_step() {
        let forward = [MoveAtom::leap(0, 1)];
        assert_eq!(Rays::along(&forward, false, RayDirection::Retractions).from(8)[0].to, 0);
        assert_eq!(Rays::along(&forward, true, RayDirection::Retractions).from(8)[0].to, 16);
    }
}
