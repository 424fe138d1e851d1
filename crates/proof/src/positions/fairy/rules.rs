//! Rules of a problem: its conditions, its further kinds of men, and what follows from them.
//!
//! [`FairyCondition`] is the interface of a condition: hooks that the rules call while moves are generated, played and
//! tested. The default of every hook is orthodox chess. Several conditions apply in the order in which they are given;
//! where each may forbid something, all must allow it.

use super::moves::{FairyMove, PlayedMove};
use super::pieces::PieceType;
use super::state::{self, FairyPosition};
use crate::positions::board::{Man, ManKind};
use crate::positions::problem::TargetBoard;
use crate::positions::rules::{BoundFacts, ManStep};
use arrayvec::ArrayVec;
use std::fmt::Debug;
use umbrail_chess::Role;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_control::Stopped;

/// Ways in which one man may move.
pub(crate) type Movers = ArrayVec<Mover, 16>;

/// One way in which a man may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mover {
    /// Kind whose moves are made. The color is that of the man.
    pub kind: ManKind,
    /// True if these moves may go to empty squares.
    pub quiet: bool,
    /// True if these moves may capture.
    pub captures: bool,
}

impl Mover {
    /// Returns the moves and captures of a kind.
    pub(crate) const fn both(kind: ManKind) -> Self {
        Self { kind, quiet: true, captures: true }
    }
}

/// What a condition needs from the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    /// Men move in ways that depend on other men ([`FairyCondition::movers`]).
    pub movers: bool,
    /// Moves are removed in view of all legal ones ([`FairyCondition::filter`]).
    pub filters: bool,
    /// A king is attacked only if its capture, with all effects, would be legal and remove it.
    pub check_by_capture: bool,
    /// Kings and rooks may regain the right to castle.
    pub rights_return: bool,
    /// The condition uses [`super::state::FairyState`].
    pub state: bool,
    /// The condition uses a part of that state that is its own, so that others may use the rest.
    pub game_state: bool,
    /// The condition defines moves of its own, which no other such condition may change.
    pub is_base: bool,
    /// Moves have effects ([`FairyCondition::effect`]).
    pub effects: bool,
    /// A move may go on by further captures ([`FairyCondition::go_on`]), in so many ways that they are not collected.
    pub chains: bool,
    /// The condition acts on captured or capturing men, as no other such condition may.
    pub acts_on_captures: bool,
    /// The squares of neutral men are the marks of the state.
    pub neutral: bool,
}

impl Traits {
    /// Returns true if two conditions are not combined, since their order would matter.
    pub(crate) const fn clashes(&self, other: Self) -> bool {
        self.is_base && other.is_base
            || self.acts_on_captures && other.acts_on_captures
            || self.state && other.state
            || self.filters && other.filters
            || self.movers && other.movers
            || self.check_by_capture && other.check_by_capture
            // Moves that cannot be collected cannot be compared with each other.
            || self.chains && other.filters
            || self.filters && other.chains
    }
}

/// Takes the outcomes of a move, and ends their list early with an error.
pub(crate) type OutcomeVisitor<'a> = dyn FnMut(PlayedMove) -> Result<(), Stopped> + 'a;

/// A fairy condition.
pub(crate) trait FairyCondition: Debug + Send + Sync {
    /// Returns what the condition needs.
    fn traits(&self) -> Traits {
        Traits::default()
    }

    /// Weakens the facts that bounds may assume.
    fn weaken(&self, _facts: &mut BoundFacts) {}

    /// Adds kinds to which pawns promote.
    fn promotions(&self, _kinds: &mut Vec<ManKind>) {}

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
        played: PlayedMove,
        out: &mut Vec<PlayedMove>,
    ) {
        out.push(played);
    }

    /// Applies the effect of a move as [`Self::effect`], and passes each outcome to the visitor at once. For conditions
    /// with [`Traits::chains`], whose outcomes would not fit into memory.
    fn go_on(
        &self,
        rules: &FairyRules,
        before: &FairyPosition,
        played: PlayedMove,
        visit: &mut OutcomeVisitor<'_>,
    ) -> Result<(), Stopped> {
        let mut out = vec![];
        self.effect(rules, before, played, &mut out);
        out.into_iter().try_for_each(visit)
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
    fn filter(&self, _rules: &FairyRules, _before: &FairyPosition, _legal: &mut Vec<PlayedMove>) {}

    /// Returns false if the state of the position contradicts the target.
    fn is_target(&self, _position: &FairyPosition, _target: &TargetBoard) -> bool {
        true
    }

    /// Returns false if this move is not the last one of a game.
    fn may_end(&self, _mv: &FairyMove) -> bool {
        true
    }

    /// Changes the steps of a man that is alone on the board.
    fn steps(&self, _rules: &FairyRules, _man: Man, _from: Square, _steps: &mut Vec<ManStep>) {}
}

