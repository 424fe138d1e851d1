//! Refutation of positions by relaxations, and learning from the conflicts.

use super::{SearchHalt, StrategySearch, root};
use crate::problem::man::MenSet;
use crate::search::bound::MoveBound;
use crate::search::node::{SearchEffort, SearchNode};
use crate::search::state::board::SearchBoard;
use crate::search::state::script::Script;
use umbrail_chess::geometry::Color;

impl StrategySearch<'_> {
    /// Returns true if the side that moved can still finish alone (rule B3).
    #[inline]
    pub(super) fn side_allows(&mut self, color: Color, left: [i16; 2]) -> bool {
        let Some(side_relaxation) = &mut self.side_relaxation else { return true };
        let budget = (color, left[color.index()]);
        side_relaxation.allows(&mut self.context, &self.board, budget, self.moves)
    }

    /// Returns true if every active subset of pieces can still finish alone (rule B4).
    pub(super) fn patterns_admit(&mut self) -> bool {
        let Some(patterns) = &mut self.patterns else { return true };
        let depth = self.path.len();
        let left = self.set.problem.plies - depth as u16;
        let node = SearchNode { board: &self.board, bound: &self.bounds[depth], plies: left };
        patterns.admits(&mut self.context, node, self.moves, self.store)
    }

    /// Returns true if a subset of pieces cannot finish from the initial position; tested at
    /// growing intervals.
    #[inline]
    pub(super) fn root_is_refuted(&mut self) -> bool {
        let Some(patterns) = &mut self.patterns else { return false };
        if !patterns.is_root_check_due(self.moves) {
            return false;
        }
        let root = root(&self.root, &self.bounds, self.set);
        !patterns.admits_root(&mut self.context, root, self.moves, self.store)
    }

    /// Learns from the refutation of the current position, which took `moves` moves.
    pub(super) fn learn(&mut self, moves: u64) -> Result<(), SearchHalt> {
        let Some(patterns) = &mut self.patterns else { return Ok(()) };
        if !patterns.samples_failure(self.moves, moves, self.store) {
            return Ok(());
        }
        let depth = self.path.len();
        let left = self.set.problem.plies - depth as u16;
        let node = SearchNode { board: &self.board, bound: &self.bounds[depth], plies: left };
        let root = root(&self.root, &self.bounds, self.set);
        let effort = SearchEffort { played: self.moves, below: moves };
        if patterns.learn(&mut self.context, node, effort, root, self.store) {
            return Err(SearchHalt::Refuted);
        }
        Ok(())
    }

    /// Returns the number of changes of the active patterns.
    pub(super) fn changes(&self) -> u32 {
        self.patterns.as_ref().map_or(0, |patterns| patterns.active.changes)
    }

    /// Adds an active pattern.
    pub(crate) fn ask(&mut self, men: MenSet) {
        if let Some(patterns) = &mut self.patterns {
            patterns.active.add(men, self.set.script);
        }
    }
}

/// Returns true if the piece that moved can finish together with every other piece (rule A18 during
/// search).
pub(super) fn pairs_agree(
    script: &Script,
    board: &SearchBoard,
    bound: &MoveBound,
    m: usize,
    left: [i16; 2],
) -> bool {
    let spare = [left[0] - bound.plain[0], left[1] - bound.plain[1]];
    script.pair_costs.allows(m, spare, |man| {
        let alive = bound.alive.0 >> man & 1 != 0;
        let leg = usize::from(board.leg[man] - script.first[man]);
        alive.then(|| (leg, usize::from(board.at[man])))
    })
}
