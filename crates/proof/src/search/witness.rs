//! Follows a known game through analysis and every node of the search.

use crate::analyse::cache::AnalysisCache;
use crate::analyse::facts::{FalseFact, check_facts};
use crate::analyse::{Analysis, Assumptions, Effort, StrategyPlan, StrategyRefutation};
use crate::check::random::SplitMix;
use crate::problem::piece::{PieceId, PieceMask};
use crate::rules::{Rule, Rules};
use crate::search::depth_first::{SearchSetting, StrategySearch};
use crate::search::moves::MoveList;
use crate::search::state::compiled::CompiledPlan;
use crate::search::strategy_searcher::StrategySearcher;
use crate::strategy::Strategy;
use umbrail_chess::Move;
use umbrail_control::Cancel;

/// The step at which an existing game was lost; each is a bug of the solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LostGame {
    /// Analysis refuted its strategy.
    #[error("the strategy is refused: {0:?}")]
    Refused(StrategyRefutation),
    /// A statement of the analysis does not hold in the game; with the rule that adds it.
    #[error("by {rule}, not true: {0}", rule = .1.map_or("counting", Rule::name))]
    RunEvent(FalseFact, Option<Rule>),
    /// The bound of the initial position exceeds the budget.
    #[error("given up before the first move")]
    Root,
    /// A move of the game is not among those tried (ply from 1).
    #[error("ply {0}: {1:?} is not tried")]
    Omitted(usize, Move),
    /// The position after a move is refuted.
    #[error("ply {0}: given up after {1:?}")]
    Bound(usize, Move),
    /// The position after the last move is not recognized as the goal.
    #[error("the end is not recognized")]
    Goal,
    /// The joint search of its promotion class loses it.
    #[error("together with other kinds of men: {0}")]
    Together(Box<Self>),
}

/// Assumed number of moves of the search so far.
const PLAYED: u64 = 200_000;

/// Number of randomly chosen subsets that are also tested.
const EXTRA_PATTERNS: usize = 3;

impl StrategySearcher {
    /// Follows a game of the strategy through analysis and search; returns the plan.
    ///
    /// # Errors
    /// Returns the step at which the game is lost.
    pub fn follow(
        &mut self,
        strategy: &Strategy,
        game: &[Move],
        effort: Effort,
    ) -> Result<StrategyPlan, LostGame> {
        if self.options.rules.has(Rule::PromotionClasses)
            && let Some((common, pieces)) = strategy.of_any_kinds()
        {
            let mut kinds = Assumptions::default();
            kinds.kinds = pieces;
            let with_class = |lost| LostGame::Together(Box::new(lost));
            self.follow_case(&common, kinds, game, effort).map_err(with_class)?;
        }
        self.follow_case(strategy, Assumptions::default(), game, effort)
    }

    /// Follows a game in a case.
    fn follow_case(
        &mut self,
        strategy: &Strategy,
        assumptions: Assumptions,
        game: &[Move],
        effort: Effort,
    ) -> Result<StrategyPlan, LostGame> {
        let plan = self.plan(strategy, assumptions, effort).map_err(LostGame::Refused)?;
        check_facts(&plan, &self.cache.distances, game)
            .map_err(|untrue| self.find_rule((strategy, assumptions), game, effort, untrue))?;
        let compiled = CompiledPlan::new(&plan);
        let cancel = Cancel::default();
        let setting = SearchSetting {
            problem: &self.problem,
            compiled: &compiled,
            distances: &self.cache.distances,
            table: &self.table,
            options: &self.options,
            number: 0,
            shared_cache: None,
            searching: None,
            cancel: &cancel,
            view: None,
            gauge: None,
        };
        let mut search = StrategySearch::new(&setting, &mut self.blocked_maps, &self.store)
            .ok_or(LostGame::Root)?;
        // Rules with budgets in proportion to the search must not be skipped here.
        search.moves = PLAYED;
        // Nor must the result depend on which patterns are active.
        let mut dice =
            SplitMix::new(game.iter().fold(0, |seed, mv| {
                seed.wrapping_mul(31).wrapping_add(u64::from(mv.from().number()))
            }));
        for _ in 0..EXTRA_PATTERNS {
            let some = (dice.roll(1 << 16) | dice.roll(1 << 16) << 16) as u32;
            search.ask(PieceMask(some));
        }
        for (ply, &mv) in game.iter().enumerate() {
            let mut choices = MoveList::new();
            search.list(&mut choices);
            let mut given_up = false;
            let mut made = None;
            for choice in &choices {
                let now = search.make(choice);
                let any_kind = assumptions.kinds.contains(PieceId::new(choice.piece));
                let is_it = |made: Move| {
                    made == mv || any_kind && (made.from(), made.to()) == (mv.from(), mv.to())
                };
                if search.last_move().is_some_and(is_it) {
                    given_up = !now.alive;
                    made = Some(now);
                    break;
                }
                search.unmake(&now);
            }
            if made.is_none() {
                return Err(LostGame::Omitted(ply + 1, mv));
            }
            if given_up {
                return Err(LostGame::Bound(ply + 1, mv));
            }
        }
        if search.is_at_goal() { Ok(plan) } else { Err(LostGame::Goal) }
    }

    /// Adds the rules one by one until a statement does not hold.
    fn find_rule(
        &mut self,
        (strategy, assumptions): (&Strategy, Assumptions),
        game: &[Move],
        effort: Effort,
        untrue: FalseFact,
    ) -> LostGame {
        let all = self.options.rules;
        let mut rules = Rules::NONE;
        let mut blamed = None;
        for &rule in Rule::ALL.iter().filter(|&&rule| all.has(rule)) {
            rules = rules.set(rule, true);
            let mut cache = AnalysisCache::default();
            let analysis = Analysis { problem: &self.problem, strategy, rules, effort };
            let plan = analysis.propagate(assumptions, &mut cache);
            if plan.is_ok_and(|plan| check_facts(&plan, &cache.distances, game).is_err()) {
                blamed = Some(rule);
                break;
            }
        }
        LostGame::RunEvent(untrue, blamed)
    }
}
