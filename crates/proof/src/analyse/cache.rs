//! Cache of analysis across the strategies of one problem; one per worker.

use crate::analyse::pairs::cache::PairCache;
use crate::distance::cache::DistanceCache;

/// Distances, and the results of pairs of pieces, which are keyed by the numbers of distance maps.
#[derive(Default)]
pub(crate) struct AnalysisCache {
    /// Distance maps and the squares of legs.
    pub distances: DistanceCache,
    pub(crate) pairs: PairCache,
}

impl AnalysisCache {
    /// Clears everything if the distances exceed their memory limit, and returns true then. Call
    /// between strategies: numbers of maps that are kept elsewhere are invalid then.
    pub(crate) fn clear_if_full(&mut self) -> bool {
        let full = self.distances.is_full();
        if full {
            *self = Self::default();
        }
        full
    }
}
