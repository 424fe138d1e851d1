//! Claim handler of a unit: searches each strategy when it is found, and leaves work that takes too
//! long to other workers.

use crate::enumerate::{ClaimDecision, ClaimPlace, Claims, FoundStrategy, TreePlace};
use crate::run::record::{ClaimRecord, RunCounts, StrategyNumber};
use crate::search::StrategySearcher;
use crate::units::division::{ClaimRest, claim_ranges, size_of_units};
use crate::units::worker_state::{GivenAway, PlayedStrategy};

use crate::units::result::{ChunkRecord, UnitResult};
use crate::units::unit::Unit;
use crate::units::unit_work::{UnitExtent, UnitWork};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Time limit for enumerating the rest of a claim while workers wait, in multiples of a unit's
/// target time: each unit found occupies one of them.
const REST_MAX: u32 = 20;

/// Limit while all workers are busy.
const REST_MAX_UNWAITED: u32 = 2;

/// State of a walk. A claim is closed when the walk reaches the next one.
#[derive(Default)]
pub(super) struct WalkState {
    pub(super) result: RefCell<UnitResult>,
    /// Current claim and its place.
    claim: RefCell<Option<(u64, TreePlace)>>,
    /// Claims taken so far.
    taken: Cell<u64>,
    /// Time when the current claim was taken.
    began: Cell<Option<Instant>>,
    /// Strategies of the current claim that belong to this unit.
    strategies: Cell<u32>,
    /// Place in the current claim where other units continue, once a part of it is left to them.
    cut: RefCell<Option<ClaimPlace>>,
    /// Rest of the current claim, while it is divided among others.
    rest: RefCell<Option<ClaimRest>>,
    /// Set if the rest was not walked to its end.
    unfinished: Cell<bool>,
    /// Set if the walk ended where it should.
    pub(super) ended: Cell<bool>,
    /// Set if a strategy was searched.
    pub(super) played: Cell<bool>,
}

/// Claim handler of the walk of a unit.
pub(super) struct ClaimSink<'t, 'w, 'a> {
    pub(super) work: &'t UnitWork<'w, 'a>,
    pub(super) state: &'t WalkState,
    pub(super) extent: &'t UnitExtent,
    /// Time when the unit began.
    pub(super) began: Instant,
}

