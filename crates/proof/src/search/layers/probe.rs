//! What a worker learns before a task: some of its positions are searched depth first, and other patterns are tried at some.
//!
//! A pattern is some men whose relaxation is asked at every position (rule B4). Which men are good ones differs from layer to layer; a pattern that
//! refutes half of the positions may have four men of which three have another pattern. So patterns are made from those that are
//! active, by adding men, and are tried at a sample, as Haslum and others chose pattern databases (2007). Those that refute
//! some stay active, and the tallies in the answers tell the others what they are good for.

use crate::search::depth_first::{SearchHalt, StrategySearch};
use crate::search::layers::row::RowFormat;
use xxhash_rust::xxh3::xxh3_64;

/// Positions of a task that are searched depth first, to learn from them.
const PROBES: usize = 4;

/// In a task with fewer positions nothing is learned.
const PROBED_MIN: usize = 200;

/// Budget of these searches together, and again of the trials of patterns: one move for this number of moves of the tasks since the last time.
pub(super) const PROBING_SHARE: u64 = 16;

/// A smaller budget is saved for a later task.
pub(super) const PROBING_MIN: u64 = 4_000;

/// The largest budget, in moves.
const PROBING_MAX: u64 = 200_000;

/// Positions at which patterns are tried.
const SAMPLE: usize = 24;

/// A trial ends after this number of positions when none was refuted.
const HOPELESS: u64 = 8;

/// Refuted positions of the sample with which a pattern becomes active.
const USEFUL: u64 = 3;

impl StrategySearch<'_> {
    /// Learns from a few of these positions. That takes a share of the moves of the tasks since the last time.
    ///
    /// # Errors
    /// When it was stopped, or some men cannot finish from the array on.
    pub(super) fn probe(
        &mut self,
        format: &RowFormat,
        rows: &[u8],
        ply: u16,
    ) -> Result<(), SearchHalt> {
        let width = format.width();
        let count = rows.len() / width;
        if count < PROBED_MIN || self.probing < PROBING_MIN {
            return Ok(());
        }
        let budget = std::mem::take(&mut self.probing).min(PROBING_MAX);
        self.try_patterns(format, rows, ply, budget);
        let step = count / PROBES;
        for row in rows.chunks_exact(width).skip(step / 2).step_by(step.max(1)).take(PROBES) {
            if self.set_out(format, row, ply) == Some(true) {
                self.learn_here(budget / PROBES as u64)?;
                self.search_for(budget / PROBES as u64)?;
            }
        }
        Ok(())
    }

    /// Tries patterns at a sample of these positions, until that has taken `budget` moves.
    pub(super) fn try_patterns(&mut self, format: &RowFormat, rows: &[u8], ply: u16, budget: u64) {
        let width = format.width();
        let stride = (rows.len() / width / SAMPLE).max(1);
        let sample = rows.chunks_exact(width).skip(stride / 2).step_by(stride).take(SAMPLE);
        // Other tasks try others.
        let (mut chance, mut spent) = (xxh3_64(rows), 0);
        while spent < budget {
            chance = xxh3_64(&chance.to_le_bytes());
            // Counted for each, since nothing new may be left to be drawn.
            spent += SAMPLE as u64;
            let Some(mut trial) = self.trial(chance) else { continue };
            for row in sample.clone() {
                if trial.score[1] == 0 && trial.score[0] >= HOPELESS {
                    break;
                }
                if self.set_out(format, row, ply) == Some(true) {
                    self.test(&mut trial);
                }
            }
            spent += trial.moves();
            if trial.score[1] >= USEFUL {
                self.adopt(trial);
            }
        }
    }
}

#[cfg(test)]
impl StrategySearch<'_> {
    /// Whether a position is refuted by an active pattern.
    pub(super) fn refutes(&mut self, format: &RowFormat, row: &[u8], ply: u16) -> bool {
        self.set_out(format, row, ply) == Some(true) && !self.patterns_admit()
    }
}
