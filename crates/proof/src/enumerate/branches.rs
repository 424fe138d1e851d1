//! Facts about the tree above the sync depth that seekers share, so that only one of them computes
//! each.
//!
//! All seekers number the live nodes at the sync depth. Each must therefore know the number of live
//! nodes in the branches that others walk. The first seeker to know it records it.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard};
use umbrail_control::lock;

/// Maximum number of branches recorded; they take 64 MiB. Later branches are not recorded.
const BRANCHES_MAX: u64 = 1 << 28;

/// Branches per 64-bit word, at two bits each.
const PER_WORD: u64 = 32;

/// Bits of a branch: its state is known, and it is alive.
const KNOWN: u64 = 1;
const ALIVE: u64 = 2;

/// Branches of the root per block.
pub(crate) const BLOCK: u64 = 64;

/// State of a block of branches of the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum BlockState {
    /// Not visited yet.
    #[default]
    New,
    /// A seeker is walking the block, or has walked it.
    Taken,
    /// The dead branches of the block are known.
    Reported(u64),
}

/// Progress of a seeker at the end of a branch of the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FrontPosition {
    /// Finished branches of the root.
    pub ends: u64,
    /// Claims met.
    pub claims: u64,
    /// Branches met at the sync depth.
    pub branches: u64,
    /// Digest of all decisions above the sync depth.
    pub digest: u64,
}

#[derive(Debug, Default)]
struct BranchNotes {
    words: Vec<u64>,
    blocks: Vec<BlockState>,
    front: FrontPosition,
}

impl BranchNotes {
    /// Returns the block, unless it is beyond the limit.
    fn block(&mut self, block: u64) -> Option<&mut BlockState> {
        if block >= BRANCHES_MAX / BLOCK {
            return None;
        }
        let at = block as usize;
        if self.blocks.len() <= at {
            self.blocks.resize(at + 1, BlockState::New);
        }
        self.blocks.get_mut(at)
    }
}

/// State shared by the seekers of one tree, and equal for all of them.
#[derive(Debug, Default)]
pub struct SharedBranches {
    notes: Mutex<BranchNotes>,
}

impl SharedBranches {
    fn notes(&self) -> MutexGuard<'_, BranchNotes> {
        lock(&self.notes)
    }

    /// Returns whether the branch with this number at the sync depth is alive; `None` if it is not
    /// recorded.
    pub(crate) fn is_alive(&self, branch: u64) -> Option<bool> {
        let word = *self.notes().words.get(usize::try_from(branch / PER_WORD).ok()?)?;
        let bits = word >> (branch % PER_WORD * 2);
        (bits & KNOWN != 0).then_some(bits & ALIVE != 0)
    }

    /// Records whether a branch is alive.
    pub(crate) fn note(&self, branch: u64, alive: bool) {
        if branch >= BRANCHES_MAX {
            return;
        }
        let at = (branch / PER_WORD) as usize;
        let bits = KNOWN | if alive { ALIVE } else { 0 };
        let words = &mut self.notes().words;
        if words.len() <= at {
            words.resize(at + 1, 0);
        }
        words[at] |= bits << (branch % PER_WORD * 2);
    }

    /// Starts walking a block of branches of the root. Returns true for the first seeker, and for a
    /// block that is settled or beyond the limit.
    pub(crate) fn walk(&self, block: u64) -> bool {
        match self.notes().block(block) {
            Some(known @ BlockState::New) => {
                *known = BlockState::Taken;
                true
            }
            Some(BlockState::Taken) => false,
            Some(BlockState::Reported(_)) | None => true,
        }
    }

    /// Claims the first unvisited one of these blocks.
    pub(crate) fn claim(&self, blocks: Range<u64>) -> Option<u64> {
        let mut notes = self.notes();
        for block in blocks {
            if let Some(known @ BlockState::New) = notes.block(block) {
                *known = BlockState::Taken;
                return Some(block);
            }
        }
        None
    }

    /// Records the dead branches of a block, by their places.
    pub(crate) fn notify(&self, block: u64, dead: u64) {
        if let Some(known) = self.notes().block(block) {
            *known = BlockState::Reported(dead);
        }
    }

    /// Returns the branches of a block that are known to be dead.
    pub(crate) fn dead(&self, block: u64) -> u64 {
        match self.notes().block(block) {
            Some(&mut BlockState::Reported(dead)) => dead,
            _ => 0,
        }
    }

    /// Returns the progress of the foremost seeker. That seeker has met every claim before this
    /// point, so each is taken or belongs to another run.
    pub(crate) fn front(&self) -> FrontPosition {
        self.notes().front
    }

    /// Records the progress of a seeker.
    pub(crate) fn advance(&self, front: FrontPosition) {
        let notes = &mut self.notes();
        if front.ends > notes.front.ends {
            notes.front = front;
        }
    }
}

