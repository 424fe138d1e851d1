//! Words of a layout that the moves of one piece lead to.

use super::identical_men::pair;
use super::{Layout, Others};
use crate::fairy::RayStep;
use crate::move_tables::walk;

/// Words that one piece's moves lead to, with invariants computed once.
pub(crate) enum Axis<'a> {
    /// The piece is unique.
    Alone { rest: usize, stride: usize },
    /// One identical piece exists, on this square.
    Pair { rest: usize, stride: usize, other: u8 },
    /// Several identical pieces exist, or the piece is a pawn.
    IdenticalMen { layout: &'a Layout, rest: usize, man: usize },
}

impl Axis<'_> {
    /// Returns the word with the piece on a square.
    #[inline(always)]
    pub(crate) fn to(&self, men: &Others, square: u8) -> usize {
        match *self {
            Self::Alone { rest, stride } => rest + stride * square as usize,
            Self::Pair { rest, stride, other } => rest + stride * pair(square, other),
            Self::IdenticalMen { layout, rest, man } => layout.with(rest, man, men, square),
        }
    }

    /// Walks along rays like [`walk`]; `visit` receives each ray step with its word.
    #[inline(always)]
    pub(crate) fn walk(
        &self,
        ray_steps: &[RayStep],
        men: &Others,
        mut visit: impl FnMut(&RayStep, usize) -> bool,
    ) {
        match *self {
            Self::Alone { rest, stride } => {
                walk(ray_steps, |ray_step| visit(ray_step, rest + stride * ray_step.to as usize));
            }
            Self::Pair { rest, stride, other } => {
                walk(ray_steps, |ray_step| {
                    visit(ray_step, rest + stride * pair(ray_step.to, other))
                });
            }
            Self::IdenticalMen { layout, rest, man } => {
                walk(ray_steps, |ray_step| {
                    visit(ray_step, layout.with(rest, man, men, ray_step.to))
                });
            }
        }
    }
}
