//! What failed already: a table of positions from which no game is left, shared by all workers.
//!
//! Entries only say "no game of this strategy with at most so many plies"; a lost or overwritten entry
//! costs time and nothing else. A false one would cost a solution, so an entry carries 106 bits of the
//! key besides its place: with 10^12 look-ups of four entries each the chance of a single false hit is
//! below 10^-19.

use std::sync::atomic::{AtomicU64, Ordering};

const WAYS: usize = 4;
const KEY_SHIFT: u32 = 22;

/// Two words: the high half of the key, folded with the data; and the data.
type Entry = [AtomicU64; 2];

const _: () = assert!(size_of::<[Entry; WAYS]>() == 64);

/// A piece of the table: buckets of [`WAYS`] entries, each on a cache line of its own from `start` on.
struct Part {
    entries: Box<[Entry]>,
    start: usize,
}

/// The table of failures. Lock-free; the age in an entry is that of the strategy that wrote it.
///
/// It may lie in several pieces of memory, each position belonging to one of them. The model takes a lock for
/// each of its pieces and needs thousands; here pieces only spread the table over memory.
pub struct Table {
    parts: Box<[Part]>,
    /// Buckets of each part, less one.
    mask: u64,
}

/// The most pieces, as a power of two.
pub const SPLITS_MAX: u8 = 15;

/// Which bits of the key choose the part: above those that choose the bucket in any real memory, and below
/// those that an entry keeps twice.
const PART_SHIFT: u32 = 40;

impl Table {
    /// A table of at most so many MiB, rounded down to a power of two; nothing at all for 0.
    pub fn new(mib: usize) -> Self {
        Self::split(mib, 0)
    }

    /// The same in pieces, so many as this power of two says, or fewer when each would be less than a bucket.
    pub fn split(mib: usize, exponent: u8) -> Self {
        if mib == 0 {
            return Self { parts: Box::default(), mask: 0 };
        }
        let count = (mib << 20) / size_of::<[Entry; WAYS]>();
        let exponent = u32::from(exponent.min(SPLITS_MAX)).min(count.ilog2());
        let count = 1usize << (count.ilog2() - exponent);
        // Zeroed pages come from the system as they are needed, so a large table costs no time here;
        // that holds for plain words only, and one line more leaves room to begin at a cache line.
        let part = |_| {
            let entries: Box<[Entry]> = bytemuck::allocation::zeroed_slice_box((count + 1) * WAYS);
            let astray = entries.as_ptr().addr() / size_of::<Entry>() % WAYS;
            Part { entries, start: (WAYS - astray) % WAYS }
        };
        Self { parts: (0..1usize << exponent).map(part).collect(), mask: count as u64 - 1 }
    }

    /// How many pieces it lies in.
    pub const fn parts(&self) -> usize {
        self.parts.len()
    }

    /// How many entries it has.
    pub const fn entries(&self) -> usize {
        self.parts.len() * (self.mask as usize + 1) * WAYS
    }

    /// How full it is, in thousandths, by a sample of about a thousand buckets.
    pub fn fullness(&self) -> u64 {
        let each = (1000 / self.parts.len().max(1)).max(1) * WAYS;
        let (mut used, mut seen) = (0, 0);
        for part in self.parts.iter().take(1000) {
            let end = part.entries.len().min(part.start + each);
            let sample = &part.entries[part.start..end];
            used += sample.iter().filter(|entry| entry[1].load(Ordering::Relaxed) != 0).count();
            seen += sample.len();
        }
        (1000 * used / seen.max(1)) as u64
    }

    /// With how many plies left this position is known to fail.
    #[inline]
    pub fn probe(&self, key: u128) -> Option<u8> {
        let bucket = self.bucket(key)?;
        let high = (key >> 64) as u64;
        // Relaxed: the two words of an entry vouch for each other, a torn pair matches no key.
        bucket.iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            let same = check.load(Ordering::Relaxed) ^ data == high
                && data >> KEY_SHIFT == (key as u64) >> KEY_SHIFT
                && data != 0;
            same.then_some(data as u8)
        })
    }

    /// Notes that the position fails with `left` plies; `effort` is the logarithm of the moves this took,
    /// `age` the strategy.
    pub fn store(&self, key: u128, left: u8, effort: u32, age: u8) {
        let Some(bucket) = self.bucket(key) else { return };
        let high = (key >> 64) as u64;
        let upper = (key as u64) >> KEY_SHIFT << KEY_SHIFT;
        let data = upper | u64::from(effort.min(63)) << 16 | u64::from(age) << 8 | u64::from(left);
        let worth = |[check, old]: &Entry| {
            let old = old.load(Ordering::Relaxed);
            if old == 0
                || (check.load(Ordering::Relaxed) ^ old == high
                    && old & !0 >> KEY_SHIFT << KEY_SHIFT == upper)
            {
                return 0;
            }
            let current = u64::from(old >> 8 & 255 == u64::from(age));
            1 + (current << 8 | (old >> 16 & 63))
        };
        let Some([check, old]) = bucket.iter().min_by_key(|entry| worth(entry)) else { return };
        old.store(data, Ordering::Relaxed);
        check.store(high ^ data, Ordering::Relaxed);
    }

    /// Brings a position's entries near, so that a probe a little later need not wait.
    #[inline]
    pub fn prefetch(&self, key: u128) {
        #[cfg(target_arch = "x86_64")]
        if let Some(bucket) = self.bucket(key) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: prefetching is allowed for any address, and SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(bucket).cast()) };
        }
    }

    #[inline]
    fn bucket(&self, key: u128) -> Option<&[Entry]> {
        let part = (key as u64 >> PART_SHIFT) as usize & self.parts.len().wrapping_sub(1);
        let part = self.parts.get(part)?;
        let at = part.start + ((key as u64) & self.mask) as usize * WAYS;
        part.entries.get(at..at + WAYS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = Table::new(1);
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
        // A neighbour that differs in one bit is another position. (A table as small as this one makes no
        // use of the eight bits between place and check.)
        let bits = (0..14).chain(KEY_SHIFT..128);
        assert!(bits.into_iter().all(|bit| table.probe(key(77) ^ 1 << bit).is_none()));
    }

    #[test]
    fn old_and_small_entries_go_first() {
        let table = Table::new(1);
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
        let (whole, split) = (Table::new(1), Table::split(1, 8));
        assert_eq!((whole.parts(), split.parts()), (1, 256));
        assert_eq!(whole.entries(), split.entries());
        assert_eq!(Table::split(1, 99).parts(), 1 << 14, "a bucket for each piece at least");
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
    fn no_table_remembers_nothing() {
        let table = Table::new(0);
        table.store(1, 1, 1, 1);
        assert_eq!(table.probe(1), None);
    }
}
