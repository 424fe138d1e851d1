//! A search that begins at any position: for the search in layers, which has no path to it.

use super::{SearchHalt, StrategySearch, budgets};
use crate::search::bound::MoveBound;
use crate::search::state::board::SearchBoard;
use crate::search::state::script::Script;
use umbrail_chess::Move;
use umbrail_chess::geometry::Square;

impl<'a> StrategySearch<'a> {
    /// Makes this the present position, behind `ply` half-moves that are not known. False when its bound exceeds the moves left.
    pub(crate) fn place(&mut self, board: SearchBoard, ply: u16) -> bool {
        // Moves that are never looked at.
        self.path.clear();
        self.path.resize(ply.into(), Move::new(Square::A1, Square::A1));
        self.keys.clear();
        self.keys.resize(ply.into(), 0);
        self.board = board;
        let (set, left) = (self.set, budgets(self.set.problem.plies, ply));
        let (board, maps) = (&self.board, &mut *self.blocked_maps);
        let bound = MoveBound::new(set.script, board, left, set.distances, maps, self.blockade);
        match (bound, self.bounds.get_mut(usize::from(ply))) {
            (Some(bound), Some(place)) => {
                *place = bound;
                true
            }
            _ => false,
        }
    }

    /// Sets the total number of moves after which the search stops, at most that of its options.
    pub(crate) fn limit_moves(&mut self, most: u64) {
        self.moves_max = self.set.options.moves_max.min(most);
    }

    /// Searches the present position with at most `moves` moves, to learn conflicts; games are not kept.
    ///
    /// # Errors
    /// When it was stopped, or some men cannot finish from the array.
    pub(crate) fn search_for(&mut self, moves: u64) -> Result<(), SearchHalt> {
        self.limit_moves(self.moves + moves);
        let ended = self.play();
        self.limit_moves(u64::MAX);
        // The path to this position is not known, so these are no games.
        self.games.clear();
        self.solved.clear();
        match ended {
            Err(SearchHalt::Refuted) => Err(SearchHalt::Refuted),
            Err(SearchHalt::Stopped) if self.set.cancel.is_raised() => Err(SearchHalt::Stopped),
            _ => Ok(()),
        }
    }

    /// Whether the present position is in the table.
    pub(crate) fn is_known_to_fail(&self) -> bool {
        let left = self.set.problem.plies - self.depth();
        self.use_table && self.fails(self.board.key, left)
    }

    /// Half-moves of the path.
    pub(crate) fn depth(&self) -> u16 {
        self.path.len() as u16
    }

    /// The moves behind the first `begin` half-moves of the path.
    pub(crate) fn path_from(&self, begin: u16) -> Vec<Move> {
        self.path.get(usize::from(begin)..).unwrap_or_default().to_vec()
    }

    /// Half-moves of a game.
    pub(crate) fn plies(&self) -> u16 {
        self.set.problem.plies
    }

    /// The script of the case.
    pub(crate) fn script(&self) -> &'a Script {
        self.set.script
    }

    /// By man: the moves that it needs at the root.
    pub(crate) fn needs(&self) -> [u8; 32] {
        self.bounds[0].need
    }

    /// The position at the root.
    pub(crate) fn root_board(&self) -> &SearchBoard {
        &self.root
    }

    /// Whether the path may be a whole game.
    pub(crate) fn may_end_here(&self) -> bool {
        self.is_at_goal() && self.counts(self.set.problem.plies - self.depth())
    }
}
