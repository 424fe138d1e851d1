//! Layers: all positions that can be reached after some turns, with equal ones merged, and the
//! number of games that lead to each.
//!
//! A layer is divided into a fixed number of shards by hash value, so that shards can be merged in
//! parallel. The numbers of positions do not depend on the number of workers: candidates are merged
//! in the order of their parents.

use super::count::GameCounts;
use super::game_history::GameHistory;
use num_bigint::BigUint;
use std::ops::Range;
use std::sync::Arc;
use umbrail_chess::{Move, PackedPosition};

/// Number of shards of a layer.
pub(crate) const SHARDS: usize = 8;
const SHARD_BITS: u32 = SHARDS.trailing_zeros();

/// Number of a position in its layer, with the shard in the low bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeIndex(pub u32);

impl NodeIndex {
    /// Returns the number of the position at an index of a shard.
    pub(crate) const fn new(shard: usize, at: usize) -> Self {
        Self((at as u32) << SHARD_BITS | shard as u32)
    }

    /// Returns the shard and the index in it.
    #[inline]
    pub(crate) const fn split(self) -> (usize, usize) {
        (self.0 as usize & (SHARDS - 1), (self.0 >> SHARD_BITS) as usize)
    }
}

/// Maximum number of positions of one shard.
const SHARD_MAX: usize = (u32::MAX >> SHARD_BITS) as usize - 1;

/// First way to reach a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ParentLink {
    /// Parent position in the previous layer.
    pub parent: NodeIndex,
    /// Move from the parent (its bits).
    pub mv: u16,
}

impl ParentLink {
    /// Returns the move; `None` only for an invalid link.
    pub(crate) fn mv(self) -> Option<Move> {
        Move::from_bits(self.mv)
    }
}

/// A position to merge into a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerCandidate {
    /// Kept part of the position.
    pub board: PackedPosition,
    /// Kept part of the history.
    pub history: GameHistory,
    /// Hash of both.
    pub hash: u64,
    /// Link to the parent.
    pub link: ParentLink,
}

impl LayerCandidate {
    /// Computes the hash.
    #[inline]
    pub(crate) fn new(board: PackedPosition, history: GameHistory, link: ParentLink) -> Self {
        Self { board, history, hash: hash(board, history), link }
    }

    /// Returns the shard of the candidate.
    #[inline]
    pub(crate) const fn shard(&self) -> usize {
        // Low bits select the slot, high ones are stored in it; the middle is free.
        (self.hash >> 29) as usize & (SHARDS - 1)
    }
}

#[inline]
fn hash(board: PackedPosition, history: GameHistory) -> u64 {
    if history.is_empty() {
        return board.mixed();
    }
    let (low, high) = (history.0 as u64, (history.0 >> 64) as u64);
    let mixed = (low ^ high.rotate_left(23)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    board.mixed() ^ mixed ^ mixed >> 29
}

/// A shard of a layer, stored in columns.
#[derive(Clone, Debug)]
pub(crate) struct Shard {
    /// The positions.
    pub boards: Vec<PackedPosition>,
    /// Histories of the positions; empty if nothing is kept.
    pub histories: Vec<GameHistory>,
    /// First link of each position.
    pub links: Vec<ParentLink>,
    /// Number of games that lead to each position.
    pub counts: GameCounts,
}

impl Shard {
    /// Returns the history of a position.
    #[inline]
    pub(crate) fn history(&self, at: usize) -> GameHistory {
        self.histories.get(at).copied().unwrap_or_default()
    }

    /// Returns the memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.boards.capacity() * size_of::<PackedPosition>()
            + self.histories.capacity() * size_of::<GameHistory>()
            + self.links.capacity() * size_of::<ParentLink>()
            + self.counts.bytes()
    }
}

/// A finished layer.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// Shards of the layer.
    pub shards: Vec<Shard>,
    /// Number of games that lead to the layer.
    pub total: BigUint,
    /// First index of each shard in the sequence of all positions.
    offsets: [usize; SHARDS + 1],
}

impl Layer {
    /// Joins shards to a layer.
    pub(crate) fn new(shards: Vec<Shard>) -> Self {
        let mut offsets = [0; SHARDS + 1];
        for (at, shard) in shards.iter().enumerate() {
            offsets[at + 1] = offsets[at] + shard.boards.len();
        }
        let total = shards.iter().map(|shard| shard.counts.total()).sum();
        Self { shards, total, offsets }
    }

