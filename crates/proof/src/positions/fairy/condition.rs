//! Interface of a condition: hooks that the rules call while moves are generated, played and tested.
//!
//! The default of every hook is orthodox chess. Several conditions apply in the order in which they
//! are given; where each may forbid something, all must allow it.

use super::moves::{FairyMove, Played};
use super::rules::FairyRules;
use super::state::FairyPosition;
use crate::positions::board::{Kind, Man};
use crate::positions::problem::TargetBoard;
use crate::positions::rules::{BoundFacts, ManStep};
use arrayvec::ArrayVec;
use std::fmt::Debug;
use umbrail_chess::geometry::{Bitboard, Color, Square};

/// Ways in which one man may move.
pub(crate) type Movers = ArrayVec<Mover, 16>;

/// One way in which a man may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mover {
    /// Kind whose moves are made. The color is that of the man.
    pub kind: Kind,
    /// True if these moves may go to empty squares.
    pub quiet: bool,
    /// True if these moves may capture.
    pub captures: bool,
}

impl Mover {
    /// Returns the moves and captures of a kind.
    pub(crate) const fn both(kind: Kind) -> Self {
        Self { kind, quiet: true, captures: true }
    }
}

/// What a condition needs from the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    /// Men move in ways that depend on other men ([`Condition::movers`]).
    pub movers: bool,
    /// Moves are removed in view of all legal ones ([`Condition::filter`]).
    pub filters: bool,
    /// A king is attacked only if its capture, with all effects, would be legal and remove it.
    pub check_by_capture: bool,
    /// Kings and rooks may regain the right to castle.
    pub rights_return: bool,
    /// The condition uses [`super::state::FairyState`].
    pub state: bool,
    /// The condition defines moves of its own, which no other such condition may change.
    pub is_base: bool,
    /// Moves have effects ([`Condition::effect`]).
    pub effects: bool,
    /// The condition acts on captured or capturing men, as no other such condition may.
    pub acts_on_captures: bool,
}

/// A fairy condition.
pub(crate) trait Condition: Debug + Send + Sync {
    /// Returns what the condition needs.
    fn traits(&self) -> Traits {
        Traits::default()
    }

    /// Weakens the facts that bounds may assume.
    fn weaken(&self, _facts: &mut BoundFacts) {}

    /// Adds kinds to which pawns promote.
    fn promotions(&self, _kinds: &mut Vec<Kind>) {}

    /// Sets the condition's state at the start.
    fn begin(&self, _rules: &FairyRules, _start: &mut FairyPosition) {}

    /// Returns false if no man may go from one square to the other, nor attack it.
    fn step_ok(&self, _from: Square, _to: Square) -> bool {
        true
    }

    /// Returns false if the man of a square may not move; it gives no check then.
    fn may_move(&self, _rules: &FairyRules, _position: &FairyPosition, _from: Square) -> bool {
        true
    }

    /// Returns false if the man on `from` may not capture the man on `victim`, a king included.
    fn may_capture(
        &self,
        _rules: &FairyRules,
        _position: &FairyPosition,
        _from: Square,
        _victim: Square,
    ) -> bool {
        true
    }

    /// Changes the ways in which the man of a square moves.
    fn movers(
        &self,
        _rules: &FairyRules,
        _position: &FairyPosition,
        _from: Square,
        _movers: &mut Movers,
    ) {
    }

    /// Returns true or false where the condition decides whether the man on `from` attacks the man on
    /// `at`. Used only with [`Traits::movers`].
    fn observes(
        &self,
        _rules: &FairyRules,
        _position: &FairyPosition,
        _from: Square,
        _at: Square,
    ) -> Option<bool> {
        None
    }

    /// Returns true if pawns move and capture from a square of their own first rank.
    fn frees_pawn(&self, _from: Square) -> bool {
        false
    }

    /// Returns squares that block men on `from` in addition to those that are occupied, and squares
    /// that do not although they are.
    fn blockers(&self, _position: &FairyPosition, _from: Square, blockers: Bitboard) -> Bitboard {
        blockers
    }

    /// Returns false if this castling is not possible for a reason of its own.
    fn may_castle(&self, _rules: &FairyRules, _position: &FairyPosition, _mv: &FairyMove) -> bool {
        true
    }

    /// Adds, replaces or removes pseudo-legal moves.
    fn change_moves(
        &self,
        _rules: &FairyRules,
        _position: &FairyPosition,
        _moves: &mut Vec<FairyMove>,
    ) {
    }

    /// Applies the effect of a move: appends the move with its effect, several times if the mover
    /// has a choice, or not at all if the effect makes it illegal.
    fn effect(
        &self,
        _rules: &FairyRules,
        _before: &FairyPosition,
        played: Played,
        out: &mut Vec<Played>,
    ) {
        out.push(played);
    }

    /// Returns true or false where the condition decides whether a side is in check.
    fn in_check(
        &self,
        _rules: &FairyRules,
        _position: &FairyPosition,
        _side: Color,
    ) -> Option<bool> {
        None
    }

    /// Returns false if a move is illegal in view of the position after it.
    fn is_legal(
        &self,
        _rules: &FairyRules,
        _before: &FairyPosition,
        _mv: &FairyMove,
        _after: &FairyPosition,
    ) -> bool {
        true
    }

    /// Removes moves in view of all legal ones.
    fn filter(&self, _rules: &FairyRules, _before: &FairyPosition, _legal: &mut Vec<Played>) {}

    /// Returns false if the state of the position contradicts the target.
    fn is_target(&self, _position: &FairyPosition, _target: &TargetBoard) -> bool {
        true
    }

    /// Changes the steps of a man that is alone on the board.
    fn steps(&self, _rules: &FairyRules, _man: Man, _from: Square, _steps: &mut Vec<ManStep>) {}
}
