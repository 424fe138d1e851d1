//! The line from the initial position to the current one, with a bound at every position.

use crate::search::bound::MoveBound;
use crate::search::context::SearchContext;
use crate::search::moves::PieceMove;
use crate::search::moves::make::{MadeMove, chess_move};
use crate::search::node::SearchNode;
use crate::search::state::board::SearchBoard;
use crate::search::state::compiled::CompiledPlan;
use crate::search::state::view::FullView;
use umbrail_chess::Move;

/// Current position of a search, and the moves that lead to it.
pub(super) struct SearchLine {
    /// Maximum length, in plies.
    plies: u16,
    board: SearchBoard,
    /// Bound of each position of the line.
    bounds: Vec<MoveBound>,
    path: Vec<Move>,
    /// Keys of the positions before each move of the path.
    keys: Vec<u128>,
}

impl SearchLine {
    /// Creates a line without moves.
    pub(super) fn new(board: SearchBoard, bound: MoveBound, plies: u16) -> Self {
        let length = usize::from(plies);
        let (path, keys) = (Vec::with_capacity(length), Vec::with_capacity(length));
        Self { plies, board, bounds: vec![bound; length + 1], path, keys }
    }

    pub(super) const fn board(&self) -> &SearchBoard {
        &self.board
    }

    pub(super) fn path(&self) -> &[Move] {
        &self.path
    }

    pub(super) fn keys(&self) -> &[u128] {
        &self.keys
    }

    /// Returns the number of moves made.
    pub(super) const fn depth(&self) -> u16 {
        self.path.len() as u16
    }

    /// Returns the number of plies left.
    pub(super) const fn left(&self) -> u16 {
        self.plies - self.depth()
    }

    /// Returns the moves that each side has left.
    pub(super) const fn budgets(&self) -> [i16; 2] {
        budgets(self.plies, self.depth())
    }

    /// Returns the bound of the current position.
    pub(super) fn bound(&self) -> &MoveBound {
        &self.bounds[self.path.len()]
    }

    /// Returns the current position for relaxations.
    #[inline]
    pub(super) fn node(&self) -> SearchNode<'_> {
        SearchNode { board: &self.board, bound: self.bound(), plies: self.left() }
    }

    /// Makes a move; [`Self::update_bound`] must follow.
    pub(super) fn make(&mut self, compiled: &CompiledPlan, choice: &PieceMove) -> MadeMove {
        self.keys.push(self.board.key);
        self.path.push(chess_move(compiled, &self.board, choice));
        MadeMove::make(compiled, FullView, &mut self.board, choice)
    }

    /// Bounds the moves after the move just made. Returns false if there are too few.
    pub(super) fn update_bound(
        &mut self,
        context: &mut SearchContext<'_>,
        made: &mut MadeMove,
    ) -> bool {
        let left = self.budgets();
        let (done, open) = self.bounds.split_at_mut(self.path.len());
        let (Some(before), Some(bound)) = (done.last(), open.first_mut()) else { return true };
        bound.clone_from(before);
        made.update_bound(context, FullView, &mut self.board, bound, left)
    }

    /// Takes the last move back.
    pub(super) fn unmake(&mut self, compiled: &CompiledPlan, made: &MadeMove) {
        self.path.pop();
        self.keys.pop();
        made.take_back::<FullView>(compiled, &mut self.board);
    }
}

/// Returns the moves that each side has left after `done` plies.
pub(crate) const fn budgets(plies: u16, done: u16) -> [i16; 2] {
    let left = (plies - done) as i16;
    let (mover, other) = ((left + 1) / 2, left / 2);
    if done.is_multiple_of(2) { [mover, other] } else { [other, mover] }
}
