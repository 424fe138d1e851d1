//! What the answers to the tasks of one layer say together, and what workers tell of patterns.

use crate::problem::man::MenSet;
use crate::search::layers::step::StepResult;
use crate::search::layers::variety::Variety;
use crate::search::learn::tally::PatternTally;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Parts of a layer that is not large, with few helpers and with many: four for each. Some tasks take several times as long as
/// others, and the next layer waits for the last one; but the number of pieces grows with the square of that of parts.
const PARTS: (u64, u64) = (128, 400);
const PARTS_FOR_EACH: u64 = 4;

/// Positions of a part of a layer that is large.
const LARGE_PART: u64 = 40_000;

/// For how many helpers parts are as small as they are meant to be, and how many times smaller they are for many.
const FEW: u64 = 4;
const SMALLER: u64 = 8;

/// Parts of a layer at most.
const PARTS_MAX: u64 = 2_048;

/// Patterns that are advised.
const ADVISED_MAX: usize = 8;

/// Positions of one part of a layer that were reached from one part of the layer before.
#[derive(Clone)]
pub(crate) struct LayerPiece {
    /// The part of the layer before.
    pub(crate) from: usize,
    /// The rows, packed.
    pub(crate) rows: Arc<[u8]>,
}

/// A position: half-moves played, and its row.
pub(crate) type LayerPosition = (u16, Vec<u8>);

/// Positions where a game may end, each with the parts of the layer before from which it was reached.
pub(crate) type Ends = BTreeMap<LayerPosition, BTreeSet<usize>>;

/// What a layer leads to.
#[derive(Default)]
pub(crate) struct Reached {
    /// By part.
    pub(crate) pieces: Vec<Vec<LayerPiece>>,
    pub(crate) rows: u64,
    pub(crate) ends: Ends,
    pub(crate) variety: Variety,
    pub(crate) refuted: bool,
}

impl Reached {
    /// Adds what one part of the layer leads to.
    pub(crate) fn add(&mut self, from: usize, result: StepResult) {
        self.variety.join(&result.variety);
        self.rows += result.rows;
        self.refuted |= result.refuted;
        for end in result.ends {
            self.ends.entry(end).or_default().insert(from);
        }
        self.pieces.resize_with(result.pieces.len(), Vec::new);
        for (part, piece) in self.pieces.iter_mut().zip(result.pieces) {
            if !piece.is_empty() {
                part.push(LayerPiece { from, rows: piece.into() });
            }
        }
    }
}

/// The number of parts of a layer with `rows` expected positions. With few helpers a part has about `part` positions.
pub(crate) fn parts_for(rows: u64, part: u64, helpers: usize) -> u32 {
    let helpers = helpers as u64;
    let part = part / (helpers / FEW).clamp(1, SMALLER);
    let most = helpers.saturating_mul(PARTS_FOR_EACH).clamp(PARTS.0, PARTS.1);
    (rows / part.max(1)).clamp(1, most).max((rows / LARGE_PART).min(PARTS_MAX)) as u32
}

/// How often patterns refuted positions, as all workers tell.
#[derive(Default)]
pub(crate) struct PatternsHeard {
    /// By men.
    sums: BTreeMap<u32, PatternTally>,
}

impl PatternsHeard {
    /// Notes what a worker tells.
    pub(crate) fn note(&mut self, patterns: &[(MenSet, PatternTally)]) {
        for &(men, tally) in patterns {
            let sum = self.sums.entry(men.0).or_default();
            *sum = sum.added(tally);
        }
    }

    /// The next layer begins: what was told of the layers before counts half as much.
    pub(crate) fn age(&mut self) {
        self.sums.values_mut().for_each(|tally| *tally = tally.halved());
    }

    /// The patterns that refuted most for their effort, these first.
    pub(crate) fn best(&self) -> Vec<MenSet> {
        let rated = self.sums.iter().filter_map(|(&men, tally)| Some((tally.rate()?, men)));
        let mut patterns: Vec<(u64, u32)> = rated.collect();
        patterns.sort_unstable_by(|one, other| other.cmp(one));
        patterns.into_iter().take(ADVISED_MAX).map(|(_, men)| MenSet(men)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::parts_for;

    #[test]
    fn many_helpers_get_more_and_smaller_parts() {
        assert_eq!([0, 3_999, 8_000, 80_000].map(|rows| parts_for(rows, 4_000, 4)), [1, 1, 2, 20]);
        assert_eq!(
            [0, 3_999, 8_000, 80_000].map(|rows| parts_for(rows, 4_000, 100)),
            [1, 7, 16, 160]
        );
        assert_eq!(
            [4, 50, 1_000].map(|helpers| parts_for(2_000_000, 4_000, helpers)),
            [128, 200, 400]
        );
        // A large layer is divided by its size.
        assert_eq!([0, 1_000].map(|helpers| parts_for(40_000_000, 4_000, helpers)), [1_000, 1_000]);
        assert_eq!(parts_for(u64::MAX, 4_000, usize::MAX), 2_048);
    }
}
