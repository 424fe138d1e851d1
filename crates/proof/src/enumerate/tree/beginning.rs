//! Walks that begin at a place and end at one, without the parts before and after.

use super::{TreeWalk, WalkFrom};
use crate::enumerate::claim_place::ClaimDecision;
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Number of branches between two checks for the end of the walk.
const BRANCHES_ASKED: u32 = 64;

/// Handling of a branch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::enumerate) enum Branch {
    /// Before the start of the walk.
    Before,
    /// On the path to the start; counted by the walk before.
    Leads,
    /// Part of the walk.
    Walked,
}

impl TreeWalk<'_> {
    /// Starts the walk at a place, and records all places.
    pub(crate) fn begin_at(&mut self, from: &WalkFrom<'_>) {
        (self.enumerated.claims, self.enumerated.digest) = (from.place.claims, from.place.digest);
        let places = &mut self.places;
        (places.before, places.is_deep) = (from.index, true);
        places.start = Some(from.place.path.clone()).filter(|path| !path.is_empty());
        places.first = Some(from.within.clone()).filter(|within| !within.is_beginning());
        places.until = from.until.cloned();
    }

    /// Enters branch `number` of `of`, below a node at `depth`.
    ///
    /// The state of a node depends only on the decisions that lead to it. A walk that skips the
    /// part before its start therefore meets identical claims and strategies in identical order.
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
        (here.claims, here.digest) = (self.enumerated.claims, self.enumerated.digest);
        self.places.within.decisions.clear();
        ControlFlow::Continue(branch)
    }

    /// Enters a branch below the sync depth. No node is required at the start there: the walk
    /// begins at the first node that does not precede it.
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
