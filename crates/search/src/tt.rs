//! Transposition table: results of earlier visits to a position, shared by all workers without a
//! lock.
//!
//! An entry is two words: the data, and the key exclusive-or the data, so that a torn read shows as
//! a wrong key (Robert Hyatt and Timothy Mann, "A lock-less transposition-table implementation",
//! ICGA Journal 2002). Four entries form a bucket of one cache line. The entry of least worth in a
//! bucket is replaced; worth grows with depth and falls with age.

use super::policy::Replacement;
use super::policy::replacement::Slot;
use super::score::{Bound, DECISIVE, MATE, MATE_BOUND, TABLE_WIN, Value};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use umbrail_chess::{Move, Position, Role};
use umbrail_control::{HugePageBuffer, available, prefetch};

const ENTRIES: usize = 4;

/// Stored entry: key exclusive-or data, data.
type Words = [AtomicU64; 2];

/// Word that threads read and write without synchronization. The tests use another implementation,
/// which runs through all interleavings of the threads.
trait Word {
    fn get(&self) -> u64;
    fn put(&self, value: u64);
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn get(&self) -> u64 {
        // Relaxed here and below: words are independent, and the key detects words of two entries.
        self.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn put(&self, value: u64) {
        self.store(value, Ordering::Relaxed);
    }
}

/// Writes an entry; a concurrent reader may see one new and one old word.
#[inline(always)]
fn write<W: Word>(entry: &[W; 2], key: u64, data: u64) {
    entry[0].put(key ^ data);
    entry[1].put(data);
}

/// Returns the data of an entry if both words belong to this key.
#[inline(always)]
fn read<W: Word>(entry: &[W; 2], key: u64) -> Option<u64> {
    let data = entry[1].get();
    (entry[0].get() ^ data == key).then_some(data)
}
/// Entries of one cache line.
type Bucket = [Words; ENTRIES];

/// Transposition table.
pub(super) struct TranspositionTable {
    buckets: HugePageBuffer<Bucket>,
    /// Number of searches, of which the low six bits are stored.
    generation: AtomicU8,
    /// The operating system has provided the memory.
    touched: AtomicBool,
}

/// Smallest page of memory, bytes.
const PAGE_BYTES: usize = 4096;
/// Smallest part of a table that is worth a thread, bytes.
const PART_BYTES: usize = 8 << 20;

impl std::fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TranspositionTable({} buckets)", self.buckets().len())
    }
}

/// Decoded entry of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Best move, if any was found.
    pub best: Option<Move>,
    /// Score for the side to move; mates are counted from this position.
    pub value: Value,
    /// Static evaluation; none when in check.
    pub eval: Option<Value>,
    /// Search depth below the position, plies.
    pub depth: i32,
    /// Bound of the score.
    pub bound: Bound,
    /// True if the position once lay on a principal variation.
    pub pv: bool,
}

const NO_EVAL: i16 = i16::MIN;

impl Entry {
    /// Packs the entry: move 16 · value 16 · eval 16 · depth 7 · pv 1 · bound 2 · generation 6
    /// bits.
    fn pack(&self, generation: u8) -> u64 {
        let eval = self.eval.map_or(NO_EVAL, |eval| eval as i16);
        u64::from(self.best.map_or(0, Move::bits))
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(eval as u16) << 32
            | (self.depth.clamp(0, 127) as u64) << 48
            | u64::from(self.pv) << 55
            | (self.bound as u64) << 56
            | u64::from(generation & 63) << 58
    }

    fn unpack(data: u64) -> Option<Self> {
        let bound = match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let eval = (data >> 32) as u16 as i16;
        Some(Self {
            best: Move::from_bits(data as u16),
            value: Value::from((data >> 16) as u16 as i16),
            eval: (eval != NO_EVAL).then_some(Value::from(eval)),
            depth: (data >> 48 & 127) as i32,
            bound,
            pv: data >> 55 & 1 != 0,
        })
    }
}

/// Converts a score counted from the root into one counted from a node `ply` below the root, for
/// storing.
pub(super) fn score_to_tt(value: Value, ply: usize) -> Value {
    match value {
        v if v > DECISIVE => v + ply as Value,
        v if v < -DECISIVE => v - ply as Value,
        v => v,
    }
}

/// Inverse of [`score_to_tt`] for a node with this fifty-move counter. A mate or a table win that
/// needs more half-moves than the counter leaves is not proved here; it becomes the best score that
/// is not decisive.
pub(super) fn score_from_tt(value: Value, ply: usize, halfmoves: u16) -> Value {
    let unproved = |plies: Value| plies > 100 - Value::from(halfmoves.min(100));
    let won = |v: Value| match v {
        v if v > MATE_BOUND && unproved(MATE - v) => DECISIVE,
        v if v <= MATE_BOUND && unproved(TABLE_WIN - v) => DECISIVE,
        v => v - ply as Value,
    };
    match value {
        v if v > DECISIVE => won(v),
        v if v < -DECISIVE => -won(-v),
        v => v,
    }
}