    /// Creates a layer of one position, reached once.
    pub(crate) fn of(board: PackedPosition, history: GameHistory, link: ParentLink) -> Self {
        let mut builder = LayerBuilder::new(true, false);
        let parents = GameCounts::Small(vec![1]);
        let candidate = LayerCandidate::new(board, history, link);
        builder.shards[candidate.shard()].insert(&candidate, &parents, 0);
        builder.finish()
    }

    /// Returns the number of positions.
    pub(crate) fn len(&self) -> usize {
        self.offsets[SHARDS]
    }

    /// Returns true if the layer has no position.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of the position at a row of the sequence of all shards.
    pub(crate) fn node(&self, row: usize) -> NodeIndex {
        let shard = (0..SHARDS).rev().find(|&at| self.offsets[at] <= row).unwrap_or(0);
        NodeIndex::new(shard, row - self.offsets[shard])
    }

    /// Returns a position and its history.
    #[inline]
    pub(crate) fn get(&self, node: NodeIndex) -> (PackedPosition, GameHistory) {
        let (shard, at) = node.split();
        (self.shards[shard].boards[at], self.shards[shard].history(at))
    }

    /// Returns the first link of a position.
    pub(crate) fn link(&self, node: NodeIndex) -> ParentLink {
        let (shard, at) = node.split();
        self.shards[shard].links[at]
    }

    /// Returns true if exactly one game leads to a position.
    pub(crate) fn is_unique(&self, node: NodeIndex) -> bool {
        let (shard, at) = node.split();
        self.shards[shard].counts.is_one(at)
    }

    /// Returns the memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.shards.iter().map(Shard::bytes).sum()
    }
}

/// A layer on the stack, and the rows of the layer below it that are its parents.
#[derive(Clone, Debug)]
pub(crate) struct StackedLayer {
    pub(crate) layer: Arc<Layer>,
    pub(crate) parents: Range<usize>,
}

/// A shard under construction, with the table that finds equal positions.
#[derive(Debug)]
pub(crate) struct ShardBuilder {
    shard: Shard,
    keeps_history: bool,
    /// Hash slots. Upper half: upper half of the hash; lower half: index plus one, 0 for empty.
    slots: Vec<u64>,
}

const SLOTS_MIN: usize = 64;
/// Number of positions moved to a larger table between two polls of the stop signal.
const STOPPABLE: usize = 1 << 15;

impl ShardBuilder {
    /// Merges one candidate whose parent's count is at `at` of `counts`.
    #[inline]
    pub(crate) fn insert(&mut self, candidate: &LayerCandidate, counts: &GameCounts, at: usize) {
        if (self.shard.boards.len() + 1) * 8 > self.slots.len() * 5 {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let tag = candidate.hash >> 32 << 32;
        let mut slot = candidate.hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry as u32 == 0 {
                break;
            }
            if entry >> 32 << 32 == tag {
                let index = (entry as u32 - 1) as usize;
                if self.shard.boards[index] == candidate.board
                    && (!self.keeps_history || self.shard.histories[index] == candidate.history)
                {
                    self.shard.counts.add_from(index, counts, at);
                    return;
                }
            }
            slot = (slot + 1) & mask;
        }
        self.shard.boards.push(candidate.board);
        if self.keeps_history {
            self.shard.histories.push(candidate.history);
        }
        self.shard.links.push(candidate.link);
        self.shard.counts.push_from(counts, at);
        self.slots[slot] = tag | self.shard.boards.len() as u64;
    }

    fn grow(&mut self) {
        self.resize((self.slots.len() * 2).max(SLOTS_MIN));
    }

    /// Reserves space for this number of positions, so that the table need not grow repeatedly.
    fn expect(&mut self, positions: usize) {
        let size = (positions * 8 / 5).next_power_of_two();
        if size > self.slots.len() {
            self.resize(size);
        }
    }

    fn resize(&mut self, size: usize) {
        self.resize_unless(size, &|| false);
    }

