//! Work on whole tables: build, count, save, check, compare.

use super::build::{BuildContext, Failure, build, build_into_folder, count, save};
use super::{Inputs, end, ended, failed, notify, subject};
use crate::records::egt::{EgtDifference, EgtEnd, EgtListing, Rep2Report, TableFile};
use crate::results::write_result;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use umbrail_chess::fen::read_position;
use umbrail_chess::geometry::{Color, Setup};
use umbrail_session::build_progress::BuildRow;
use umbrail_session::domain::{Domain, Task};
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Kind, Message};
use umbrail_session::module::{Context, Work};
use umbrail_session::status::Status;
use umbrail_session::table_store::TableConfig;
use umbrail_session::table_store::{CachedTable, TableCache};
use umbrail_session::task_error::TaskError;
use umbrail_session::task_records::TaskProgress;
use umbrail_tables::{
    Compression, FairyBoard, Material, Metric, Rules, Stalemate, Statistics, Tablebase, egtgen,
    survey,
};

/// Minimum time between rows of statistics.
const ROW_GAP: Duration = Duration::from_millis(500);
/// Maximum number of listed differences between two endgames.
const DIFFERENCES_SHOWN: usize = 40;

pub(super) type TaskResult = Result<Completion, Failure>;

/// Returns the endgame of a task, or that of the options.
pub(super) fn endgame(inputs: &Inputs<'_>) -> Result<Material, TaskError> {
    let usual = inputs.context.options.tables.endgame.as_str();
    let name = match subject(inputs.task, 0) {
        Err(_) if !usual.is_empty() => usual,
        other => other?,
    };
    let material = inputs.config.material(name)?;
    inputs.config.seeds(&material, inputs.read)?;
    if inputs.task.verb != "compare" {
        inputs.config.check_promotions(std::slice::from_ref(&material))?;
    }
    Ok(material)
}

pub(super) fn build_kept(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let material = endgame(&inputs)?;
    let Inputs { config, cache, .. } = inputs;
    Ok(run(move |job| {
        let (entry, statistics) = built(&material, &config, &cache, job)?;
        let longest = |color| statistics.as_ref().map(|one| one.max_win(color) as u64);
        let mut done = end(&EgtEnd {
            count: 1,
            material: Some(entry.name.clone()),
            white_plies: longest(Color::White),
            black_plies: longest(Color::Black),
            ..EgtEnd::default()
        });
        if let Some(statistics) = &statistics {
            let metric = config.rules.metric;
            let longest =
                Color::ALL.map(|color| format!("{color} {} plies", statistics.max_win(color)));
            done.page = vec![format!(
                "{} ({metric}) is built; longest wins{}: {}",
                entry.name,
                egtgen::unit(metric),
                longest.join(", ")
            )];
        }
        Ok(complete(done))
    }))
}

pub(super) fn count_one(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let material = endgame(&inputs)?;
    let csv = inputs.task.key("csv").map(PathBuf::from);
    let Inputs { config, cache, .. } = inputs;
    Ok(counted(csv, move |job| statistics(&material, &config, &cache, job)))
}

