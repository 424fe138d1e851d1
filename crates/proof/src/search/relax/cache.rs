//! Caches of relaxation results: owned by one relaxation, or shared by a team.

use crate::problem::piece::PieceMask;
use crate::search::relax::feasibility::{CacheEntry, Feasibility, Slack};
use dashmap::DashMap;
use std::fmt;
use std::hash::BuildHasherDefault;
use std::sync::Arc;
use umbrail_control::{FastHasher, FastMap};

/// Results of one subset of pieces.
type SubsetCache = DashMap<u128, CacheEntry, BuildHasherDefault<FastHasher>>;

/// Results of all subsets, shared by the players of one strategy.
///
/// *Admissible* for every player: an infeasible placement is infeasible whichever player found it,
/// provided that the legs of the pieces have an identical meaning. The key therefore contains the
/// case and its analysis.
#[derive(Clone, Default)]
pub(crate) struct SharedCache(Arc<DashMap<(u64, PieceMask), Arc<SubsetCache>>>);

impl fmt::Debug for SharedCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} caches", self.0.len())
    }
}

impl SharedCache {
    /// Returns the cache of these pieces in a case.
    fn of(&self, case: u64, pieces: PieceMask) -> Arc<SubsetCache> {
        Arc::clone(&self.0.entry((case, pieces)).or_default())
    }
}

/// Cache of one relaxation.
pub(crate) enum ResultCache {
    /// Not shared.
    Own(FastMap<u128, CacheEntry>),
    /// Shared with the team.
    Shared(Arc<SubsetCache>),
}

impl Default for ResultCache {
    fn default() -> Self {
        Self::Own(FastMap::default())
    }
}

impl ResultCache {
    /// Returns the number of placements.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Own(map) => map.len(),
            Self::Shared(shared) => shared.len(),
        }
    }

    /// Drops the cache, or the handle of the team's cache.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Clears the cache if it holds `most` placements, for all players.
    pub(crate) fn trim(&mut self, most: usize) {
        match self {
            Self::Own(map) if map.len() >= most => *map = FastMap::default(),
            Self::Shared(shared) if shared.len() >= most => shared.clear(),
            _ => {}
        }
    }

    /// Shares the results of these pieces from now on.
    pub(crate) fn share(&mut self, shared_cache: &SharedCache, case: u64, pieces: PieceMask) {
        if let Self::Own(own) = self {
            let shared = shared_cache.of(case, pieces);
            for (key, known) in std::mem::take(own) {
                shared.entry(key).or_insert(known);
            }
            *self = Self::Shared(shared);
        }
    }

    /// Returns the result for a placement.
    #[inline]
    pub(crate) fn answer(&self, key: u128, room: Slack, level: u8) -> Option<Feasibility> {
        match self {
            Self::Own(map) => map.get(&key)?.answer(room, level),
            Self::Shared(shared) => shared.get(&key)?.answer(room, level),
        }
    }

    /// Reserves space for more placements in an unshared cache.
    pub(crate) fn reserve(&mut self, more: usize) {
        if let Self::Own(map) = self {
            map.reserve(more);
        }
    }

    /// Adds a result.
    #[inline]
    pub(crate) fn note(&mut self, key: u128, room: Slack, answer: Feasibility) {
        match self {
            Self::Own(map) => map.entry(key).or_insert(CacheEntry::NOTHING).note(room, answer),
            Self::Shared(shared) => {
                shared.entry(key).or_insert(CacheEntry::NOTHING).note(room, answer)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::relax::feasibility::MovesLeft;

    #[test]
    fn the_same_subset_of_the_same_case_shares_its_results() {
        let shared_cache = SharedCache::default();
        let room = MovesLeft { plies: 9, own: [4, 5] }.part([true; 2]).1;
        let [mut one, mut two, mut elsewhere, mut others] =
            [(); 4].map(|()| ResultCache::default());
        one.note(1, room, Feasibility::Infeasible);
        one.share(&shared_cache, 7, PieceMask(3));
        two.share(&shared_cache, 7, PieceMask(3));
        elsewhere.share(&shared_cache, 8, PieceMask(3));
        others.share(&shared_cache, 7, PieceMask(5));
        two.note(2, room, Feasibility::Feasible);
        for (key, answer) in [(1, Feasibility::Infeasible), (2, Feasibility::Feasible)] {
            assert!(one.answer(key, room, 0) == Some(answer));
            assert!(two.answer(key, room, 0) == Some(answer));
            assert!(elsewhere.answer(key, room, 0).is_none());
            assert!(others.answer(key, room, 0).is_none());
        }
        assert_eq!((one.len(), elsewhere.len()), (2, 0));
        one.forget();
        assert_eq!((one.len(), two.len()), (0, 2));
        two.trim(3);
        assert_eq!(two.len(), 2);
        two.trim(2);
        assert_eq!(two.len(), 0);
    }
}