impl ClaimSink<'_, '_, '_> {
    fn is_over(&self) -> bool {
        (self.work.is_over_budget)(self.began.elapsed())
    }

    /// Searches a strategy, unless the unit has taken too long.
    pub(super) fn strategy(
        &self,
        found: FoundStrategy,
        members: &mut [StrategySearcher],
    ) -> ControlFlow<()> {
        let (work, state) = (self.work, self.state);
        if work.part.run.is_over() {
            return ControlFlow::Break(());
        }
        let at = found.place.clone().unwrap_or_default();
        if self.extent.case.is_some() && at != self.extent.from {
            return self.end();
        }
        if self.is_cut_at(&at) {
            return self.divide(&at);
        }
        state.strategies.set(found.index.saturating_add(1));
        let given = match work.part.moves_too_early(&found.strategy) {
            true => None,
            false => self.search(&found, at, members),
        };
        if let Some(GivenAway { units, cut }) = &given {
            state.cut.replace(cut.clone());
            state.result.borrow_mut().children.extend(units.iter().cloned());
        }
        match (work.part.run.is_over(), self.extent.case.is_some() || given.is_some()) {
            (true, _) => ControlFlow::Break(()),
            (false, true) => self.end(),
            (false, false) => ControlFlow::Continue(()),
        }
    }

    /// Returns true if everything from this place onward is left to other units, since the unit has
    /// taken too long. The unit keeps some work for itself, so each division reduces the work. Only
    /// a unit whose strategies were not counted is divided earlier.
    fn is_cut_at(&self, at: &ClaimPlace) -> bool {
        let (work, state, extent) = (self.work, self.state, self.extent);
        if state.rest.borrow().is_some() {
            return true;
        }
        let Some((claim, place)) = state.claim.borrow().clone() else { return false };
        let begin = extent.begin(claim);
        let is_uncounted = extent.size > 0 && state.strategies.get() == 0;
        let is_over = match is_uncounted {
            true => (work.is_over_budget)(work.aim),
            false => *at > begin && self.is_over(),
        };
        if extent.case.is_some() || !is_over {
            return false;
        }
        self.leave(claim + 1, &place);
        let (from, size) = match is_uncounted {
            true => (begin, extent.size),
            false => {
                let spent = state.began.get().map_or(Duration::ZERO, |began| began.elapsed());
                (at.clone(), size_of_units(state.strategies.get(), spent, work.aim))
            }
        };
        state.cut.replace(Some(from.clone()));
        state.rest.replace(Some(ClaimRest::new(from, extent.until.clone(), size)));
        true
    }

    /// Counts a strategy of the rest of the current claim, which others search.
    fn divide(&self, at: &ClaimPlace) -> ControlFlow<()> {
        if self.is_rest_over(at) {
            return self.end();
        }
        let unit = self.state.rest.borrow_mut().as_mut().and_then(|rest| rest.see(at));
        if let Some((from, until)) = unit {
            self.give_chunk(from, Some(until), 0);
        }
        ControlFlow::Continue(())
    }

    /// Returns true if the walk ends before this place of the rest. Parts not walked yet are given
    /// away from time to time, so that other workers can divide them meanwhile.
    fn is_rest_over(&self, at: &ClaimPlace) -> bool {
        let (work, state) = (self.work, self.state);
        let mut guard = state.rest.borrow_mut();
        let Some(rest) = guard.as_mut() else { return false };
        if rest.is_behind(at) {
            return true;
        }
        let spent = rest.since.elapsed();
        if spent < work.aim {
            return false;
        }
        let others_wait = (work.is_over_budget)(spent);
        if spent >= work.aim * REST_MAX || spent >= work.aim * REST_MAX_UNWAITED && !others_wait {
            state.unfinished.set(true);
            return true;
        }
        if others_wait && rest.last_split.elapsed() >= work.aim {
            let (parts, size) = (rest.split_off(at), rest.size());
            drop(guard);
            parts.into_iter().for_each(|(from, until)| self.give_chunk(from, until, size));
        }
        false
    }

    fn give_chunk(&self, from: ClaimPlace, until: Option<ClaimPlace>, size: u32) {
        let place = self.state.claim.borrow().as_ref().map(|(_, place)| place.clone());
        let (part, place) = (self.work.part.number, place.unwrap_or_default());
        self.give(&Unit::Chunk { part, place, from, until, size }.to_string());
    }

    /// Gives away a unit of the remaining work, which is queued at once, as others may wait for it.
    fn give(&self, unit: &str) {
        // If the queue is full, the unit stays with its worker, which processes it after the
        // current one.
        let _ = (self.work.offer)(unit);
        self.state.result.borrow_mut().children.push(unit.to_owned());
    }

    /// Ends the walk where it should end.
    fn end(&self) -> ControlFlow<()> {
        self.state.ended.set(true);
        ControlFlow::Break(())
    }

    /// Searches a strategy. Meanwhile its cases and the work after it may be given away.
    fn search(
        &self,
        found: &FoundStrategy,
        at: ClaimPlace,
        members: &mut [StrategySearcher],
    ) -> Option<GivenAway> {
        let (work, state, extent) = (self.work, self.state, self.extent);
        let number =
            StrategyNumber { retraction: work.part.number, claim: found.claim, index: found.index };
        let claim_place = state.claim.borrow().as_ref().map(|(_, place)| place.clone());
        let strategy = PlayedStrategy {
            number,
            at,
            claim_place: claim_place.unwrap_or_default(),
            claims_end: extent.claims.end,
            from: match extent.case {
                Some(_) => extent.base.clone(),
                None => extent.begin(found.claim),
            },
            until: extent.until.clone(),
            began: state.began.get().unwrap_or(self.began),
            goes_on: extent.case.is_none(),
        };
        if work.is_divisible {
            work.post.begin(strategy.clone());
        }
        work.part.claims.found(found.claim);
        let case = extent.case.map(|(_, case)| case);
        let left = work.part.play(work.worker, members, found, case);
        let given = work.post.end();
        state.played.set(true);
        let cases = left.into_iter().map(|case| strategy.case(case));
        state.result.borrow_mut().children.extend(cases);
        given
    }

    /// Closes the current claim: it has no more strategies, or the remaining ones belong to other
    /// units.
    pub(super) fn close(&self) {
        let (state, part, extent) = (self.state, self.work.part, self.extent);
        let Some((claim, place)) = state.claim.borrow().clone() else { return };
        let (cut, rest, strategies) =
            (state.cut.take(), state.rest.take(), state.strategies.take());
        let record = part.claims.enumerated(claim);
        let begin = extent.begin(claim);
        if let Some(rest) = rest {
            self.close_rest(claim, &place, &begin, rest);
        }
        state.claim.take();
        let mut result = state.result.borrow_mut();
        let Some(mut record) = record else {
            result.dropped.push(claim);
            return;
        };
        record.retraction = part.number;
        if extent.case.is_some() {
            // The unit that gave the case away counts the strategy.
            let moves = record.counts.moves;
            record.counts = RunCounts { moves, ..RunCounts::default() };
            result.cases.push(record);
            return;
        }
        let until = cut.or_else(|| extent.until.clone());
        match begin.is_beginning() && until.is_none() {
            true => result.claims.push(record),
            // Other units have everything.
            false if until.as_ref() == Some(&begin) => {}
            false => {
                result.chunks.push(ChunkRecord { place, from: begin, until, strategies, record });
            }
        }
    }

    /// Closes the rest of a claim: its last section becomes another unit, or has no strategies.
    fn close_rest(&self, claim: u64, place: &TreePlace, begin: &ClaimPlace, rest: ClaimRest) {
        let size = rest.size();
        let ClaimRest { from, until, seen, .. } = rest;
        let is_walked = !self.state.unfinished.get();
        if is_walked && seen == 0 {
            let retraction = self.work.part.number;
            let record = ClaimRecord { retraction, claim, ..ClaimRecord::default() };
            let place = place.clone();
            let chunk = ChunkRecord { place, from, until, strategies: 0, record };
            self.state.result.borrow_mut().chunks.push(chunk);
            return;
        }
        // If a unit is left unchanged, its next worker searches it.
        let is_counted = is_walked || from == *begin;
        self.give_chunk(from, until, if is_counted { 0 } else { size });
    }

    /// Leaves the claims from `number` onward to other units; `place` is at that claim or before
    /// it.
    fn leave(&self, number: u64, place: &TreePlace) {
        let left = self.extent.claims.end.saturating_sub(number);
        if left == 0 {
            return;
        }
        let taken = u32::try_from(self.state.taken.get()).unwrap_or(u32::MAX).max(1);
        let each = self.began.elapsed() / taken;
        for (from, until) in claim_ranges(left, each, self.work.aim) {
            let (part, place) = (self.work.part.number, place.clone());
            let child = Unit::Claims { part, place, from: number + from, until: number + until };
            self.give(&child.to_string());
        }
    }
}

impl Claims for ClaimSink<'_, '_, '_> {
    fn take(&self, _: u64) -> bool {
        false
    }

    fn meet(&self, number: u64, place: &dyn Fn() -> TreePlace) -> ClaimDecision {
        let (state, part) = (self.state, self.work.part);
        let was_cut = state.cut.borrow().is_some();
        self.close();
        // Claims after one that was cut belong to other units.
        if was_cut || number >= self.extent.claims.end {
            state.ended.set(true);
            return ClaimDecision::End;
        }
        if number < self.extent.claims.start || self.work.spec.is_done(part.number, number) {
            return ClaimDecision::Pass;
        }
        if state.taken.get() > 0 && self.is_over() {
            self.leave(number, &place());
            state.ended.set(true);
            return ClaimDecision::End;
        }
        state.taken.set(state.taken.get() + 1);
        state.claim.replace(Some((number, place())));
        state.unfinished.set(false);
        state.began.set(Some(Instant::now()));
        ClaimDecision::Take
    }

    fn ends_at(&self, place: &ClaimPlace) -> bool {
        let ends = self.is_cut_at(place) && self.is_rest_over(place);
        self.state.ended.set(self.state.ended.get() || ends);
        ends
    }
}
