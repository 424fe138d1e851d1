//! Memory of the needs of armies, shared by all threads without locks.

use super::needs::ArmyNeeds;
use std::sync::atomic::{AtomicU64, Ordering};
use umbrail_control::HugePageBuffer;

/// Entry: both halves of the key, each XORed with the value, and the value (Hyatt and Mann, "A
/// lockless transposition table implementation for parallel search", ICGA Journal 25, 2002). A
/// mixture of two entries has the key of neither.
type MemoEntry = [AtomicU64; 4];

/// Needs by the key of an army. A lost entry costs time only.
#[derive(Debug)]
pub(crate) struct ArmyMemo {
    /// `None` where the system grants no memory: nothing is remembered then.
    entries: Option<HugePageBuffer<MemoEntry>>,
}

impl ArmyMemo {
    /// Creates a memory of at most this many bytes, or a smaller one if memory is short.
    pub(crate) fn new(bytes: u64) -> Self {
        let mut count = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<MemoEntry>();
        loop {
            count = count.max(1);
            match HugePageBuffer::zeroed(count) {
                Ok(entries) => return Self { entries: Some(entries) },
                Err(_) if count > 1 => count /= 2,
                Err(_) => return Self { entries: None },
            }
        }
    }

    /// Returns the needs stored for a key.
    #[inline]
    pub(crate) fn get(&self, key: u128) -> Option<ArmyNeeds> {
        let entry = self.entry(key)?;
        let [low, high] = halves(key);
        // Relaxed: the key is stored with the value mixed in, so no order matters.
        let value = entry[2].load(Ordering::Relaxed);
        let is_same = entry[0].load(Ordering::Relaxed) ^ value == low
            && entry[1].load(Ordering::Relaxed) ^ value == high;
        if is_same { ArmyNeeds::from_bits(value) } else { None }
    }

    /// Stores needs. Another army may lose its entry.
    #[inline]
    pub(crate) fn set(&self, key: u128, needs: ArmyNeeds) {
        let Some(entry) = self.entry(key) else { return };
        let ([low, high], value) = (halves(key), needs.bits());
        entry[0].store(low ^ value, Ordering::Relaxed);
        entry[1].store(high ^ value, Ordering::Relaxed);
        entry[2].store(value, Ordering::Relaxed);
    }

    #[inline]
    fn entry(&self, key: u128) -> Option<&MemoEntry> {
        let entries = self.entries.as_deref()?;
        let at = (u128::from(halves(key)[1]) * entries.len() as u128) >> 64;
        entries.get(at as usize)
    }
}

#[inline]
fn halves(key: u128) -> [u64; 2] {
    [key as u64, (key >> 64) as u64]
}
