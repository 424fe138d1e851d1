//! Processing of a unit that names others: a walk above the sync depth, which takes no claims.

use crate::enumerate::{ClaimDecision, ClaimPlace, Claims, FoundStrategy, TreePlace, WalkFrom};

use crate::units::result::UnitResult;
use crate::units::unit::Unit;
use crate::units::unit_work::{NoResult, UnitWork};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

/// Number of units that one walk above the sync depth names before a new unit continues the walk.
const SEEK_CHILDREN: usize = 1024;

/// Least and greatest number of claims per unit. The work of a claim varies by a factor of
/// a thousand and more within a problem. A unit with too many claims divides itself; with too few,
/// messages dominate.
const CLAIMS_MIN: u64 = 32;
const CLAIMS_MAX: u64 = 1024;

/// Returns the number of claims of the unit that begins with claim `first`. The result depends on
/// this number only, so a repeated walk names the same units.
fn claims_from(first: u64) -> u64 {
    (first / 8).clamp(CLAIMS_MIN, CLAIMS_MAX)
}

impl UnitWork<'_, '_> {
    /// Names the units of a section of the tree above the sync depth.
    pub(super) fn seek(&self, place: &TreePlace) -> Result<UnitResult, NoResult> {
        let seeker = Seeker {
            work: self,
            next: Cell::new(place.claims),
            children: RefCell::default(),
            refused: Cell::new(false),
            ended: Cell::new(false),
        };
        let emit = &mut |_: FoundStrategy| ControlFlow::Continue(());
        let (within, ends) = (&ClaimPlace::default(), self.ends);
        let from = WalkFrom { place, within, until: None, index: 0, ends };
        let tree = self.walk(&from, &seeker, emit, &seeker.ended)?;
        Ok(UnitResult { tree, children: seeker.children.into_inner(), ..UnitResult::default() })
    }
}

/// Claim handler of a walk that only names units.
struct Seeker<'t, 'w, 'a> {
    work: &'t UnitWork<'w, 'a>,
    /// First claim of the next unit.
    next: Cell<u64>,
    children: RefCell<Vec<String>>,
    /// Set when the queue refused a unit; this worker then processes it before it continues.
    refused: Cell<bool>,
    ended: Cell<bool>,
}

impl Claims for Seeker<'_, '_, '_> {
    fn take(&self, _: u64) -> bool {
        false
    }

    fn meet(&self, number: u64, place: &dyn Fn() -> TreePlace) -> ClaimDecision {
        if number < self.next.get() {
            return ClaimDecision::Pass;
        }
        let part = self.work.part.number;
        let mut children = self.children.borrow_mut();
        if self.refused.get() || children.len() >= SEEK_CHILDREN {
            children.push(Unit::Seek { part, place: place() }.to_string());
            self.ended.set(true);
            return ClaimDecision::End;
        }
        let until = number + claims_from(number);
        self.next.set(until);
        if !self.work.spec.are_done(part, number, until) {
            let child = Unit::Claims { part, place: place(), from: number, until }.to_string();
            self.refused.set(!(self.work.offer)(&child));
            children.push(child);
        }
        ClaimDecision::Pass
    }
}
