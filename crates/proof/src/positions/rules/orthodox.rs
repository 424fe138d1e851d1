//! Orthodox chess, on fast paths of its own.

use super::check::king_is_attacked;
use super::generate::pseudo_legal;
use super::make::after;
use super::man_steps::{ManStep, free_steps};
use super::{BoardMove, BoundFacts, MoveBuffer, MoveClass, RuleSet};
use crate::positions::board::{Man, ManKind, SearchPosition};
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_control::Stopped;

/// The rules of orthodox chess.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Orthodox;

impl RuleSet for Orthodox {
    type Extra = ();
    type Move = BoardMove;

    #[inline]
    fn successors(
        &self,
        position: &SearchPosition<()>,
        class: MoveClass,
        mut visit: impl FnMut(BoardMove, SearchPosition<()>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let mut moves = MoveBuffer::new();
        pseudo_legal(position, class, &mut moves);
        for mv in moves {
            visit(mv, after(position, mv))?;
        }
        Ok(())
    }

    #[inline]
    fn is_legal(
        &self,
        before: &SearchPosition<()>,
        _mv: &BoardMove,
        after: &SearchPosition<()>,
    ) -> bool {
        !king_is_attacked(after, before.turn)
    }

    #[inline]
    fn in_check(&self, position: &SearchPosition<()>, side: Color) -> bool {
        king_is_attacked(position, side)
    }

    fn bound_facts(&self) -> BoundFacts {
        BoundFacts::ORTHODOX
    }

    fn man_steps(&self, man: Man, from: Square, walls: Bitboard, out: &mut Vec<ManStep>) {
        free_steps(man, from, walls, &Role::PROMOTIONS.map(ManKind::from), out);
    }
}
