//! What the answers to the tasks of one layer say together, and what workers tell of patterns.

use crate::problem::man::MenSet;
use crate::search::layers::step::StepResult;
use crate::search::layers::variety::Variety;
use crate::search::learn::active_patterns::PATTERNS_MAX;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Parts of a layer that is not large, and positions of a part of one that is.
const PARTS: u64 = 128;
const LARGE_PART: u64 = 40_000;

/// Parts of a layer at most.
const PARTS_MAX: u64 = 2_048;

/// A pattern is not judged by fewer positions than about so many.
const TESTED: u64 = 1_000;

/// What a layer leads to.
#[derive(Default)]
pub(crate) struct Reached {
    /// By part.
    pub(crate) pieces: Vec<Vec<Arc<[u8]>>>,
    pub(crate) rows: u64,
    pub(crate) ends: BTreeSet<(u16, Vec<u8>)>,
    pub(crate) variety: Variety,
    pub(crate) refuted: bool,
}

impl Reached {
    pub(crate) fn add(&mut self, result: StepResult) {
        self.variety.join(&result.variety);
        self.rows += result.rows;
        self.refuted |= result.refuted;
        self.ends.extend(result.ends);
        self.pieces.resize_with(result.pieces.len(), Vec::new);
        for (part, piece) in self.pieces.iter_mut().zip(result.pieces) {
            if !piece.is_empty() {
                part.push(piece.into());
            }
        }
    }
}

/// The number of parts of a layer that is expected to have so many positions.
pub(crate) fn parts_for(rows: u64, part: u64) -> u32 {
    (rows / part.max(1)).clamp(1, PARTS).max((rows / LARGE_PART).min(PARTS_MAX)) as u32
}

/// How often patterns refuted positions, as all workers tell.
#[derive(Default)]
pub(crate) struct PatternsHeard {
    /// By men: positions tested, and refuted.
    sums: BTreeMap<u32, [u64; 2]>,
}

impl PatternsHeard {
    /// Notes what a worker tells.
    pub(crate) fn note(&mut self, patterns: &[(MenSet, [u64; 2])]) {
        for (men, [tested, refuted]) in patterns {
            let sums = self.sums.entry(men.0).or_default();
            sums[0] += tested;
            sums[1] += refuted;
        }
    }

    /// The patterns that refuted the largest share of positions.
    pub(crate) fn best(&self) -> Vec<MenSet> {
        let rate = |[tested, refuted]: [u64; 2]| refuted * 1024 / (tested + TESTED);
        let mut patterns: Vec<(u64, u32)> =
            self.sums.iter().map(|(&men, &sums)| (rate(sums), men)).collect();
        patterns.sort_unstable_by(|one, other| other.cmp(one));
        let best = patterns.into_iter().filter(|(rate, _)| *rate > 0).take(PATTERNS_MAX);
        best.map(|(_, men)| MenSet(men)).collect()
    }
}
