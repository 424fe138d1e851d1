//! The work on one unit: a walk that takes its claims one after the other, and searches their strategies at once.

use crate::enumerate::{
    Claims, EnumerationOptions, FoundStrategy, Meeting, RootEnds, Trail, TreePlace, WalkFrom,
    enumerate_from,
};
use crate::run::part::RunPart;
use crate::search::Player;
use crate::units::result::UnitResult;
use crate::units::spec::RunSpec;
use crate::units::unit::Unit;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Units into which the rest of a unit is divided.
const CHILDREN: u64 = 8;

/// Units that one walk above the sync depth names before another one goes on.
const SEEK_CHILDREN: usize = 1024;

/// Claims of the first units, and of the largest ones. Claims of one problem differ by a factor of a thousand and
/// more in their work; a unit with too many of them divides itself, one with too few is mostly message.
const CLAIMS: (u64, u64) = (4, 256);

/// Why the work on a unit has no result.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoResult {
    /// It was stopped.
    Stopped,
    /// The unit does not belong to this tree.
    Misplaced,
}

/// The number of claims of the unit that begins with this one. It follows from the number alone, so
/// a walk that is repeated names the same units.
fn claims_from(first: u64) -> u64 {
    (first / 32).clamp(CLAIMS.0, CLAIMS.1)
}

/// What the work on a unit needs.
pub(super) struct UnitWork<'w, 'a> {
    pub(super) spec: &'w RunSpec,
    pub(super) part: &'w RunPart<'a>,
    pub(super) ends: &'w RootEnds,
    pub(super) worker: usize,
    /// When a unit divides itself: how long it has taken, and whether others wait.
    pub(super) is_over_budget: &'w dyn Fn(Duration) -> bool,
    /// Queues a unit; false when there is no room.
    pub(super) offer: &'w dyn Fn(&str) -> bool,
}

/// Where a walk stands. A claim is closed when the next one is met.
#[derive(Default)]
struct WalkState {
    result: RefCell<UnitResult>,
    /// The claim at hand and its place.
    claim: RefCell<Option<(u64, TreePlace)>>,
    /// Claims taken so far.
    taken: Cell<u64>,
    /// The first strategy of the claim that is not searched here, once there is one.
    cut: Cell<Option<u32>>,
    /// Strategies of the claim seen so far.
    seen: Cell<u32>,
    /// When counting what is left of the claim began.
    counting: Cell<Option<Instant>>,
    /// The walk ended within the claim, since counting took long; the claims behind it belong to other units.
    broken: Cell<bool>,
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
                self.range(place, *from..*until, 0..u32::MAX, members, began)?
            }
            Unit::Piece { place, claim, from, until, .. } => {
                self.range(place, *claim..*claim + 1, *from..*until, members, began)?
            }
        };
        result.spent_ms = began.elapsed().as_millis() as u64;
        Ok(result)
    }

    fn walk(
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

    /// Names the units of a stretch of the tree above the sync depth.
    fn seek(&self, place: &TreePlace) -> Result<UnitResult, NoResult> {
        let seeker = Seeker {
            work: self,
            next: Cell::new(place.claims),
            children: RefCell::default(),
            refused: Cell::new(false),
            ended: Cell::new(false),
        };
        let emit = &mut |_: FoundStrategy| ControlFlow::Continue(());
        let tree = self.walk(place, &seeker, emit, &seeker.ended)?;
        Ok(UnitResult { tree, children: seeker.children.into_inner(), ..UnitResult::default() })
    }

    /// Takes the claims of a range; of a single one perhaps only some strategies.
    fn range(
        &self,
        place: &TreePlace,
        claims: std::ops::Range<u64>,
        strategies: std::ops::Range<u32>,
        members: &mut [Player],
        began: Instant,
    ) -> Result<UnitResult, NoResult> {
        let state = WalkState::default();
        let over = || (self.is_over_budget)(began.elapsed());
        let taker = Taker {
            work: self,
            state: &state,
            claims: claims.clone(),
            strategies: strategies.clone(),
            over: &over,
        };
        let emit =
            &mut |found: FoundStrategy| self.meet(found, &state, &strategies, &over, members);
        self.walk(place, &taker, emit, &state.ended)?;
        let last = state.claim.borrow().clone().filter(|_| state.broken.get());
        taker.close();
        if let Some((claim, place)) = last {
            taker.leave(claim + 1, &place);
        }
        Ok(state.result.into_inner())
    }

    /// Searches a strategy, unless the unit has taken too long; then those that are left are counted.
    fn meet(
        &self,
        found: FoundStrategy,
        state: &WalkState,
        strategies: &std::ops::Range<u32>,
        over: &dyn Fn() -> bool,
        members: &mut [Player],
    ) -> ControlFlow<()> {
        let run = self.part.run;
        if run.is_over() {
            return ControlFlow::Break(());
        }
        if found.index >= strategies.end {
            state.ended.set(true);
            return ControlFlow::Break(());
        }
        if found.index < strategies.start {
            return ControlFlow::Continue(());
        }
        state.seen.set(found.index + 1);
        if let Some(since) = state.counting.get() {
            // Enumerating what is left must not take long either; the last unit has what was not counted.
            return if (self.is_over_budget)(since.elapsed()) {
                state.ended.set(true);
                state.broken.set(true);
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            };
        }
        if found.index > strategies.start && over() {
            state.cut.set(Some(found.index));
            state.counting.set(Some(Instant::now()));
            return ControlFlow::Continue(());
        }
        if !self.part.moves_too_early(&found.strategy) {
            self.part.claims.found(found.claim);
            self.part.play(self.worker, members, &found);
        }
        if run.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The claims as a walk of a range meets them.
struct Taker<'t, 'w, 'a> {
    work: &'t UnitWork<'w, 'a>,
    state: &'t WalkState,
    claims: std::ops::Range<u64>,
    strategies: std::ops::Range<u32>,
    over: &'t dyn Fn() -> bool,
}

impl Taker<'_, '_, '_> {
    /// The claim at hand has no more strategies, or those that are left belong to other units.
    fn close(&self) {
        let (state, part) = (self.state, self.work.part);
        let Some((claim, place)) = state.claim.take() else { return };
        let (cut, seen) = (state.cut.take(), state.seen.replace(0));
        state.counting.set(None);
        let mut result = state.result.borrow_mut();
        let std::ops::Range { start, end } = self.strategies;
        let whole = (start, cut.unwrap_or(end)) == (0, u32::MAX);
        match part.claims.sought(claim) {
            None => result.dropped.push(claim),
            Some(mut record) => {
                record.retraction = part.number;
                match whole {
                    true => result.claims.push(record),
                    false => result.pieces.push((start, cut.unwrap_or(end), record)),
                }
            }
        }
        let Some(cut) = cut else { return };
        let left = u64::from(seen.max(cut + 1) - cut);
        let bounds = divided(left).map(|(from, until)| {
            let until = if until == left { end } else { cut + until as u32 };
            (cut + from as u32, until)
        });
        for (from, until) in bounds {
            let (part, place) = (part.number, place.clone());
            result.children.push(Unit::Piece { part, place, claim, from, until }.to_string());
        }
    }
}