/// Returns the key of a position in the table. The fifty-move counter enters in steps of eight
/// half-moves from 14 on, so that a score found far from the fifty-move draw is not used close to
/// it.
#[inline]
pub(super) fn table_key(position: &Position) -> u64 {
    position.key() ^ fifty_moves(position.halfmoves())
}

/// Returns the key that [`table_key`] will return after most moves; differs after castling, double
/// steps, en passant and promotions.
#[inline]
pub(super) fn likely_table_key(position: &Position, role: Role, mv: Move) -> u64 {
    let zeroing = role == Role::Pawn || position.is_capture(mv);
    let halfmoves = if zeroing { 0 } else { position.halfmoves() + 1 };
    position.likely_key_after(role, mv) ^ fifty_moves(halfmoves)
}

#[inline]
fn fifty_moves(halfmoves: u16) -> u64 {
    match halfmoves.checked_sub(14) {
        None => 0,
        Some(beyond) => u64::from(beyond / 8 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15),
    }
}

impl TranspositionTable {
    /// Creates a table of `mib` MiB, at least one, and at most the memory that this process may use
    /// for large blocks. If the allocation still fails, the size is halved until it succeeds: a
    /// small table is better than no process.
    pub(super) fn new(mib: usize) -> Self {
        let most = available().map_or(u64::MAX, |left| left.for_blocks() >> 20);
        let most = usize::try_from(most).unwrap_or(usize::MAX).max(1);
        let mut count = (mib.clamp(1, most) << 20) / size_of::<Bucket>();
        let buckets = loop {
            match HugePageBuffer::zeroed(count) {
                Ok(buckets) => break buckets,
                Err(_) if count > 1 => count /= 2,
                Err(why) => panic!("the transposition table {why}"),
            }
        };
        Self { buckets, generation: AtomicU8::new(0), touched: AtomicBool::new(false) }
    }

    /// Makes the operating system provide the memory of the table, on all processors. It would do so
    /// during the first search otherwise, on the clock. Entries stay.
    pub(super) fn touch(&self) {
        if self.touched.swap(true, Ordering::Relaxed) {
            return;
        }
        let buckets = self.buckets();
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let least = PART_BYTES / size_of::<Bucket>();
        let touch = |part: &[Bucket]| {
            for bucket in part.iter().step_by(PAGE_BYTES / size_of::<Bucket>()) {
                // Writes zero over zero: a write, unlike a read, needs a page of its own. A word that
                // is not zero has one.
                let zero = &bucket[0][0];
                let _ = zero.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
            }
        };
        std::thread::scope(|scope| {
            for part in buckets.chunks(buckets.len().div_ceil(processors).max(least)) {
                let work = move || touch(part);
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    touch(part);
                }
            }
        });
    }

    /// Returns the size in MiB.
    pub(super) fn mib(&self) -> usize {
        size_of_val(self.buckets()) >> 20
    }

    fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    #[inline]
    fn line(&self, key: u64) -> &Bucket {
        let buckets = self.buckets();
        &buckets[((u128::from(key) * buckets.len() as u128) >> 64) as usize]
    }

    /// Starts a new search: all entries grow older.
    pub(super) fn next_generation(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// Prefetches the bucket that a later [`TranspositionTable::probe`] will read.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(self.line(key));
    }

    /// Returns the entry of the position with this key.
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        self.line(key).iter().find_map(|entry| Entry::unpack(read(entry, key)?))
    }

    /// Stores an entry; without a best move, the move of an older entry of the position is kept.
    pub(super) fn store(&self, key: u64, mut entry: Entry, policy: Replacement) {
        let generation = self.generation.load(Ordering::Relaxed) & 63;
        let bucket = self.line(key);
        let mut slots = [Slot { empty: true, depth: 0, exact: false, age: 0 }; ENTRIES];
        let mut own = None;
        for (at, [check, data]) in bucket.iter().enumerate() {
            let old = data.load(Ordering::Relaxed);
            let Some(known) = Entry::unpack(old) else { continue };
            let age = i32::from(generation.wrapping_sub((old >> 58) as u8) & 63);
            let exact = known.bound == Bound::Exact;
            slots[at] = Slot { empty: false, depth: known.depth, exact, age };
            if check.load(Ordering::Relaxed) ^ old == key {
                entry.best = entry.best.or(known.best);
                if !policy.overwrites(&slots[at], entry.depth, entry.bound == Bound::Exact) {
                    return;
                }
                own = Some(at);
                break;
            }
        }
        let slot = own.unwrap_or_else(|| policy.victim(&slots));
        let data = entry.pack(generation);
        write(&bucket[slot], key, data);
    }

    /// Returns the occupancy by entries of this search, in thousandths, from a sample.
    pub(super) fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed) & 63;
        let buckets = self.buckets();
        let sample = &buckets[..buckets.len().min(1000 / ENTRIES)];
        let used = sample.iter().flatten().filter(|[_, data]| {
            let data = data.load(Ordering::Relaxed);
            data != 0 && (data >> 58) as u8 == generation
        });
        (used.count() * 1000 / (sample.len() * ENTRIES)) as u32
    }
}

#[cfg(test)]
mod tests;
