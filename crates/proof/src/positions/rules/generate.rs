//! Pseudo-legal moves of orthodox chess.

use super::check::is_attacked;
use super::moves::{BoardMove, MoveBuffer, MoveClass, MoveShape};
use crate::positions::board::{CastlingRights, Man, SearchPosition};
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// Appends the moves of the side to move that belong to the class.
pub(crate) fn pseudo_legal(position: &SearchPosition<()>, class: MoveClass, out: &mut MoveBuffer) {
    let us = position.turn;
    let (own, theirs) = (position.by_color(us), position.by_color(!us));
    let onto = match class {
        MoveClass::All => !own,
        MoveClass::Captures => theirs,
        MoveClass::Quiet => !(own | theirs),
    };
    let pawns = own & position.by_role(Role::Pawn);
    let occupied = own | theirs;
    for from in own - pawns {
        let role = position.at(from).role();
        for to in attacks::of(role, us, from, occupied) & onto {
            out.push(BoardMove { from, to, promotion: None, shape: MoveShape::Plain });
        }
    }
    for from in pawns {
        pawn_moves(position, from, class, out);
    }
    if class != MoveClass::Captures && position.rights.has(CastlingRights::both(us)) {
        castling(position, out);
    }
}

fn pawn_moves(position: &SearchPosition<()>, from: Square, class: MoveClass, out: &mut MoveBuffer) {
    let us = position.turn;
    let (ahead, home, last) = if us.is_white() { (1, 1, 7) } else { (-1, 6, 0) };
    let occupied = position.occupied();
    if class != MoveClass::Quiet {
        let reached = attacks::pawn(us, from);
        for to in reached & position.by_color(!us) {
            push_pawn_move(from, to, last, out);
        }
        if let Some(to) = position.en_passant.filter(|&to| reached.contains(to)) {
            out.push(BoardMove { from, to, promotion: None, shape: MoveShape::EnPassant });
        }
    }
    if class == MoveClass::Captures {
        return;
    }
    let Some(to) = from.offset(0, ahead).filter(|&to| !occupied.contains(to)) else { return };
    push_pawn_move(from, to, last, out);
    if from.rank() == home
        && let Some(to) = to.offset(0, ahead).filter(|&to| !occupied.contains(to))
    {
        out.push(BoardMove { from, to, promotion: None, shape: MoveShape::DoubleStep });
    }
}

fn push_pawn_move(from: Square, to: Square, last: u8, out: &mut MoveBuffer) {
    let one = BoardMove { from, to, promotion: None, shape: MoveShape::Plain };
    if to.rank() == last {
        let promoted = |&role: &Role| BoardMove { promotion: Some(role), ..one };
        out.extend(Role::PROMOTIONS.iter().map(promoted));
    } else {
        out.push(one);
    }
}

fn castling(position: &SearchPosition<()>, out: &mut MoveBuffer) {
    let us = position.turn;
    let king = Square::at(4, if us.is_white() { 0 } else { 7 });
    if position.at(king) != Man::new(us, Role::King) {
        return;
    }
    let mut checked = None;
    for kingside in [true, false] {
        if !position.rights.has(CastlingRights::one(us, kingside)) {
            continue;
        }
        let way = CastlingWay::of(us, kingside);
        if (way.empty & position.occupied()).any() {
            continue;
        }
        let in_check = *checked.get_or_insert_with(|| is_attacked(position, king, !us));
        // The square of arrival is tested with all others, after the move.
        if !in_check && !is_attacked(position, way.rook_to, !us) {
            let (to, shape) = (way.rook_from, MoveShape::Castling);
            out.push(BoardMove { from: king, to, promotion: None, shape });
        }
    }
}

/// Squares of one castling.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CastlingWay {
    /// Square of the king after castling.
    pub king_to: Square,
    /// Square of the rook before castling.
    pub rook_from: Square,
    /// Square of the rook after castling, which the king passes.
    pub rook_to: Square,
    /// Squares between king and rook.
    pub empty: Bitboard,
}

impl CastlingWay {
    /// Returns the squares of the castling of one side and wing.
    pub(crate) fn of(color: Color, kingside: bool) -> Self {
        let rank = if color.is_white() { 0 } else { 7 };
        let square = |file| Square::at(file, rank);
        let (king_to, rook_from, rook_to) = if kingside { (6, 7, 5) } else { (2, 0, 3) };
        Self {
            king_to: square(king_to),
            rook_from: square(rook_from),
            rook_to: square(rook_to),
            empty: attacks::between(square(4), square(rook_from)),
        }
    }
}
