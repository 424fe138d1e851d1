//! Legal moves, as sets of target squares per piece.
//!
//! The listener style (one set of squares per piece) is from cozy-chess. It lets a solver filter
//! moves with set operations before any move is made.

use super::attacks;
use super::legal::CheckState;
use super::moves::{Move, MoveList, Targets};
use super::piece::Role;
use super::position::Position;
use crate::geometry::{Bitboard, Color, Square};

/// Kinds of moves to generate. Every legal move is either noisy or quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKinds {
    /// Every legal move.
    All,
    /// Captures (including en passant) and all promotions.
    Noisy,
    /// All other moves: no capture, no promotion; castling is quiet.
    Quiet,
}

/// Returns the squares one step ahead of each pawn of a set.
#[inline]
pub(super) fn ahead(color: Color, pawns: Bitboard) -> Bitboard {
    match color {
        Color::White => pawns << 8,
        Color::Black => pawns >> 8,
    }
}

impl Position {
    /// Returns all legal moves, pieces from a1 to h8.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.targets(MoveKinds::All, Bitboard::FULL, |targets| {
            targets.for_each(|mv| list.push(mv))
        });
        list
    }

    /// Passes the legal moves of these kinds that end on `onto` to the listener, one piece at a
    /// time, never an empty set. Castling ends on the own rook's square here.
    #[inline]
    pub fn targets(&self, kinds: MoveKinds, onto: Bitboard, mut listener: impl FnMut(Targets)) {
        let pieces = self.by_color(self.turn());
        self.targets_from(pieces, kinds, onto, &mut listener);
    }

    /// Returns true when a move of unknown origin, such as one from a hash table, is legal in this position.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.by_color(self.turn()).contains(mv.from())
            && self.is_legal_under(&self.check_state(), mv)
    }

    /// Returns [`Position::is_legal`] for callers that know the constraints of this position.
    pub fn is_legal_under(&self, check_state: &CheckState, mv: Move) -> bool {
        let piece = self.by_color(self.turn()) & Bitboard::of(mv.from());
        if piece.is_empty() {
            return false;
        }
        let (mut found, onto) = (false, Bitboard::of(mv.to()));
        self.targets_under(check_state, piece, MoveKinds::All, onto, &mut |targets| {
            let promotes = targets.promotes();
            found |= targets.to.contains(mv.to()) && promotes == mv.promotion().is_some();
        });
        found
    }

    /// Returns true when the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        let king = self.king(self.turn());
        if self.king_targets(king, Bitboard::FULL).any() {
            return true;
        }
        let mut found = false;
        self.targets(MoveKinds::All, Bitboard::FULL, |_| found = true);
        found
    }

    /// Passes the legal moves of some pieces to the listener, as [`Position::targets`] does.
    #[inline]
    pub fn targets_from(
        &self,
        pieces: Bitboard,
        kinds: MoveKinds,
        onto: Bitboard,
        listener: &mut impl FnMut(Targets),
    ) {
        self.targets_under(&self.check_state(), pieces, kinds, onto, listener);
    }

    /// Returns [`Position::targets_from`] for callers that know the constraints of this position.
    #[inline]
    pub fn targets_under(
        &self,
        check_state: &CheckState,
        pieces: Bitboard,
        kinds: MoveKinds,
        onto: Bitboard,
        listener: &mut impl FnMut(Targets),
    ) {
        let (us, them) = (self.turn(), !self.turn());
        let occupied = self.occupied();
        let wanted = onto
            & match kinds {
                MoveKinds::All => !self.by_color(us),
                MoveKinds::Noisy => self.by_color(them),
                MoveKinds::Quiet => !occupied,
            };
        if check_state.onto.any() {
            let to = wanted & check_state.onto;
            self.pawn_targets(pieces, kinds, onto, check_state, listener);
            for from in self.by_role(Role::Knight) & pieces & !check_state.pinned {
                notify(listener, Role::Knight, from, attacks::knight(from) & to);
            }
            for role in [Role::Bishop, Role::Rook, Role::Queen] {
                for from in self.by_role(role) & pieces {
                    let mut to = attacks::of(role, us, from, occupied) & to;
                    if check_state.pinned.contains(from) {
                        to &= attacks::line(check_state.king, from);
                    }
                    notify(listener, role, from, to);
                }
            }
        }
        if pieces.contains(check_state.king) {
            let mut to = self.king_targets(check_state.king, wanted);
            if kinds != MoveKinds::Noisy {
                to |= self.castling_targets(check_state) & onto;
            }
            notify(listener, Role::King, check_state.king, to);
        }
    }

    #[inline]
    fn pawn_targets(
        &self,
        pieces: Bitboard,
        kinds: MoveKinds,
        onto: Bitboard,
        check_state: &CheckState,
        listener: &mut impl FnMut(Targets),
    ) {
        let (us, them) = (self.turn(), !self.turn());
        let last = Bitboard::rank(0) | Bitboard::rank(7);
        let empty = !self.occupied();
        let third = Bitboard::rank(if us.is_white() { 2 } else { 5 });
        let (takes, walks) = match kinds {
            MoveKinds::All => (self.by_color(them), Bitboard::FULL),
            MoveKinds::Noisy => (self.by_color(them), last),
            MoveKinds::Quiet => (Bitboard::EMPTY, !last),
        };
        // A quiet capture-promotion does not exist, but a capture on the last rank is always noisy.
        for from in self.by_role(Role::Pawn) & pieces {
            let one = ahead(us, from.into()) & empty;
            let two = ahead(us, one & third) & empty;
            let mut to = (one | two) & walks | attacks::pawn(us, from) & takes;
            to &= check_state.onto & onto;
            if check_state.pinned.contains(from) {
                to &= attacks::line(check_state.king, from);
            }
            if kinds != MoveKinds::Quiet
                && let Some(behind) = self.en_passant()
                && attacks::pawn(us, from).contains(behind)
                && onto.contains(behind)
                && self.may_pass(from, behind)
            {
                to = to.with(behind);
            }
            notify(listener, Role::Pawn, from, to);
        }
    }
}

#[inline]
fn notify(listener: &mut impl FnMut(Targets), role: Role, from: Square, to: Bitboard) {
    if to.any() {
        listener(Targets { role, from, to });
    }
}
