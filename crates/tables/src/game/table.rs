//! Data of one table that do not change while it is solved.

use super::change::{After, Changes, changes};
use super::compiled::{AxisRoyal, CompiledPiece};
use super::definition::Game;
use super::index::PositionIndex;
use super::material::GameKey;
use super::solved::{SolvedGames, Unit};
use crate::grid::SquareSet;
use crate::rules::Metric;

/// Data of one table that do not change while it is solved.
pub(super) struct Table<'a, S, W> {
    pub(super) game: &'a Game,
    pub(super) metric: Metric,
    pub(super) unit: Unit,
    pub(super) index: PositionIndex,
    /// The attacker's royal.
    pub(super) royal: CompiledPiece<S, W>,
    pub(super) axis_royal: AxisRoyal<S, W>,
    /// Pieces besides the royals, attackers first.
    pub(super) men: Vec<CompiledPiece<S, W>>,
    /// Number of attackers besides the royal.
    pub(super) strikers: usize,
    pub(super) changes: Changes,
    pub(super) all: W,
}

impl<'a, S: SquareSet, W: SquareSet> Table<'a, S, W> {
    pub(super) fn new(
        game: &'a Game,
        metric: Metric,
        key: &GameKey,
        index: PositionIndex,
        known: &SolvedGames,
    ) -> Self {
        let strikers = key.strikers();
        let axis = &index.axis;
        let men = (0..key.others())
            .map(|man| CompiledPiece::new(game, key.kind(man), man < strikers, false, axis));
        let men = men.collect();
        let found = changes(game, key).into_iter().filter_map(|change| {
            let (after, source) = key.changed(change.0, change.1);
            let table = known.get(&after)?.clone();
            Some((change, After { table, source }))
        });
        Self {
            game,
            metric,
            unit: Unit::of(metric),
            royal: CompiledPiece::new(game, key.attackers[0], true, true, axis),
            axis_royal: AxisRoyal::new(game, key.losers[0], axis),
            men,
            strikers,
            changes: found.collect(),
            all: axis.all(),
            index,
        }
    }
}
