//! Record of one strategy: in the totals of the run, in its claim, and for display.

use crate::analyse::StrategyRefutation;
use crate::enumerate::FoundStrategy;
use crate::run::part::RetractionRun;
use crate::run::record::{RunEvent, StrategyNumber, Success};

/// Result of processing a strategy.
#[derive(Clone, Copy)]
pub(super) enum StrategyFate<'a> {
    /// Analysis refuted it.
    Refuted(&'a StrategyRefutation),
    /// It was searched completely, or enough games were found.
    Searched,
    /// Its search was given up.
    Dropped,
    /// It fails the condition.
    Filtered,
    /// It was only counted.
    Counted,
}

/// Result of processing a strategy, with its numbers.
pub(super) struct StrategyOutcome<'a> {
    pub(super) fate: StrategyFate<'a>,
    /// Free moves by color.
    pub(super) free: [i32; 2],
    /// Moves of the search.
    pub(super) moves: u64,
    pub(super) success: Option<Success>,
}

impl RetractionRun<'_> {
    /// Records a strategy that was processed.
    pub(super) fn record(
        &self,
        number: StrategyNumber,
        found: &FoundStrategy,
        outcome: StrategyOutcome<'_>,
    ) {
        let StrategyOutcome { fate, free, moves, success } = outcome;
        let run = self.run;
        let is_unrefuted = !matches!(fate, StrategyFate::Refuted(_));
        if is_unrefuted {
            run.run_control.watch.finished(free, moves);
            self.keep_strategy(number, free, &found.strategy);
        }
        if let Some(success) = &success {
            run.control.notify(RunEvent::Success(Box::new(success.clone())));
        }
        let searched = u64::from(matches!(fate, StrategyFate::Searched));
        let dropped = matches!(fate, StrategyFate::Dropped);
        let filtered = u64::from(matches!(fate, StrategyFate::Filtered));
        run.totals(|totals| {
            let report = &mut totals.report;
            totals.handled += 1;
            report.counts.moves += moves;
            report.counts.searched += searched;
            report.counts.dropped += u64::from(dropped);
            report.counts.filtered += filtered;
            if let StrategyFate::Refuted(refused) = fate {
                report.refuse(refused.rule, &found.strategy);
            }
            report.enter(self.number, free, is_unrefuted);
            if let Some(success) = &success {
                report.add(success.clone());
            }
        });
        // A claim with strategies that were only counted is not finished.
        let unfinished = dropped || run.params.histogram && is_unrefuted;
        self.keep(self.claims.played(found.claim, unfinished, |record| {
            record.counts.unrefuted += u64::from(is_unrefuted);
            record.counts.searched += searched;
            record.counts.filtered += filtered;
            record.counts.moves += moves;
            record.successes.extend(success);
        }));
    }
}
