//! Estimates of time and memory of a material's tables before they are built.

use super::Tablebase;
use crate::solver::{Keeps, estimate_bytes};

/// Seconds of one processor for a million positions: measured with `egt stats` under DTM on a
/// shared Intel Xeon, see `docs/measurements/tables.csv`. The seven endgames there took 0.015 to
/// 0.043.
const SECONDS_PER_MILLION: f64 = 0.025;

/// Resources needed for a build.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildNeeds {
    /// Number of pieces of both sides.
    pub pieces: usize,
    /// Number of one-sided tables to solve, both of the material included. Tables that their
    /// attacker can never win are not counted.
    pub tables: usize,
    /// Positions of one side to move in all of these tables.
    pub positions: u64,
    /// Peak memory in bytes when tables are only counted.
    pub counted_bytes: u64,
    /// Peak memory in bytes when all distances are retained.
    pub kept_bytes: u64,
    /// Least peak memory in bytes when the tables of the material itself are built on disk, in a
    /// folder; none when they cannot be.
    pub paged_bytes: Option<u64>,
    /// Seconds of one processor, from the measured time per position. Several workers share them.
    pub seconds: f64,
}

impl Tablebase {
    /// Estimates the resources for everything that the material needs, if nothing is built yet.
    /// Tables are not touched.
    pub fn needs(&mut self) -> BuildNeeds {
        let tops = self.keys();
        let catalog = &self.table_set.catalog;
        let mut members = Vec::new();
        tops.iter().for_each(|key| catalog.collect(key, &mut members));
        members.retain(|key| tops.contains(key) || !catalog.never_wins(key));
        // A word holds 64 positions.
        let positions = members.iter().map(|key| catalog.layout(key).total_words() as u64 * 64);
        let positions: u64 = positions.sum();
        let counted_bytes = estimate_bytes(catalog, &tops, Keeps::Needed, None);
        let paged_bytes = estimate_bytes(catalog, &tops, Keeps::NeededOfWhole, Some(0));
        BuildNeeds {
            pieces: self.request.material.count(),
            tables: members.len(),
            positions,
            counted_bytes,
            kept_bytes: estimate_bytes(catalog, &tops, Keeps::Everything, None),
            paged_bytes: Some(paged_bytes).filter(|&bytes| bytes < counted_bytes),
            seconds: positions as f64 / 1e6 * SECONDS_PER_MILLION,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fairy::PieceSet;
    use crate::{Material, Metric, Rules, Tablebase};

    #[test]
    fn needs_grow_with_pieces_and_are_known_before_anything_is_built() {
        let pieces = PieceSet::default();
        let needs = |name: &str| {
            let material = Material::read(name, &pieces).unwrap();
            Tablebase::empty(&material, &Rules::orthodox(Metric::Dtm), &pieces).unwrap().needs()
        };
        let (three, four, five) = (needs("KQ.K"), needs("KQ.KR"), needs("KQP.KR"));
        assert_eq!((three.pieces, four.pieces, five.pieces), (3, 4, 5));
        assert!(three.positions < four.positions && four.positions < five.positions);
        assert!(four.counted_bytes <= four.kept_bytes && five.counted_bytes > four.counted_bytes);
        // 462 pairs of kings with 64 squares for each of two pieces, for either winner, and their
        // sub-endings.
        assert!(four.positions > 2 * 462 * 64 * 64 && four.tables >= 2, "{four:?}");
        assert!(three.seconds < four.seconds && four.seconds < five.seconds);
    }
}
