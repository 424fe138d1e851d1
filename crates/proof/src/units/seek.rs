//! The work on a unit that names others: a walk above the sync depth, which takes no claim.

use crate::enumerate::{ClaimPlace, Claims, FoundStrategy, Meeting, TreePlace, WalkFrom};

use crate::units::result::UnitResult;
use crate::units::unit::Unit;
use crate::units::unit_work::{NoResult, UnitWork};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

/// Units that one walk above the sync depth names before another one goes on.
const SEEK_CHILDREN: usize = 1024;

/// Claims of the first units, and of the largest ones. Claims of one problem differ by a factor of a thousand and
/// more in their work; a unit with too many of them divides itself, one with too few is mostly message.
const CLAIMS: (u64, u64) = (32, 1024);

/// The number of claims of the unit that begins with this one. It follows from the number alone, so
/// a walk that is repeated names the same units.
fn claims_from(first: u64) -> u64 {
    (first / 8).clamp(CLAIMS.0, CLAIMS.1)
}

impl UnitWork<'_, '_> {
    /// Names the units of a stretch of the tree above the sync depth.
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
