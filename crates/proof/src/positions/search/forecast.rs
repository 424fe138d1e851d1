//! Share of the tree that is done, and the time that the rest will take.
//!
//! Every position divides its weight equally among the positions after its moves (Knuth,
//! "Estimating the efficiency of backtrack programs", 1975). Later subtrees share positions with
//! earlier ones, so the forecast is too long rather than too short.

use super::{GAMES_MAX, GameCounter};
use crate::positions::rules::{PositionOf, RuleSet};
use std::time::{Duration, Instant};
use umbrail_control::{Progress, Stopped};

/// Weight of the whole tree: progress is counted in billionths of it.
const WHOLE: u64 = 1_000_000_000;

/// Share of the tree, in billionths, from which a forecast is made.
const FORECAST_MIN: u64 = WHOLE / 1000;

/// Number of plies below the positions of the frontier that have weights of their own.
const WEIGHTED_PLIES: u8 = 3;

/// Plies left from which a position is worth a weight of its own.
const PLIES_MIN: u16 = 6;

/// Progress of the last length of a problem, which takes the most time. Nothing is known of the
/// whole while shorter lengths are counted.
pub(crate) struct Forecast<'a> {
    progress: &'a Progress,
    started: Instant,
    /// Time that earlier runs took for the numbers in the table, which are done at once.
    earlier: Duration,
    is_last: bool,
}

impl<'a> Forecast<'a> {
    /// Creates the forecast of one length, for whose tree earlier runs took some time already.
    pub(crate) fn new(progress: &'a Progress, is_last: bool, earlier: Duration) -> Self {
        progress.done.set(0);
        progress.left_ms.set(0);
        progress.total.set(if is_last { WHOLE } else { 0 });
        Self { progress, started: Instant::now(), earlier, is_last }
    }

    /// Returns the weight of each of some equal parts.
    pub(crate) fn part(parts: usize) -> u64 {
        WHOLE / parts.max(1) as u64
    }

    /// The tree has no parts: it is done.
    pub(crate) fn finish(&self) {
        if self.is_last {
            self.progress.done.set(WHOLE);
            self.progress.left_ms.set(0);
        }
    }

    fn add(&self, weight: u64) {
        if !self.is_last || weight == 0 {
            return;
        }
        self.progress.done.add(weight);
        let done = self.progress.done.get();
        if done >= FORECAST_MIN {
            let passed = (self.earlier + self.started.elapsed()).as_millis();
            let left = passed * u128::from(WHOLE.saturating_sub(done)) / u128::from(done);
            self.progress.left_ms.set(u64::try_from(left).unwrap_or(u64::MAX).max(1));
        }
    }
}

/// Part of a tree with its weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighted {
    /// Weight, in billionths of the tree.
    pub weight: u64,
    /// Number of plies below that have weights of their own.
    pub plies: u8,
}

impl Weighted {
    /// A position of the frontier.
    pub(crate) fn of_frontier(weight: u64) -> Self {
        Self { weight, plies: WEIGHTED_PLIES }
    }
}

impl<R: RuleSet> GameCounter<'_, R> {
    /// Counts like [`GameCounter::count`], and adds the weight of each part that is done.
    pub(crate) fn count_weighted(
        &mut self,
        position: &PositionOf<R>,
        plies: u16,
        part: Weighted,
        forecast: &Forecast<'_>,
    ) -> Result<u128, Stopped> {
        if part.plies == 0 || plies < PLIES_MIN || !forecast.is_last {
            let games = self.count(position, plies)?;
            forecast.add(part.weight);
            return Ok(games);
        }
        self.enter()?;
        let shared = self.shared;
        let key = shared.key(position, plies);
        if let Some(games) = shared.table.get(key) {
            forecast.add(part.weight);
            return Ok(games);
        }
        let mut children = vec![];
        shared.expand(position, plies, |_, next, left| {
            children.push((*next, left));
            Ok(())
        })?;
        let weight = part.weight / children.len().max(1) as u64;
        let below = Weighted { weight, plies: part.plies - 1 };
        let mut games: u128 = 0;
        for (next, left) in &children {
            let more = self.count_weighted(next, *left, below, forecast)?;
            games = games.saturating_add(more).min(GAMES_MAX);
        }
        // The rest of the division.
        forecast.add(part.weight - weight * children.len() as u64);
        shared.table.set(key, plies, games);
        Ok(games)
    }
}
