//! The active patterns as others advise them: for the search in layers, whose workers tell each other what their patterns are good for.

use super::{ActivePatterns, Allowance, Pattern};
use crate::problem::man::MenSet;
use crate::search::learn::tally::PatternTally;
use crate::search::relax::subset::SubsetRelaxation;
use crate::search::state::script::Script;

/// Positions after which others know what a new pattern of this worker is good for.
const TRIED: u64 = 20_000;

/// New patterns beside those that are advised.
const NEW_MAX: usize = 4;

/// Patterns that are kept in case that they are advised again: what they know took time.
const RETIRED_MAX: usize = 6;

impl Pattern {
    /// Positions and moves so far.
    pub(super) const fn tally(&self) -> PatternTally {
        let account = &self.account;
        let (tested, refuted) = (account.tested, account.refuted);
        PatternTally { tested, refuted, moves: self.relaxation.moves }
    }

    /// Begins a task, after `played` moves of the search.
    const fn begin(&mut self, played: u64) {
        self.allowance = Some(Allowance { played, before: self.tally() });
    }
}

impl ActivePatterns {
    /// The men of all patterns, each with its tally so far.
    pub(crate) fn tallies(&self) -> impl Iterator<Item = (MenSet, PatternTally)> {
        self.active.iter().map(|pattern| (pattern.men, pattern.tally()))
    }

    /// Before a task, after `played` moves of the search: makes these patterns the active ones, in this order, with a few new ones of this worker
    /// behind them. The others rest. Without advice all stay.
    pub(crate) fn arrange(&mut self, advised: &[MenSet], script: &Script, played: u64) {
        if !advised.is_empty() {
            let mut all = std::mem::take(&mut self.active);
            all.append(&mut self.retired);
            for &men in advised {
                let known = all.iter().position(|pattern| pattern.men == men);
                let pattern = known.map_or_else(|| Pattern::new(men, script), |at| all.remove(at));
                self.active.push(pattern);
            }
            let is_new = |pattern: &Pattern| pattern.account.tested < TRIED;
            let (mut new, mut old): (Vec<Pattern>, Vec<Pattern>) =
                all.into_iter().partition(is_new);
            new.truncate(NEW_MAX);
            old.truncate(RETIRED_MAX);
            self.active.append(&mut new);
            self.retired = old;
            self.changes += 1;
            // The new ones of a worker are many, and most are dropped.
            self.share(advised.len());
        }
        self.active.iter_mut().for_each(|pattern| pattern.begin(played));
    }

    /// Adds a pattern that was tried at `tested` positions and refuted `refuted` of them.
    pub(crate) fn adopt(
        &mut self,
        men: MenSet,
        relaxation: SubsetRelaxation,
        [tested, refuted]: [u64; 2],
        played: u64,
    ) {
        let mut pattern = Pattern::of(men, relaxation);
        (pattern.account.tested, pattern.account.refuted) = (tested, refuted);
        pattern.begin(played);
        self.active.push(pattern);
        self.changes += 1;
    }
}

#[cfg(test)]
impl ActivePatterns {
    /// Removes all of them.
    pub(crate) fn drop_all(&mut self) {
        self.active.clear();
        self.retired.clear();
    }
}
