//! The work on one unit: a walk that takes its claims one after the other, and searches their strategies at once.

use crate::enumerate::{
    Claims, EnumerationOptions, FoundStrategy, Meeting, RootEnds, Trail, TreePlace, WalkFrom,
    enumerate_from,
};
use crate::run::part::RunPart;
use crate::run::record::{RunCounts, StrategyNumber};
use crate::search::{LeftCase, Player};
use crate::units::post::{PlayedStrategy, WorkerPost};
use crate::units::remainder::{Remainder, divided};
use crate::units::result::UnitResult;
use crate::units::spec::RunSpec;
use crate::units::unit::Unit;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How long the strategies that are left of a claim are enumerated, in times of what a unit should take: while workers wait,
/// since each unit that is found feeds one; and while none waits.
const ENUMERATING: (u32, u32) = (20, 2);

/// Why the work on a unit has no result.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoResult {
    /// It was stopped.
    Stopped,
    /// The unit does not belong to this tree.
    Misplaced,
}

/// What the work on a unit needs.
pub(super) struct UnitWork<'w, 'a> {
    pub(super) spec: &'w RunSpec,
    pub(super) part: &'w RunPart<'a>,
    pub(super) ends: &'w RootEnds,
    pub(super) worker: usize,
    /// When a unit divides itself: how long it has taken, and whether others wait.
    pub(super) is_over_budget: &'w dyn Fn(Duration) -> bool,
    /// How long the units should take into which a unit divides itself.
    pub(super) aim: Duration,
    /// Queues a unit; false when there is no room.
    pub(super) offer: &'w dyn Fn(&str) -> bool,
    /// What the worker is at.
    pub(super) post: &'w WorkerPost,
}

/// Where a walk stands. A claim is closed when the next one is met.
#[derive(Default)]
struct WalkState {
    result: RefCell<UnitResult>,
    /// The claim at hand and its place.
    claim: RefCell<Option<(u64, TreePlace)>>,
    /// Claims taken so far.
    taken: Cell<u64>,
    /// When the claim at hand was taken.
    began: Cell<Option<Instant>>,
    /// The first strategy of the claim that is not searched here, once there is one.
    cut: Cell<Option<u32>>,
    /// The strategies from there on. The claims behind belong to other units already.
    remainder: RefCell<Option<Remainder>>,
    /// The units behind the strategy at hand, when they were given away while it was searched; the walk ends there.
    given: RefCell<Option<Vec<String>>>,
    /// A strategy was searched.
    played: Cell<bool>,
    /// The walk ended where it should.
    ended: Cell<bool>,
}

impl UnitWork<'_, '_> {
    /// Does a unit.
    ///
    /// # Errors
    /// When there is no result.
    pub(super) fn result(
        &self,
        unit: &Unit,
        members: &mut [Player],
    ) -> Result<UnitResult, NoResult> {
        let began = Instant::now();
        let mut result = match unit {
            Unit::Seek { place, .. } => self.seek(place)?,
            Unit::Claims { place, from, until, .. } => {
                self.range(place, *from..*until, 0..u32::MAX, None, members, began)?
            }
            Unit::Piece { place, claim, from, until, .. } => {
                self.range(place, *claim..*claim + 1, *from..*until, None, members, began)?
            }
            Unit::Case { place, claim, index, case, .. } => {
                let (claims, strategies) = (*claim..*claim + 1, *index..*index + 1);
                self.range(place, claims, strategies, Some(*case), members, began)?
            }
        };
        result.spent_ms = began.elapsed().as_millis() as u64;
        Ok(result)
    }

    pub(super) fn walk(
        &self,
        place: &TreePlace,
        claims: &dyn Claims,
        emit: &mut dyn FnMut(FoundStrategy) -> ControlFlow<()>,
        ended: &Cell<bool>,
    ) -> Result<Option<(u64, u64)>, NoResult> {
        let run = self.part.run;
        let options =
            EnumerationOptions { rules: run.params.rules, sync_depth: run.params.sync_depth };
        let view = run.run_control.watch.worker(self.worker);
        let trail = Trail::default();
        let trail = view.as_ref().map_or(&trail, |view| &view.trail);
        let _shown = run.run_control.watch.seeking(self.worker);
        let problem = &self.part.earlier.problem;
        let from = WalkFrom { place, ends: self.ends };
        let (sought, found) =
            enumerate_from(problem, &options, &from, claims, &run.enough, trail, emit);
        match (sought.complete, ended.get()) {
            _ if run.is_over() => Err(NoResult::Stopped),
            _ if !found => Err(NoResult::Misplaced),
            (true, _) => Ok(Some((sought.claims, sought.digest))),
            (false, true) => Ok(None),
            (false, false) => Err(NoResult::Stopped),
        }
    }

