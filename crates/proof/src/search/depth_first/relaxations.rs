//! Refutation of positions by relaxations, and learning from the conflicts.

use crate::problem::piece::PieceMask;
use crate::rules::Rule;
use crate::search::bound::MoveBound;
use crate::search::context::SearchContext;
use crate::search::depth_first::SearchSetting;
use crate::search::learn::nogoods::NogoodStore;
use crate::search::learn::selection::PatternSelection;
use crate::search::node::{SearchEffort, SearchNode};
use crate::search::relax::side::SideRelaxation;
use crate::search::state::board::SearchBoard;
use crate::search::state::compiled::CompiledPlan;
use umbrail_chess::geometry::Color;

/// Relaxations of one search, with the root, where they are tested too.
pub(super) struct Relaxations<'a> {
    side: Option<SideRelaxation>,
    patterns: Option<PatternSelection>,
    store: &'a NogoodStore,
    root: SearchBoard,
    root_bound: MoveBound,
    plies: u16,
}

impl<'a> Relaxations<'a> {
    /// Creates the relaxations that the rules enable; `None` if a side cannot finish alone from the
    /// root.
    pub(super) fn new(
        set: &SearchSetting<'_>,
        context: &mut SearchContext<'_>,
        (root, root_bound): (&SearchBoard, &MoveBound),
        budgets: [i16; 2],
        store: &'a NogoodStore,
    ) -> Option<Self> {
        let rules = set.options.rules;
        let mut side = rules.has(Rule::SideRelaxation).then(SideRelaxation::default);
        if let Some(side) = &mut side {
            let mut able =
                |color: Color| side.allows(context, root, (color, budgets[color.index()]), 0);
            if !Color::ALL.into_iter().all(&mut able) {
                return None;
            }
        }
        let patterns = rules
            .has(Rule::SubsetRelaxation)
            .then(|| PatternSelection::new(set.compiled, store, set.shared_cache, set.number));
        let (root, root_bound) = (root.clone(), root_bound.clone());
        Some(Self { side, patterns, store, root, root_bound, plies: set.problem.plies })
    }

    /// Returns true if the side that moved can still finish alone (rule B3), after `played` moves of
    /// the search.
    #[inline]
    pub(super) fn side_allows(
        &mut self,
        context: &mut SearchContext<'_>,
        board: &SearchBoard,
        (color, left): (Color, i16),
        played: u64,
    ) -> bool {
        let Some(side) = &mut self.side else { return true };
        side.allows(context, board, (color, left), played)
    }

    /// Returns true if every active subset of pieces can still finish alone (rule B4).
    #[inline]
    pub(super) fn patterns_admit(
        &mut self,
        context: &mut SearchContext<'_>,
        node: SearchNode<'_>,
        played: u64,
    ) -> bool {
        let Some(patterns) = &mut self.patterns else { return true };
        patterns.admits(context, node, played, self.store)
    }

    /// Returns true if a subset of pieces cannot finish from the initial position; tested at
    /// growing intervals.
    #[inline]
    pub(super) fn root_is_refuted(&mut self, context: &mut SearchContext<'_>, played: u64) -> bool {
        let Some(patterns) = &mut self.patterns else { return false };
        if !patterns.is_root_check_due(played) {
            return false;
        }
        let root = root(&self.root, &self.root_bound, self.plies);
        !patterns.admits_root(context, root, played, self.store)
    }

    /// Learns from the refutation of a position. Returns true if the root is then refuted.
    pub(super) fn learn(
        &mut self,
        context: &mut SearchContext<'_>,
        node: SearchNode<'_>,
        effort: SearchEffort,
    ) -> bool {
        let Some(patterns) = &mut self.patterns else { return false };
        if !patterns.samples_failure(effort.played, effort.below, self.store) {
            return false;
        }
        let root = root(&self.root, &self.root_bound, self.plies);
        patterns.learn(context, node, effort, root, self.store)
    }

    /// Records learned facts at the end of the search.
    pub(super) fn close(&mut self, context: &mut SearchContext<'_>, played: u64, found: bool) {
        let Some(patterns) = &mut self.patterns else { return };
        let root = root(&self.root, &self.root_bound, self.plies);
        patterns.close(context, root, played, found, self.store);
    }

    /// Returns the number of changes of the active patterns.
    #[inline]
    pub(super) fn changes(&self) -> u32 {
        self.patterns.as_ref().map_or(0, |patterns| patterns.active.changes)
    }

    /// Adds an active pattern.
    pub(super) fn add(&mut self, pieces: PieceMask, compiled: &CompiledPlan) {
        if let Some(patterns) = &mut self.patterns {
            patterns.active.add(pieces, compiled);
        }
    }
}

/// Returns the root node.
const fn root<'a>(board: &'a SearchBoard, bound: &'a MoveBound, plies: u16) -> SearchNode<'a> {
    SearchNode { board, bound, plies }
}

/// Returns true if the piece that moved can finish together with every other piece (rule A18 during
/// search).
pub(super) fn pairs_agree(
    compiled: &CompiledPlan,
    board: &SearchBoard,
    bound: &MoveBound,
    m: usize,
    left: [i16; 2],
) -> bool {
    let spare = [left[0] - bound.plain[0], left[1] - bound.plain[1]];
    compiled.pair_costs.allows(m, spare, |piece| {
        let alive = bound.alive.0 >> piece & 1 != 0;
        let leg = usize::from(board.leg[piece] - compiled.first[piece]);
        alive.then(|| (leg, usize::from(board.at[piece])))
    })
}
