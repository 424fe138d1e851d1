//! Patterns made from others by adding men, tried at some positions.

use super::{StrategySearch, context};
use crate::problem::man::{Man, MenSet};
use crate::search::node::SearchNode;
use crate::search::relax::subset::SubsetRelaxation;

/// Moves of one test.
const TEST_MOVES: u64 = 2_000;

/// Men of a pattern, those that never move left out: of more, the placements are too many.
const MEN_MAX: u32 = 9;

/// A pattern on trial.
pub(crate) struct Trial {
    men: MenSet,
    relaxation: SubsetRelaxation,
    /// Positions tested, and refuted.
    pub(crate) score: [u64; 2],
}

impl Trial {
    /// Moves spent so far.
    pub(crate) const fn moves(&self) -> u64 {
        self.relaxation.moves
    }
}

impl StrategySearch<'_> {
    /// The men of an active pattern, or none, and one or two others, drawn by `chance`; none when they were tried before.
    pub(crate) fn trial(&mut self, chance: u64) -> Option<Trial> {
        let script = self.set.script;
        let patterns = self.patterns.as_mut()?;
        let bases: Vec<MenSet> = patterns.active.tallies().map(|(men, _)| men).collect();
        let of = |count: usize, bits: u64| (bits % count.max(1) as u64) as usize;
        // One draw of them all begins with no men.
        let base = bases.get(of(bases.len() + 1, chance >> 40)).copied().unwrap_or_default();
        let mut men = base;
        let more = if chance >> 20 & 3 == 0 { 2 } else { 1 };
        for turn in 0..more {
            let others: Vec<Man> = Man::all()
                .filter(|&man| !men.contains(man) && !script.fixed.contains(man))
                .collect();
            let &one = others.get(of(others.len(), chance >> (24 + 8 * turn)))?;
            men = MenSet(men.0 | 1 << one.index());
        }
        let moving = MenSet(men.0 & !script.fixed.0).len();
        if moving > MEN_MAX || patterns.active.has(men) || !self.tried.insert(men.0) {
            return None;
        }
        let relaxation = SubsetRelaxation::new(men, script);
        Some(Trial { men, relaxation, score: [0; 2] })
    }

    /// Tests a pattern at the present position, unless an active one refutes it already.
    pub(crate) fn test(&mut self, trial: &mut Trial) {
        if !self.patterns_admit() {
            return;
        }
        let depth = self.path.len();
        let plies = self.set.problem.plies - depth as u16;
        let context = context(self.set, self.blockade);
        let node = SearchNode { board: &self.board, bound: &self.bounds[depth], plies };
        let able = trial.relaxation.allows(&context, node, self.blocked_maps, TEST_MOVES);
        trial.score[0] += 1;
        trial.score[1] += u64::from(!able);
    }

    /// Makes it one of the active patterns.
    pub(crate) fn adopt(&mut self, trial: Trial) {
        if let Some(patterns) = &mut self.patterns {
            patterns.active.adopt(trial.men, trial.relaxation, trial.score, self.moves);
        }
    }
}

#[cfg(test)]
impl StrategySearch<'_> {
    /// Goes on without patterns.
    pub(crate) fn drop_patterns(&mut self) {
        self.patterns.iter_mut().for_each(|patterns| patterns.active.drop_all());
    }
}
