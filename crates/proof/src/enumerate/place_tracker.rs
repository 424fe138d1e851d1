//! Place of a walk that begins at a place and ends at one, without the parts before and after.

use crate::enumerate::claim_place::{ClaimPlace, PlaceDecision};
use crate::enumerate::claims::Claims;
use crate::enumerate::ends::RootEnds;
use crate::enumerate::place::TreePlace;
use std::cmp::Ordering;
use std::ops::ControlFlow;

/// Number of branches between two checks for the end of the walk.
const BRANCHES_ASKED: u32 = 64;

/// Start and end of a partial walk.
pub(crate) struct WalkFrom<'a> {
    /// First node.
    pub(crate) place: &'a TreePlace,
    /// If that node is a claim, the start in it.
    pub(crate) within: &'a ClaimPlace,
    /// End in that claim; `None` if the walk continues after it.
    pub(crate) until: Option<&'a ClaimPlace>,
    /// Number of the first strategy of the walk.
    pub(crate) index: u32,
    /// End assignments, shared by all walks of a problem.
    pub(crate) ends: &'a RootEnds,
}

/// Outcome of a walk that began at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WalkEnd {
    /// The tree is exhausted, or the walk was cancelled.
    Over,
    /// The walk reached its requested end.
    AtPlace,
    /// The walk did not begin: the tree has no such place.
    Lost,
}

/// Handling of a branch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Branch {
    /// Before the start of the walk.
    Before,
    /// On the path to the start; counted by the walk before.
    Leads,
    /// Part of the walk.
    Walked,
}

/// Current place of a walk, its start and its end.
#[derive(Debug, Default)]
pub(crate) struct PlaceTracker {
    /// Last node at or above the sync depth.
    here: TreePlace,
    /// Decisions below that node.
    within: ClaimPlace,
    /// Path to the start, until it is reached.
    start: Option<Vec<u32>>,
    /// Path from there to the first decisions within the claim, until it is reached.
    first: Option<ClaimPlace>,
    /// End of the walk within the claim.
    until: Option<ClaimPlace>,
    /// Number of the first strategy that the walk reaches.
    before: u32,
    /// True if places below the sync depth are also recorded.
    is_deep: bool,
    /// True if the walk has reached its end within the claim.
    is_past: bool,
    /// True if the tree lacks the requested start.
    is_lost: bool,
    /// Branches below the sync depth, counted to space the end checks.
    asked: u32,
}

impl PlaceTracker {
    /// Creates the tracker of a walk that begins at a place, and records all places.
    pub(super) fn begin_at(from: &WalkFrom<'_>) -> Self {
        Self {
            start: Some(from.place.path.clone()).filter(|path| !path.is_empty()),
            first: Some(from.within.clone()).filter(|within| !within.is_beginning()),
            until: from.until.cloned(),
            before: from.index,
            is_deep: true,
            ..Self::default()
        }
    }

    /// Returns the place of the node that was entered last.
    pub(super) fn here(&self) -> TreePlace {
        self.here.clone()
    }

    /// Returns the place of the current strategy within its claim, if places below the sync depth
    /// are recorded.
    pub(super) fn of_strategy(&self) -> Option<ClaimPlace> {
        self.is_deep.then(|| self.within.clone())
    }

    /// Enters a claim, and returns the number of its first strategy that the walk reaches.
    pub(super) fn take_before(&mut self) -> u32 {
        std::mem::take(&mut self.before)
    }

    /// Returns the first branch of the root to walk.
    pub(super) fn first_end(&self) -> usize {
        self.start.as_ref().and_then(|start| start.first()).map_or(0, |&first| first as usize)
    }

    /// Returns the outcome of the walk after its last branch.
    pub(super) const fn end(&self) -> WalkEnd {
        match (self.is_lost, self.is_past) {
            (true, _) => WalkEnd::Lost,
            (false, true) => WalkEnd::AtPlace,
            (false, false) => WalkEnd::Over,
        }
    }

    /// Enters branch `number` below a node at `depth`, which is above the sync depth, with the
    /// claims and the digest of the walk so far.
    pub(super) fn branch(
        &mut self,
        depth: u8,
        number: usize,
        (claims, digest): (u64, u64),
    ) -> ControlFlow<(), Branch> {
        let (depth, number) = (usize::from(depth), number as u32);
        let mut branch = Branch::Walked;
        if let Some(start) = &self.start {
            match start.get(depth).map(|wanted| number.cmp(wanted)) {
                Some(Ordering::Less) => return ControlFlow::Continue(Branch::Before),
                Some(Ordering::Equal) if depth + 1 < start.len() => branch = Branch::Leads,
                Some(Ordering::Equal) => self.start = None,
                _ => {
                    self.is_lost = true;
                    return ControlFlow::Break(());
                }
            }
        }
        self.here.path.truncate(depth);
        self.here.path.push(number);
        (self.here.claims, self.here.digest) = (claims, digest);
        self.within.decisions.clear();
        ControlFlow::Continue(branch)
    }

    /// Enters branch `number` of `of`, at this depth below a claim. No node is required at the
    /// start there: the walk begins at the first node that does not precede it.
    #[inline]
    pub(super) fn branch_within(
        &mut self,
        depth: u8,
        number: usize,
        of: usize,
        claims: &dyn Claims,
    ) -> ControlFlow<(), Branch> {
        if !self.is_deep {
            return ControlFlow::Continue(Branch::Walked);
        }
        let depth = usize::from(depth);
        let decision = PlaceDecision { number: number as u32, of: of as u32 };
        let mut branch = Branch::Walked;
        if let Some(first) = &self.first {
            let wanted =
                first.decisions.get(depth).map(|wanted| decision.number.cmp(&wanted.number));
            match wanted {
                Some(Ordering::Less) => return ControlFlow::Continue(Branch::Before),
                Some(Ordering::Equal) if depth + 1 < first.decisions.len() => {
                    branch = Branch::Leads
                }
                _ => self.first = None,
            }
        }
        self.within.decisions.truncate(depth);
        self.within.decisions.push(decision);
        if self.until.as_ref().is_some_and(|until| self.within >= *until) {
            self.is_past = true;
            return ControlFlow::Break(());
        }
        if branch == Branch::Walked {
            self.asked += 1;
            if self.asked.is_multiple_of(BRANCHES_ASKED) && claims.ends_at(&self.within) {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(branch)
    }
}