    /// Takes the claims of a range; of a single one perhaps only some strategies, or one case of a strategy.
    fn range(
        &self,
        place: &TreePlace,
        claims: std::ops::Range<u64>,
        strategies: std::ops::Range<u32>,
        case: Option<LeftCase>,
        members: &mut [Player],
        began: Instant,
    ) -> Result<UnitResult, NoResult> {
        let state = WalkState::default();
        let over = || (self.is_over_budget)(began.elapsed());
        let taker =
            Taker { work: self, state: &state, claims, strategies, case, over: &over, began };
        let emit = &mut |found: FoundStrategy| taker.strategy(found, members);
        self.walk(place, &taker, emit, &state.ended)?;
        if case.is_some() && !state.played.get() {
            return Err(NoResult::Misplaced);
        }
        taker.close();
        Ok(state.result.into_inner())
    }
}

/// The claims as a walk of a range meets them.
struct Taker<'t, 'w, 'a> {
    work: &'t UnitWork<'w, 'a>,
    state: &'t WalkState,
    claims: std::ops::Range<u64>,
    strategies: std::ops::Range<u32>,
    /// The case that is searched of a single strategy; none for whole strategies.
    case: Option<LeftCase>,
    over: &'t dyn Fn() -> bool,
    began: Instant,
}

