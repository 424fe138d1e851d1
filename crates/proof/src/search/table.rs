//! Refutation table: positions without a remaining game, shared by all workers.
//!
//! An entry only states "no game of this strategy with at most this number of plies"; a lost or
//! overwritten entry costs only time. A false entry would cost a solution, so an entry carries 106
//! bits of the key besides its index. With 10^12 look-ups of four entries each, the chance of a
//! single false hit is below 10^-19.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use umbrail_control::{Cancel, DeferredDrop, HugePageBuffer, available, prefetch};

const WAYS: usize = 4;
const KEY_SHIFT: u32 = 22;

/// Two words: the high half of the key, XORed with the data; and the data.
type TableEntry = [AtomicU64; 2];

const _: () = assert!(size_of::<[TableEntry; WAYS]>() == 64);

/// Entries of a position: a cache line.
type Bucket = [TableEntry; WAYS];

/// Lock-free refutation table; the age in an entry is that of the strategy that wrote it.
///
/// It may consist of several parts of memory; each position belongs to one of them. Stelvio takes
/// a lock for each of its parts and needs thousands; here parts only spread the table over
/// memory.
///
/// Most strategies are small, and their positions are found faster when they lie close together.
/// Only a corner of the table is therefore used until entries of one strategy replace each other;
/// then the corner grows.
pub struct RefutationTable {
    /// Freed on another thread, so that a result does not wait for it.
    parts: DeferredDrop<Box<[HugePageBuffer<Bucket>]>>,
    /// Initial buckets of each part, minus one. Below this size the low half of a key selects the
    /// bucket, above it the high half, of which an entry keeps every bit; entries can therefore
    /// move when the table grows.
    corner: u64,
    /// Buckets in use of each part, minus one.
    mask: AtomicU64,
    /// Buckets of each part, minus one.
    full: u64,
    /// Sampled number of entries that replaced others of their own strategy since the table grew.
    crowding: AtomicU64,
    growing: AtomicBool,
    /// Stops the growth of the table when raised.
    cancel: Cancel,
}

/// Initial number of buckets, in all parts together: 16 MiB.
const CORNER: u64 = 1 << 18;

/// Growth step of the table, as a power of two.
const GROWTH: u32 = 4;

/// Sampling interval of replacing entries.
const SAMPLE: u64 = 64;

/// Number of buckets moved between two polls of the stop signal.
const STOP_PERIOD: u64 = 1 << 10;

/// Maximum size of a table in MiB; more than any processor can address.
const MIB_MAX: usize = 1 << 36;

/// Maximum number of parts, as a power of two.
pub const SPLITS_MAX: u8 = 15;

/// Lowest key bit that selects the part: above those that select the bucket in any real memory,
/// and below those that an entry keeps twice.
const PART_SHIFT: u32 = 40;

impl RefutationTable {
    /// Creates a table of at most `mib` MiB, rounded down to a power of two; an empty one for 0.
    pub fn new(mib: usize) -> Self {
        Self::split(mib, 0)
    }

    /// Creates the table of a run in `1 << splits` parts: `wanted` bytes, or as large as memory
    /// allows.
    pub(crate) fn fitting(wanted: u64, splits: u8, cancel: &Cancel) -> Self {
        let most = available().map(|left| left.for_blocks());
        Self::within(wanted, most, splits, cancel)
    }

    /// Returns the bytes that a run requires for its table, and the actual bytes, if the table is
    /// smaller.
    pub(crate) fn shortfall(&self, wanted: u64) -> Option<(u64, u64)> {
        let granted = self.bytes();
        (granted < Self::bytes_for(wanted)).then_some((wanted, granted))
    }

