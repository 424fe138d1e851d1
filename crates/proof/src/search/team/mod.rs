//! Teams: the search of a long strategy by several players.

use crate::analyse::Effort;
use crate::rules::Rule;
use crate::search::options::SearchOptions;
use crate::search::residual_case::ResidualCase;
use crate::search::result::PlayResult;
use crate::search::split::cases::Cases;
use crate::search::strategy_searcher::{StrategySearcher, TeamContext};
use crate::strategy::Strategy;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use umbrail_control::Cancel;

/// A strategy that takes long to search, open to other players.
///
/// Players take different cases of it. Players of one case try the moves of a position in different
/// orders. Each finds the positions that another has refuted in the table, so they divide the work.
/// The first player that finishes has all games, because only refutations are shared.
#[derive(Debug)]
pub(crate) struct TeamSearch {
    strategy: Strategy,
    number: u64,
    cases: Cases,
    joined: AtomicU64,
}

impl TeamSearch {
    fn new(
        strategy: &Strategy,
        number: u64,
        first: ResidualCase,
        options: &SearchOptions,
        cancel: &Cancel,
    ) -> Self {
        let cases = Cases::new(first, options.games_max, options.moves_max, cancel);
        Self { strategy: strategy.clone(), number, cases, joined: AtomicU64::new(0) }
    }

    /// Returns the strategy.
    pub(crate) const fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// Returns true if it needs no more players.
    pub(crate) fn is_answered(&self) -> bool {
        self.cases.done.is_raised()
    }

    /// Returns the number of players that have joined so far.
    pub(crate) fn joined(&self) -> u64 {
        // Relaxed: only used to choose among searches.
        self.joined.load(Ordering::Relaxed)
    }

    /// Removes and returns the cases that no player searches; other workers must search them.
    pub(crate) fn leave(&self) -> Vec<ResidualCase> {
        self.cases.leave()
    }

    /// Joins the search until the strategy is decided, and returns the number of moves made. The
    /// player must share the table of the announcing one, and have equal problem and options.
    pub(crate) fn join(&self, player: &mut StrategySearcher) -> u64 {
        self.joined.fetch_add(1, Ordering::Relaxed);
        player.search_cases(&self.strategy, self.number, &self.cases)
    }
}

/// Searches one strategy with one player or several, each on its own thread; they must share a
/// table and have equal problem and options.
///
/// The first player tries alone. A strategy that takes longer is analysed deeply and searched again
/// by all of them, and by all that join the search announced by `announce`. The moves of the result
/// are those of the own players.
pub(crate) fn search_with_team(
    players: &mut [StrategySearcher],
    strategy: &Strategy,
    number: u64,
    cancel: &Cancel,
    announce: &dyn Fn(&Arc<TeamSearch>),
) -> PlayResult {
    let Some(player) = players.first_mut() else { return PlayResult::default() };
    let options = player.options;
    let (failed, before) = player.fails_by_class(strategy, number, cancel);
    if let Some(failed) = failed {
        return failed;
    }
    let trial = player.store.trial(options.trial_max);
    let mut first =
        player.attempt(strategy, number, cancel, Effort::Quick, trial, TeamContext::default());
    first.moves += before;
    let spent = first.moves >= options.moves_max;
    if first.complete || first.enough || spent || cancel.is_raised() {
        return first;
    }
    let whole = ResidualCase { assumptions: options.assumptions, depth: 0 };
    let call = Arc::new(TeamSearch::new(strategy, number, whole, &options, cancel));
    announce(&call);
    let moves = join_all(&call, players);
    let played = call.cases.answer();
    let thinks = options.rules.has(Rule::PairCollisions) || options.cases_max > 1;
    if thinks && let Some(player) = players.first() {
        player.store.record_deep_analysis(options.trial_max, played.refused.is_some());
    }
    PlayResult { moves: first.moves + moves, ..played }
}

/// Searches one case of a strategy that another team left, like [`search_with_team`].
pub(crate) fn search_left_case(
    players: &mut [StrategySearcher],
    strategy: &Strategy,
    number: u64,
    case: ResidualCase,
    cancel: &Cancel,
    announce: &dyn Fn(&Arc<TeamSearch>),
) -> PlayResult {
    let Some(options) = players.first().map(|player| player.options) else {
        return PlayResult::default();
    };
    let call = Arc::new(TeamSearch::new(strategy, number, case, &options, cancel));
    announce(&call);
    let moves = join_all(&call, players);
    PlayResult { moves, ..call.cases.answer() }
}

/// Lets all players join, each on its own thread, and returns the number of moves made.
fn join_all(call: &Arc<TeamSearch>, players: &mut [StrategySearcher]) -> u64 {
    match players {
        [] => 0,
        [player] => call.join(player),
        [first, others @ ..] => std::thread::scope(|scope| {
            // A player without its own thread does not take part.
            let join = |player| {
                std::thread::Builder::new().spawn_scoped(scope, move || call.join(player)).ok()
            };
            let others: Vec<_> = others.iter_mut().filter_map(join).collect();
            let own = call.join(first);
            own + others.into_iter().filter_map(|other| other.join().ok()).sum::<u64>()
        }),
    }
}

impl StrategySearcher {
    /// Searches a strategy. The number must differ from those of all other strategies that use the
    /// table.
    ///
    /// Most strategies are refuted within a few hundred moves; one that is not is analysed deeply
    /// and then searched again from the start.
    pub fn play(&mut self, strategy: &Strategy, number: u64, cancel: &Cancel) -> PlayResult {
        search_with_team(std::slice::from_mut(self), strategy, number, cancel, &|_| ())
    }
}
