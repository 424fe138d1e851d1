//! Tables of the last endgame on another board or with other rules, kept between tasks and moves.

use std::sync::{Arc, Mutex};
use umbrail_control::lock;
use umbrail_tables::Metric;
use umbrail_tables::game::{Game, GameMaterial, GamePosition, GameTables};

/// Tables of one endgame; copies share them.
#[derive(Clone, Default)]
pub struct GameCache(Arc<Mutex<Option<Arc<GameTables>>>>);

impl GameCache {
    /// Returns the tables of this endgame, if they are the last ones.
    pub fn named(
        &self,
        game: &Game,
        material: &GameMaterial,
        metric: Metric,
    ) -> Option<Arc<GameTables>> {
        let fits = |tables: &Arc<GameTables>| {
            *tables.game() == *game && *tables.material() == *material && tables.metric() == metric
        };
        lock(&self.0).clone().filter(fits)
    }

    /// Returns the tables if they have a value for this position, by any metric.
    pub fn holding(&self, game: &Game, position: &GamePosition) -> Option<Arc<GameTables>> {
        let fits =
            |tables: &Arc<GameTables>| *tables.game() == *game && tables.value(position).is_ok();
        lock(&self.0).clone().filter(fits)
    }

    /// Drops the tables, so that their memory is free before others are built.
    pub fn clear(&self) {
        *lock(&self.0) = None;
    }

    /// Keeps these tables in place of others.
    pub fn put(&self, tables: Arc<GameTables>) {
        *lock(&self.0) = Some(tables);
    }
}
