//! Execution of a move of orthodox chess on a copy of the position.

use super::generate::CastlingWay;
use super::moves::{BoardMove, MoveShape};
use crate::positions::board::{Man, SearchPosition};
use umbrail_chess::geometry::{Color, Square};
use umbrail_chess::{Role, attacks};

/// Returns the position after a pseudo-legal move, the other side to move. Check is not tested.
#[inline]
pub(crate) fn after(before: &SearchPosition<()>, mv: BoardMove) -> SearchPosition<()> {
    let us = before.turn;
    let mut position = *before;
    position.en_passant = None;
    position.turn = !us;
    let man = position.remove(mv.from);
    let victim_at = match mv.shape {
        MoveShape::Castling => {
            let way = CastlingWay::of(us, mv.to.file() > mv.from.file());
            let rook = position.remove(way.rook_from);
            position.put(man, way.king_to);
            position.put(rook, way.rook_to);
            return position;
        }
        MoveShape::EnPassant => Some(Square::at(mv.to.file(), mv.from.rank())),
        MoveShape::Plain => Some(mv.to).filter(|&to| !position.at(to).is_none()),
        MoveShape::DoubleStep => None,
    };
    if let Some(at) = victim_at {
        position.remove(at);
    }
    position.put(mv.promotion.map_or(man, |role| Man::new(us, role)), mv.to);
    if mv.shape == MoveShape::DoubleStep {
        position.en_passant = passed_square(&position, us, mv);
    }
    position
}

/// Returns the square behind a double step if an enemy pawn attacks it: otherwise positions that
/// have the same games would differ.
fn passed_square<Extra: Copy>(
    position: &SearchPosition<Extra>,
    us: Color,
    mv: BoardMove,
) -> Option<Square> {
    let passed = Square::at(mv.from.file(), if us.is_white() { 2 } else { 5 });
    let pawns = position.by_role(Role::Pawn) & position.by_color(!us);
    (attacks::pawn(us, passed) & pawns).any().then_some(passed)
}
