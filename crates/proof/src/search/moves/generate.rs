//! Moves that a strategy allows in a view of a position: on a piece's leg, within the spare moves,
//! and legal as far as the view shows.

use crate::analyse::legs::Goal;
use crate::problem::castling::{Wing, castled_square, castling_rook};
use crate::problem::piece::{PieceId, PieceMask};
use crate::search::bound::MoveBound;
use crate::search::context::SearchContext;
use crate::search::moves::{MoveEffect, MoveList, PieceMove};
use crate::search::state::NOBODY;
use crate::search::state::board::SearchBoard;
use crate::search::state::compiled::CompiledPlan;
use crate::search::state::view::PositionView;
use umbrail_chess::attacks;
use umbrail_chess::geometry::{Bitboard, Square};

/// Lists the moves of the side to move whose cost is covered by its `spare` moves, milestones
/// first.
///
/// *Admissible*: a quiet move from `s` to `t` costs `1 + need(t) - need(s)` spare moves, so an
/// omitted move would leave the side fewer moves than it needs. Captures, promotions and castling
/// outside the routes belong to other strategies; finished or fixed pieces never move. After a
/// double step that requires an en passant capture no other move is allowed.
pub(crate) fn list<V: PositionView>(
    context: &mut SearchContext<'_>,
    view: V,
    board: &SearchBoard,
    bound: &MoveBound,
    spare: i16,
    choices: &mut MoveList,
) {
    let compiled = context.compiled;
    if board.passing != NOBODY {
        choices.extend(take_in_passing(compiled, board, view));
        return;
    }
    let occupied = board.occupied();
    let safety = view.king_safety(board);
    let pieces =
        PieceMask::of_color(board.turn).0 & bound.alive.0 & !bound.finished.0 & !compiled.fixed.0;
    let node = MoveGenerator { view, board, bound, occupied, safety };
    for piece in PieceMask(pieces).pieces() {
        choices.extend(node.milestone(compiled, piece));
    }
    for piece in PieceMask(pieces).pieces() {
        node.quiet(context, piece, i32::from(spare), choices);
    }
}

/// Returns the en passant capture after a double step that requires it.
fn take_in_passing<V: PositionView>(
    compiled: &CompiledPlan,
    board: &SearchBoard,
    view: V,
) -> Option<PieceMove> {
    let us = board.turn;
    let captor = compiled.passing_captor[usize::from(board.passing)];
    let leg = &compiled.legs[usize::from(board.leg[usize::from(captor)])];
    let Goal::Capture { square, stood, victim, en_passant: true, .. } = leg.goal else {
        return None;
    };
    let from = Square::new(board.at[usize::from(captor)]);
    if victim.number() != board.passing
        || !leg.move_kind.attacks(from, Bitboard::EMPTY).contains(square)
    {
        return None;
    }
    if !V::IS_PARTIAL {
        let occupied = board.occupied().without(from).without(stood).with(square);
        let king = board.king(us);
        if (board.attackers(king, !us, occupied) & !Bitboard::of(stood)).any() {
            return None;
        }
    }
    debug_assert!(view.captures_in_passing(compiled, board.passing));
    Some(PieceMove { piece: captor, to: square, effect: MoveEffect::Capture(board.passing) })
}

/// A position whose moves are listed.
struct MoveGenerator<'a, V: PositionView> {
    view: V,
    board: &'a SearchBoard,
    bound: &'a MoveBound,
    occupied: Bitboard,
    safety: V::KingSafety,
}