/// Rules of a problem with conditions or fairy pieces.
#[derive(Debug)]
pub(crate) struct FairyRules {
    pub(super) conditions: Vec<Box<dyn FairyCondition>>,
    /// Fairy pieces of the kinds after those of chess.
    pub(super) pieces: Vec<&'static PieceType>,
    /// Letters of these pieces in moves: those that the problem gives them, or Popeye's.
    pub(super) letters: Vec<String>,
    /// Kinds to which pawns promote.
    pub(super) promotions: Vec<ManKind>,
    /// Kind of the king.
    pub king: ManKind,
    /// Kind with which the king castles.
    pub rook: ManKind,
    /// What the conditions need.
    pub(super) traits: Traits,
    /// What the bounds may assume.
    pub(super) facts: BoundFacts,
    /// Fewest men of a position from which the target is still reached, for moves that remove several men.
    pub fewest: u32,
    /// True if the moves of every man are those of chess, so that attacks are looked up.
    pub(super) looks_up: bool,
}

impl FairyRules {
    /// Combines conditions and pieces.
    pub(crate) fn new(
        conditions: Vec<Box<dyn FairyCondition>>,
        pieces: Vec<&'static PieceType>,
        promotions: Vec<ManKind>,
        [king, rook]: [ManKind; 2],
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
            traits.state |= one.state || one.rights_return || one.game_state;
            traits.effects |= one.effects;
            traits.chains |= one.chains;
            traits.neutral |= one.neutral;
            facts.rights_come_back |= one.rights_return;
            condition.weaken(&mut facts);
            condition.promotions(&mut promotions);
        }
        if !pieces.is_empty() {
            // Walls block other men than those of chess in other ways.
            facts.home_pawns_never_moved = false;
            // Assignments know castling by steps for other kinds of kings and rooks, and no other pawns.
            facts.rights_come_back |= rook != ManKind::ROOK || king != ManKind::KING;
            let of_board_b = |piece: &&PieceType| piece.letters[2].is_empty();
            if king != ManKind::KING || pieces.iter().any(|one| one.is_pawn && !of_board_b(one)) {
                facts.give_up_steps();
            }
        }
        let looks_up = !traits.movers && !changes_blockers && pieces.is_empty();
        let letters = pieces.iter().map(|piece| piece.letters[2].to_uppercase()).collect();
        let fewest = 0;
        Self {
            conditions,
            pieces,
            letters,
            promotions,
            king,
            rook,
            traits,
            facts,
            fewest,
            looks_up,
        }
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
    pub(crate) fn piece(&self, kind: ManKind) -> Option<&'static PieceType> {
        kind.index().checked_sub(ManKind::STANDARD).and_then(|at| self.pieces.get(at).copied())
    }

    /// Returns true for a kind that moves straight ahead and promotes.
    #[inline]
    pub(crate) fn is_pawn(&self, kind: ManKind) -> bool {
        kind == ManKind::PAWN || self.piece(kind).is_some_and(|piece| piece.is_pawn)
    }

    /// Returns the role of chess whose moves a kind makes, if any.
    #[inline]
    pub(crate) fn role(&self, kind: ManKind) -> Option<Role> {
        kind.role()
    }

    /// Kinds to which pawns promote.
    pub(crate) fn promotions(&self) -> &[ManKind] {
        &self.promotions
    }

    /// Returns the color's own king square, if it has one king.
    pub(crate) fn kings<'a>(
        &'a self,
        position: &'a FairyPosition,
        side: Color,
    ) -> impl Iterator<Item = Square> + 'a {
        let candidates = match self.king == ManKind::KING {
            true => position.by_role(Role::King),
            false => position.by_further_kinds(),
        };
        let own = candidates & position.by_color(side);
        own.squares().filter(|&square| position.at(square).kind() == self.king)
    }

    /// Returns the squares of neutral men.
    pub(crate) fn neutral(&self, position: &FairyPosition) -> Bitboard {
        if self.traits.neutral { Bitboard(position.extra.marks) } else { Bitboard::EMPTY }
    }

    /// Marks the king or rook that an effect has put on its home square as unmoved.
    pub(crate) fn reinstate(&self, position: &mut FairyPosition, square: Square) {
        if self.traits.rights_return {
            state::reinstate(position, square, self.king, self.rook);
        }
    }
}
