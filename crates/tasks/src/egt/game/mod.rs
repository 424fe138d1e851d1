//! Verbs on endgames of other boards and games: `--board 10x8`, `--rules xiangqi`.

mod figures;
mod longest;
mod piece;
mod play;
mod probe;
mod report;
mod tables;

use super::{ended, note, read_pieces, subject};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use umbrail_session::domain::Task;
use umbrail_session::job_context::JobContext;
use umbrail_session::module::{Context, Prepared, Work};
use umbrail_session::table_store::{GameCache, TableCache, TableConfig};
use umbrail_session::task_error::TaskError;
use umbrail_tables::game::{Game, GameMaterial, GameMetricError, PRESETS, Preset};
use umbrail_tables::{Grid, Metric};

pub(super) use play::work as game_for_play;

/// Verb that examines a piece; on a board of 8x8 unless the task names another.
pub(super) const REPORT: &str = "piece-report";

/// Names of games that tables cannot have, with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("janggi", "a side may pass at any time, and a cannon neither passes nor captures a cannon"),
    ("spartan", "Black has two royal pieces"),
    ("shogi", "captured pieces return to the board"),
    ("crazyhouse", "captured pieces return to the board"),
];

/// Returns true for a task on another board or under the rules of a game.
pub(super) fn concerns(task: &Task) -> bool {
    task.key("board").is_some() || task.key("rules").is_some() || task.verb == REPORT
}

/// Inputs of a verb on a game.
struct GameInputs<'a> {
    task: &'a Task,
    game: Arc<Game>,
    config: TableConfig,
    /// Metric of the task; to mate if it names none.
    metric: Metric,
    /// Memory for tables, in bytes.
    memory_bytes: u64,
    cache: GameCache,
    /// Piece that a report is about.
    letter: char,
}

/// Prepares the work of a verb on a game; files are read in the job.
pub(super) fn prepare(task: &Task, context: &Context) -> Result<Prepared, TaskError> {
    let make: fn(GameInputs<'_>) -> Result<Work, TaskError> = match task.verb {
        "build" => tables::build,
        "stats" => tables::stats,
        "verify" => tables::verify,
        "maximin" => longest::maximin,
        "save" => tables::save,
        "list" => tables::list,
        "need" => figures::need,
        "compare" => figures::compare,
        "survey" => figures::survey,
        "report" => longest::report,
        "probe" => probe::probe,
        "piece" => piece::piece,
        REPORT => report::report,
        "listing" => {
            return Err("listing is EGTgen's list with octal numbers of squares, which exists only on a board of 8x8 \
                 without rules; probe lists all moves".into());
        }
        "load" => {
            return Err("saved tables of other boards and games need no load: each verb reads them from EGT Folder".into());
        }
        other => {
            return Err(format!("{other} exists only on a board of 8x8 without rules").into());
        }
    };
    if let Some(key) =
        ["seed", "null", "syzygy", "dtm50"].into_iter().find(|key| task.key(key).is_some())
    {
        return Err(format!("{key} exists only on a board of 8x8 without rules").into());
    }
    if task.key("metric").is_some_and(|name| Metric::from_name(name) == Some(Metric::Level)) {
        return Err(GameMetricError::Level.to_string().into());
    }
    let (mut task, context) = (task.clone(), context.clone());
    Ok(Prepared::load(move |job| {
        if task.verb == "probe" {
            task.text = task
                .text
                .map(|text| {
                    probe::lines(text, &|path| {
                        job.read_text(path).map_err(|error| error.to_string().into())
                    })
                })
                .transpose()?;
        }
        let mut options = context.options.tables.clone();
        if task.key("rules").is_some() {
            // Rules bring their own pieces.
            options.piece_file.clear();
        }
        let mut config = TableConfig::of(&task, &options, &|path| job.read_text(path))?;
        let metric = if task.key("metric").is_some() { config.rules.metric } else { Metric::Dtm };
        if let Some(text) = read_pieces(&task, &options.piece_file, &config) {
            job.message(note(text));
        }
        let letter = if task.verb == REPORT { report::letter(&task, &mut config)? } else { ' ' };
        let game = game(&task, &config, job)?;
        for text in &game.not_modelled {
            job.message(note(format!("{} does not model {text}", game.name)));
        }
        let memory_bytes = config.granted_bytes(context.store.get::<TableCache>().held_bytes());
        let cache = context.store.get();
        let game = Arc::new(game);
        make(GameInputs { task: &task, game, config, metric, memory_bytes, cache, letter })
    }))
}

/// Returns the game that a task names.
fn game(task: &Task, config: &TableConfig, job: &JobContext<'_>) -> Result<Game, TaskError> {
    let Some(name) = task.key("rules") else {
        let grid = match task.key("board") {
            Some(board) => board.parse::<Grid>().map_err(|error| error.to_string())?,
            None => Grid::CHESS,
        };
        return Game::on_board(grid, &config.piece_set, &config.rules)
            .map_err(|error| error.to_string().into());
    };
    for key in ["board", "stalemate", "bare", "promote", "pieces"] {
        if task.key(key).is_some() {
            return Err(format!("{key} is part of the rules; give either rules or {key}").into());
        }
    }
    if let Some((_, why)) = REFUSED.iter().find(|(refused, _)| refused.eq_ignore_ascii_case(name)) {
        return Err(format!("tables cannot have the rules of {name}: {why}").into());
    }
    if let Some(preset) = Preset::named(name) {
        return Game::read(preset.text()).map_err(|error| format!("{name}: {error}").into());
    }
    // A file of several variants has the name of one after a colon.
    let (path, variant) = match name.rsplit_once(':') {
        Some((path, variant)) if !variant.contains(['/', '\\']) => (path, Some(variant)),
        _ => (name, None),
    };
    let text = job.read_text(path).map_err(|error| {
        let known: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let known = known.join(", ");
        format!("rules {name}: neither one of {known} nor a file of rules: {error}")
    })?;
    Game::read_any(&text, variant).map_err(|error| format!("{path}: {error}").into())
}

impl GameInputs<'_> {
    fn material(&self) -> Result<GameMaterial, TaskError> {
        let name = subject(self.task, 0)?;
        GameMaterial::read(name, &self.game).map_err(|error| error.to_string().into())
    }

    /// Returns the folder of finished tables.
    fn folder(&self) -> Option<PathBuf> {
        self.config.files().map(Path::to_owned)
    }
}

/// Returns the end of a task with a line for people.
fn ended_with(count: u64, line: String) -> umbrail_session::message::Message {
    let mut done = ended(count);
    done.page = vec![line];
    done
}
