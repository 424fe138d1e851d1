//! Work of several threads: the positions after some plies, each counted once, and multiplied by
//! the number of ways that lead to it.

use super::forecast::{Forecast, Weighted};
use super::{GAMES_MAX, GameCounter, SharedSearch};
use crate::positions::rules::{PositionOf, RuleSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use umbrail_control::{FastMap, Pool, Stopped};

/// Number of positions per thread, at least, for an even distribution of the work.
const POSITIONS_PER_THREAD: usize = 64;

/// Distinct positions after some plies.
pub(crate) struct PositionFrontier<R: RuleSet> {
    /// Positions, each with the number of ways that lead to it.
    positions: Vec<(PositionOf<R>, u128)>,
    /// Plies left from each of them.
    plies: u16,
}

impl<R: RuleSet> PositionFrontier<R> {
    /// Expands the start ply by ply until there are enough positions for this number of threads.
    pub(crate) fn of(
        shared: &SharedSearch<'_, R>,
        start: PositionOf<R>,
        plies: u16,
        threads: usize,
    ) -> Result<Self, Stopped> {
        let enough = POSITIONS_PER_THREAD * threads.max(1);
        let mut frontier = Self { positions: vec![(start, 1)], plies };
        // Replies take no unit, so the positions after some moves of a parry series differ in the units left.
        let is_even = !shared.turns.parries();
        while is_even && frontier.positions.len() < enough && frontier.plies > 2 {
            if shared.cancel.is_raised() {
                return Err(Stopped);
            }
            frontier = frontier.next(shared)?;
            if frontier.positions.is_empty() {
                break;
            }
        }
        Ok(frontier)
    }

    fn next(self, shared: &SharedSearch<'_, R>) -> Result<Self, Stopped> {
        let left = self.plies - 1;
        let mut places: FastMap<u128, usize> = FastMap::default();
        let mut positions: Vec<(PositionOf<R>, u128)> = vec![];
        for (position, ways) in &self.positions {
            shared.expand(position, self.plies, |_, next, _| {
                let place = *places.entry(shared.key(next, left)).or_insert(positions.len());
                match positions.get_mut(place) {
                    Some((_, known)) => *known = known.saturating_add(*ways).min(GAMES_MAX),
                    None => positions.push((*next, *ways)),
                }
                Ok(())
            })?;
        }
        Ok(Self { positions, plies: left })
    }

    /// Returns the number of positions.
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }
}

/// Number of games, and whether it is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartialCount {
    /// Games found, at most [`GAMES_MAX`].
    pub games: u128,
    /// True if no game is missing.
    pub is_complete: bool,
}

/// Counts the games of all positions of a frontier with all workers; ends early at `enough` games.
pub(crate) fn count_in_parallel<R: RuleSet>(
    shared: &SharedSearch<'_, R>,
    frontier: &PositionFrontier<R>,
    enough: u128,
    pool: &Pool,
    forecast: &Forecast<'_>,
) -> PartialCount {
    let part = Weighted::of_frontier(Forecast::part(frontier.len()));
    let next = AtomicUsize::new(0);
    let found = std::sync::Mutex::new(0_u128);
    let counted = pool.broadcast(|_| {
        let mut counter = GameCounter::new(shared);
        let mut counted = vec![];
        loop {
            // Relaxed: each index is drawn once, and the positions do not change.
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((position, ways)) = frontier.positions.get(at) else { break };
            if *umbrail_control::lock(&found) >= enough {
                break;
            }
            let counted_games = counter.count_weighted(position, frontier.plies, part, forecast);
            let Ok(games) = counted_games else { break };
            let product = games.saturating_mul(*ways).min(GAMES_MAX);
            let mut found = umbrail_control::lock(&found);
            *found = found.saturating_add(product).min(GAMES_MAX);
            counted.push((at, games));
        }
        counted
    });
    let counted: Vec<_> = counted.into_iter().flatten().collect();
    // Newer entries may have replaced these. The list of games starts from them.
    for &(at, games) in &counted {
        let position = &frontier.positions[at].0;
        shared.table.set(shared.key(position, frontier.plies), frontier.plies, games);
    }
    let is_complete = counted.len() == frontier.len();
    if frontier.positions.is_empty() {
        forecast.finish();
    }
    PartialCount { games: *umbrail_control::lock(&found), is_complete }
}
