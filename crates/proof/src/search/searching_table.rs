//! Positions that players of one case are searching, so that each defers positions that another
//! searches.
//!
//! A player that reaches a position that another one is searching tries other moves first; when it
//! returns, the table usually holds the result (ABDADA, J.-C. Weill 1996, with the marks apart from
//! the table as in T. Kerrigan's simplified version).

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of entries; a position replaces another one with its index.
const ENTRIES: usize = 1 << 12;

/// Multiplier that separates entries of one position with different plies left.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Marks of searched positions. *Admissible* whatever their content: only the order of moves
/// depends on them.
#[derive(Clone)]
pub(crate) struct SearchingTable(Arc<[AtomicU64]>);

impl Default for SearchingTable {
    fn default() -> Self {
        Self((0..ENTRIES).map(|_| AtomicU64::new(0)).collect())
    }
}

impl fmt::Debug for SearchingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let taken = self.0.iter().filter(|place| place.load(Ordering::Relaxed) != 0).count();
        write!(f, "{taken} positions")
    }
}

impl SearchingTable {
    /// Returns the entry of a position with this number of plies left, and its mark. Relaxed, here
    /// and below: a stale mark only makes two players search one position for a while.
    fn of(&self, key: u128, left: u16) -> (&AtomicU64, u64) {
        let word = key as u64 ^ u64::from(left).wrapping_mul(SPREAD) | 1;
        (&self.0[(word >> 1) as usize % ENTRIES], word)
    }

    /// Marks a position whose search begins.
    #[inline]
    pub(crate) fn enter(&self, key: u128, left: u16) {
        let (place, word) = self.of(key, left);
        place.store(word, Ordering::Relaxed);
    }

    /// Removes the mark of a position whose search ends.
    #[inline]
    pub(crate) fn leave(&self, key: u128, left: u16) {
        let (place, word) = self.of(key, left);
        if place.load(Ordering::Relaxed) == word {
            place.store(0, Ordering::Relaxed);
        }
    }

    /// Returns true if a player is searching a position.
    #[inline]
    pub(crate) fn is_searching(&self, key: u128, left: u16) -> bool {
        let (place, word) = self.of(key, left);
        place.load(Ordering::Relaxed) == word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_marked_while_it_is_searched() {
        let searching = SearchingTable::default();
        let others = searching.clone();
        assert!(!others.is_searching(0, 0), "no marks yet");
        searching.enter(7, 9);
        assert!(others.is_searching(7, 9));
        assert!(!others.is_searching(7, 8), "with fewer plies it is another matter");
        // Another position with this index.
        let twin = 7 | 1 << 40;
        others.enter(twin, 9);
        assert!(searching.is_searching(twin, 9) && !searching.is_searching(7, 9));
        searching.leave(7, 9);
        assert!(others.is_searching(twin, 9), "that one is not his");
        others.leave(twin, 9);
        assert!(!searching.is_searching(twin, 9));
    }
}
