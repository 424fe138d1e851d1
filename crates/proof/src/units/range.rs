//! Processing of one unit: walks its claims in order and searches each strategy when it is found.

use crate::enumerate::{
    Claims, EnumerationOptions, FoundStrategy, ProgressTrace, TreePlace, WalkEnd, WalkFrom,
    enumerate_from,
};
use crate::run::record::EnumeratedTree;
use crate::search::StrategySearcher;
use crate::units::claim_sink::{ClaimSink, WalkState};
use crate::units::result::UnitResult;
use crate::units::unit::Unit;
use crate::units::unit_work::{NoResult, UnitExtent, UnitWork};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::Instant;

impl UnitWork<'_, '_> {
    /// Processes a unit.
    ///
    /// # Errors
    /// Returns the reason if there is no result.
    pub(super) fn result(
        &self,
        unit: &Unit,
        members: &mut [StrategySearcher],
    ) -> Result<UnitResult, NoResult> {
        let began = Instant::now();
        let mut result = match unit.clone() {
            Unit::Seek { place, .. } => self.seek(&place)?,
            Unit::Claims { place, from, until, .. } => {
                self.extent(&place, &UnitExtent::of_claims(from..until), members, began)?
            }
            Unit::Chunk { place, from, until, size, .. } => {
                let (base, whole) = (from.clone(), UnitExtent::of_claim(&place));
                let extent = UnitExtent { from, base, until, size, ..whole };
                self.extent(&place, &extent, members, began)?
            }
            Unit::Case { place, base, at, index, case, .. } => {
                let (until, case, whole) =
                    (at.behind(), Some((index, case)), UnitExtent::of_claim(&place));
                let extent = UnitExtent { from: at, base, until, case, ..whole };
                self.extent(&place, &extent, members, began)?
            }
        };
        result.spent_ms = began.elapsed().as_millis() as u64;
        Ok(result)
    }

    /// Walks from a place onward. Returns the number of claims of the tree and its digest if the
    /// walk reached the end of the tree.
    pub(super) fn walk(
        &self,
        from: &WalkFrom<'_>,
        claims: &dyn Claims,
        emit: &mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
        ended: &Cell<bool>,
    ) -> Result<Option<EnumeratedTree>, NoResult> {
        let run = self.part.run;
        let options =
            EnumerationOptions { rules: run.params.rules, sync_depth: run.params.sync_depth };
        let view = run.run_control.watch.worker(self.worker);
        let trail = ProgressTrace::default();
        let trail = view.as_ref().map_or(&trail, |view| &view.trail);
        let _shown = run.run_control.watch.seeking(self.worker);
        let problem = &self.part.earlier.problem;
        let (enumerated, end) =
            enumerate_from(problem, &options, from, claims, &run.enough, trail, emit);
        match (enumerated.complete, ended.get() || end == WalkEnd::AtPlace) {
            _ if run.is_over() => Err(NoResult::Stopped),
            _ if end == WalkEnd::Lost => Err(NoResult::Misplaced),
            (true, _) => {
                Ok(Some(EnumeratedTree { claims: enumerated.claims, digest: enumerated.digest }))
            }
            (false, true) => Ok(None),
            (false, false) => Err(NoResult::Stopped),
        }
    }

    /// Processes the part of the tree that belongs to a unit.
    fn extent(
        &self,
        place: &TreePlace,
        extent: &UnitExtent,
        members: &mut [StrategySearcher],
        began: Instant,
    ) -> Result<UnitResult, NoResult> {
        let state = WalkState::default();
        let taker = ClaimSink { work: self, state: &state, extent, began };
        let emit = &mut |found: FoundStrategy| taker.strategy(found, members);
        let (within, until) = (&extent.from, extent.until.as_ref());
        let index = extent.case.map_or(0, |(index, _)| index);
        let from = WalkFrom { place, within, until, index, ends: self.ends };
        self.walk(&from, &taker, emit, &state.ended)?;
        if extent.case.is_some() && !state.played.get() {
            return Err(NoResult::Misplaced);
        }
        taker.close();
        Ok(state.result.into_inner())
    }
}
