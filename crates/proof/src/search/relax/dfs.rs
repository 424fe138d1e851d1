//! Depth-first search of a subset relaxation: moves of its pieces, and waiting moves.

use crate::problem::Length;
use crate::search::bound::MoveBound;
use crate::search::context::SearchContext;
use crate::search::moves::generate::list;
use crate::search::moves::make::MadeMove;
use crate::search::moves::{MoveList, PieceMove};
use crate::search::relax::feasibility::{Feasibility, MovesLeft};
use crate::search::relax::frontier::QueuedState;
use crate::search::relax::subset::{EffortLimit, SubsetRelaxation};
use crate::search::state::NOBODY;
use crate::search::state::board::SearchBoard;
use crate::search::state::view::{PositionView, SubsetView};

/// Mask of the move count: when no bit is set, the stop signal is polled.
const POLL_MASK: u64 = (1 << 10) - 1;

impl SubsetRelaxation {
    /// Returns whether a state has a continuation: depth first, or during breadth-first search by
    /// queueing the state.
    pub(crate) fn depth_first(
        &mut self,
        context: &mut SearchContext<'_>,
        board: &mut SearchBoard,
        bound: &MoveBound,
        left: MovesLeft,
        limit: EffortLimit,
    ) -> Feasibility {
        if bound.rest == [0; 2] {
            let moves = [left.plies > 1, left.plies > 0];
            let moves = if board.turn.is_white() { [moves[1], moves[0]] } else { moves };
            let done = |c: usize| !moves[c] || self.waits[c];
            if (done(0) && done(1))
                || context.length == Length::Parity && left.plies.is_multiple_of(2)
            {
                return Feasibility::Feasible;
            }
        }
        if left.plies == 0 {
            return Feasibility::Infeasible;
        }
        let known = self.recall(board.key, left, limit.level);
        if let Some(frontier) = &mut self.frontier {
            if let Some(answer @ (Feasibility::Infeasible | Feasibility::Feasible)) = known {
                return answer;
            }
            let (code, room) = left.part(self.waits);
            let place = || QueuedState { board: board.clone(), bound: bound.clone(), left };
            return frontier.meet(board.key ^ code, room, place);
        }
        if let Some(answer) = known {
            return answer;
        }
        self.expand(context, board, bound, left, limit)
    }

    /// Expands a state by all its moves.
    pub(crate) fn expand(
        &mut self,
        context: &mut SearchContext<'_>,
        board: &mut SearchBoard,
        bound: &MoveBound,
        left: MovesLeft,
        limit: EffortLimit,
    ) -> Feasibility {
        let (key, us) = (board.key, board.turn);
        let mut answer = Feasibility::Infeasible;
        let spare = left.own[us.index()] - bound.rest[us.index()];
        let mut choices = MoveList::new();
        list(context, self.view, board, bound, spare, &mut choices);
        for choice in &choices {
            self.moves += 1;
            let stopped = self.moves & POLL_MASK == 0 && context.cancel.is_raised();
            answer = if self.moves >= limit.moves || stopped {
                Feasibility::Unknown(limit.level)
            } else {
                self.try_move(context, board, bound, left, limit, choice)
            };
            if answer != Feasibility::Infeasible {
                break;
            }
        }
        let waits =
            self.waits[us.index()] && board.passing == NOBODY && !self.view.is_in_check(board, us);
        if answer == Feasibility::Infeasible && waits {
            self.moves += 1;
            answer = self.wait(context, board, bound, left, limit);
        }
        if self.frontier.is_none() {
            self.note(key, left, answer);
        }
        answer
    }

    /// Makes a move of an outside piece.
    fn wait(
        &mut self,
        context: &mut SearchContext<'_>,
        board: &mut SearchBoard,
        bound: &MoveBound,
        left: MovesLeft,
        limit: EffortLimit,
    ) -> Feasibility {
        let u = board.turn.index();
        let mut next = left;
        next.plies -= 1;
        // If no outside piece needs a move, the move is a spare one.
        next.own[u] = next.own[u].min((left.plies as i16 - 1) / 2);
        let mut bound = bound.clone();
        if !bound.settle(context, board, next.own) {
            return Feasibility::Infeasible;
        }
        board.wait();
        let answer = self.depth_first(context, board, &bound, next, limit);
        board.wait();
        answer
    }

    /// Makes a move and continues the search.
    fn try_move(
        &mut self,
        context: &mut SearchContext<'_>,
        board: &mut SearchBoard,
        bound: &MoveBound,
        left: MovesLeft,
        limit: EffortLimit,
        choice: &PieceMove,
    ) -> Feasibility {
        let mut next = left;
        next.plies -= 1;
        next.own[board.turn.index()] -= 1;
        let (compiled, view) = (context.compiled, self.view);
        let mut bound = bound.clone();
        let mut made = MadeMove::make(compiled, view, board, choice);
        let answer = if made.update_bound(context, view, board, &mut bound, next.own) {
            self.depth_first(context, board, &bound, next, limit)
        } else {
            Feasibility::Infeasible
        };
        made.take_back::<SubsetView>(compiled, board);
        answer
    }
}