/// Returns work that reports the statistics of a table, and writes them to a CSV file if one is named.
pub(super) fn counted(
    csv: Option<PathBuf>,
    count: impl FnOnce(&JobContext<'_>) -> Result<Statistics, Failure> + Send + 'static,
) -> Work {
    run(move |job| {
        let statistics = count(job)?;
        if let Some(file) = csv {
            write_result(&file, statistics.to_csv().as_bytes()).map_err(Failure::refused)?;
        }
        job.message(notify::statistics(&statistics));
        let mut done = ended(1);
        done.record = None;
        Ok(complete(done))
    })
}

pub(super) fn load_from(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let (material, folder) = (endgame(&inputs)?, PathBuf::from(subject(inputs.task, 1)?));
    let Inputs { config, cache, .. } = inputs;
    Ok(run(move |_| load(&material, &config, &cache, &folder)))
}

pub(super) fn save_to(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let (material, folder) = (endgame(&inputs)?, PathBuf::from(subject(inputs.task, 1)?));
    let effort = match inputs.task.key("effort") {
        None | Some("work") => Compression::Working,
        Some("ship") => Compression::Shipping,
        Some(other) => return Err(TaskError::expects("effort", "work or ship").got_quoted(other)),
    };
    let Inputs { config, cache, .. } = inputs;
    Ok(run(move |job| {
        let saved = match kept(&material, &config, &cache) {
            Some(entry) => {
                let saved = job.pool.install(|| entry.table().save(&folder, effort));
                saved.map_err(|error| Failure::refused(error.to_string()))?
            }
            None => {
                let notify = rows(job);
                let site = BuildContext { job, cache: &cache, notify: &notify };
                save(&config, &material, (&folder, effort), site)?
            }
        };
        for (name, bytes) in &saved {
            let record = TableFile { file: name.clone(), bytes: *bytes };
            let mut message =
                notify::result(&record).with("file", name.as_str()).with("bytes", *bytes);
            message.page = vec![format!("{name}: {bytes} bytes")];
            job.message(message);
        }
        let mut done = ended(saved.len() as u64);
        done.page = vec![format!("{} files are saved in {}", saved.len(), folder.display())];
        Ok(complete(done))
    }))
}

pub(super) fn compare(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let material = endgame(&inputs)?;
    let Inputs { task, config, cache, .. } = inputs;
    let other = match task.subject.get(1) {
        Some(name) => config.material(name)?,
        None => material.clone(),
    };
    config.check_promotions(&[material.clone(), other.clone()])?;
    let mut usual = config.clone();
    if task.subject.len() < 2 {
        usual.rules = Rules::orthodox(config.rules.metric);
        if usual.rules == config.rules {
            return Err(TaskError::expects("compare", "a second endgame, or rules such as null 1"));
        }
    }
    Ok(run(move |job| {
        let one = statistics(&material, &config, &cache, job)?;
        let mut two = statistics(&other, &usual, &cache, job)?;
        let mut one = one;
        if one.material == two.material {
            one.material.push_str(" by these rules");
        }
        if usual.rules != config.rules {
            two.material.push_str(" by the usual rules");
        }
        Ok(complete(differences(&one, &two, job)))
    }))
}

/// Lists the figures in which two endgames differ; returns the last message.
pub(super) fn differences(one: &Statistics, other: &Statistics, job: &JobContext<'_>) -> Message {
    let lines = survey::compare(one, other);
    for line in lines.iter().take(DIFFERENCES_SHOWN) {
        let record = EgtDifference { difference: line.clone() };
        let mut message = notify::result(&record).with("difference", line.as_str());
        message.page = vec![line.clone()];
        job.message(message);
    }
    let mut done = ended(lines.len() as u64);
    let shares = Color::ALL.map(|color| {
        let [a, b] = [one, other].map(|s| {
            let legal = s.legal[color.index()].full_board.max(1);
            100.0 * s.sides[color.index()].won.full_board as f64 / legal as f64
        });
        format!("{color} to move wins {a:.2} % of {}, {b:.2} % of {}", one.material, other.material)
    });
    done.page = match lines.len() {
        0 => vec![format!("{} and {} agree in all figures", one.material, other.material)],
        count => {
            let more = count.saturating_sub(DIFFERENCES_SHOWN);
            let cut = match more {
                0 => String::new(),
                more => {
                    format!("; {more} more are in the histograms (stats --csv FILE of each)")
                }
            };
            let heading = format!("{count} figures differ{cut}");
            std::iter::once(heading).chain(shares).collect()
        }
    };
    done
}

pub(super) fn list_moves(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let material = endgame(&inputs)?;
    let board = listed_board(inputs.task, inputs.context, &inputs.config, &material)?;
    let Inputs { task, mut config, cache, .. } = inputs;
    if task.key("metric").is_none() {
        config.rules.metric = Metric::Level;
    }
    Ok(run(move |job| listing(&material, &board, &config, &cache, job)))
}

pub(super) fn rep2_of(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let material = endgame(&inputs)?;
    let Inputs { config, cache, .. } = inputs;
    Ok(run(move |job| {
        let site = BuildContext { job, cache: &cache, notify: &|_| {} };
        let text = rep2(&material, &config, site)?;
        let mut message = notify::result(&Rep2Report { rep2: text.clone() });
        message.json_only = true;
        job.message(message);
        let mut done = ended(1);
        // The output is EGTgen's file, and nothing else.
        done.page_is_file = true;
        done.page = text.lines().map(str::to_owned).collect();
        Ok(complete(done))
    }))
}

pub(super) fn run(work: impl FnOnce(&JobContext<'_>) -> TaskResult + Send + 'static) -> Work {
    Box::new(move |job| work(job).unwrap_or_else(|failure| failed(job, &failure)))
}

pub(super) fn complete(done: Message) -> Completion {
    Completion { done, status: Status::Complete }
}

/// Returns the table of a material, built when it is missing.
pub(super) fn entry(
    material: &Material,
    config: &TableConfig,
    cache: &TableCache,
    job: &JobContext<'_>,
) -> Result<Arc<CachedTable>, Failure> {
    if let Some(entry) = kept(material, config, cache) {
        return Ok(entry);
    }
    let notify = rows(job);
    Ok(cache.put(
        build(config, material, BuildContext { job, cache, notify: &notify })?,
        config.is_seeded(),
    ))
}

/// Returns the table of a material and its statistics: in memory, or in the files of the folder for
/// finished tables.
fn built(
    material: &Material,
    config: &TableConfig,
    cache: &TableCache,
    job: &JobContext<'_>,
) -> Result<(Arc<CachedTable>, Option<Statistics>), Failure> {
    let (Some(folder), None) = (config.files(), kept(material, config, cache)) else {
        let entry = entry(material, config, cache, job)?;
        let statistics = entry.table().statistics();
        return Ok((entry, statistics));
    };
    let notify = rows(job);
    let site = BuildContext { job, cache, notify: &notify };
    let (table, statistics) = build_into_folder(config, material, folder, site)?;
    Ok((cache.put(table, false), statistics))
}

/// Returns the table of a material, if it is in memory.
fn kept(material: &Material, config: &TableConfig, cache: &TableCache) -> Option<Arc<CachedTable>> {
    // A table that is read from its files has no statistics.
    cache.named(&material.to_string(), config).filter(|entry| entry.table().is_in_memory())
}

/// Reports a row periodically.
fn rows<'a>(job: &'a JobContext<'_>) -> impl Fn(BuildRow) + Sync + 'a {
    let last = Mutex::new(Duration::ZERO);
    move |row: BuildRow| {
        let Ok(mut last) = last.lock() else { return };
        if row.time < *last + ROW_GAP {
            return;
        }
        *last = row.time;
        let ms = u64::try_from(row.time.as_millis()).unwrap_or(u64::MAX);
        let message = Message::new(Domain::Egt, Kind::Progress);
        let record = TaskProgress { elapsed_ms: ms, nodes: row.settled, ..TaskProgress::default() };
        let message = message.with("time", ms).with("nodes", row.settled).holding(&record);
        job.message(message.printing(row.text));
    }
}

/// Returns the statistics of a material: of its table when that is in memory, else of a temporary
/// one.
pub(super) fn statistics(
    material: &Material,
    config: &TableConfig,
    cache: &TableCache,
    job: &JobContext<'_>,
) -> Result<Statistics, Failure> {
    let named = cache.named(&material.to_string(), config);
    let statistics = match named.filter(|entry| entry.table().is_in_memory()) {
        Some(entry) => entry.table().statistics(),
        None => {
            let notify = rows(job);
            count(config, material, BuildContext { job, cache, notify: &notify })?.statistics()
        }
    };
    statistics.ok_or_else(|| Failure::refused(format!("{material} has no statistics")))
}

fn load(
    material: &Material,
    config: &TableConfig,
    cache: &TableCache,
    folder: &std::path::Path,
) -> TaskResult {
    let refused = |why: String| Failure::refused(why);
    let mut table = Tablebase::empty(material, &config.rules, &config.piece_set)
        .map_err(|error| refused(error.to_string()))?;
    table.load(folder, true, 0).map_err(|error| refused(error.to_string()))?;
    let entry = cache.put(table, false);
    let material = Some(entry.name.clone());
    let mut done = end(&EgtEnd { count: 1, material, ..EgtEnd::default() });
    done.page = vec![format!("{} is loaded from {}", entry.name, folder.display())];
    Ok(complete(done))
}

/// Returns the board to list: by octal index, as FEN, or the current one.
fn listed_board(
    task: &Task,
    context: &Context,
    config: &TableConfig,
    material: &Material,
) -> Result<FairyBoard, TaskError> {
    if let Some(text) = task.key("index") {
        let board = u64::from_str_radix(text, 8).ok().and_then(|i| egtgen::board(i, material));
        let expects = format!("two octal digits for each piece of {material}");
        return board.ok_or_else(|| TaskError::expects("index", expects).got_quoted(text));
    }
    let setup: Setup = match task.key("fen") {
        Some(fen) => read_position(fen).map_err(|error| format!("{error}"))?,
        None => context.game.setup(),
    };
    FairyBoard::read(&setup, &config.piece_set, config.royals(Some(material)))
        .map_err(|errors| TaskError::all(&errors))
}

fn listing(
    material: &Material,
    board: &FairyBoard,
    config: &TableConfig,
    cache: &TableCache,
    job: &JobContext<'_>,
) -> TaskResult {
    let entry = entry(material, config, cache, job)?;
    let listing = entry.table().listing(board);
    let listing = listing.map_err(|error| Failure::refused(error.to_string()))?;
    let record = EgtListing { listing: listing.to_string() };
    let mut message = notify::result(&record);
    message.page = record.listing.lines().map(str::to_owned).collect();
    job.message(message);
    Ok(complete(ended(listing.moves.len() as u64)))
}

/// Writes EGTgen's report, with EGTgen's own counts.
pub(super) fn rep2(
    material: &Material,
    config: &TableConfig,
    site: BuildContext<'_>,
) -> Result<String, Failure> {
    let pieces = Color::ALL.into_iter().flat_map(|color| material.side(color));
    if let Some(piece) = pieces.into_iter().find(|piece| !piece.bent().is_empty()) {
        let (letter, betza) = (piece.letter, piece.betza());
        let why =
            format!("rep2.txt counts as EGTgen does, which has no piece like {letter} ({betza})");
        return Err(Failure::refused(why));
    }
    let mut config = config.clone();
    let metric = if config.rules.metric == Metric::Dtm { Metric::Dtm } else { Metric::Level };
    let stalemate_wins = config.rules.stalemate == Stalemate::Win;
    // A table from a file has no list of its stalemates.
    config.folder = None;
    config.rules = Rules::egtgen(metric, config.rules.null_move, stalemate_wins);
    let mut table = build(&config, material, site)?;
    table.rep2().ok_or_else(|| Failure::refused(format!("{material} has no statistics")))
}
