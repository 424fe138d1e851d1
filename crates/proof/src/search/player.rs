//! A player: it takes strategies of one problem and searches each of them.

use crate::analyse::{Analysis, Assumptions, Effort, StrategyPlan, StrategyRefutation, waypoints};
use crate::distance::cache::DistanceCache;
use crate::problem::Problem;
use crate::rules::Rules;
use crate::search::bound::BlockedMaps;
use crate::search::depth_first::{Halt, POLL, SearchContext, StrategySearch};
use crate::search::learn::nogoods::NogoodStore;
use crate::search::relax::cache::SharedCache;
use crate::search::state::script::Script;
use crate::search::table::RefutationTable;
use crate::search::team::search_with_team;
use crate::search::team::searching::SearchingTable;
use crate::search::team::view::PlayerView;
use crate::strategy::Strategy;
use crate::strategy::waypoints::Waypoints;
use std::sync::Arc;
use umbrail_chess::Move;
use umbrail_control::{Cancel, Gauge};

/// How to play.
#[derive(Clone, Copy, Debug)]
pub struct PlayerOptions {
    /// Which deductions are used.
    pub rules: Rules,
    /// After so many games of one strategy playing ends.
    pub games_max: usize,
    /// After so many moves of one strategy playing ends, incomplete.
    pub moves_max: u64,
    /// After so many moves a strategy is thought about deeply and begun again.
    pub trial_max: u64,
    /// Only the games in which idle men do as supposed.
    pub assumptions: Assumptions,
    /// Into at most so many cases a strategy is parted before it is played, by the ways of legs of two
    /// moves; 1 parts nothing.
    pub cases_max: usize,
    /// Players of the same case make way for each other only before this half-move; 0 for all.
    pub sync_plies: u16,
}

impl Default for PlayerOptions {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            games_max: 2,
            moves_max: u64::MAX,
            trial_max: 50_000,
            assumptions: Assumptions::default(),
            cases_max: 1,
            sync_plies: 0,
        }
    }
}

/// What playing one strategy gave.
#[derive(Clone, Debug, Default)]
pub struct PlayResult {
    /// Different games, at most `games_max`.
    pub games: Vec<Vec<Move>>,
    /// True when these are all games of the strategy.
    pub complete: bool,
    /// True when playing ended because `games_max` games were found.
    pub enough: bool,
    /// Moves made.
    pub moves: u64,
    /// Why the strategy has no game, if thinking showed it.
    pub refused: Option<StrategyRefutation>,
    /// Moves that no man needs, by color, before the strategy is parted into cases.
    pub free: [i16; 2],
    /// Least number of moves of each man, in the case that has games if there is one.
    pub needed: [u8; 32],
    /// Squares by which men must go, in that case.
    pub waypoints: Waypoints,
}

impl PlayResult {
    /// What is known of a strategy before it is played.
    pub(super) fn before(plan: &StrategyPlan, distances: &DistanceCache) -> Self {
        let mut played = Self { free: plan.free, ..Self::default() };
        for sequence in &plan.sequences {
            played.needed[sequence.man.index()] = sequence.needed;
        }
        played.waypoints = waypoints(plan, distances);
        played
    }
}

/// One player's place among those who play the same.
#[derive(Clone, Copy, Default)]
pub(super) struct TeamContext<'a> {
    /// What the parties of all of them know.
    pub(super) shared_cache: Option<&'a SharedCache>,
    /// Where all of them are.
    pub(super) searching: Option<&'a SearchingTable>,
}

/// What thinking says about a strategy that it does not refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveCounts {
    /// Moves that no man needs, by color.
    pub free: [i16; 2],
    /// Least number of moves of each man.
    pub needed: [u8; 32],
}

/// Plays strategies of one problem, one after the other.
pub struct Player {
    pub(super) problem: Problem,
    pub(super) options: PlayerOptions,
    pub(super) table: Arc<RefutationTable>,
    pub(super) distances: DistanceCache,
    pub(super) blocked_maps: BlockedMaps,
    pub(super) store: Arc<NogoodStore>,
    pub(super) view: Option<Arc<PlayerView>>,
    pub(super) gauge: Option<Arc<Gauge>>,
}

impl Player {
    /// A player with a table that it may share with others.
    pub fn new(problem: &Problem, table: Arc<RefutationTable>, options: PlayerOptions) -> Self {
        let (distances, blocked_maps) = (DistanceCache::default(), BlockedMaps::default());
        let (store, view, gauge) = (Arc::default(), None, None);
        Self { problem: *problem, options, table, distances, blocked_maps, store, view, gauge }
    }

