//! What the tables of a material take, told before they are built.

use super::Tablebase;
use crate::solver::{Keeps, estimate_bytes};

/// Seconds of one processor for a million positions: measured with `egt stats` under DTM on a shared Intel Xeon, see
/// `docs/measurements/tables.csv`. The seven endgames there took 0.015 to 0.043.
const SECONDS_PER_MILLION: f64 = 0.025;

/// What a build takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildNeeds {
    /// Men of both sides.
    pub men: usize,
    /// One-sided tables that are solved on the way, both of the material among them. Those that their attacker can
    /// never win are not counted.
    pub tables: usize,
    /// Positions of one side to move in all of these tables.
    pub positions: u64,
    /// The most bytes of memory at any time where tables are only counted.
    pub counted_bytes: u64,
    /// The same where all distances are kept.
    pub kept_bytes: u64,
    /// Seconds of one processor, by the measured figure of a position. Several workers share them.
    pub seconds: f64,
}

impl Tablebase {
    /// What building everything that the material needs takes, if nothing is there yet. No table is touched.
    pub fn needs(&mut self) -> BuildNeeds {
        let tops = self.keys();
        let catalog = &self.table_set.catalog;
        let mut members = Vec::new();
        tops.iter().for_each(|key| catalog.collect(key, &mut members));
        members.retain(|key| tops.contains(key) || !catalog.never_wins(key));
        // A word holds 64 positions.
        let positions = members.iter().map(|key| catalog.layout(key).total_words() as u64 * 64);
        let positions: u64 = positions.sum();
        BuildNeeds {
            men: self.request.material.count(),
            tables: members.len(),
            positions,
            counted_bytes: estimate_bytes(catalog, &tops, Keeps::Needed),
            kept_bytes: estimate_bytes(catalog, &tops, Keeps::Everything),
            seconds: positions as f64 / 1e6 * SECONDS_PER_MILLION,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fairy::PieceSet;
    use crate::{Material, Metric, Rules, Tablebase};

    #[test]
    fn needs_grow_with_men_and_are_known_before_anything_is_built() {
        let pieces = PieceSet::default();
        let needs = |name: &str| {
            let material = Material::read(name, &pieces).unwrap();
            Tablebase::empty(&material, &Rules::orthodox(Metric::Dtm), &pieces).unwrap().needs()
        };
        let (three, four, five) = (needs("KQ.K"), needs("KQ.KR"), needs("KQP.KR"));
        assert_eq!((three.men, four.men, five.men), (3, 4, 5));
        assert!(three.positions < four.positions && four.positions < five.positions);
        assert!(four.counted_bytes <= four.kept_bytes && five.counted_bytes > four.counted_bytes);
        // 462 pairs of kings with 64 squares for each of two men, for either winner, and what lies below.
        assert!(four.positions > 2 * 462 * 64 * 64 && four.tables >= 2, "{four:?}");
        assert!(three.seconds < four.seconds && four.seconds < five.seconds);
    }
}
