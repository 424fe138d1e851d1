//! Rules of a game, as the search uses them: successors, legality, and what bounds may assume.
//!
//! Orthodox chess has an implementation of its own; all fairy conditions share another one
//! (`positions/fairy`). The search is generic over the trait, so orthodox chess pays nothing for
//! the conditions.

mod bound_facts;
mod check;
mod generate;
mod make;
mod man_steps;
mod moves;
mod orthodox;

pub(crate) use bound_facts::{BoundFacts, CaptureFacts, MissingFacts};
pub(crate) use check::attackers;
pub(crate) use generate::CastlingWay;
#[cfg(test)]
pub(crate) use generate::pseudo_legal;
#[cfg(test)]
pub(crate) use make::after;
pub(crate) use man_steps::{ManStep, free_steps};
pub(crate) use moves::{BoardMove, MoveBuffer, MoveClass};
pub(crate) use orthodox::Orthodox;

use super::board::{Man, ManKind, SearchPosition};
use super::problem::TargetBoard;
use std::fmt::Debug;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_control::Stopped;

/// Position under some rules.
pub(crate) type PositionOf<R> = SearchPosition<<R as RuleSet>::Extra>;

/// Rules of a game.
pub(crate) trait RuleSet: Sync + Sized {
    /// State beyond that of orthodox chess.
    type Extra: Copy + Eq + Default + Debug + Send + Sync;

    /// A move. Two different moves of a position are two different games.
    type Move: Copy + Debug + Send + Sync;

    /// Passes each pseudo-legal move of a class, with the position after it and all its effects.
    ///
    /// # Errors
    /// The first error of `visit`.
    fn successors(
        &self,
        position: &PositionOf<Self>,
        class: MoveClass,
        visit: impl FnMut(Self::Move, PositionOf<Self>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped>;

    /// Returns true if a pseudo-legal move is legal. The side to move of `after` does not matter.
    fn is_legal(
        &self,
        before: &PositionOf<Self>,
        mv: &Self::Move,
        after: &PositionOf<Self>,
    ) -> bool;

    /// Returns true if a side is in check.
    fn in_check(&self, position: &PositionOf<Self>, side: Color) -> bool;

    /// Returns true if a game may end in the position.
    #[inline]
    fn is_target(&self, position: &PositionOf<Self>, target: &TargetBoard) -> bool {
        target.is_reached(position.men())
    }

    /// Returns true if a game may end with this move.
    #[inline]
    fn may_end(&self, _mv: &Self::Move) -> bool {
        true
    }

    /// Returns the key of the condition's state.
    #[inline]
    fn key_extra(&self, _extra: &Self::Extra) -> u128 {
        0
    }

    /// Returns what bounds may assume.
    fn bound_facts(&self) -> BoundFacts;

    /// Returns true for the man of a target that is a king.
    fn is_king(&self, man: Man) -> bool {
        man.kind() == ManKind::KING
    }

    /// Number of kinds of men.
    fn kinds(&self) -> usize {
        ManKind::STANDARD
    }

    /// Appends the steps of a man that is alone on the board, apart from `walls`, squares that are
    /// never vacated.
    fn man_steps(&self, man: Man, from: Square, walls: Bitboard, out: &mut Vec<ManStep>);
}

impl<R: RuleSet> RuleSet for &R {
    type Extra = R::Extra;
    type Move = R::Move;

    fn successors(
        &self,
        position: &PositionOf<Self>,
        class: MoveClass,
        visit: impl FnMut(Self::Move, PositionOf<Self>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        (**self).successors(position, class, visit)
    }

    fn is_legal(
        &self,
        before: &PositionOf<Self>,
        mv: &Self::Move,
        after: &PositionOf<Self>,
    ) -> bool {
        (**self).is_legal(before, mv, after)
    }

    fn in_check(&self, position: &PositionOf<Self>, side: Color) -> bool {
        (**self).in_check(position, side)
    }

    fn is_target(&self, position: &PositionOf<Self>, target: &TargetBoard) -> bool {
        (**self).is_target(position, target)
    }

    fn may_end(&self, mv: &Self::Move) -> bool {
        (**self).may_end(mv)
    }

    fn key_extra(&self, extra: &Self::Extra) -> u128 {
        (**self).key_extra(extra)
    }

    fn bound_facts(&self) -> BoundFacts {
        (**self).bound_facts()
    }

    fn kinds(&self) -> usize {
        (**self).kinds()
    }

    fn is_king(&self, man: Man) -> bool {
        (**self).is_king(man)
    }

    fn man_steps(&self, man: Man, from: Square, walls: Bitboard, out: &mut Vec<ManStep>) {
        (**self).man_steps(man, from, walls, out);
    }
}