    /// Shows what it plays through this window from now on.
    pub fn show(&mut self, view: Arc<PlayerView>) {
        self.view = Some(view);
    }

    /// Counts its moves here from now on, while it makes them.
    pub fn count(&mut self, gauge: Arc<Gauge>) {
        self.gauge = Some(gauge);
    }

    /// Learns together with all players that share this, of the same problem.
    pub fn share(&mut self, store: Arc<NogoodStore>) {
        self.store = store;
    }

    /// Plays a strategy. Its number must differ from those of all other strategies that use the table.
    ///
    /// Most strategies die within a few hundred moves; one that does not is thought about deeply and then
    /// played again from the beginning.
    pub fn play(&mut self, strategy: &Strategy, number: u64, cancel: &Cancel) -> PlayResult {
        search_with_team(std::slice::from_mut(self), strategy, number, cancel, &|_| ())
    }

    pub(super) fn attempt(
        &mut self,
        strategy: &Strategy,
        number: u64,
        cancel: &Cancel,
        effort: Effort,
        moves_max: u64,
        seat: TeamContext<'_>,
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
        let mut played = PlayResult::before(&plan, &self.distances);
        if let Some(view) = &self.view {
            view.attempt(played.needed, plan.free, &played.waypoints);
        }
        let mut options = self.options;
        options.moves_max = options.moves_max.min(moves_max);
        let plans = if effort == Effort::Deep && options.cases_max > 1 {
            let (problem, rules) = (&self.problem, options.rules);
            let analysis = Analysis { problem, strategy, rules, effort };
            analysis.cases(plan, options.cases_max, &mut self.distances)
        } else {
            vec![plan]
        };
        played.complete = true;
        for (case, plan) in (0..).zip(&plans) {
            // What fails in one case may not fail in another.
            self.run(plan, &mut options, number ^ case << 48, seat, cancel, &mut played);
            options.games_max = self.options.games_max - played.games.len();
            if played.enough || !played.complete {
                break;
            }
        }
        played
    }

    /// Plays one case of a strategy and adds what it gives.
    fn run(
        &mut self,
        plan: &StrategyPlan,
        options: &mut PlayerOptions,
        number: u64,
        seat: TeamContext<'_>,
        cancel: &Cancel,
        played: &mut PlayResult,
    ) {
        let script = Script::new(plan);
        let setting = SearchContext {
            problem: &self.problem,
            script: &script,
            distances: &self.distances,
            table: &self.table,
            options,
            number,
            shared_cache: seat.shared_cache,
            searching: seat.searching,
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
        played.complete &= matches!(ended, Ok(_) | Err(Halt::Refuted));
        played.enough = ended == Err(Halt::Enough);
        let moves = search.moves;
        if let Some(gauge) = &self.gauge {
            gauge.add(moves & POLL);
        }
        played.moves += moves;
        played.games.append(&mut search.games);
        options.moves_max = options.moves_max.saturating_sub(moves).max(1);
        self.store.record_search(moves);
    }

    /// What thinking says about a strategy, without playing it.
    ///
    /// # Errors
    /// Why it has no game.
    pub fn count_moves(&mut self, strategy: &Strategy) -> Result<MoveCounts, StrategyRefutation> {
        let plan = self.plan(strategy, self.options.assumptions, Effort::Quick)?;
        let mut needed = [0; 32];
        for sequence in &plan.sequences {
            needed[sequence.man.index()] = sequence.needed;
        }
        Ok(MoveCounts { free: plan.free, needed })
    }

    /// All that thinking finds out about a strategy.
    ///
    /// # Errors
    /// Why it has no game.
    pub fn analyse(
        &mut self,
        strategy: &Strategy,
        effort: Effort,
    ) -> Result<StrategyPlan, StrategyRefutation> {
        self.plan(strategy, self.options.assumptions, effort)
    }

    /// The squares by which the men of a plan must go.
    pub fn waypoints(&self, plan: &StrategyPlan) -> Waypoints {
        waypoints(plan, &self.distances)
    }

    /// Thinks about a strategy.
    pub(super) fn plan(
        &mut self,
        strategy: &Strategy,
        assumptions: Assumptions,
        effort: Effort,
    ) -> Result<StrategyPlan, StrategyRefutation> {
        if self.distances.trim() {
            self.blocked_maps.clear();
        }
        self.blocked_maps.trim();
        let (problem, rules) = (&self.problem, self.options.rules);
        Analysis { problem, strategy, rules, effort }.propagate(assumptions, &mut self.distances)
    }
}