    /// Resizes the table; returns false if it was stopped, which leaves the table unusable.
    fn resize_unless(&mut self, size: usize, is_over: &dyn Fn() -> bool) -> bool {
        let mask = size - 1;
        let mut slots = vec![0u64; size];
        for (index, board) in self.shard.boards.iter().enumerate() {
            if index % STOPPABLE == 0 && is_over() {
                return false;
            }
            let hash = hash(*board, self.shard.history(index));
            let mut slot = hash as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = hash >> 32 << 32 | (index as u64 + 1);
        }
        self.slots = slots;
        true
    }

    /// Prefetches the slot of a candidate into the cache.
    #[inline]
    pub(crate) fn touch(&self, candidate: &LayerCandidate) -> u64 {
        if self.slots.is_empty() {
            return 0;
        }
        self.slots[candidate.hash as usize & (self.slots.len() - 1)]
    }

    /// Returns true if no more positions can be numbered.
    pub(crate) fn is_full(&self) -> bool {
        self.shard.boards.len() >= SHARD_MAX / 2
    }

    /// Returns the memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.shard.bytes() + self.slots.capacity() * 8
    }

    /// Returns the number of positions so far.
    pub(crate) fn len(&self) -> usize {
        self.shard.boards.len()
    }
}

/// A layer under construction.
#[derive(Debug)]
pub(crate) struct LayerBuilder {
    /// Shards of the layer.
    pub shards: Vec<ShardBuilder>,
}

impl LayerBuilder {
    /// Creates an empty layer. `keeps_history`: some of the past is kept; `big`: counts may not fit
    /// in 64 bits.
    pub(crate) fn new(keeps_history: bool, big: bool) -> Self {
        let shard = || ShardBuilder {
            shard: Shard {
                boards: Vec::new(),
                histories: Vec::new(),
                links: Vec::new(),
                counts: GameCounts::new(big),
            },
            keeps_history,
            slots: Vec::new(),
        };
        Self { shards: (0..SHARDS).map(|_| shard()).collect() }
    }

    /// Returns the memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.shards.iter().map(ShardBuilder::bytes).sum()
    }

    /// Returns the number of positions so far.
    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(ShardBuilder::len).sum()
    }

    /// Reserves space for this number of positions, spread evenly over the shards, if the tables
    /// then stay within `bytes_max`.
    pub(crate) fn expect(&mut self, positions: usize, bytes_max: usize) {
        let each = (positions / SHARDS).min(SHARD_MAX);
        if (each * 8 / 5).next_power_of_two() * 8 * SHARDS <= bytes_max {
            self.shards.iter_mut().for_each(|shard| shard.expect(each));
        }
    }

    /// Returns true if no more positions can be numbered.
    pub(crate) fn is_full(&self) -> bool {
        self.shards.iter().any(ShardBuilder::is_full)
    }

    /// Returns the layer, without the construction tables and spare capacity.
    pub(crate) fn finish(self) -> Layer {
        let bare = |builder: ShardBuilder| {
            drop(builder.slots);
            let mut shard = builder.shard;
            shard.boards.shrink_to_fit();
            shard.histories.shrink_to_fit();
            shard.links.shrink_to_fit();
            shard.counts.shrink_to_fit();
            shard
        };
        Layer::new(self.shards.into_iter().map(bare).collect())
    }
}

impl ShardBuilder {
    /// Merges candidates whose parents are positions of `previous`, in this order. When it is
    /// stopped, candidates are missing and the layer is unusable.
    pub(crate) fn merge(
        &mut self,
        candidates: &[LayerCandidate],
        previous: &Layer,
        is_over: &dyn Fn() -> bool,
    ) {
        let most = self.shard.boards.len() + candidates.len();
        let size = (most * 8 / 5 + 1).next_power_of_two().max(SLOTS_MIN);
        if is_over() || size > self.slots.len() && !self.resize_unless(size, is_over) {
            return;
        }
        // Prefetching a few candidates ahead hides the memory latency.
        const AHEAD: usize = 8;
        let mut touched = 0;
        for (number, candidate) in candidates.iter().enumerate() {
            if let Some(later) = candidates.get(number + AHEAD) {
                touched ^= self.touch(later);
            }
            let (shard, at) = candidate.link.parent.split();
            self.insert(candidate, &previous.shards[shard].counts, at);
        }
        std::hint::black_box(touched);
    }
}
