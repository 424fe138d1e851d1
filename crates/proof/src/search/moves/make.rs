//! Making and taking back a move in a view of a position.

use crate::analyse::legs::Goal;
use crate::problem::castling::{castled_square, castling_rook};
use crate::problem::piece::PieceId;
use crate::search::bound::MoveBound;
use crate::search::context::SearchContext;
use crate::search::moves::{MoveEffect, PieceMove};
use crate::search::state::NOBODY;
use crate::search::state::board::{SearchBoard, Undo};
use crate::search::state::compiled::CompiledPlan;
use crate::search::state::view::PositionView;
use umbrail_chess::Move;
use umbrail_chess::geometry::Square;

/// A move on the board, with everything that is needed to take it back.
pub(crate) struct MadeMove {
    undo: Undo,
    /// The piece that moved.
    piece: u8,
    /// Rook of a castling; [`NOBODY`] for none.
    rook: u8,
    /// Captured piece; [`NOBODY`] for none.
    taken: u8,
    new_leg: bool,
    /// True if an en passant capture must follow.
    passing: bool,
    /// Pieces among the two that left the board on arrival, with their squares.
    removed: [Option<(u8, Square)>; 2],
}

impl MadeMove {
    /// Makes a move on the board.
    #[inline]
    pub(crate) fn make<V: PositionView>(
        compiled: &CompiledPlan,
        view: V,
        board: &mut SearchBoard,
        choice: &PieceMove,
    ) -> Self {
        let m = usize::from(choice.piece);
        let new_leg = choice.effect != MoveEffect::Quiet;
        let passing =
            is_passing(compiled, board, choice) && view.captures_in_passing(compiled, choice.piece);
        let (mut rook, mut taken) = (NOBODY, NOBODY);
        let undo = match choice.effect {
            MoveEffect::Castle(wing) => {
                let piece = castling_rook(PieceId::new(choice.piece).color(), wing);
                if view.contains(piece) {
                    rook = piece.number();
                    board.castle(compiled, m, piece.index(), choice.to, castled_square(piece, wing))
                } else {
                    board.make(compiled, m, choice.to, NOBODY, true)
                }
            }
            MoveEffect::Capture(victim) if view.contains(PieceId::new(victim)) => {
                taken = victim;
                let key =
                    if V::IS_PARTIAL { board.leg_key(compiled, usize::from(victim)) } else { 0 };
                board.key ^= key;
                let mut undo = board.make(compiled, m, choice.to, taken, new_leg);
                undo.key ^= key;
                undo
            }
            _ => board.make(compiled, m, choice.to, NOBODY, new_leg),
        };
        if passing {
            board.pass(NOBODY, choice.piece);
        }
        if !V::ALTERNATES {
            board.wait();
        }
        Self { undo, piece: choice.piece, rook, taken, new_leg, passing, removed: [None; 2] }
    }

    /// Updates the bound, and removes pieces that leave the board at once. Returns false if the
    /// routes can no longer be finished with `left` moves.
    #[inline]
    pub(crate) fn update_bound<V: PositionView>(
        &mut self,
        context: &mut SearchContext<'_>,
        view: V,
        board: &mut SearchBoard,
        bound: &mut MoveBound,
        left: [i16; 2],
    ) -> bool {
        let (compiled, m) = (context.compiled, usize::from(self.piece));
        if view.is_in_check(board, PieceId::new(self.piece).color()) {
            return false;
        }
        if self.taken != NOBODY {
            bound.taken(usize::from(self.taken));
        }
        if !bound.moved(context, board, m, self.new_leg)
            || self.rook != NOBODY && !bound.moved(context, board, usize::from(self.rook), true)
        {
            return false;
        }
        // Castling moves two pieces, and each may have reached the square where it is taken.
        if V::IS_PARTIAL && !self.passing {
            for (slot, piece) in self.removed.iter_mut().zip([self.piece, self.rook]) {
                let m = usize::from(piece);
                if piece != NOBODY && view.leaves(compiled, board, m) {
                    board.key ^= board.leg_key(compiled, m);
                    *slot = Some((piece, board.vanish(compiled, m)));
                    bound.taken(m);
                }
            }
        }
        bound.settle(context, board, left)
    }

    /// Takes the move back.
    #[inline]
    pub(crate) fn take_back<V: PositionView>(
        &self,
        compiled: &CompiledPlan,
        board: &mut SearchBoard,
    ) {
        if V::IS_PARTIAL {
            for &(piece, square) in self.removed.iter().flatten() {
                board.appear(compiled, usize::from(piece), square);
            }
        }
        if !V::ALTERNATES {
            board.wait();
        }
        board.unmake(compiled, usize::from(self.piece), &self.undo);
    }
}

/// Returns true if the move makes a double step that must be taken en passant.
#[inline]
fn is_passing(compiled: &CompiledPlan, board: &SearchBoard, choice: &PieceMove) -> bool {
    let m = usize::from(choice.piece);
    compiled.passing_captor[m] != NOBODY && board.at[m].abs_diff(choice.to.number()) == 16
}

/// Returns the move of the game; a castling king takes its rook.
pub(crate) fn chess_move(compiled: &CompiledPlan, board: &SearchBoard, choice: &PieceMove) -> Move {
    let m = usize::from(choice.piece);
    let from = Square::new(board.at[m]);
    if let MoveEffect::Castle(wing) = choice.effect {
        return Move::new(from, castling_rook(PieceId::new(choice.piece).color(), wing).origin());
    }
    let kind = match compiled.legs[usize::from(board.leg[m])].goal {
        Goal::Capture { promotes, .. } => promotes,
        Goal::Promote { kind, .. } => Some(kind),
        _ => None,
    };
    match kind.filter(|_| choice.effect != MoveEffect::Quiet) {
        Some(kind) => Move::promoting(from, choice.to, kind),
        None => Move::new(from, choice.to),
    }
}
