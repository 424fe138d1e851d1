//! Pseudo-legal moves of orthodox chess, restricted by the hooks of a condition.

use super::moves::{BoardMove, MoveBuffer, MoveClass, MoveShape};
use super::{PositionOf, RuleSet};
use crate::positions::board::{CastlingRights, Man};
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Role, attacks};

/// Appends the moves of the side to move that belong to the class.
pub(super) fn pseudo_legal<R: RuleSet>(
    rules: &R,
    position: &PositionOf<R>,
    class: MoveClass,
    out: &mut MoveBuffer,
) {
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
        if !rules.may_move(position, from) {
            continue;
        }
        let role = position.at(from).role();
        for to in attacks::of(role, us, from, occupied) & onto {
            if rules.step_ok(from, to) {
                out.push(BoardMove { from, to, promotion: None, shape: MoveShape::Plain });
            }
        }
    }
    for from in pawns {
        if rules.may_move(position, from) {
            pawn_moves(rules, position, from, class, out);
        }
    }
    if class != MoveClass::Captures && position.rights.has(CastlingRights::both(us)) {
        castling(rules, position, out);
    }
}

fn pawn_moves<R: RuleSet>(
    rules: &R,
    position: &PositionOf<R>,
    from: Square,
    class: MoveClass,
    out: &mut MoveBuffer,
) {
    let us = position.turn;
    let (ahead, home, last) = if us.is_white() { (1, 1, 7) } else { (-1, 6, 0) };
    let occupied = position.occupied();
    if class != MoveClass::Quiet {
        let reached = attacks::pawn(us, from);
        for to in reached & position.by_color(!us) {
            if rules.step_ok(from, to) {
                push_pawn_move::<R>(from, to, last, out);
            }
        }
        if let Some(to) = position.en_passant.filter(|&to| reached.contains(to))
            && rules.step_ok(from, to)
        {
            out.push(BoardMove { from, to, promotion: None, shape: MoveShape::EnPassant });
        }
    }
    if class == MoveClass::Captures {
        return;
    }
    let Some(to) = from.offset(0, ahead).filter(|&to| !occupied.contains(to)) else { return };
    if rules.step_ok(from, to) {
        push_pawn_move::<R>(from, to, last, out);
    }
    if from.rank() == home
        && let Some(to) = to.offset(0, ahead).filter(|&to| !occupied.contains(to))
        && rules.step_ok(from, to)
    {
        out.push(BoardMove { from, to, promotion: None, shape: MoveShape::DoubleStep });
    }
}

fn push_pawn_move<R: RuleSet>(from: Square, to: Square, last: u8, out: &mut MoveBuffer) {
    let one = BoardMove { from, to, promotion: None, shape: MoveShape::Plain };
    if to.rank() == last {
        let promoted = |&role: &Role| BoardMove { promotion: Some(role), ..one };
        out.extend(R::PROMOTIONS.iter().map(promoted));
    } else {
        out.push(one);
    }
}

fn castling<R: RuleSet>(rules: &R, position: &PositionOf<R>, out: &mut MoveBuffer) {
    let us = position.turn;
    let king = Square::at(4, if us.is_white() { 0 } else { 7 });
    if position.at(king) != Man::new(us, Role::King) || !rules.may_move(position, king) {
        return;
    }
    let mut checked = None;
    for kingside in [true, false] {
        if !position.rights.has(CastlingRights::one(us, kingside)) {
            continue;
        }
        let way = CastlingWay::of(us, kingside);
        if (way.empty & position.occupied()).any()
            || !rules.step_ok(king, way.king_to)
            || !rules.step_ok(way.rook_from, way.rook_to)
        {
            continue;
        }
        let in_check = *checked.get_or_insert_with(|| rules.is_guarded(position, king, !us));
        // The square of arrival is tested with all others, after the move.
        if !in_check && !rules.is_guarded(position, way.rook_to, !us) {
            let (to, shape) = (way.rook_from, MoveShape::Castling);
            out.push(BoardMove { from: king, to, promotion: None, shape });
        }
    }
}

/// Squares of one castling.
#[derive(Clone, Copy, Debug)]
pub(super) struct CastlingWay {
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
    pub(super) fn of(color: Color, kingside: bool) -> Self {
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