impl Taker<'_, '_, '_> {
    /// Searches a strategy, unless the unit has taken too long; then those that are left are counted.
    fn strategy(&self, found: FoundStrategy, members: &mut [Player]) -> ControlFlow<()> {
        let (work, state) = (self.work, self.state);
        if work.part.run.is_over() {
            return ControlFlow::Break(());
        }
        if found.index >= self.strategies.end {
            return self.end();
        }
        if found.index < self.strategies.start {
            return ControlFlow::Continue(());
        }
        if let Some(remainder) = state.remainder.borrow_mut().as_mut() {
            if let Some((place, from, until)) = remainder.see(found.index, found.place.as_ref()) {
                self.give(&self.piece(found.claim, place, from, until));
            }
            let (spent, aim) = (remainder.since.elapsed(), work.aim);
            let is_long = spent >= aim * ENUMERATING.0
                || spent >= aim * ENUMERATING.1 && !(work.is_over_budget)(spent);
            return if is_long { self.end() } else { ControlFlow::Continue(()) };
        }
        if found.index > self.strategies.start && (self.over)() {
            state.cut.set(Some(found.index));
            self.divide(&found);
            return ControlFlow::Continue(());
        }
        if !work.part.moves_too_early(&found.strategy) {
            self.search(&found, members);
        }
        match (work.part.run.is_over(), self.case.is_some() || state.given.borrow().is_some()) {
            (true, _) => ControlFlow::Break(()),
            (false, true) => self.end(),
            (false, false) => ControlFlow::Continue(()),
        }
    }

    /// What is left of the unit becomes others, from this strategy on: first the claims behind, since nothing has to be
    /// enumerated for them.
    fn divide(&self, found: &FoundStrategy) {
        let (work, state) = (self.work, self.state);
        let claim_place = state.claim.borrow().as_ref().map(|(_, place)| place.clone());
        let claim_place = claim_place.unwrap_or_default();
        self.leave(found.claim + 1, &claim_place);
        let searched = found.index.saturating_sub(self.strategies.start).max(1);
        let each = state.began.get().map_or(Duration::ZERO, |began| began.elapsed()) / searched;
        let place = found.place.clone().unwrap_or(claim_place);
        state.remainder.replace(Some(Remainder::of(found.index, place, each, work.aim)));
    }

    fn piece(&self, claim: u64, place: TreePlace, from: u32, until: u32) -> String {
        Unit::Piece { part: self.work.part.number, place, claim, from, until }.to_string()
    }

    /// A unit of what is left. It is queued at once, as others may wait for it.
    fn give(&self, unit: &str) {
        // Without room it stays with its worker, which looks after its result.
        let _ = (self.work.offer)(unit);
        self.state.result.borrow_mut().children.push(unit.to_owned());
    }

    /// The walk ends where it should.
    fn end(&self) -> ControlFlow<()> {
        self.state.ended.set(true);
        ControlFlow::Break(())
    }

    /// Searches a strategy. Meanwhile its cases, and what is behind it, may be given away.
    fn search(&self, found: &FoundStrategy, members: &mut [Player]) {
        let (work, state) = (self.work, self.state);
        let number =
            StrategyNumber { retraction: work.part.number, claim: found.claim, index: found.index };
        let claim_place = state.claim.borrow().as_ref().map(|(_, place)| place.clone());
        let claim_place = claim_place.unwrap_or_default();
        let strategy = PlayedStrategy {
            number,
            place: found.place.clone().unwrap_or_else(|| claim_place.clone()),
            claim_place,
            claims_end: self.claims.end,
            strategies_end: self.strategies.end,
            goes_on: self.case.is_none(),
        };
        work.post.begin(strategy.clone());
        work.part.claims.found(found.claim);
        let left = work.part.play(work.worker, members, found, self.case);
        let given = work.post.end();
        state.played.set(true);
        let cases = left.into_iter().map(|case| strategy.case(case));
        state.result.borrow_mut().children.extend(cases);
        if !given.is_empty() {
            state.cut.set(Some(found.index + 1));
            state.given.replace(Some(given));
        }
    }

    /// The claim at hand has no more strategies, or those that are left belong to other units.
    fn close(&self) {
        let (state, part) = (self.state, self.work.part);
        let Some((claim, _)) = state.claim.take() else { return };
        let (cut, remainder) = (state.cut.take(), state.remainder.take());
        let mut result = state.result.borrow_mut();
        let std::ops::Range { start, end } = self.strategies;
        let whole = (start, cut.unwrap_or(end)) == (0, u32::MAX);
        match part.claims.sought(claim) {
            None => result.dropped.push(claim),
            Some(mut record) if self.case.is_some() => {
                record.retraction = part.number;
                // The strategy is counted by the unit that left the case.
                let moves = record.counts.moves;
                record.counts = RunCounts { moves, ..RunCounts::default() };
                result.cases.push(record);
            }
            Some(mut record) => {
                record.retraction = part.number;
                match whole {
                    true => result.claims.push(record),
                    false => result.pieces.push((start, cut.unwrap_or(end), record)),
                }
            }
        }
        if let Some(given) = state.given.take() {
            result.children.extend(given);
            return;
        }
        let Some(remainder) = remainder else { return };
        drop(result);
        let (place, from, until) = remainder.last(end);
        if from < until {
            self.give(&self.piece(claim, place, from, until));
        }
    }

    /// Leaves the claims from this one on to other units, which begin at a place there or before.
    fn leave(&self, number: u64, place: &TreePlace) {
        let left = self.claims.end.saturating_sub(number);
        if left == 0 {
            return;
        }
        let taken = u32::try_from(self.state.taken.get()).unwrap_or(u32::MAX).max(1);
        let each = self.began.elapsed() / taken;
        for (from, until) in divided(left, each, self.work.aim) {
            let (part, place) = (self.work.part.number, place.clone());
            let child = Unit::Claims { part, place, from: number + from, until: number + until };
            self.give(&child.to_string());
        }
    }
}

impl Claims for Taker<'_, '_, '_> {
    fn take(&self, _: u64) -> bool {
        false
    }

    fn meet(&self, number: u64, place: &dyn Fn() -> TreePlace) -> Meeting {
        let (state, part) = (self.state, self.work.part);
        let was_cut = state.cut.get().is_some();
        self.close();
        if number >= self.claims.end {
            state.ended.set(true);
            return Meeting::End;
        }
        if number < self.claims.start || self.work.spec.is_done(part.number, number) {
            return Meeting::Pass;
        }
        let is_over = !was_cut && state.taken.get() > 0 && (self.over)();
        if is_over {
            self.leave(number, &place());
        }
        if was_cut || is_over {
            state.ended.set(true);
            return Meeting::End;
        }
        state.taken.set(state.taken.get() + 1);
        state.claim.replace(Some((number, place())));
        state.began.set(Some(Instant::now()));
        Meeting::Take
    }
}