impl Taker<'_, '_, '_> {
    /// Leaves the claims from this one on to other units, which begin at a place there or before.
    fn leave(&self, number: u64, place: &TreePlace) {
        let left = self.claims.end.saturating_sub(number);
        if left == 0 {
            return;
        }
        for (from, until) in divided(left) {
            let (part, place) = (self.work.part.number, place.clone());
            let child = Unit::Claims { part, place, from: number + from, until: number + until };
            self.state.result.borrow_mut().children.push(child.to_string());
        }
    }
}

/// A number of things in at most [`CHILDREN`] ranges of about one size.
fn divided(count: u64) -> impl Iterator<Item = (u64, u64)> {
    let parts = count.clamp(1, CHILDREN);
    (0..parts).map(move |at| (count * at / parts, count * (at + 1) / parts))
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
        if was_cut || state.taken.get() > 0 && (self.over)() {
            self.leave(number, &place());
            state.ended.set(true);
            return Meeting::End;
        }
        state.taken.set(state.taken.get() + 1);
        state.claim.replace(Some((number, place())));
        Meeting::Take
    }
}

/// The claims as a walk meets them that only names units.
struct Seeker<'t, 'w, 'a> {
    work: &'t UnitWork<'w, 'a>,
    /// The first claim of the next unit.
    next: Cell<u64>,
    children: RefCell<Vec<String>>,
    /// There was no room for a unit, so this worker does it before it goes on.
    refused: Cell<bool>,
    ended: Cell<bool>,
}

impl Claims for Seeker<'_, '_, '_> {
    fn take(&self, _: u64) -> bool {
        false
    }

    fn meet(&self, number: u64, place: &dyn Fn() -> TreePlace) -> Meeting {
        if number < self.next.get() {
            return Meeting::Pass;
        }
        let part = self.work.part.number;
        let mut children = self.children.borrow_mut();
        if self.refused.get() || children.len() >= SEEK_CHILDREN {
            children.push(Unit::Seek { part, place: place() }.to_string());
            self.ended.set(true);
            return Meeting::End;
        }
        let until = number + claims_from(number);
        self.next.set(until);
        if !self.work.spec.are_done(part, number, until) {
            let child = Unit::Claims { part, place: place(), from: number, until }.to_string();
            self.refused.set(!(self.work.offer)(&child));
            children.push(child);
        }
        Meeting::Pass
    }
}

#[cfg(test)]
mod tests {
    use super::{CHILDREN, divided};

    #[test]
    fn what_is_left_is_divided_without_gaps() {
        for count in [1, 2, 7, 8, 9, 1000] {
            let ranges: Vec<_> = divided(count).collect();
            assert!(ranges.len() as u64 <= CHILDREN && ranges[0].0 == 0);
            assert_eq!(ranges.last().unwrap().1, count);
            assert!(ranges.windows(2).all(|two| two[0].1 == two[1].0));
            assert!(ranges.iter().all(|(from, until)| from < until));
        }
    }
}
