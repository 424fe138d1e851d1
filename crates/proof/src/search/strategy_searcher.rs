//! Player: searches strategies of one problem.

use crate::analyse::cache::AnalysisCache;
use crate::analyse::{Analysis, Assumptions, Effort, StrategyPlan, StrategyRefutation, waypoints};
use crate::problem::Problem;
use crate::search::blocked_maps::BlockedMaps;
use crate::search::depth_first::{POLL_MASK, SearchHalt, SearchSetting, StrategySearch};
use crate::search::learn::nogoods::NogoodStore;
use crate::search::options::SearchOptions;
use crate::search::player_view::PlayerView;
use crate::search::relax::cache::SharedCache;
use crate::search::result::{MoveCounts, PlayResult};
use crate::search::searching_table::SearchingTable;
use crate::search::state::compiled::CompiledPlan;
use crate::search::table::RefutationTable;
use crate::strategy::Strategy;
use crate::strategy::waypoints::Waypoints;
use std::sync::Arc;
use umbrail_control::{Cancel, Gauge};

/// State that one player shares with the others that search its case.
#[derive(Clone, Copy, Default)]
pub(crate) struct TeamContext<'a> {
    /// Results of subset relaxations.
    pub(crate) shared_cache: Option<&'a SharedCache>,
    /// Positions that its members are searching.
    pub(crate) searching: Option<&'a SearchingTable>,
}

/// Searches strategies of one problem, one after the other.
pub struct StrategySearcher {
    pub(super) problem: Problem,
    pub(super) options: SearchOptions,
    pub(super) table: Arc<RefutationTable>,
    pub(super) cache: AnalysisCache,
    pub(super) blocked_maps: BlockedMaps,
    pub(super) store: Arc<NogoodStore>,
    pub(super) view: Option<Arc<PlayerView>>,
    pub(super) gauge: Option<Arc<Gauge>>,
}

impl StrategySearcher {
    /// Creates a player with a table that it may share with others.
    pub fn new(problem: &Problem, table: Arc<RefutationTable>, options: SearchOptions) -> Self {
        let (cache, blocked_maps) = (AnalysisCache::default(), BlockedMaps::default());
        let (store, view, gauge) = (Arc::default(), None, None);
        Self { problem: *problem, options, table, cache, blocked_maps, store, view, gauge }
    }

    /// Sets the display state.
    pub(crate) fn show(&mut self, view: Arc<PlayerView>) {
        self.view = Some(view);
    }

    /// Sets the gauge that counts its moves during a search.
    pub(crate) fn count(&mut self, gauge: Arc<Gauge>) {
        self.gauge = Some(gauge);
    }

    /// Sets the store that all players of the problem share.
    pub(crate) fn share(&mut self, store: Arc<NogoodStore>) {
        self.store = store;
    }

    pub(super) fn attempt(
        &mut self,
        strategy: &Strategy,
        number: u64,
        cancel: &Cancel,
        effort: Effort,
        moves_max: u64,
        team: TeamContext<'_>,
    ) -> PlayResult {
        let plan = match self.plan(strategy, self.options.assumptions, effort) {
            Ok(plan) => plan,
            Err(refused) => {
                return PlayResult {
                    complete: true,
                    refused: Some(refused),
                    ..PlayResult::default()
                };
            }
        };
        let mut played = PlayResult::before(&plan, &self.cache.distances);
        if let Some(view) = &self.view {
            view.attempt(played.needed, plan.free, &played.waypoints);
        }
        let mut options = self.options;
        options.moves_max = options.moves_max.min(moves_max);
        let plans = if effort == Effort::Deep && options.cases_max > 1 {
            let (problem, rules) = (&self.problem, options.rules);
            let analysis = Analysis { problem, strategy, rules, effort };
            analysis.cases(plan, options.cases_max, &mut self.cache)
        } else {
            vec![plan]
        };
        played.complete = true;
        for (case, plan) in (0..).zip(&plans) {
            // Refuted positions of one case may have games in another.
            self.run(plan, &mut options, number ^ case << 48, team, cancel, &mut played);
            options.games_max = self.options.games_max - played.games.len();
            if played.enough || !played.complete {
                break;
            }
        }
        played
    }

    /// Searches one case of a strategy and adds the result.
    fn run(
        &mut self,
        plan: &StrategyPlan,
        options: &mut SearchOptions,
        number: u64,
        team: TeamContext<'_>,
        cancel: &Cancel,
        played: &mut PlayResult,
    ) {
        let compiled = CompiledPlan::new(plan);
        let setting = SearchSetting {
            problem: &self.problem,
            compiled: &compiled,
            distances: &self.cache.distances,
            table: &self.table,
            options,
            number,
            shared_cache: team.shared_cache,
            searching: team.searching,
            cancel,
            view: self.view.as_deref(),
            gauge: self.gauge.as_deref(),
        };
        let Some(mut search) = StrategySearch::new(&setting, &mut self.blocked_maps, &self.store)
        else {
            return;
        };
        let ended = search.play();
        search.close(ended != Ok(false));
        played.complete &= matches!(ended, Ok(_) | Err(SearchHalt::Refuted));
        played.enough = ended == Err(SearchHalt::Enough);
        let moves = search.moves;
        if let Some(gauge) = &self.gauge {
            gauge.add(moves & POLL_MASK);
        }
        played.moves += moves;
        played.games.append(&mut search.into_games());
        options.moves_max = options.moves_max.saturating_sub(moves).max(1);
        self.store.record_search(moves);
    }

    /// Returns the least move counts of a strategy by quick analysis, without search.
    ///
    /// # Errors
    /// Returns the reason why the strategy has no game.
    pub(crate) fn count_moves(
        &mut self,
        strategy: &Strategy,
    ) -> Result<MoveCounts, StrategyRefutation> {
        let plan = self.plan(strategy, self.options.assumptions, Effort::Quick)?;
        let mut needed = [0; 32];
        for sequence in &plan.sequences {
            needed[sequence.piece.index()] = sequence.needed;
        }
        Ok(MoveCounts { free: plan.free, needed })
    }

    /// Analyses a strategy completely.
    ///
    /// # Errors
    /// Returns the reason why the strategy has no game.
    pub fn analyse(
        &mut self,
        strategy: &Strategy,
        effort: Effort,
    ) -> Result<StrategyPlan, StrategyRefutation> {
        self.plan(strategy, self.options.assumptions, effort)
    }

    /// Returns the squares that the pieces of a plan must pass.
    pub fn waypoints(&self, plan: &StrategyPlan) -> Waypoints {
        waypoints(plan, &self.cache.distances)
    }

    /// Analyses a strategy.
    pub(super) fn plan(
        &mut self,
        strategy: &Strategy,
        assumptions: Assumptions,
        effort: Effort,
    ) -> Result<StrategyPlan, StrategyRefutation> {
        if self.cache.clear_if_full() {
            self.blocked_maps.clear();
        }
        self.blocked_maps.trim();
        let (problem, rules) = (&self.problem, self.options.rules);
        Analysis { problem, strategy, rules, effort }.propagate(assumptions, &mut self.cache)
    }
}