/// Progress of one seeker among the branches.
#[derive(Debug, Default)]
pub(crate) struct SeekerPosition {
    /// Finished branches of the root.
    ends: u64,
    /// Branches met at the sync depth, dead or alive.
    branches: u64,
    /// Current block.
    block: Option<KnownBlock>,
}

/// A block of branches of the root, with its branches recorded as dead.
#[derive(Clone, Copy, Debug)]
struct KnownBlock {
    number: u64,
    dead: u64,
}

impl SeekerPosition {
    /// Returns the number of the next branch at the sync depth, and passes it.
    pub(super) const fn pass_branch(&mut self) -> u64 {
        self.branches += 1;
        self.branches - 1
    }

    /// Moves to the position of the foremost seeker, if that seeker is past a branch of the root
    /// and this one is not. Returns that position.
    pub(super) fn catch_up(
        &mut self,
        shared: &SharedBranches,
        number: u64,
    ) -> Option<FrontPosition> {
        if self.is_past(number) {
            return None;
        }
        let front = Some(shared.front()).filter(|front| front.ends > number)?;
        (self.ends, self.branches) = (front.ends, front.branches);
        Some(front)
    }

    /// Returns true if a branch of the root is finished.
    pub(super) const fn is_past(&self, number: u64) -> bool {
        self.ends > number
    }

    /// Finishes a branch of the root, with the claims and the digest of the walk so far.
    pub(super) fn finish(
        &mut self,
        shared: &SharedBranches,
        number: u64,
        (claims, digest): (u64, u64),
    ) {
        self.ends = number + 1;
        let (ends, branches) = (self.ends, self.branches);
        shared.advance(FrontPosition { ends, claims, branches, digest });
    }

    /// Returns true if a branch of the root is recorded as dead.
    pub(super) fn is_marked_dead(&mut self, shared: &SharedBranches, number: u64) -> bool {
        let (block, place) = (number / BLOCK, number % BLOCK);
        let known = self.block.filter(|known| known.number == block && place != 0);
        let known = known.unwrap_or_else(|| KnownBlock { number: block, dead: shared.dead(block) });
        self.block = Some(known);
        known.dead >> place & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_recorded_branches_are_known() {
        let branches = SharedBranches::default();
        assert_eq!(branches.is_alive(0), None);
        for branch in (0..1000).step_by(3) {
            branches.note(branch, branch % 2 == 0);
        }
        for branch in 0..2000 {
            let known = branch < 1000 && branch % 3 == 0;
            assert_eq!(branches.is_alive(branch), known.then_some(branch % 2 == 0));
        }
        branches.note(u64::MAX, true);
        assert_eq!(branches.is_alive(u64::MAX), None, "too far");
    }

    #[test]
    fn the_second_seeker_of_a_block_settles_one_ahead() {
        let branches = SharedBranches::default();
        assert!(branches.walk(0) && !branches.walk(0));
        assert_eq!(branches.claim(1..3), Some(1));
        assert!(!branches.walk(1), "it is not told yet");
        assert_eq!(branches.claim(1..3), Some(2));
        assert_eq!(branches.claim(1..3), None);
        assert_eq!(branches.dead(1), 0);
        branches.notify(1, 5);
        assert_eq!((branches.dead(1), branches.dead(2)), (5, 0));
        assert!(branches.walk(1));
        assert!(branches.walk(u64::MAX), "too far");
    }

    #[test]
    fn the_foremost_seeker_is_the_front() {
        let branches = SharedBranches::default();
        let at = |ends| FrontPosition { ends, claims: 2 * ends, ..FrontPosition::default() };
        for ends in [3, 5, 4] {
            branches.advance(at(ends));
        }
        assert_eq!(branches.front(), at(5));
    }
}
