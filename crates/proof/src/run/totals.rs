//! Shared state and totals of all parts and workers of one run.

use crate::problem::Problem;
use crate::run::control::RunControl;
use crate::run::monitor::CurrentPart;
use crate::run::parameters::table::Params;
use crate::run::record::{
    EnumeratedTrees, FinishedClaims, RunArchive, RunEvent, StrategyList, StrategySink,
};
use crate::run::report::RunReport;
use crate::search::RefutationTable;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use umbrail_control::{Cancel, Control, lock};

/// Inputs from an earlier run, and receivers of finished results.
#[derive(Clone, Copy, Default)]
pub struct Persistence<'a> {
    /// Finished claims of an earlier run of the same problem.
    pub done: Option<&'a FinishedClaims>,
    /// Trees that the earlier run enumerated; those of this run must be equal.
    pub trees: Option<&'a EnumeratedTrees>,
    /// Receives every finished claim.
    pub journal: Option<&'a dyn RunArchive>,
    /// Strategies to search instead of enumerating any.
    pub strategies: Option<&'a StrategyList>,
    /// Receives every strategy that analysis does not refute.
    pub sink: Option<&'a dyn StrategySink>,
}

/// Solution of one problem, in one part or in one for each last move.
pub(crate) struct Run<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) params: &'a Params,
    pub(crate) run_control: &'a RunControl,
    pub(crate) control: &'a Control<'a, RunEvent>,
    pub(crate) persistence: Persistence<'a>,
    /// Raised to end the run early because enough is known.
    pub(crate) enough: Cancel,
    /// Refuted positions of all workers and parts; the number of a strategy is mixed into its keys.
    pub(crate) table: Arc<RefutationTable>,
    /// Number of strategies searched so far.
    pub(crate) plays: AtomicU64,
    totals: Mutex<Totals>,
}

/// Totals of all workers.
#[derive(Default)]
pub(crate) struct Totals {
    pub(crate) report: RunReport,
    /// Parts that were enumerated completely.
    pub(crate) parts_done: usize,
    /// Strategies that were searched, counted or dropped.
    pub(crate) handled: u64,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        params: &'a Params,
        run_control: &'a RunControl,
        persistence: Persistence<'a>,
        control: &'a Control<'a, RunEvent>,
    ) -> Self {
        let enough = control.cancel.child();
        let mut totals = Totals::default();
        for record in persistence.done.iter().flat_map(|claims| claims.values()) {
            totals.report.take_claim(record);
            totals.report.taken.claims += 1;
            // These games are reported like any others.
            for success in &record.successes {
                control.notify(RunEvent::Success(Box::new(success.clone())));
            }
        }
        let table = RefutationTable::fitting(params.table_bytes, params.table_splits, &enough);
        if let Some((wanted, granted)) = table.shortfall(params.table_bytes) {
            control.notify(RunEvent::SmallerTable { wanted, granted });
        }
        totals.report.table_bytes = table.bytes();
        let table = Arc::new(table);
        Self {
            problem,
            params,
            run_control,
            control,
            persistence,
            enough,
            table,
            plays: AtomicU64::new(0),
            totals: Mutex::new(totals),
        }
    }

    pub(crate) fn totals<R>(&self, bring: impl FnOnce(&mut Totals) -> R) -> R {
        bring(&mut lock(&self.totals))
    }

    /// Displays the current part.
    pub(crate) fn show(&self, part: CurrentPart) {
        self.run_control.watch.begin(part, self.table.entries() as u64);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.control.check().is_err() || self.enough.is_raised()
    }

    /// Registers a part that needs no work because its census shows that it has no game.
    pub(crate) fn part_is_done(&self) {
        self.totals(|totals| totals.parts_done += 1);
    }

    pub(crate) fn fault(&self, text: String) {
        self.totals(|totals| totals.report.faults.push(text));
    }

    /// Records that the archive of the earlier run cannot be right.
    pub(crate) fn contradict(&self, text: String) {
        self.totals(|totals| totals.report.taken.contradictions.push(text));
    }

    /// Returns the report, once all parts are done or the run is over.
    pub(crate) fn report(self, parts: usize) -> RunReport {
        let Totals { mut report, parts_done, handled } =
            self.totals.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.successes.sort_by_key(|one| one.number);
        let counts = &report.counts;
        // Claims finished earlier are counted, but were not handled in this run.
        let known: u64 = self
            .persistence
            .done
            .iter()
            .flat_map(|claims| claims.values())
            .map(|record| record.counts.enumerated)
            .sum();
        report.counted_only = self.params.histogram;
        report.strategy_digest = self.persistence.strategies.map(|read| read.digest);
        let shard_enumerated = parts_done == parts
            && handled + known == counts.enumerated
            && self.params.from_claim == 0
            && self.persistence.strategies.is_none_or(|read| read.complete)
            && report.faults.is_empty()
            && report.taken.contradictions.is_empty();
        // Strategies excluded by a condition do not keep a claim open; dropped ones do.
        report.shard_finished = shard_enumerated
            && counts.dropped == 0
            && counts.searched + counts.filtered == counts.unrefuted
            && !self.params.histogram;
        report.enumerated = shard_enumerated && self.params.shard.1 <= 1;
        report.searched = report.enumerated
            && counts.filtered == 0
            && counts.dropped == 0
            && counts.searched == counts.unrefuted
            && !self.params.histogram;
        report
    }
}
