//! Whole tables of games: build, count, check, save; list of pieces.

use super::super::notify;
use super::super::work::{complete, counted, run};
use super::super::{Failure, done, end, ended};
use super::{GameInputs, ended_with};
use crate::records::egt::{EgtEnd, EgtPiece, TableFile, WrongValue};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use umbrail_chess::geometry::Color;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::Completion;
use umbrail_session::module::Work;
use umbrail_session::status::Status;
use umbrail_session::table_store::{GameCache, GameRequest};
use umbrail_session::task_error::TaskError;
use umbrail_tables::Metric;
use umbrail_tables::game::{Game, GameBuildError, GameMaterial, GameStoreError, GameTables};

/// Endgame of a task, with the folder and the memory of its tables.
pub(super) struct Endgame {
    pub(super) game: Arc<Game>,
    pub(super) material: GameMaterial,
    metric: Metric,
    folder: Option<PathBuf>,
    memory_bytes: u64,
    cache: GameCache,
}

impl Endgame {
    pub(super) fn of(inputs: &GameInputs<'_>) -> Result<Self, TaskError> {
        Ok(Self::with(inputs, inputs.material()?))
    }

    pub(super) fn with(inputs: &GameInputs<'_>, material: GameMaterial) -> Self {
        let (game, folder) = (inputs.game.clone(), inputs.folder());
        let (memory_bytes, cache) = (inputs.memory_bytes, inputs.cache.clone());
        Self { game, material, metric: inputs.metric, folder, memory_bytes, cache }
    }

    /// Returns the endgame that a game needs.
    pub(super) fn requested(request: GameRequest) -> Self {
        let GameRequest { game, material, config, cache } = request;
        let memory_bytes = config.granted_bytes(0);
        let folder = config.files().map(Path::to_owned);
        Self { game, material, metric: Metric::Dtm, folder, memory_bytes, cache }
    }

    /// Returns the tables: those of the last task, from the folder, or built.
    pub(super) fn tables(&self, job: &JobContext<'_>) -> Result<Arc<GameTables>, Failure> {
        if let Some(tables) = self.cache.named(&self.game, &self.material, self.metric) {
            return Ok(tables);
        }
        self.cache.clear();
        let tables = Arc::new(self.found(job)?);
        self.cache.put(tables.clone());
        Ok(tables)
    }

    fn found(&self, job: &JobContext<'_>) -> Result<GameTables, Failure> {
        if let Some(folder) = &self.folder {
            match GameTables::load(&self.game, &self.material, self.metric, folder) {
                Ok(tables) => {
                    let read = format!("{} is read from {}", self.name(), folder.display());
                    job.message(super::note(read));
                    return Ok(tables);
                }
                Err(GameStoreError::Io(_, error))
                    if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => {
                    job.message(super::note(format!("{error}; {} is built", self.name())));
                }
            }
        }
        let notify = |()| {};
        let control = job.control(&notify);
        let (game, material) = (&self.game, &self.material);
        let built = GameTables::build(game, material, self.metric, self.memory_bytes, &control);
        built.map_err(|error| match error {
            GameBuildError::Stopped => Failure { status: Status::Stopped, why: error.to_string() },
            _ => Failure::refused(format!("{}: {error}", self.name())),
        })
    }

    pub(super) fn name(&self) -> String {
        format!("{} ({}, {})", self.material, self.game.name, self.metric)
    }

    fn save(&self, tables: &GameTables, folder: &Path) -> Result<(String, u64), Failure> {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::refused(format!("cannot create the folder {}: {error}", folder.display()))
        })?;
        let bytes = tables.save(folder).map_err(Failure::refused)?;
        Ok((GameTables::file_name(&self.game, &self.material, self.metric), bytes))
    }
}

pub(super) fn build(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    let endgame = Endgame::of(&inputs)?;
    Ok(run(move |job| {
        let tables = endgame.tables(job)?;
        if let Some(folder) = &endgame.folder {
            endgame.save(&tables, folder)?;
        }
        let statistics = tables.statistics();
        let [white, black] = Color::ALL.map(|color| statistics.max_win(color) as u64);
        let mut done = end(&EgtEnd {
            count: 1,
            material: Some(endgame.material.to_string()),
            white_plies: Some(white),
            black_plies: Some(black),
            ..EgtEnd::default()
        });
        done.page = vec![format!(
            "{} is built; longest wins: white {white} plies, black {black} plies",
            endgame.name()
        )];
        Ok(complete(done))
    }))
}

pub(super) fn stats(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    let endgame = Endgame::of(&inputs)?;
    let csv = inputs.task.key("csv").map(PathBuf::from);
    Ok(counted(csv, move |job| Ok(endgame.tables(job)?.statistics())))
}

pub(super) fn save(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    let endgame = Endgame::of(&inputs)?;
    let folder = PathBuf::from(super::subject(inputs.task, 1)?);
    Ok(run(move |job| {
        let tables = endgame.tables(job)?;
        let (file, bytes) = endgame.save(&tables, &folder)?;
        let record = TableFile { file, bytes };
        let mut message =
            notify::result(&record).with("file", record.file.as_str()).with("bytes", record.bytes);
        message.page = vec![format!("{}: {bytes} bytes", record.file)];
        job.message(message);
        Ok(complete(ended_with(1, format!("1 file is saved in {}", folder.display()))))
    }))
}

pub(super) fn verify(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    let endgame = Endgame::of(&inputs)?;
    let stride = match inputs.task.key("stride").map(str::parse::<usize>) {
        None => 1,
        Some(Ok(number)) if number > 0 => number,
        _ => return Err(TaskError::expects("stride", "a number from 1")),
    };
    Ok(run(move |job| {
        let tables = endgame.tables(job)?;
        let notify = |()| {};
        let Ok(verdict) = tables.verify(stride, &job.control(&notify)) else {
            return Ok(Completion { done: ended(0), status: Status::Stopped });
        };
        for fault in &verdict.faults {
            let record = WrongValue { fault: fault.clone() };
            let mut message = notify::result(&record).with("fault", fault.as_str());
            message.page = vec![format!("wrong: {fault}")];
            job.message(message);
        }
        let (checked, faults) = (verdict.checked, verdict.fault_count);
        let mut done = end(&EgtEnd { count: faults, checked: Some(checked), ..EgtEnd::default() });
        let right =
            if faults == 0 { "all are right".to_owned() } else { format!("{faults} are wrong") };
        done.page = vec![format!("{checked} positions of {} checked: {right}", endgame.name())];
        let status = if faults == 0 { Status::Complete } else { Status::NotAsRequired };
        Ok(Completion { done, status })
    }))
}

/// Lists the pieces of the game.
pub(super) fn list(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    let mut found = vec![];
    for piece in inputs.game.pieces() {
        let record = EgtPiece { piece: piece.letter.to_string(), betza: piece.movement.clone() };
        let mut message = notify::result(&record)
            .with("piece", record.piece.as_str())
            .with("betza", record.betza.as_str());
        let line = format!("piece {} {} {}", piece.letter, piece.movement, piece.name);
        message.page = vec![line.trim_end().to_owned()];
        found.push(message);
    }
    let count = found.len() as u64;
    let source = &inputs.game.source;
    found.push(if source.is_empty() {
        ended(count)
    } else {
        ended_with(count, format!("rules of {}: {source}", inputs.game.name))
    });
    Ok(done(found))
}
