//! Parameters of a run: their declarations (`table`), the policies that they choose, the words of
//! these, and the decisions that follow.

pub(crate) mod policies;
pub(crate) mod table;
#[cfg(test)]
mod tests;
pub(crate) mod words;

use crate::analyse::Assumptions;
use crate::rules::Rule;
use crate::run::report::RunReport;
use crate::search;
use policies::{Collisions, StopAt, TwoWaySplitting};
use table::Params;

/// Least number of pieces for which Stelvio analyses collisions in its expensive way.
pub(crate) const COLLISIONS_FROM: u32 = 28;

/// Maximum number of cases into which [`TwoWaySplitting::Always`] splits a strategy.
const CASES_MAX: usize = 8;

impl Params {
    /// Returns the same parameters with which a strategy that holds all intended solutions is searched for one more game:
    /// otherwise its search would end with them, and leave open whether there are others.
    pub fn counting_intended(self) -> Self {
        match self.intended {
            0 | 1 => self,
            several => Self { games_max: self.games_max.max(several.saturating_add(1)), ..self },
        }
    }

    /// Returns true if the current results suffice to end the run.
    pub(crate) fn is_enough(&self, report: &RunReport) -> bool {
        let cooked = || report.is_cooked(self.intended);
        match self.stop_at {
            StopAt::Complete => false,
            StopAt::Counted => cooked() && report.count() >= self.games_max,
            StopAt::Cooked => cooked() || report.count() > self.intended,
            StopAt::First => report.count() > 0,
        }
    }

    /// Returns the player options for a problem with this number of pieces.
    pub(crate) fn playing(&self, pieces: u32, assumptions: Assumptions) -> search::SearchOptions {
        // A new parameter must be named here, so that it reaches the search or is left out on
        // purpose.
        let &Self {
            mut rules,
            games_max,
            moves_max,
            trial_max,
            collisions,
            splitter,
            team_sync_plies,
            sync_depth: _,
            retraction: _,
            shard: _,
            condition: _,
            stop_at: _,
            solver: _,
            histogram: _,
            from_claim: _,
            intended: _,
            table_bytes: _,
            table_splits: _,
            seekers: _,
            players: _,
            threads_per_strategy: _,
        } = self;
        let expensive = match collisions {
            Collisions::ByPieces => pieces >= COLLISIONS_FROM,
            Collisions::On => true,
            Collisions::Adaptive | Collisions::Off => false,
        };
        let never = matches!(collisions, Collisions::ByPieces | Collisions::Off) && !expensive;
        if never {
            rules = rules.set(Rule::PairCollisions, false);
        }
        if splitter == TwoWaySplitting::None {
            rules = rules.set(Rule::TwoWayLegs, false);
        }
        let always = splitter == TwoWaySplitting::Always;
        search::SearchOptions {
            rules,
            games_max,
            moves_max,
            trial_max: if expensive || always { 0 } else { trial_max },
            assumptions,
            cases_max: if always { CASES_MAX } else { 1 },
            sync_plies: team_sync_plies,
        }
    }

    /// Returns true if this worker enumerates.
    pub(crate) fn seeks(&self, worker: usize) -> bool {
        self.seekers == 0 || worker < self.seekers
    }

    /// Returns true if this worker searches.
    pub(crate) fn plays(&self, worker: usize, workers: usize) -> bool {
        self.players == 0 || worker + self.players >= workers
    }
}
