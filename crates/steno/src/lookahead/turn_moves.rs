//! Moves that a turn admits on an empty board.

use super::super::filter::Filter;
use super::super::mark::CastlingSide;
use super::{RoleSquares, rook_of};
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Position, Role, attacks};

/// Moves that a filter admits on an empty board, by role and origin. Captures are distinguished for
/// pawns only, which capture differently.
pub(super) struct TurnMoves {
    plain: Box<[[Bitboard; 64]; 6]>,
    promoting: [Bitboard; 64],
    promotions: u8,
    castling: [bool; 2],
}

impl TurnMoves {
    pub(super) fn new(filter: &Filter, color: Color) -> Self {
        let mut plain = Box::new([[Bitboard::EMPTY; 64]; 6]);
        let mut promoting = [Bitboard::EMPTY; 64];
        let last = Bitboard::rank(0) | Bitboard::rank(7);
        let quiet_or_taking = filter.quiet || filter.capture;
        for role in Role::ALL {
            let promotes = role == Role::Pawn && filter.promotions != 0;
            if !filter.admits(role) && !promotes {
                continue;
            }
            for from in filter.from {
                let mut to = empty_board(role, color, from) & filter.onto & filter.ways_from(from);
                if role == Role::Pawn {
                    let taking = attacks::pawn(color, from);
                    let takes = filter.capture || filter.passing;
                    to &= match (takes, filter.quiet) {
                        (true, true) => Bitboard::FULL,
                        (true, false) => taking,
                        (false, true) => !taking,
                        (false, false) => Bitboard::EMPTY,
                    };
                    promoting[from.index()] = to & last;
                    to &= !last;
                } else if !quiet_or_taking {
                    to = Bitboard::EMPTY;
                }
                if filter.admits(role) {
                    plain[role.index()][from.index()] = to;
                }
            }
        }
        Self { plain, promoting, promotions: filter.promotions, castling: filter.castling }
    }

    /// Returns true if a piece of this role on this square could move into the given squares (of
    /// the role it then has) at this turn.
    pub(super) fn can_lead(&self, role: Role, from: Square, into: &RoleSquares) -> bool {
        let at = from.index();
        if (self.plain[role.index()][at] & into[role.index()]).any() {
            return true;
        }
        role == Role::Pawn
            && self.promoting[at].any()
            && Role::PROMOTIONS.into_iter().any(|role| {
                self.promotions >> role.index() & 1 != 0
                    && (self.promoting[at] & into[role.index()]).any()
            })
    }

    /// Returns the squares from which a piece could move into the given ones at this turn.
    pub(super) fn sources(
        &self,
        into: &RoleSquares,
        start: &Position,
        color: Color,
    ) -> RoleSquares {
        let mut sources = [Bitboard::EMPTY; 6];
        for role in Role::ALL {
            let can_lead = |from: &Square| self.can_lead(role, *from, into);
            sources[role.index()] = Square::all().filter(can_lead).collect();
        }
        // Castling moves two pieces at once.
        let king = start.king(color);
        for wing in CastlingSide::ALL.into_iter().filter(|wing| self.castling[wing.index()]) {
            let Some(rook) = rook_of(start, color, wing) else { continue };
            let (king_file, rook_file) = if wing == CastlingSide::Short { (6, 5) } else { (2, 3) };
            if into[Role::King.index()].contains(Square::at(king_file, king.rank())) {
                sources[Role::King.index()] |= Bitboard::of(king);
            }
            if into[Role::Rook.index()].contains(Square::at(rook_file, king.rank())) {
                sources[Role::Rook.index()] |= Bitboard::of(rook);
            }
        }
        sources
    }
}

/// Returns the squares where a piece could move at this turn on an empty board; a pawn's captures
/// are included.
fn empty_board(role: Role, color: Color, from: Square) -> Bitboard {
    if role != Role::Pawn {
        return attacks::of(role, color, from, Bitboard::EMPTY);
    }
    if matches!(from.rank(), 0 | 7) {
        return Bitboard::EMPTY;
    }
    let ahead = |set: Bitboard| if color.is_white() { set << 8 } else { set >> 8 };
    let one = ahead(from.into());
    let home = from.rank() == if color.is_white() { 1 } else { 6 };
    let two = if home { ahead(one) } else { Bitboard::EMPTY };
    one | two | attacks::pawn(color, from)
}
