//! One run: what all its parts and workers share, and what they bring home.

use crate::files::archive::Archive;
use crate::files::strategy_file::{Keeper, Kept};
use crate::problem::Problem;
use crate::run::Fact;
use crate::run::claims::Journal;
use crate::run::params::{Params, Steer};
use crate::run::verdict::Report;
use crate::run::watch::Stretch;
use crate::search::Table;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use umbrail_control::{Cancel, Control};

/// What a run remembers from an earlier one, and who keeps what it finishes.
#[derive(Clone, Copy, Default)]
pub struct Keeping<'a> {
    /// Finished claims of an earlier run of the same problem.
    pub done: Option<&'a Archive>,
    /// Told of every claim that is finished.
    pub journal: Option<&'a dyn Journal>,
    /// Strategies to be played instead of seeking any.
    pub strategies: Option<&'a Kept>,
    /// Told of every strategy that thinking does not refuse.
    pub keeper: Option<&'a dyn Keeper>,
}

/// The solving of one problem, in one part or in one for each last move.
pub(crate) struct Run<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) params: &'a Params,
    pub(crate) steer: &'a Steer,
    pub(crate) control: &'a Control<'a, Fact>,
    pub(crate) keeping: Keeping<'a>,
    /// Raised to end the run early because enough is known.
    pub(crate) enough: Cancel,
    /// What failed, for all workers and parts: the number of a strategy is mixed into its keys.
    pub(crate) table: Arc<Table>,
    /// Strategies played so far.
    pub(crate) plays: AtomicU64,
    harvest: Mutex<Harvest>,
}

/// What the workers bring home.
#[derive(Default)]
pub(crate) struct Harvest {
    pub(crate) report: Report,
    /// Parts whose strategies were all sought.
    pub(crate) parts_done: usize,
    /// Strategies that were played, counted or dropped.
    pub(crate) handled: u64,
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        params: &'a Params,
        steer: &'a Steer,
        keeping: Keeping<'a>,
        control: &'a Control<'a, Fact>,
    ) -> Self {
        let enough = control.cancel.child();
        let mut harvest = Harvest::default();
        for record in keeping.done.iter().flat_map(|archive| archive.claims.values()) {
            harvest.report.take_claim(record);
            // Whoever listens hears of these games as of any other.
            for success in &record.successes {
                control.tell(Fact::Success(Box::new(success.clone())));
            }
        }
        let mib = usize::try_from(params.table_bytes >> 20).unwrap_or(usize::MAX).max(1);
        let table = Arc::new(Table::split(mib, params.table_splits));
        Self {
            problem,
            params,
            steer,
            control,
            keeping,
            enough,
            table,
            plays: AtomicU64::new(0),
            harvest: Mutex::new(harvest),
        }
    }

    pub(crate) fn harvest<R>(&self, bring: impl FnOnce(&mut Harvest) -> R) -> R {
        bring(&mut self.harvest.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Shows the part that is at work now.
    pub(crate) fn show(&self, stretch: Stretch) {
        self.steer.watch.begin(stretch, self.table.entries() as u64);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.control.check().is_err() || self.enough.is_raised()
    }

    /// A part needs no work: counting its men shows that it has no game.
    pub(crate) fn part_is_done(&self) {
        self.harvest(|harvest| harvest.parts_done += 1);
    }

    pub(crate) fn fault(&self, text: String) {
        self.harvest(|harvest| harvest.report.faults.push(text));
    }

    /// The report, once all parts are done or the run is over.
    pub(crate) fn report(self, parts: usize) -> Report {
        let Harvest { mut report, parts_done, handled } =
            self.harvest.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.successes.sort_by_key(|one| one.number);
        let counts = &report.counts;
        // Claims that were finished earlier are in the counts, but were not handled now.
        let known: u64 = self
            .keeping
            .done
            .iter()
            .flat_map(|done| done.claims.values())
            .map(|record| record.counts.found)
            .sum();
        report.sought = parts_done == parts
            && handled + known == counts.found
            && self.params.from_claim == 0
            && self.params.shard.1 <= 1
            && self.keeping.strategies.is_none_or(|read| read.complete)
            && report.faults.is_empty();
        report.searched = report.sought
            && counts.filtered == 0
            && counts.dropped == 0
            && counts.played == counts.found
            && !self.params.histogram;
        report
    }
}
