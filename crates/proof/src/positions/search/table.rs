//! Table of the numbers of games: (position, plies left) → exact number.
//!
//! The plies left are part of the key. All threads share the table without locks: each half of the
//! key is stored XORed with half of the value (Hyatt and Mann, "A lockless transposition table
//! implementation for parallel search", ICGA Journal 25, 2002), so that a mixture of two entries
//! has the key of neither. A lost entry costs time, never a game.

use std::collections::TryReserveError;
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
                return Some(whole(value) & GAMES_MAX);
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

    /// Stores a value that [`CountTable::deepest`] has given.
    pub(crate) fn put(&self, key: u128, value: u128) {
        if plies_of(value) > 0 {
            self.set(key, plies_of(value) as u16, value & GAMES_MAX);
        }
    }

    /// Returns keys and values of the entries with the most plies left, most plies first, and at most
    /// `most` entries. Other threads may go on with the table: a mixture of two entries, of which one
    /// is being written, has the key of no position.
    pub(crate) fn deepest(&self, most: usize) -> Result<Vec<(u128, u128)>, TryReserveError> {
        let mut counts = [0_usize; PLIES];
        self.entries().for_each(|(_, value)| counts[plies_of(value)] += 1);
        // Sorts by counting: `places` is the range of each number of plies that is left to fill.
        let mut places = [(0, 0); PLIES];
        let mut end = 0;
        for plies in (1..PLIES).rev() {
            let count = counts[plies].min(most - end);
            places[plies] = (end, end + count);
            end += count;
        }
        let mut kept = vec![];
        kept.try_reserve_exact(end)?;
        kept.resize(end, (0, 0));
        for entry in self.entries() {
            let (next, end) = &mut places[plies_of(entry.1)];
            if next < end {
                kept[*next] = entry;
                *next += 1;
            }
        }
        // Entries that were replaced meanwhile leave gaps.
        kept.retain(|&(_, value)| value != 0);
        Ok(kept)
    }

    /// Returns keys and values of all entries.
    fn entries(&self) -> impl Iterator<Item = (u128, u128)> + '_ {
        let buckets = self.buckets.iter().flat_map(|buckets| buckets.iter());
        let entries = buckets.flat_map(|bucket| bucket.chunks_exact(4)).map(|entry| {
            let [low, high, games, plies] =
                [0, 1, 2, 3].map(|at: usize| entry[at].load(Ordering::Relaxed));
            (whole([low ^ games, high ^ plies]), whole([games, plies]))
        });
        entries.filter(|&(_, value)| plies_of(value) > 0)
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

/// Numbers of plies that an entry may have, and zero.
const PLIES: usize = 256;

/// Returns the plies left of a value; 0 if there is no entry.
const fn plies_of(value: u128) -> usize {
    (value >> (64 + PLIES_SHIFT)) as usize
}

/// Returns the number with these halves.
const fn whole([low, high]: [u64; 2]) -> u128 {
    (high as u128) << 64 | low as u128
}

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

    #[test]
    fn the_deepest_entries_fill_another_table() {
        // Spread over so many places that none is taken twice.
        let (table, other) = (CountTable::fitting(1 << 22), CountTable::fitting(1 << 22));
        let key = |at: u64| u128::from(at).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        (1..=200).for_each(|at| table.set(key(at), (at % 9 + 1) as u16, u128::from(at)));
        let kept = table.deepest(50).unwrap();
        let plies: Vec<usize> = kept.iter().map(|&(_, value)| plies_of(value)).collect();
        let mut expected = [9; 22].to_vec();
        expected.extend([8; 22].iter().chain(&[7; 6]));
        assert_eq!(plies, expected);
        kept.iter().for_each(|&(key, value)| other.put(key, value));
        let found = |at: &u64| other.get(key(*at)) == Some(u128::from(*at));
        assert_eq!((1..=200).filter(found).count(), 50);
        assert_eq!(table.deepest(0).unwrap(), []);
        assert!(table.deepest(1 << 40).unwrap().len() <= 200);
    }
}
