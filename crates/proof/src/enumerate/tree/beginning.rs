//! A walk that begins at a place: what lies before it is not walked again.

use super::TreeWalk;
use crate::enumerate::place::TreePlace;
use std::ops::ControlFlow;

/// What a walk does with a branch above the sync depth.
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
    pub(crate) fn begin_at(&mut self, place: &TreePlace) {
        (self.sought.claims, self.sought.digest) = (place.claims, place.digest);
        (self.places.before, self.places.is_deep) = (place.index, true);
        self.places.start = Some(place.path.clone()).filter(|path| !path.is_empty());
    }

    /// Comes to the branch with this number below a node at `depth`.
    ///
    /// The state of a node depends on the decisions that lead to it alone, so a walk that skips what
    /// lies before its place meets the same claims in the same order.
    pub(in crate::enumerate) fn branch(
        &mut self,
        depth: u8,
        number: usize,
    ) -> ControlFlow<(), Branch> {
        let below = depth >= self.options.sync_depth;
        if below && !self.places.is_deep {
            return ControlFlow::Continue(Branch::Walked);
        }
        let (depth, number) = (usize::from(depth), number as u32);
        let mut branch = Branch::Walked;
        if let Some(start) = &self.places.start {
            match start.get(depth).map(|wanted| number.cmp(wanted)) {
                Some(std::cmp::Ordering::Less) => return ControlFlow::Continue(Branch::Before),
                Some(std::cmp::Ordering::Equal) if depth + 1 < start.len() => {
                    branch = Branch::Leads
                }
                Some(std::cmp::Ordering::Equal) => self.places.start = None,
                _ => {
                    self.places.is_lost = true;
                    return ControlFlow::Break(());
                }
            }
        }
        let here = &mut self.places.here;
        here.path.truncate(depth);
        here.path.push(number);
        if below {
            here.index = self.index;
        } else {
            (here.claims, here.index, here.digest) = (self.sought.claims, 0, self.sought.digest);
        }
        ControlFlow::Continue(branch)
    }
}
