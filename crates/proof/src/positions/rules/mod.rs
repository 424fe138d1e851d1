//! Rules of a game, as a trait with hooks. Orthodox chess uses the default of every hook; a fairy
//! condition replaces the hooks that it changes.
//!
//! The search is generic over the trait, so the hooks of orthodox chess cost nothing.

mod check;
mod generate;
mod make;
mod man_steps;
mod moves;
mod orthodox;

pub(crate) use make::after;
pub(crate) use man_steps::{ManStep, free_steps};
#[cfg(test)]
pub(crate) use moves::MoveShape;
pub(crate) use moves::{BoardMove, MoveBuffer, MoveClass};
pub(crate) use orthodox::Orthodox;

use super::board::{Man, SearchPosition};
use std::fmt::Debug;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Position under some rules.
pub(crate) type PositionOf<R> = SearchPosition<<R as RuleSet>::Extra>;

/// What the bounds of the search may assume of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BoundFacts {
    /// Numbers of men after captures.
    pub captures: CaptureFacts,
    /// A pawn on its own second rank has never moved.
    pub home_pawns_never_moved: bool,
    /// A pawn changes its file by captures alone, and its rank by its own moves alone.
    pub pawns_move_as_usual: bool,
    /// Castling rights that ended can come back. Castling then belongs to the steps of single men
    /// ([`RuleSet::man_steps`]), instead of being a case of its own.
    pub rights_come_back: bool,
}

/// Numbers of men after captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CaptureFacts {
    /// Each capture removes exactly one man of the other side, and nothing else changes the number
    /// of men.
    Exact,
    /// Each capture removes at most one man of the other side, nothing else changes the number of
    /// men, and the captured man may stand on another square afterwards.
    #[cfg_attr(not(test), expect(dead_code, reason = "of conditions that are not offered yet"))]
    AtMostOne,
}

impl BoundFacts {
    /// Facts of orthodox chess, and of conditions that only forbid moves or change check.
    pub(crate) const ORTHODOX: Self = Self {
        captures: CaptureFacts::Exact,
        home_pawns_never_moved: true,
        pawns_move_as_usual: true,
        rights_come_back: false,
    };
}

/// Rules of a game.
pub(crate) trait RuleSet: Sync + Sized {
    /// State beyond that of orthodox chess.
    type Extra: Copy + Eq + Default + Debug + Send + Sync;

    /// True if [`Self::filter`] must see all moves, since captures decide about quiet moves.
    const FILTERS: bool = false;

    /// Roles to which pawns promote.
    const PROMOTIONS: &'static [Role] = &Role::PROMOTIONS;

    /// Sets the condition's state at the start.
    fn begin(&self, _start: &mut PositionOf<Self>) {}

    /// Appends the pseudo-legal moves of a class. They may leave the own king in check.
    fn moves(&self, position: &PositionOf<Self>, class: MoveClass, out: &mut MoveBuffer) {
        generate::pseudo_legal(self, position, class, out);
    }

    /// Returns false if no man may go from one square to the other.
    #[inline]
    fn step_ok(&self, _from: Square, _to: Square) -> bool {
        true
    }

    /// Returns false if the man of a square must not move.
    #[inline]
    fn may_move(&self, _position: &PositionOf<Self>, _from: Square) -> bool {
        true
    }

    /// Removes moves in view of all others, such as quiet moves where captures are compulsory.
    /// Called only if [`Self::FILTERS`].
    fn filter(&self, _position: &PositionOf<Self>, _moves: &mut MoveBuffer) {}

    /// Applies the effect of a capture to the position after the move. Returns false if the move is
    /// illegal.
    #[inline]
    fn captured(
        &self,
        _before: &PositionOf<Self>,
        _after: &mut PositionOf<Self>,
        _mv: BoardMove,
        _victim: Man,
    ) -> bool {
        true
    }

    /// Applies the effect of the arrival to the position after the move. Returns false if the move
    /// is illegal.
    #[inline]
    fn arrived(
        &self,
        _before: &PositionOf<Self>,
        _after: &mut PositionOf<Self>,
        _mv: BoardMove,
    ) -> bool {
        true
    }

    /// Returns true if a man that attacks the king's square gives check.
    #[inline]
    fn gives_check(&self, _position: &PositionOf<Self>, from: Square, king: Square) -> bool {
        self.step_ok(from, king)
    }

    /// Returns true if a side is in check.
    #[inline]
    fn in_check(&self, position: &PositionOf<Self>, side: Color) -> bool {
        check::king_is_attacked(self, position, side)
    }

    /// Returns true if a king of this side, on the way of its castling, would be in check here.
    #[inline]
    fn is_guarded(&self, position: &PositionOf<Self>, square: Square, by: Color) -> bool {
        check::is_attacked(self, position, square, by)
    }

    /// Returns the key of the condition's state.
    #[inline]
    fn key_extra(&self, _extra: &Self::Extra) -> u128 {
        0
    }

    /// Returns what bounds may assume.
    fn bound_facts(&self) -> BoundFacts {
        BoundFacts::ORTHODOX
    }

    /// Appends the steps of a man that is alone on the board, apart from `walls`, squares that are
    /// never vacated.
    fn man_steps(&self, man: Man, from: Square, walls: Bitboard, out: &mut Vec<ManStep>) {
        free_steps(man, from, walls, Self::PROMOTIONS, out);
        out.retain(|step| self.step_ok(from, step.to));
    }
}
