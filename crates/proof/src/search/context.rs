//! Data of one strategy that every step of its search uses.

use crate::distance::cache::DistanceCache;
use crate::problem::Length;
use crate::rules::{Rule, Rules};
use crate::search::blocked_maps::BlockedMaps;
use crate::search::state::script::Script;
use umbrail_chess::geometry::Bitboard;
use umbrail_control::Cancel;

/// Enabled blockade rules.
#[derive(Clone, Copy)]
pub(crate) struct Blockade {
    /// B1: finished pieces are obstacles.
    pub(crate) on: bool,
    /// B2: all detours are summed.
    pub(crate) sum: bool,
}

impl Blockade {
    /// Returns the blockade rules among the enabled rules.
    pub(crate) const fn of(rules: Rules) -> Self {
        Self { on: rules.has(Rule::FinishedMen), sum: rules.has(Rule::FinishedMenSum) }
    }
}

/// Strategy and distances of a search, with the cache of distance maps.
pub(crate) struct SearchContext<'a> {
    pub(crate) script: &'a Script,
    pub(crate) distances: &'a DistanceCache,
    pub(crate) blocked_maps: &'a mut BlockedMaps,
    pub(crate) blockade: Blockade,
    pub(crate) length: Length,
    /// Cancels the search and all its tests.
    pub(crate) cancel: &'a Cancel,
}

impl SearchContext<'_> {
    /// Returns the number of a map with these squares blocked.
    #[inline]
    pub(crate) fn blocked_map(&mut self, map_id: u32, blocked: Bitboard) -> u32 {
        self.blocked_maps.number(self.distances, map_id, blocked)
    }
}
