//! Words of a layout that the moves of one piece lead to.

use super::identical_pieces::pair;
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
    IdenticalPieces { layout: &'a Layout, rest: usize, piece: usize },
}

impl Axis<'_> {
    /// Returns the word with the piece on a square.
    #[inline(always)]
    pub(crate) fn to(&self, pieces: &Others, square: u8) -> usize {
        match *self {
            Self::Alone { rest, stride } => rest + stride * square as usize,
            Self::Pair { rest, stride, other } => rest + stride * pair(square, other),
            Self::IdenticalPieces { layout, rest, piece } => {
                layout.with(rest, piece, pieces, square)
            }
        }
    }

    /// Walks along rays like [`walk`]; `visit` receives each ray step with its word.
    #[inline(always)]
    pub(crate) fn walk(
        &self,
        ray_steps: &[RayStep],
        pieces: &Others,
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
            Self::IdenticalPieces { layout, rest, piece } => {
                walk(ray_steps, |ray_step| {
                    visit(ray_step, layout.with(rest, piece, pieces, ray_step.to))
                });
            }
        }
    }
}
