//! A walk that begins at a place, and ends at one: what lies before and behind is not walked.

use super::{TreeWalk, WalkFrom};
use crate::enumerate::claim_place::ClaimDecision;
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Branches between two questions whether the walk ends.
const BRANCHES_ASKED: u32 = 64;

/// What a walk does with a branch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::enumerate) enum Branch {
    /// It lies before the place where the walk begins.
    Before,
    /// It leads to that place, and was counted by the walk before.
    Leads,
    /// It is walked.
    Walked,
}

impl TreeWalk<'_> {
    /// Lets the walk begin at a place, and note all places.
    pub(crate) fn begin_at(&mut self, from: &WalkFrom<'_>) {
        (self.sought.claims, self.sought.digest) = (from.place.claims, from.place.digest);
        let places = &mut self.places;
        (places.before, places.is_deep) = (from.index, true);
        places.start = Some(from.place.path.clone()).filter(|path| !path.is_empty());
        places.first = Some(from.within.clone()).filter(|within| !within.is_beginning());
        places.until = from.until.cloned();
    }

    /// Comes to the branch with this number, one `of` that many, below a node at `depth`.
    ///
    /// The state of a node depends on the decisions that lead to it alone, so a walk that skips what
    /// lies before its place meets the same claims and strategies in the same order.
    pub(in crate::enumerate) fn branch(
        &mut self,
        depth: u8,
        number: usize,
        of: usize,
    ) -> ControlFlow<(), Branch> {
        if depth >= self.options.sync_depth {
            return match self.places.is_deep {
                true => {
                    self.branch_within(usize::from(depth - self.options.sync_depth), number, of)
                }
                false => ControlFlow::Continue(Branch::Walked),
            };
        }
        let (depth, number) = (usize::from(depth), number as u32);
        let mut branch = Branch::Walked;
        if let Some(start) = &self.places.start {
            match start.get(depth).map(|wanted| number.cmp(wanted)) {
                Some(Ordering::Less) => return ControlFlow::Continue(Branch::Before),
                Some(Ordering::Equal) if depth + 1 < start.len() => branch = Branch::Leads,
                Some(Ordering::Equal) => self.places.start = None,
                _ => {
                    self.places.is_lost = true;
                    return ControlFlow::Break(());
                }
            }
        }
        let here = &mut self.places.here;
        here.path.truncate(depth);
        here.path.push(number);
        (here.claims, here.digest) = (self.sought.claims, self.sought.digest);
        self.places.within.decisions.clear();
        ControlFlow::Continue(branch)
    }

    /// The same below the sync depth. The beginning needs no node there: the walk begins at the first one that does not come
    /// before it.
    fn branch_within(&mut self, depth: usize, number: usize, of: usize) -> ControlFlow<(), Branch> {
        let decision = ClaimDecision { number: number as u32, of: of as u32 };
        let places = &mut self.places;
        let mut branch = Branch::Walked;
        if let Some(first) = &places.first {
            let wanted =
                first.decisions.get(depth).map(|wanted| decision.number.cmp(&wanted.number));
            match wanted {
                Some(Ordering::Less) => return ControlFlow::Continue(Branch::Before),
                Some(Ordering::Equal) if depth + 1 < first.decisions.len() => {
                    branch = Branch::Leads
                }
                _ => places.first = None,
            }
        }
        places.within.decisions.truncate(depth);
        places.within.decisions.push(decision);
        if places.until.as_ref().is_some_and(|until| places.within >= *until) {
            places.is_past = true;
            return ControlFlow::Break(());
        }
        if branch == Branch::Walked {
            self.asked += 1;
            if self.asked.is_multiple_of(BRANCHES_ASKED) && self.claims.ends_at(&places.within) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(branch)
    }
}
