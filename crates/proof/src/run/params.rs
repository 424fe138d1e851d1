//! Parameters of a run.

use crate::analyse::Assumptions;
use crate::enumerate;
use crate::problem::retraction::Retraction;
use crate::rules::{Rule, Rules};
use crate::run::report::RunReport;
use crate::search;
use crate::strategy::condition::Condition;

/// Condition for ending a run early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopAt {
    /// Never.
    #[default]
    Complete,
    /// As soon as the problem is known to be cooked and [`Params::games_max`] games of it are known.
    Counted,
    /// As soon as the problem is known to be cooked.
    Cooked,
    /// At the first game.
    First,
}

/// Policy for analysing all pairs of pieces (rule A18), which is expensive and often saves much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collisions {
    /// For strategies that take long to search.
    #[default]
    Adaptive,
    /// For every strategy of problems with at least 28 pieces, otherwise for none: Stelvio's rule.
    ByPieces,
    /// For every strategy.
    On,
    /// For none.
    Off,
}

/// Least number of pieces for which Stelvio analyses collisions in its expensive way.
pub(crate) const COLLISIONS_FROM: u32 = 28;

/// Treatment of two-move legs with two possible squares, of a side without free moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TwoWaySplitting {
    /// None.
    None,
    /// Both paths are analysed, for a strategy that takes long to search.
    #[default]
    Probe,
    /// Strategies are split into the cases, each of which is searched separately.
    Always,
}

/// Maximum number of cases into which [`TwoWaySplitting::Always`] splits a strategy.
const CASES_MAX: usize = 8;

/// Parameters of a run. None of them changes the set of games.
#[derive(Clone, Debug)]
pub struct Params {
    /// Enabled deductions.
    pub rules: Rules,
    /// Maximum number of games counted per strategy, at least 1; two suffice for a verdict.
    pub games_max: usize,
    /// Condition for ending early.
    pub stop_at: StopAt,
    /// True if strategies are only counted by their free moves, without searching them.
    pub histogram: bool,
    /// Claims before this one are skipped.
    pub from_claim: u64,
    /// Condition that strategies must fulfil to be searched.
    pub condition: Option<Condition>,
    /// Number of solutions that the author intends, 1 by default.
    pub intended: usize,
    /// Condition for retracting the last move.
    pub retraction: Retraction,
    /// Depth of the tree at which claims divide the work.
    pub sync_depth: u8,
    /// Index of this shard and number of shards. The claims of the shard are those whose number has
    /// this remainder.
    pub shard: (u64, u64),
    /// Memory of the position table, in bytes.
    pub table_bytes: u64,
    /// Number of parts of the table, as a power of two.
    pub table_splits: u8,
    /// Number of moves after which a strategy is given up.
    pub moves_max: u64,
    /// Number of moves after which a strategy is analysed deeply; one that takes many times as long
    /// is split into cases.
    pub trial_max: u64,
    /// Policy for analysing all pairs of pieces.
    pub collisions: Collisions,
    /// Policy for splitting strategies by two-way legs.
    pub splitter: TwoWaySplitting,
    /// Number of workers that enumerate, from the first; 0 for all.
    pub seekers: usize,
    /// Number of workers that search, from the last; 0 for all. Seekers that do not search wait
    /// when the queue is full.
    pub players: usize,
    /// Number of threads per strategy; 0 counts as 1.
    pub threads_per_strategy: usize,
    /// Half-move before which threads of one strategy avoid each other's positions; 0 for all
    /// half-moves.
    pub team_sync_plies: u16,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            games_max: 2,
            stop_at: StopAt::Complete,
            histogram: false,
            from_claim: 0,
            condition: None,
            intended: 1,
            retraction: Retraction::default(),
            sync_depth: enumerate::EnumerationOptions::default().sync_depth,
            shard: (0, 1),
            table_bytes: 256 << 20,
            table_splits: 0,
            moves_max: u64::MAX,
            trial_max: search::SearchOptions::default().trial_max,
            collisions: Collisions::default(),
            splitter: TwoWaySplitting::default(),
            seekers: 0,
            players: 0,
            threads_per_strategy: 1,
            team_sync_plies: 0,
        }
    }
}

impl Params {
    /// Returns true if the current results suffice to end the run.
    pub(crate) fn is_enough(&self, report: &RunReport) -> bool {
        let cooked = || report.cooks().next().is_some();
        match self.stop_at {
            StopAt::Complete => false,
            StopAt::Counted => cooked() && report.count() >= self.games_max,
            StopAt::Cooked => cooked() || report.count() > self.intended,
            StopAt::First => report.count() > 0,
        }
    }

    /// Returns the player options for a problem with this number of pieces.
    pub(crate) fn playing(&self, pieces: u32, assumptions: Assumptions) -> search::SearchOptions {
        let expensive = match self.collisions {
            Collisions::ByPieces => pieces >= COLLISIONS_FROM,
            Collisions::On => true,
            Collisions::Adaptive | Collisions::Off => false,
        };
        let never = matches!(self.collisions, Collisions::ByPieces | Collisions::Off) && !expensive;
        let mut rules = self.rules;
        if never {
            rules = rules.set(Rule::PairCollisions, false);
        }
        if self.splitter == TwoWaySplitting::None {
            rules = rules.set(Rule::TwoWayLegs, false);
        }
        let always = self.splitter == TwoWaySplitting::Always;
        search::SearchOptions {
            rules,
            games_max: self.games_max,
            moves_max: self.moves_max,
            trial_max: if expensive || always { 0 } else { self.trial_max },
            assumptions,
            cases_max: if always { CASES_MAX } else { 1 },
            sync_plies: self.team_sync_plies,
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