impl<V: PositionView> MoveGenerator<'_, V> {
    /// Returns the move that ends the piece's leg, if it can be made now.
    #[inline]
    fn milestone(&self, compiled: &CompiledPlan, piece: PieceId) -> Option<PieceMove> {
        let board = self.board;
        let leg = &compiled.legs[usize::from(board.leg[piece.index()])];
        let from = Square::new(board.at[piece.index()]);
        let reaches = |square: Square| leg.move_kind.quiet(from, self.occupied).contains(square);
        let (to, effect) = match leg.goal {
            Goal::Capture { square, stood, victim, en_passant, .. }
                if self.is_takable(compiled, victim, (square, stood), en_passant)
                    && leg.move_kind.attacks(from, self.occupied).contains(square) =>
            {
                (square, MoveEffect::Capture(victim.number()))
            }
            Goal::Promote { square, .. } if reaches(square) => (square, MoveEffect::Promote),
            Goal::Visit(square) if reaches(square) => (square, MoveEffect::Visit),
            Goal::Castle(wing)
                if piece == PieceId::king(board.turn) && self.may_castle(compiled, piece, wing) =>
            {
                // The generator has tested all squares of the king's path.
                let to = castled_square(piece, wing);
                return Some(PieceMove {
                    piece: piece.number(),
                    to,
                    effect: MoveEffect::Castle(wing),
                });
            }
            _ => return None,
        };
        let safe = self.view.safe_targets(board, &self.safety, from, Bitboard::of(to));
        safe.any().then_some(PieceMove { piece: piece.number(), to, effect })
    }

    /// Returns true if the victim of a capture is ready. A victim outside the view counts as
    /// present. A visible one that is taken en passant is taken at once, or not at all.
    #[inline]
    fn is_takable(
        &self,
        compiled: &CompiledPlan,
        victim: PieceId,
        (square, stood): (Square, Square),
        en_passant: bool,
    ) -> bool {
        if !self.view.contains(victim) {
            return !self.occupied.contains(square);
        }
        let v = victim.index();
        !en_passant
            && self.board.at[v] == stood.number()
            && self.bound.need[v] == 0
            && compiled.legs[usize::from(self.board.leg[v])].last
    }

    /// Returns true if castling is possible. The king has not moved, because a route that begins
    /// with castling allows nothing else; a rook outside the view counts as present.
    fn may_castle(&self, compiled: &CompiledPlan, king: PieceId, wing: Wing) -> bool {
        let (color, from) = (king.color(), king.origin());
        let rook = castling_rook(color, wing);
        let r = rook.index();
        let at_home = !self.view.contains(rook)
            || self.board.at[r] == rook.origin().number() && self.board.leg[r] == compiled.first[r];
        let to = castled_square(king, wing);
        let path = attacks::between(from, to).with(to).with(from);
        at_home
            && (attacks::between(from, rook.origin()) & self.occupied).is_empty()
            && path.squares().all(|square| !self.view.is_attacked(self.board, square, color))
    }

    /// Lists the piece's other moves.
    #[inline]
    fn quiet(
        &self,
        context: &mut SearchContext<'_>,
        piece: PieceId,
        spare: i32,
        choices: &mut MoveList,
    ) {
        let (compiled, board, bound) = (context.compiled, self.board, self.bound);
        let m = piece.index();
        let number = usize::from(board.leg[m]);
        let leg = &compiled.legs[number];
        let from = Square::new(board.at[m]);
        let map = context.blocked_maps.get(bound.map_id[m]);
        let left = i32::from(map.moves[from.index()]) - 1 + spare;
        let (effect, within, forbidden) = match leg.goal {
            Goal::Castle(_) => return,
            Goal::Leave => {
                let next = &compiled.legs[number + 1];
                let map_id = context.blocked_map(next.map_id, bound.blocked & next.touched);
                let within = context.blocked_maps.get(map_id).within(left);
                (MoveEffect::Leave, within, next.forbidden)
            }
            _ => (MoveEffect::Quiet, map.within(left), leg.forbidden),
        };
        let mut open = within & !forbidden & !self.occupied;
        if V::IS_PARTIAL {
            open &= context.distances.steps_of(leg.map_id).to[from.index()];
        }
        if open.is_empty() {
            return;
        }
        let mut to = open & leg.move_kind.quiet(from, self.occupied);
        to = self.view.safe_targets(board, &self.safety, from, to);
        if leg.move_kind.is_pawn() {
            to &= !(Bitboard::rank(0) | Bitboard::rank(7));
        }
        for to in to.squares() {
            choices.push(PieceMove { piece: piece.number(), to, effect });
        }
    }
}
