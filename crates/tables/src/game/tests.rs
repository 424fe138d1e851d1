//! Games against the graph solver, against published figures, and their files.

mod lengths;
mod presets;
mod published;
mod referee;
mod reference;
mod variants;

use super::{Game, GameBuildError, GameMaterial, GameTables};
use crate::fairy::PieceSet;
use crate::grid::Grid;
use crate::rules::{Metric, Rules};
use std::sync::Arc;
use std::time::Instant;
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};

fn with_control<R>(work: impl FnOnce(&Control<'_, ()>) -> R) -> R {
    let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
    let pool = Pool::new(2).unwrap();
    work(&Control::new(Cancel::default(), &clock, &progress, &pool, &|()| {}))
}

fn on(board: &str, definitions: &str) -> Arc<Game> {
    let pieces = PieceSet::with_definitions(definitions).unwrap();
    let grid: Grid = board.parse().unwrap();
    Arc::new(Game::on_board(grid, &pieces, &Rules::orthodox(Metric::Dtm)).unwrap())
}

fn build(game: &Arc<Game>, name: &str) -> GameTables {
    build_by(game, name, Metric::Dtm).unwrap()
}

fn build_by(game: &Arc<Game>, name: &str, metric: Metric) -> Result<GameTables, GameBuildError> {
    let material = GameMaterial::read(name, game).unwrap();
    with_control(|control| GameTables::build(game, &material, metric, u64::MAX, control))
}
