//! Search of one strategy, unless it is only counted or fails the condition.

use crate::enumerate::FoundStrategy;
use crate::run::judge::judge;
use crate::run::outcome::{StrategyFate, StrategyOutcome};
use crate::run::part::RetractionRun;
use crate::run::record::StrategyNumber;
use crate::run::team::OpenSearch;
use crate::search::{self, ResidualCase, StrategySearcher};
use crate::strategy::condition::Analysed;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Number of moves of a strategy from which the fill level of the table is measured again.
const MEASURE_MOVES: u64 = 1000;

impl RetractionRun<'_> {
    /// Searches a strategy, or one case of it. Returns the cases left to other workers.
    pub(crate) fn play(
        &self,
        worker: usize,
        members: &mut [StrategySearcher],
        found: &FoundStrategy,
        case: Option<ResidualCase>,
    ) -> Vec<ResidualCase> {
        let Some(player) = members.first_mut() else { return vec![] };
        let run = self.run;
        let params = run.params;
        let number =
            StrategyNumber { retraction: self.number, claim: found.claim, index: found.index };
        let _shown = run.run_control.watch.playing(worker, number, &found.strategy);
        let filters = case.is_none() && (params.histogram || params.condition.is_some());
        if filters && !self.filter(player, number, found) {
            return vec![];
        }
        let cancel = run.run_control.playing(worker, &run.enough);
        // A key that no other strategy has.
        let key = run.plays.fetch_add(1, Ordering::Relaxed);
        let announce =
            &|call: &_| self.team.announce(OpenSearch { number, worker, call: Arc::clone(call) });
        let (strategy, cancel) = (&found.strategy, &cancel);
        let mut played = match case {
            None => search::search_with_team(members, strategy, key, cancel, announce),
            Some(case) => search::search_left_case(members, strategy, key, case, cancel, announce),
        };
        let left = std::mem::take(&mut played.left);
        run.run_control.finished(worker);
        // Measuring takes as long as many short searches.
        if played.moves >= MEASURE_MOVES || key.is_multiple_of(64) {
            run.control.progress.fullness.set(run.table.fullness());
        }
        let success = judge(self, number, found, &played);
        let fate = match &played.refused {
            Some(refused) => StrategyFate::Refuted(refused),
            None if played.complete || played.enough => StrategyFate::Searched,
            None => StrategyFate::Dropped,
        };
        let free = if played.refused.is_some() {
            found.free.map(i32::from)
        } else {
            played.free.map(i32::from)
        };
        self.record(number, found, StrategyOutcome { fate, free, moves: played.moves, success });
        if run.totals(|totals| params.is_enough(&totals.report)) {
            run.enough.raise();
        }
        left
    }

    /// Returns true if a strategy is to be searched: not if strategies are only counted, or if it
    /// fails the condition, which is recorded.
    fn filter(
        &self,
        player: &mut StrategySearcher,
        number: StrategyNumber,
        found: &FoundStrategy,
    ) -> bool {
        let params = self.run.params;
        let estimate = player.count_moves(&found.strategy);
        let passes = params.condition.as_ref().is_none_or(|condition| {
            estimate.as_ref().is_ok_and(|estimate| {
                condition.holds(&Analysed {
                    strategy: &found.strategy,
                    needed: &estimate.needed,
                    free: estimate.free.map(i32::from),
                })
            })
        });
        if passes && !params.histogram {
            return true;
        }
        let free = estimate
            .as_ref()
            .map_or(found.free.map(i32::from), |estimate| estimate.free.map(i32::from));
        // A strategy that analysis refutes needs no search, whatever the condition says.
        let fate = match &estimate {
            Err(refused) => StrategyFate::Refuted(refused),
            Ok(_) if passes => StrategyFate::Counted,
            Ok(_) => StrategyFate::Filtered,
        };
        self.record(number, found, StrategyOutcome { fate, free, moves: 0, success: None });
        false
    }
}
