//! Squares that the opponent attacks, for the histories and the order of quiet moves.

use umbrail_chess::geometry::Bitboard;
use umbrail_chess::{Move, Position, Role, attacks};

/// Squares that the opponent attacks.
pub(in super::super) struct Threats {
    /// Attacked by any piece.
    pub(in super::super) all: Bitboard,
    /// Attacked by pawns; by pawns, knights and bishops; by these and rooks.
    lesser: [Bitboard; 3],
}

impl Threats {
    pub(in super::super) fn new(position: &Position) -> Self {
        let them = !position.turn();
        let occupied = position.occupied();
        let reach = |role: Role| {
            let pieces = position.pieces(them, role);
            pieces
                .into_iter()
                .fold(Bitboard::EMPTY, |sum, from| sum | attacks::of(role, them, from, occupied))
        };
        let pawns = attacks::pawns(them, position.pieces(them, Role::Pawn));
        let minors = pawns | reach(Role::Knight) | reach(Role::Bishop);
        let rooks = minors | reach(Role::Rook);
        let all = rooks | reach(Role::Queen) | reach(Role::King);
        Self { all, lesser: [pawns, minors, rooks] }
    }

    /// Returns the gain of leaving the attack of a less valuable piece less the loss of entering
    /// one; 128 for a queen.
    pub(super) fn worth(&self, role: Role, mv: Move) -> i32 {
        let (lesser, worth) = match role {
            Role::Knight | Role::Bishop => (self.lesser[0], 56),
            Role::Rook => (self.lesser[1], 80),
            Role::Queen => (self.lesser[2], 128),
            Role::Pawn | Role::King => return 0,
        };
        let inside = |square| i32::from(lesser.contains(square));
        worth * (inside(mv.from()) - inside(mv.to()))
    }
}
