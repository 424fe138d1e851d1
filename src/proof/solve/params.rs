//! How a problem shall be solved.

use super::watch::Watch;
use crate::control::Cancel;
use crate::proof::condition::Condition;
use crate::proof::retract::Retraction;
use crate::proof::rules::Rules;
use crate::proof::seek;
use std::sync::{Mutex, PoisonError};

/// When a run may end before everything is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopAt {
    /// Never.
    #[default]
    Complete,
    /// As soon as the problem is known to be cooked.
    Cooked,
    /// At the first game.
    First,
}

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
    /// Give up a strategy after so many moves.
    pub moves_max: u64,
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
            sync_depth: seek::Options::default().sync_depth,
            shard: (0, 1),
            table_bytes: 256 << 20,
            moves_max: u64::MAX,
        }
    }
}

/// Lets somebody outside drop the strategies that are being played, and watch the run.
#[derive(Debug, Default)]
pub struct Steer {
    playing: Mutex<Vec<Option<Cancel>>>,
    /// What the run shows of itself.
    pub watch: Watch,
}

impl Steer {
    /// Drops what is being played now; the run goes on with the next strategies and is partial from
    /// now on. Does nothing when nothing is being played.
    pub fn skip(&self) {
        let playing = self.playing.lock().unwrap_or_else(PoisonError::into_inner);
        playing.iter().flatten().for_each(Cancel::raise);
    }

    /// A signal for what `worker` plays next.
    pub(super) fn playing(&self, worker: usize, parent: &Cancel) -> Cancel {
        let cancel = parent.child();
        let mut playing = self.playing.lock().unwrap_or_else(PoisonError::into_inner);
        if playing.len() <= worker {
            playing.resize(worker + 1, None);
        }
        playing[worker] = Some(cancel.clone());
        cancel
    }

    /// The worker has finished its strategy.
    pub(super) fn finished(&self, worker: usize) {
        let mut playing = self.playing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = playing.get_mut(worker) {
            *slot = None;
        }
    }
}
