//! Cache of distance maps with obstacles (rule B1).

use crate::distance::cache::DistanceCache;
use crate::distance::map::DistanceMap;
use umbrail_chess::geometry::Bitboard;
use umbrail_control::FastMap;

/// Entries of the direct-mapped front of the map cache. With a hundred thousand maps most of the
/// hash table lies outside the processor's caches.
const LATEST: usize = 1 << 12;

/// Cache of distance maps measured with finished pieces as obstacles.
#[derive(Default)]
pub(crate) struct BlockedMaps {
    numbers: FastMap<(u32, Bitboard), u32>,
    fields: Vec<DistanceMap>,
    /// Front of the cache, by a hash of the first two: map, blocked squares, number of the blocked
    /// map.
    latest: Vec<(u32, u32, Bitboard)>,
}

impl BlockedMaps {
    /// Returns the number of a map with these squares blocked.
    #[inline]
    pub(crate) fn number(
        &mut self,
        distances: &DistanceCache,
        map_id: u32,
        blocked: Bitboard,
    ) -> u32 {
        let mixed = (blocked.0 ^ u64::from(map_id) << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = (mixed >> (64 - LATEST.ilog2())) as usize;
        match self.latest.get(place) {
            Some(&(known, number, squares)) if (known, squares) == (map_id, blocked) => number,
            _ => self.look_up(distances, map_id, blocked, place),
        }
    }

    /// Looks the number up in the whole cache; the result replaces the front entry.
    #[inline(never)]
    fn look_up(
        &mut self,
        distances: &DistanceCache,
        map_id: u32,
        blocked: Bitboard,
        place: usize,
    ) -> u32 {
        let fields = &mut self.fields;
        let number = *self.numbers.entry((map_id, blocked)).or_insert_with(|| {
            fields.push(if blocked.is_empty() {
                distances.get(map_id).clone()
            } else {
                distances.blocked(map_id, blocked)
            });
            fields.len() as u32 - 1
        });
        if self.latest.is_empty() {
            self.latest = vec![(u32::MAX, 0, Bitboard::EMPTY); LATEST];
        }
        self.latest[place] = (map_id, number, blocked);
        number
    }

    /// Returns the map with a number.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &DistanceMap {
        &self.fields[number as usize]
    }

    /// Clears the cache when it is very large. Call only between strategies.
    pub(crate) fn trim(&mut self) {
        if self.fields.len() > 300_000 {
            *self = Self::default();
        }
    }

    /// Clears the cache. Call together with clearing the distances.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}
