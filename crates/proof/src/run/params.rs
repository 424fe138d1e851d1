//! How a problem shall be solved.

use crate::analyse::Assumptions;
use crate::enumerate;
use crate::problem::retraction::Retraction;
use crate::rules::{Rule, Rules};
use crate::run::verdict::{ProblemVerdict, RunReport};
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

/// When all pairs of men are thought about (rule A18), which is dear and often saves much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collisions {
    /// For a strategy that takes long to play.
    #[default]
    Adaptive,
    /// For every strategy from [`COLLISIONS_FROM`] men on, else for none: Stelvio's rule.
    ByMen,
    /// For every strategy.
    On,
    /// For none.
    Off,
}

/// From how many men on Stelvio thinks about collisions in its dear way.
pub const COLLISIONS_FROM: u32 = 28;

/// What is done with legs of two moves that may go by one of two squares, of a side without free moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TwoWaySplitting {
    /// Nothing.
    None,
    /// Both ways are thought about, for a strategy that takes long to play.
    #[default]
    Probe,
    /// Strategies are parted into the cases, each of which is played by itself.
    Always,
}

/// Into at most so many cases [`TwoWaySplitting::Always`] parts a strategy.
const CASES_MAX: usize = 8;

/// How a problem shall be solved. None of it changes which games there are.
#[derive(Clone, Debug)]
pub struct Params {
    /// The deductions to use.
    pub rules: Rules,
    /// Games counted in each strategy, at least 1; two suffice for a verdict.
    pub games_max: usize,
    /// When to end early.
    pub stop_at: StopAt,
    /// Only count strategies by their free moves, do not play them.
    pub histogram: bool,
    /// Claims of the seeking tree before this one are passed over.
    pub from_claim: u64,
    /// Only strategies that pass are played.
    pub condition: Option<Condition>,
    /// How many solutions the author intends; 1 unless said otherwise.
    pub intended: usize,
    /// When the last move is taken back.
    pub retraction: Retraction,
    /// Depth of the seeking tree where seekers part.
    pub sync_depth: u8,
    /// Which claims are this run's, and of how many shards: those whose number leaves that remainder.
    pub shard: (u64, u64),
    /// Memory of the position table, in bytes.
    pub table_bytes: u64,
    /// The table lies in so many pieces, as a power of two.
    pub table_splits: u8,
    /// Give up a strategy after so many moves.
    pub moves_max: u64,
    /// When all pairs of men are thought about.
    pub collisions: Collisions,
    /// How strategies are parted.
    pub splitter: TwoWaySplitting,
    /// So many workers seek, the first ones; 0 for all.
    pub seekers: usize,
    /// So many workers play, the last ones; 0 for all. Seekers that are no players wait when too many
    /// strategies wait.
    pub players: usize,
    /// Each player plays a strategy with so many hands, each on a thread of its own; 0 counts as 1.
    pub threads_per_strategy: usize,
    /// Whoever plays the same strategy makes way for the others only before this half-move; 0 for everywhere.
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
        let cooked = || report.verdict() == ProblemVerdict::Cooked;
        match self.stop_at {
            StopAt::Complete => false,
            StopAt::Counted => cooked() && report.count() >= self.games_max,
            StopAt::Cooked => cooked() || report.count() > self.intended,
            StopAt::First => report.count() > 0,
        }
    }

    /// How a problem of so many men is played.
    pub(crate) fn playing(&self, men: u32, assumptions: Assumptions) -> search::PlayerOptions {
        let usual = search::PlayerOptions::default();
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
            trial_max: if dear || always { 0 } else { usual.trial_max },
            assumptions,
            cases_max: if always { CASES_MAX } else { 1 },
            sync_plies: self.team_sync_plies,
        }
    }

    /// Whether this worker of so many seeks.
    pub(crate) fn seeks(&self, worker: usize) -> bool {
        self.seekers == 0 || worker < self.seekers
    }

    /// Whether this worker of so many plays.
    pub(crate) fn plays(&self, worker: usize, workers: usize) -> bool {
        self.players == 0 || worker + self.players >= workers
    }
}
