//! Table of the numbers of games: (position, plies left) → exact number.
//!
//! The plies left are part of the key. All threads share the table without locks: each half of the
//! key is stored XORed with half of the value (Hyatt and Mann, "A lockless transposition table
//! implementation for parallel search", ICGA Journal 25, 2002), so that a mixture of two entries
//! has the key of neither. A lost entry costs time, never a game.

use std::sync::atomic::{AtomicU64, Ordering};
use umbrail_control::{HugePageBuffer, available, prefetch};

/// Largest number that is stored: 120 bits. Sums stop there.
pub(crate) const GAMES_MAX: u128 = (1 << 120) - 1;

/// Two entries of four words, in one cache line: the first keeps the most plies, the second the
/// newest.
type CountBucket = [AtomicU64; 8];

/// Numbers of games.
#[derive(Debug)]
pub(crate) struct CountTable {
    /// `None` where the system grants no memory: every position is searched again then.
    buckets: Option<HugePageBuffer<CountBucket>>,
}

impl CountTable {
    /// Creates the largest table of at most `wanted` bytes that fits into memory.
    pub(crate) fn fitting(wanted: u64) -> Self {
        let most = available().map_or(u64::MAX, |left| left.for_blocks());
        let bytes = usize::try_from(wanted.min(most)).unwrap_or(usize::MAX);
        let mut count = (bytes / size_of::<CountBucket>()).max(1);
        loop {
            match HugePageBuffer::zeroed(count) {
                Ok(buckets) => return Self { buckets: Some(buckets) },
                Err(_) if count > 1 => count /= 2,
                Err(_) => return Self { buckets: None },
            }
        }
    }

    /// Returns the size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let buckets = self.buckets.as_ref().map_or(0, |buckets| buckets.len());
        (buckets * size_of::<CountBucket>()) as u64
    }

    /// Loads the entry of a key into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, key: u128) {
        if let Some(bucket) = self.bucket(key) {
            prefetch(bucket);
        }
    }

    /// Returns the number of games stored for a key.
    #[inline]
    pub(crate) fn get(&self, key: u128) -> Option<u128> {
        let bucket = self.bucket(key)?;
        let [low, high] = halves(key);
        for entry in bucket.chunks_exact(4) {
            // Relaxed: the key is stored with the value mixed in, so no order matters.
            let value = [2, 3].map(|at: usize| entry[at].load(Ordering::Relaxed));
            if entry[0].load(Ordering::Relaxed) ^ value[0] == low
                && entry[1].load(Ordering::Relaxed) ^ value[1] == high
                && value[1] >> PLIES_SHIFT != 0
            {
                return Some((u128::from(value[1]) << 64 | u128::from(value[0])) & GAMES_MAX);
            }
        }
        None
    }

    /// Stores the number of games for a key that includes `plies`, at least 1 and at most 255.
    #[inline]
    pub(crate) fn set(&self, key: u128, plies: u16, games: u128) {
        let Some(bucket) = self.bucket(key) else { return };
        let deepest = bucket[3].load(Ordering::Relaxed) >> PLIES_SHIFT;
        let entry = if u64::from(plies) >= deepest { &bucket[..4] } else { &bucket[4..] };
        let [low, high] = halves(key);
        let value = halves(games.min(GAMES_MAX) | u128::from(plies) << (64 + PLIES_SHIFT));
        entry[0].store(low ^ value[0], Ordering::Relaxed);
        entry[1].store(high ^ value[1], Ordering::Relaxed);
        entry[2].store(value[0], Ordering::Relaxed);
        entry[3].store(value[1], Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u128) -> Option<&CountBucket> {
        let buckets = self.buckets.as_deref()?;
        let at = (u128::from(halves(key)[1]) * buckets.len() as u128) >> 64;
        buckets.get(at as usize)
    }
}

/// Place of the plies in the upper word of a value.
const PLIES_SHIFT: u32 = 56;

#[inline]
fn halves(number: u128) -> [u64; 2] {
    [number as u64, (number >> 64) as u64]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_its_exact_number() {
        let table = CountTable::fitting(1 << 16);
        let key = 0x0123_4567_89AB_CDEF_u128 << 64 | 0xFEDC_BA98;
        assert_eq!(table.get(key), None);
        for games in [0, 1, u128::from(u64::MAX) + 5, GAMES_MAX] {
            table.set(key, 7, games);
            assert_eq!(table.get(key), Some(games));
            assert_eq!(table.get(key ^ 1), None);
            assert_eq!(table.get(key ^ 1 << 64), None);
        }
    }

    #[test]
    fn the_deepest_entry_survives_newer_ones() {
        let table = CountTable::fitting(0);
        assert_eq!(table.bytes(), 64);
        table.set(1, 9, 5);
        (2..50).for_each(|key| table.set(key, 3, key));
        assert_eq!((table.get(1), table.get(49), table.get(48)), (Some(5), Some(49), None));
        assert_eq!(table.get(0), None);
    }
}
