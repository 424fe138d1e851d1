//! Claims: the division of the tree among seekers.

use crate::enumerate::branches::SharedBranches;
use crate::enumerate::claim_place::ClaimPlace;
use crate::enumerate::place::TreePlace;
use std::sync::atomic::{AtomicU64, Ordering};
use umbrail_chess::geometry::Bitboard;

/// Decision of a seeker about a numbered node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimDecision {
    /// The seeker takes the node.
    Take,
    /// Another seeker has the node.
    Pass,
    /// The walk ends before this node.
    End,
}

/// Decides which seeker takes a node. Nodes at the sync depth, and leaves above it, are numbered
/// from 0 in the order of the walk, which is equal for every seeker.
pub trait Claims {
    /// Returns true if the calling seeker takes this node.
    fn take(&self, number: u64) -> bool;

    /// Decides about this node; the callback computes its place on demand.
    fn meet(&self, number: u64, _: &dyn Fn() -> TreePlace) -> ClaimDecision {
        if self.take(number) { ClaimDecision::Take } else { ClaimDecision::Pass }
    }

    /// Returns true if the walk ends before this place in the claim taken last. Called from time to
    /// time below the sync depth when places are recorded.
    fn ends_at(&self, _: &ClaimPlace) -> bool {
        false
    }

    /// Returns the state that the seekers of the tree share; `None` if there is only one seeker.
    fn branches(&self) -> Option<&SharedBranches> {
        None
    }
}

/// Assigns every node to one seeker.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllClaims;

impl Claims for AllClaims {
    fn take(&self, _: u64) -> bool {
        true
    }
}

/// Claims by competing seekers: a node belongs to the seeker that reaches it first.
///
/// Each seeker meets the numbers in ascending order, so a maximum suffices. The seeker that raises
/// the maximum to a number takes that node; a later seeker finds it raised already. No seeker skips
/// a number, so no node is omitted.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    /// One more than the highest number taken.
    next: AtomicU64,
}

#[cfg(test)]
impl Counter {
    /// Returns the number of nodes taken so far.
    pub(crate) fn taken(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
    }
}

impl Claims for Counter {
    fn take(&self, number: u64) -> bool {
        // Relaxed: only the number itself is shared, and read-modify-writes of one atomic have a
        // single order.
        self.next.fetch_max(number + 1, Ordering::Relaxed) <= number
    }
}

/// One shard of several: the numbers with this remainder, if the inner claims allow them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShardClaims<C> {
    /// Index of the shard, below `count`.
    pub shard: u64,
    /// Number of shards; 0 counts as 1.
    pub count: u64,
    /// Claims within the shard.
    pub within: C,
}

impl<C: Claims> Claims for ShardClaims<C> {
    fn take(&self, number: u64) -> bool {
        number % self.count.max(1) == self.shard && self.within.take(number)
    }
}

/// A resumed run: finished numbers are omitted.
#[derive(Clone, Debug, Default)]
pub(crate) struct DoneClaims<C> {
    done: Vec<Bitboard>,
    /// Claims for the remaining numbers.
    pub within: C,
}

impl<C> DoneClaims<C> {
    /// Creates claims that omit these numbers.
    pub(crate) fn new(done: impl IntoIterator<Item = u64>, within: C) -> Self {
        let mut words: Vec<Bitboard> = Vec::new();
        for number in done {
            let word = (number / 64) as usize;
            if words.len() <= word {
                words.resize(word + 1, Bitboard::EMPTY);
            }
            words[word].0 |= 1 << (number % 64);
        }
        Self { done: words, within }
    }

    fn is_done(&self, number: u64) -> bool {
        let word = self.done.get((number / 64) as usize);
        word.is_some_and(|word| word.0 >> (number % 64) & 1 != 0)
    }
}

impl<C: Claims> Claims for DoneClaims<C> {
    fn take(&self, number: u64) -> bool {
        !self.is_done(number) && self.within.take(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_taken_once_however_seekers_interleave() {
        for seed in 0..50u64 {
            let counter = Counter::default();
            let mut next = [0u64; 4];
            let mut taken = vec![0; 100];
            let mut state = seed * 2 + 1;
            while next.iter().any(|&number| number < 100) {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let who = (state >> 33) as usize % 4;
                if next[who] < 100 {
                    taken[next[who] as usize] += u32::from(counter.take(next[who]));
                    next[who] += 1;
                }
            }
            assert!(taken.iter().all(|&times| times == 1), "seed {seed}: {taken:?}");
        }
    }

    #[test]
    fn shards_and_finished_numbers_partition_the_tree() {
        let taken = |claims: &dyn Claims| (0..200).filter(|&n| claims.take(n)).collect::<Vec<_>>();
        let shards: Vec<Vec<u64>> = (0..3)
            .map(|shard| taken(&ShardClaims { shard, count: 3, within: AllClaims }))
            .collect();
        assert_eq!(shards.iter().map(Vec::len).sum::<usize>(), 200);
        assert_eq!(shards[1][..3], [1, 4, 7]);
        let rest = taken(&DoneClaims::new(shards[0].iter().copied(), AllClaims));
        assert_eq!(rest.len(), 200 - shards[0].len());
        assert!(rest.iter().all(|number| number % 3 != 0));
    }
}