    /// Creates the largest table of at most `wanted` bytes (and at least 1 MiB) that fits into
    /// `available` bytes, if that figure is known, and that the system grants. Without any memory
    /// the table is empty, and everything takes longer.
    fn within(wanted: u64, available: Option<u64>, exponent: u8, cancel: &Cancel) -> Self {
        let most = wanted.min(available.unwrap_or(u64::MAX)) >> 20;
        let mut mib = usize::try_from(most).unwrap_or(usize::MAX).clamp(1, MIB_MAX);
        loop {
            let table = Self::split(mib, exponent);
            if table.entries() > 0 || mib == 1 {
                return Self { cancel: cancel.clone(), ..table };
            }
            mib /= 2;
        }
    }

    /// Returns the bytes of a table of at most `wanted` bytes, regardless of available memory.
    fn bytes_for(wanted: u64) -> u64 {
        1 << wanted.clamp(1 << 20, (MIB_MAX as u64) << 20).ilog2()
    }

    /// Returns the size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.entries() * size_of::<TableEntry>()) as u64
    }

    /// Creates a table in `1 << exponent` parts, or fewer if each would be less than a bucket.
    pub(crate) fn split(mib: usize, exponent: u8) -> Self {
        let count = (mib << 20) / size_of::<Bucket>();
        let exponent = u32::from(exponent.min(SPLITS_MAX)).min(count.max(1).ilog2());
        let count = 1usize << (count.max(1).ilog2() - exponent);
        let pieces = if mib == 0 { 0 } else { 1usize << exponent };
        let parts: Result<_, _> = (0..pieces).map(|_| HugePageBuffer::zeroed(count)).collect();
        let full = count as u64 - 1;
        let corner = full.min((CORNER >> exponent).max(1) - 1);
        Self {
            parts: DeferredDrop::new(parts.unwrap_or_default()),
            corner,
            mask: AtomicU64::new(corner),
            full,
            crowding: AtomicU64::new(0),
            growing: AtomicBool::new(false),
            cancel: Cancel::default(),
        }
    }

    /// Returns the number of entries.
    pub(crate) fn entries(&self) -> usize {
        self.parts.len() * (self.full as usize + 1) * WAYS
    }

    /// Returns the fill level in thousandths, from a sample of about a thousand buckets.
    pub(crate) fn fullness(&self) -> u64 {
        let each = (1000 / self.parts.len().max(1)).max(1);
        let (mut used, mut seen) = (0, 0);
        let share = (self.mask() + 1) as f64 / (self.full + 1) as f64;
        for part in self.parts.iter().take(1000) {
            let sample = part.iter().take(each.min(self.mask() as usize + 1)).flatten();
            for entry in sample {
                used += usize::from(entry[1].load(Ordering::Relaxed) != 0);
                seen += 1;
            }
        }
        (1000.0 * share * used as f64 / f64::from(seen.max(1))) as u64
    }

    #[inline]
    fn mask(&self) -> u64 {
        // Relaxed: a thread that still uses the smaller mask finds fewer entries.
        self.mask.load(Ordering::Relaxed)
    }

    /// Counts an entry that replaced another of its strategy. When that has happened once for each
    /// bucket, the table grows.
    #[cold]
    fn crowd(&self, key: u128) {
        let mask = self.mask();
        // Bits that select no bucket.
        if mask >= self.full || !((key >> 64) as u64).is_multiple_of(SAMPLE) {
            return;
        }
        let buckets = (mask + 1) * self.parts.len() as u64;
        let crowded = self.crowding.fetch_add(1, Ordering::Relaxed) >= buckets / SAMPLE;
        if crowded && !self.growing.swap(true, Ordering::Acquire) {
            if self.mask() == mask {
                self.grow(mask, (((mask + 1) << GROWTH) - 1).min(self.full));
            }
            self.crowding.store(0, Ordering::Relaxed);
            self.growing.store(false, Ordering::Release);
        }
    }

    /// Moves all entries to their new buckets when the mask grows, while other threads continue.
    /// Entries stored meanwhile may not be found again.
    fn grow(&self, from: u64, to: u64) {
        for part in self.parts.iter() {
            for (at, bucket) in (0..=from).zip(part.iter()) {
                if at.is_multiple_of(STOP_PERIOD) && self.cancel.is_raised() {
                    return;
                }
                for [check, data] in bucket {
                    let word = data.load(Ordering::Relaxed);
                    let high = check.load(Ordering::Relaxed) ^ word;
                    let place = at | high & to & !from;
                    if word == 0 || place == at {
                        continue;
                    }
                    let Some(new) = part.get(place as usize) else { continue };
                    let Some(free) = new.iter().find(|new| new[1].load(Ordering::Relaxed) == 0)
                    else {
                        continue;
                    };
                    data.store(0, Ordering::Relaxed);
                    free[1].store(word, Ordering::Relaxed);
                    free[0].store(high ^ word, Ordering::Relaxed);
                }
            }
        }
        self.mask.store(to, Ordering::Relaxed);
    }

    /// Returns the number of plies with which this position is known to fail.
    #[inline]
    pub(crate) fn probe(&self, key: u128) -> Option<u8> {
        let bucket = self.bucket(key)?;
        let high = (key >> 64) as u64;
        // Relaxed: the two words of an entry validate each other; a torn pair matches no key.
        bucket.iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            let same = check.load(Ordering::Relaxed) ^ data == high
                && data >> KEY_SHIFT == (key as u64) >> KEY_SHIFT
                && data != 0;
            same.then_some(data as u8)
        })
    }

    /// Records that the position fails with `left` plies. `effort` is the logarithm of the moves
    /// that this took, `age` the strategy.
    pub(crate) fn store(&self, key: u128, left: u8, effort: u32, age: u8) {
        let Some(bucket) = self.bucket(key) else { return };
        let high = (key >> 64) as u64;
        let upper = (key as u64) >> KEY_SHIFT << KEY_SHIFT;
        let data = upper | u64::from(effort.min(63)) << 16 | u64::from(age) << 8 | u64::from(left);
        let worth = |[check, old]: &TableEntry| {
            let old = old.load(Ordering::Relaxed);
            if old == 0
                || (check.load(Ordering::Relaxed) ^ old == high
                    && old & !0 >> KEY_SHIFT << KEY_SHIFT == upper)
            {
                return 0;
            }
            1 + (u64::from(old >> 8 & 255 == u64::from(age)) << 8 | (old >> 16 & 63))
        };
        let Some((least, [check, old])) =
            bucket.iter().map(|entry| (worth(entry), entry)).min_by_key(|(worth, _)| *worth)
        else {
            return;
        };
        if least > 256 {
            self.crowd(key);
        }
        old.store(data, Ordering::Relaxed);
        check.store(high ^ data, Ordering::Relaxed);
    }

    /// Prefetches a position's entries for a later probe.
    #[inline]
    pub(crate) fn prefetch(&self, key: u128) {
        if let Some(bucket) = self.bucket(key) {
            prefetch(bucket);
        }
    }

    #[inline]
    fn bucket(&self, key: u128) -> Option<&Bucket> {
        let part = (key as u64 >> PART_SHIFT) as usize & self.parts.len().wrapping_sub(1);
        let place = key as u64 & self.corner | (key >> 64) as u64 & !self.corner & self.mask();
        self.parts.get(part)?.get(place as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = RefutationTable::new(1);
        assert_eq!(table.entries(), 65536);
        let key = |i: u128| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        for i in 0..10_000 {
            table.store(key(i), (i % 200) as u8 + 1, 3, 1);
        }
        let hits = (0..10_000).filter(|&i| table.probe(key(i)).is_some()).count();
        assert!(hits > 9_900, "{hits}");
        for i in 0..10_000 {
            assert!(table.probe(key(i)).is_none_or(|left| left == (i % 200) as u8 + 1));
        }
        assert!((10_000..20_000).all(|i| table.probe(key(i)).is_none()));
        // A neighbor that differs in one bit is another position. (A table as small as this one
        // does not use the eight bits between index and check.)
        let bits = (0..14).chain(KEY_SHIFT..128);
        assert!(bits.into_iter().all(|bit| table.probe(key(77) ^ 1 << bit).is_none()));
    }

    #[test]
    fn old_and_small_entries_go_first() {
        let table = RefutationTable::new(1);
        let place = |i: u128| 5 | (i + 1) << 70;
        (0..4).for_each(|i| table.store(place(i), 9, 10 + i as u32, 1));
        table.store(place(4), 9, 1, 1);
        assert_eq!(table.probe(place(0)), None);
        assert_eq!(table.probe(place(3)), Some(9));
        table.store(place(5), 9, 1, 2);
        table.store(place(6), 9, 1, 2);
        assert!(table.probe(place(5)).is_some() && table.probe(place(6)).is_some());
    }

    #[test]
    fn a_table_in_pieces_is_as_large_and_remembers_as_much() {
        let (whole, split) = (RefutationTable::new(1), RefutationTable::split(1, 8));
        assert_eq!((whole.parts.len(), split.parts.len()), (1, 256));
        assert_eq!(whole.entries(), split.entries());
        assert_eq!(
            RefutationTable::split(1, 99).parts.len(),
            1 << 14,
            "a bucket for each piece at least"
        );
        let key = |i: u128| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        for i in 0..10_000 {
            split.store(key(i), (i % 200) as u8 + 1, 3, 1);
        }
        let hits = (0..10_000).filter(|&i| split.probe(key(i)).is_some()).count();
        assert!(hits > 9_900, "{hits}");
        assert!((10_000..20_000).all(|i| split.probe(key(i)).is_none()));
        assert!(split.fullness() > 50);
    }

    #[test]
    fn a_table_grows_when_a_strategy_needs_room_and_only_then() {
        let table = RefutationTable::new(64);
        let key = |i: u128| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        // Many small strategies replace each other's entries.
        for i in 0..2_000_000 {
            table.store(key(i), 9, 3, (i / 5_000) as u8);
        }
        assert_eq!(table.mask() + 1, CORNER);
        assert!(table.fullness() <= 250);
        let mut before = 0;
        for i in 0..3_000_000 {
            let hits = || (0..i).step_by(100).filter(|&i| table.probe(key(i)).is_some()).count();
            if i % 100_000 == 0 && table.mask() + 1 == CORNER {
                before = hits();
            } else if before > 0 && table.mask() + 1 > CORNER {
                assert!(hits() >= before, "what was known still is");
                before = 0;
            }
            table.store(key(i), 9, 3, 1);
        }
        assert_eq!(table.mask(), table.full);
        let hits = (2_000_000..3_000_000).filter(|&i| table.probe(key(i)).is_some()).count();
        assert!(hits > 900_000, "{hits}");
        assert!(table.fullness() > 300);
    }

    #[test]
    fn a_table_that_cannot_be_had_is_a_smaller_one() {
        let cancel = Cancel::default();
        let fitting = |wanted, available| RefutationTable::within(wanted, available, 0, &cancel);
        assert_eq!(fitting(8 << 20, Some(5 << 20)).bytes(), 4 << 20);
        assert_eq!(fitting(7 << 20, None).bytes(), RefutationTable::bytes_for(7 << 20));
        assert_eq!(RefutationTable::bytes_for(7 << 20), 4 << 20);
        // No system grants an exbibyte.
        let most = fitting(1 << 60, None);
        assert!(most.bytes() >= 1 << 20 && most.bytes() < 1 << 60, "{}", most.bytes());
        assert_eq!(fitting(1 << 60, Some(0)).bytes(), 1 << 20, "the least there is");
    }

    #[test]
    fn no_table_remembers_nothing() {
        let table = RefutationTable::new(0);
        table.store(1, 1, 1, 1);
        assert_eq!(table.probe(1), None);
    }
}
