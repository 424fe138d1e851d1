//! Making and taking back a move in a view of a position.

use crate::analyse::legs::Goal;
use crate::problem::castling::{castled_square, castling_rook};
use crate::problem::man::Man;
use crate::search::bound::MoveBound;
use crate::search::context::SearchContext;
use crate::search::state::NOBODY;
use crate::search::state::board::{SearchBoard, Undo};
use crate::search::state::moves::{ManMove, MoveEffect};
use crate::search::state::script::Script;
use crate::search::state::view::PositionView;
use umbrail_chess::Move;
use umbrail_chess::geometry::Square;

/// A move on the board, with everything that is needed to take it back.
pub(crate) struct MadeMove {
    undo: Undo,
    /// The piece that moved.
    man: u8,
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
        script: &Script,
        view: V,
        board: &mut SearchBoard,
        choice: &ManMove,
    ) -> Self {
        let m = usize::from(choice.man);
        let new_leg = choice.effect != MoveEffect::Quiet;
        let passing =
            is_passing(script, board, choice) && view.captures_in_passing(script, choice.man);
        let (mut rook, mut taken) = (NOBODY, NOBODY);
        let undo = match choice.effect {
            MoveEffect::Castle(wing) => {
                let man = castling_rook(Man::new(choice.man).color(), wing);
                if view.contains(man) {
                    rook = man.number();
                    board.castle(script, m, man.index(), choice.to, castled_square(man, wing))
                } else {
                    board.make(script, m, choice.to, NOBODY, true)
                }
            }
            MoveEffect::Capture(victim) if view.contains(Man::new(victim)) => {
                taken = victim;
                let key =
                    if V::IS_PARTIAL { board.leg_key(script, usize::from(victim)) } else { 0 };
                board.key ^= key;
                let mut undo = board.make(script, m, choice.to, taken, new_leg);
                undo.key ^= key;
                undo
            }
            _ => board.make(script, m, choice.to, NOBODY, new_leg),
        };
        if passing {
            board.pass(NOBODY, choice.man);
        }
        if !V::ALTERNATES {
            board.wait();
        }
        Self { undo, man: choice.man, rook, taken, new_leg, passing, removed: [None; 2] }
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
        let (script, m) = (context.script, usize::from(self.man));
        if view.is_in_check(board, Man::new(self.man).color()) {
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
            for (slot, man) in self.removed.iter_mut().zip([self.man, self.rook]) {
                let m = usize::from(man);
                if man != NOBODY && view.leaves(script, board, m) {
                    board.key ^= board.leg_key(script, m);
                    *slot = Some((man, board.vanish(script, m)));
                    bound.taken(m);
                }
            }
        }
        bound.settle(context, board, left)
    }

    /// Takes the move back.
    #[inline]
    pub(crate) fn take_back<V: PositionView>(&self, script: &Script, board: &mut SearchBoard) {
        if V::IS_PARTIAL {
            for &(man, square) in self.removed.iter().flatten() {
                board.appear(script, usize::from(man), square);
            }
        }
        if !V::ALTERNATES {
            board.wait();
        }
        board.unmake(script, usize::from(self.man), &self.undo);
    }
}

/// Returns true if the move makes a double step that must be taken en passant.
#[inline]
fn is_passing(script: &Script, board: &SearchBoard, choice: &ManMove) -> bool {
    let m = usize::from(choice.man);
    script.passing_captor[m] != NOBODY && board.at[m].abs_diff(choice.to.number()) == 16
}

/// Returns the move of the game; a castling king takes its rook.
pub(crate) fn chess_move(script: &Script, board: &SearchBoard, choice: &ManMove) -> Move {
    let m = usize::from(choice.man);
    let from = Square::new(board.at[m]);
    if let MoveEffect::Castle(wing) = choice.effect {
        return Move::new(from, castling_rook(Man::new(choice.man).color(), wing).origin());
    }
    let kind = match script.legs[usize::from(board.leg[m])].goal {
        Goal::Capture { promotes, .. } => promotes,
        Goal::Promote { kind, .. } => Some(kind),
        _ => None,
    };
    match kind.filter(|_| choice.effect != MoveEffect::Quiet) {
        Some(kind) => Move::promoting(from, choice.to, kind),
        None => Move::new(from, choice.to),
    }
}
