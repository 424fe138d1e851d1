//! Exact number of games from a position to the target: depth first, with a table of positions.
//!
//! [`SharedSearch`] is what all threads share; a [`GameCounter`] is one thread. A number is exact
//! for its plies left, so the order of the search and the size of the table change only the time.

mod forecast;
mod keeping;
mod listing;
mod split;
mod table;

pub(crate) use forecast::Forecast;
pub(crate) use keeping::keep_while;
pub(crate) use listing::list_games;
pub(crate) use split::{PositionFrontier, count_in_parallel};
pub(crate) use table::{CountTable, GAMES_MAX};

use super::board::keys;
use super::bounds::{BoundSet, Bounds};
use super::problem::TargetBoard;
use super::rules::{PositionOf, RuleSet};
use super::turns::{NextTurn, Turns};
use umbrail_chess::geometry::Color;
use umbrail_control::{Cancel, Gauge, Stopped};

/// Nodes between two looks at the stop signal.
const PULSE: u64 = 1 << 10;

/// Rules, target, bounds and table of one problem.
pub(crate) struct SharedSearch<'a, R: RuleSet> {
    rules: R,
    target: TargetBoard,
    turns: Turns,
    /// The side that begins, which makes a series.
    mover: Color,
    bounds: Bounds,
    table: CountTable,
    cancel: &'a Cancel,
    nodes: &'a Gauge,
}

/// Memory of the two tables, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableSizes {
    /// Numbers of games.
    pub counts: u64,
    /// Needs of armies.
    pub needs: u64,
}

impl<'a, R: RuleSet> SharedSearch<'a, R> {
    /// Prepares the search of all lengths of a problem.
    pub(crate) fn new(
        rules: R,
        target: TargetBoard,
        start: &PositionOf<R>,
        turns: Turns,
        set: BoundSet,
        sizes: TableSizes,
        (cancel, nodes): (&'a Cancel, &'a Gauge),
    ) -> Self {
        let bounds = Bounds::new(&rules, &target, start, turns, set, sizes.needs);
        let table = CountTable::fitting(sizes.counts);
        Self { rules, target, turns, mover: start.turn, bounds, table, cancel, nodes }
    }

    /// Returns the size of the table of numbers, in bytes.
    pub(crate) fn table_bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Returns the table of numbers.
    pub(crate) fn table(&self) -> &CountTable {
        &self.table
    }

    /// Returns true unless a bound shows that no game of this length starts here.
    pub(crate) fn admits_start(&self, start: &mut PositionOf<R>, plies: u16) -> bool {
        match plies {
            0 => self.is_target(start),
            _ => self.bounds.admits::<R>(&self.target, None, start, plies),
        }
    }

    fn is_target(&self, position: &PositionOf<R>) -> bool {
        self.rules.is_target(position, &self.target)
    }

    fn key(&self, position: &PositionOf<R>, plies: u16) -> u128 {
        position.key() ^ self.rules.key_extra(&position.extra) ^ keys::of_plies(plies)
    }

    /// Visits each position after one legal move that no bound excludes, with the units that are
    /// left; after the last move, only the target.
    fn expand(
        &self,
        position: &PositionOf<R>,
        plies: u16,
        mut visit: impl FnMut(R::Move, &PositionOf<R>, u16) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        let class = self.bounds.class::<R>(&self.target, position, plies);
        let Some(class) = class else { return Ok(()) };
        let (us, turns) = (position.turn, self.turns);
        // Check is the most expensive test; only the turn of a parry depends on it.
        let follows = |checks: &dyn Fn() -> bool| turns.after(self.mover, us, plies, checks);
        let mut visited: u64 = 0;
        self.rules.successors(position, class, |mv, mut next| {
            // One move may have millions of outcomes, and none of them a node.
            visited += 1;
            if visited.is_multiple_of(PULSE) && self.cancel.is_raised() {
                return Err(Stopped);
            }
            let follow = match turns.parries() {
                true => follows(&|| self.rules.in_check(&next, !us)),
                false => follows(&|| false),
            };
            let Some(NextTurn { turn, units: left }) = follow else { return Ok(()) };
            if turn == us {
                (next.turn, next.en_passant) = (us, None);
            }
            let may_be = match left {
                0 => self.is_target(&next) && self.rules.may_end(&mv),
                _ => self.bounds.admits::<R>(&self.target, Some(position), &mut next, left),
            };
            if !may_be
                || !self.rules.is_legal(position, &mv, &next)
                || !turns.parries() && follows(&|| self.rules.in_check(&next, !us)).is_none()
            {
                return Ok(());
            }
            visit(mv, &next, left)
        })
    }
}

/// One thread of the search.
pub(crate) struct GameCounter<'a, R: RuleSet> {
    shared: &'a SharedSearch<'a, R>,
    nodes: u64,
}

impl<'a, R: RuleSet> GameCounter<'a, R> {
    /// Creates a thread's part of the search.
    pub(crate) fn new(shared: &'a SharedSearch<'a, R>) -> Self {
        Self { shared, nodes: 0 }
    }

    /// Returns the number of games of exactly `plies` moves from the position to the target, at
    /// most [`GAMES_MAX`].
    pub(crate) fn count(&mut self, position: &PositionOf<R>, plies: u16) -> Result<u128, Stopped> {
        self.enter()?;
        let shared = self.shared;
        if plies == 0 {
            return Ok(u128::from(shared.is_target(position)));
        }
        let is_stored = plies >= 2;
        let key = shared.key(position, plies);
        if is_stored {
            shared.table.prefetch(key);
            if let Some(games) = shared.table.get(key) {
                return Ok(games);
            }
        }
        let mut games: u128 = 0;
        shared.expand(position, plies, |_, next, left| {
            let more = if left == 0 { 1 } else { self.count(next, left)? };
            games = games.saturating_add(more).min(GAMES_MAX);
            Ok(())
        })?;
        if is_stored {
            shared.table.set(key, plies, games);
        }
        Ok(games)
    }

    #[inline]
    fn enter(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(PULSE) {
            self.shared.nodes.add(PULSE);
            if self.shared.cancel.is_raised() {
                return Err(Stopped);
            }
        }
        Ok(())
    }
}

impl<R: RuleSet> Drop for GameCounter<'_, R> {
    fn drop(&mut self) {
        self.shared.nodes.add(self.nodes % PULSE);
    }
}
