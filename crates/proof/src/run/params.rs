//! Parameters of a run.

use crate::analyse::Assumptions;
use crate::enumerate;
use crate::problem::retraction::Retraction;
use crate::rules::{Rule, Rules};
use crate::run::report::RunReport;
use crate::search;
use crate::strategy::condition::Condition;

/// When a run may end before everything is known.
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

/// When all pairs of men are analysed (rule A18), which is expensive and often saves much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collisions {
    /// For a strategy that takes long to search.
    #[default]
    Adaptive,
    /// For every strategy from 28 men on, else for none: Stelvio's rule.
    ByMen,
    /// For every strategy.
    On,
    /// For none.
    Off,
}

/// Least number of men for which Stelvio analyses collisions in its expensive way.
pub(crate) const COLLISIONS_FROM: u32 = 28;

/// The treatment of legs of two moves with two possible squares, of a side without free moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TwoWaySplitting {
    /// Nothing.
    None,
    /// Both ways are analysed, for a strategy that takes long to search.
    #[default]
    Probe,
    /// Strategies are split into the cases, each of which is searched by itself.
    Always,
}

/// Cases into which [`TwoWaySplitting::Always`] splits a strategy.
const CASES_MAX: usize = 8;

/// Parameters of a run. None of them changes the set of games.
#[derive(Clone, Debug)]
pub struct Params {
    /// The deductions to use.
    pub rules: Rules,
    /// Games counted in each strategy, at least 1; two suffice for a verdict.
    pub games_max: usize,
    /// When to end early.
    pub stop_at: StopAt,
    /// Only count strategies by their free moves, without searching them.
    pub histogram: bool,
    /// Claims before this one are skipped.
    pub from_claim: u64,
    /// Only strategies that fulfil it are searched.
    pub condition: Option<Condition>,
    /// The number of solutions that the author intends, 1 by default.
    pub intended: usize,
    /// When the last move is taken back.
    pub retraction: Retraction,
    /// Depth of the tree at which claims divide the work.
    pub sync_depth: u8,
    /// This run's shard and the number of shards: its claims are those whose number has this
    /// remainder.
    pub shard: (u64, u64),
    /// Memory of the position table, in bytes.
    pub table_bytes: u64,
    /// Number of pieces of the table, as a power of two.
    pub table_splits: u8,
    /// Moves after which a strategy is given up.
    pub moves_max: u64,
    /// Moves after which a strategy is analysed deeply; what takes many times as long is split into cases.
    pub trial_max: u64,
    /// When all pairs of men are analysed.
    pub collisions: Collisions,
    /// When two-way legs split a strategy.
    pub splitter: TwoWaySplitting,
    /// Number of workers that enumerate, the first ones; 0 for all.
    pub seekers: usize,
    /// Number of workers that search, the last ones; 0 for all. Seekers that do not search wait
    /// when the queue is full.
    pub players: usize,
    /// Threads with which each player searches one strategy; 0 counts as 1.
    pub threads_per_strategy: usize,
    /// Half-move before which threads of one strategy avoid each other's positions; 0 for
    /// everywhere.
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
            trial_max: search::PlayerOptions::default().trial_max,
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
    /// Whether the run may end with what is known now.
    pub(crate) fn is_enough(&self, report: &RunReport) -> bool {
        let cooked = || report.cooks().next().is_some();
        match self.stop_at {
            StopAt::Complete => false,
            StopAt::Counted => cooked() && report.count() >= self.games_max,
            StopAt::Cooked => cooked() || report.count() > self.intended,
            StopAt::First => report.count() > 0,
        }
    }

    /// The player options for a problem with this number of men.
    pub(crate) fn playing(&self, men: u32, assumptions: Assumptions) -> search::PlayerOptions {
        let dear = match self.collisions {
            Collisions::ByMen => men >= COLLISIONS_FROM,
            Collisions::On => true,
            Collisions::Adaptive | Collisions::Off => false,
        };
        let never = matches!(self.collisions, Collisions::ByMen | Collisions::Off) && !dear;
        let mut rules = self.rules;
        if never {
            rules = rules.set(Rule::PairCollisions, false);
        }
        if self.splitter == TwoWaySplitting::None {
            rules = rules.set(Rule::TwoWayLegs, false);
        }
        let always = self.splitter == TwoWaySplitting::Always;
        search::PlayerOptions {
            rules,
            games_max: self.games_max,
            moves_max: self.moves_max,
            trial_max: if dear || always { 0 } else { self.trial_max },
            assumptions,
            cases_max: if always { CASES_MAX } else { 1 },
            sync_plies: self.team_sync_plies,
        }
    }

    /// Whether this worker enumerates.
    pub(crate) fn seeks(&self, worker: usize) -> bool {
        self.seekers == 0 || worker < self.seekers
    }

    /// Whether this worker searches.
    pub(crate) fn plays(&self, worker: usize, workers: usize) -> bool {
        self.players == 0 || worker + self.players >= workers
    }
}
