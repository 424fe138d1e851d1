//! Rules of a problem: its conditions, its further kinds of men, and what follows from them.

use super::condition::{Condition, Traits};
use super::pieces::PieceType;
use super::state::{self, FairyPosition};
use crate::positions::board::Kind;
use crate::positions::rules::BoundFacts;
use umbrail_chess::Role;
use umbrail_chess::geometry::Square;

/// Rules of a problem with conditions or fairy pieces.
#[derive(Debug)]
pub(crate) struct FairyRules {
    pub(super) conditions: Vec<Box<dyn Condition>>,
    /// Fairy pieces of the kinds after those of chess.
    pub(super) pieces: Vec<&'static PieceType>,
    /// Kinds to which pawns promote.
    pub(super) promotions: Vec<Kind>,
    /// Kind of the king.
    pub king: Kind,
    /// Kind with which the king castles.
    pub rook: Kind,
    /// What the conditions need.
    pub(super) traits: Traits,
    /// What the bounds may assume.
    pub(super) facts: BoundFacts,
    /// True if the moves of every man are those of chess, so that attacks are looked up.
    pub(super) looks_up: bool,
}

impl FairyRules {
    /// Combines conditions and pieces.
    pub(crate) fn new(
        conditions: Vec<Box<dyn Condition>>,
        pieces: Vec<&'static PieceType>,
        promotions: Vec<Kind>,
        [king, rook]: [Kind; 2],
        changes_blockers: bool,
    ) -> Self {
        let mut traits = Traits::default();
        let mut facts = BoundFacts::ORTHODOX;
        let mut promotions = promotions;
        for condition in &conditions {
            let one = condition.traits();
            traits.movers |= one.movers;
            traits.filters |= one.filters;
            traits.check_by_capture |= one.check_by_capture;
            traits.rights_return |= one.rights_return;
            traits.state |= one.state || one.rights_return;
            traits.effects |= one.effects;
            facts.rights_come_back |= one.rights_return;
            condition.weaken(&mut facts);
            condition.promotions(&mut promotions);
        }
        if !pieces.is_empty() {
            // Walls block other men than those of chess in other ways.
            facts.home_pawns_never_moved = false;
            // Assignments know castling by steps for other kinds of kings and rooks, and no other pawns.
            facts.rights_come_back |= rook != Kind::ROOK || king != Kind::KING;
            let of_board_b = |piece: &&PieceType| piece.letters[2].is_empty();
            if king != Kind::KING || pieces.iter().any(|one| one.is_pawn && !of_board_b(one)) {
                facts.give_up_steps();
            }
        }
        let looks_up = !traits.movers && !changes_blockers && pieces.is_empty();
        Self { conditions, pieces, promotions, king, rook, traits, facts, looks_up }
    }

    /// Prepares the state of a start.
    pub(crate) fn begin(&self, start: &mut FairyPosition) {
        if self.traits.rights_return {
            state::begin(start, self.king, self.rook);
        }
        for condition in &self.conditions {
            condition.begin(self, start);
        }
    }

    /// Returns the fairy piece of a kind; `None` for a kind of chess.
    #[inline]
    pub(crate) fn piece(&self, kind: Kind) -> Option<&'static PieceType> {
        kind.index().checked_sub(Kind::STANDARD).and_then(|at| self.pieces.get(at).copied())
    }

    /// Returns true for a kind that moves straight ahead and promotes.
    #[inline]
    pub(crate) fn is_pawn(&self, kind: Kind) -> bool {
        kind == Kind::PAWN || self.piece(kind).is_some_and(|piece| piece.is_pawn)
    }

    /// Returns the role of chess whose moves a kind makes, if any.
    #[inline]
    pub(crate) fn role(&self, kind: Kind) -> Option<Role> {
        kind.role()
    }

    /// Kinds to which pawns promote.
    pub(crate) fn promotions(&self) -> &[Kind] {
        &self.promotions
    }

    /// Returns the color's own king square, if it has one king.
    pub(crate) fn kings<'a>(
        &'a self,
        position: &'a FairyPosition,
        side: umbrail_chess::geometry::Color,
    ) -> impl Iterator<Item = Square> + 'a {
        let candidates = match self.king == Kind::KING {
            true => position.by_role(Role::King),
            false => position.by_further_kinds(),
        };
        let own = candidates & position.by_color(side);
        own.squares().filter(|&square| position.at(square).kind() == self.king)
    }

    /// Marks the king or rook that an effect has put on its home square as unmoved.
    pub(crate) fn reinstate(&self, position: &mut FairyPosition, square: Square) {
        if self.traits.rights_return {
            state::reinstate(position, square, self.king, self.rook);
        }
    }
}
