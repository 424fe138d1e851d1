//! `egt probe`: the value of one position and of its moves, or of every line of a text.

use super::build::{BuildContext, Failure, build, build_also};
use super::fifty_moves::{FIFTY, Mate, shortest_mate};
use super::kept::{notify as notify_kept, notify_damage, open};
use super::{Inputs, ended, failed, notify};
use crate::records::egt::{ProbeEnd, ProbedLine, ProbedValue};
use umbrail_chess::fen::read_position;
use umbrail_chess::geometry::Setup;
use umbrail_session::domain::Task;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Message, Value};
use umbrail_session::module::Work;
use umbrail_session::status::Status;
use umbrail_session::table_store::TableConfig;
use umbrail_session::table_store::{CachedTable, TableCache};
use umbrail_session::task_error::TaskError;
use umbrail_tables::seed::SeedLine;
use umbrail_tables::{
    BuildOptions, BuildRequest, FairyBoard, FairyMove, Material, Metric, ProbeError,
    TableValue as Worth, Tablebase, ValuedMove,
};

pub(super) fn prepare(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let Inputs { task, context, config, cache, read: read_text } = inputs;
    let fen = task.key("fen");
    if fen.is_some() && task.text.is_some() {
        let wanted = "one position with fen, or a text of positions, not both";
        return Err(TaskError::expects("probe", wanted));
    }
    let fifty = task.key(FIFTY.name).is_some();
    if fifty && config.is_seeded() {
        return Err("dtm50 does not count from seeds; leave out one of both".to_owned().into());
    }
    if let Some(text) = task.text.clone() {
        let text = match names_file(&text) {
            true => read_text(text.trim()).map_err(|why| {
                format!("\"{}\" is neither a position nor a file of positions: {why}", text.trim())
            })?,
            false => text,
        };
        config.check_promotions(&[])?;
        let metrics =
            if fifty { vec![Metric::Dtm, Metric::Dtz] } else { batch_metrics(task, &config) };
        return Ok(Box::new(move |job| batch(&text, &config, &metrics, fifty, job)));
    }
    let setup: Setup = match fen {
        Some(fen) => read_position(fen).map_err(|error| format!("{error}"))?,
        None => context.game.setup(),
    };
    let endgame = context.options.tables.endgame.as_str();
    let endgame = if endgame.is_empty() { None } else { Some(config.material(endgame)?) };
    let board = read(&setup, &config, endgame.as_ref())?;
    config.check_promotions(&[Tablebase::material_of(&board)])?;
    let halfmoves = setup.halfmoves.into();
    Ok(Box::new(move |job| one((&board, halfmoves), fifty, &config, &cache, job)))
}

/// Returns true for a text of one word that is not a position: it is taken for a file name.
pub(super) fn names_file(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && !text.contains(char::is_whitespace) && read_position(text).is_err()
}

fn read(
    setup: &Setup,
    config: &TableConfig,
    endgame: Option<&Material>,
) -> Result<FairyBoard, TaskError> {
    FairyBoard::read(setup, &config.piece_set, config.royals(endgame))
        .map_err(|errors| TaskError::all(&errors))
}

/// Probes one position, given with its counter of half-moves, with all its moves; a missing table
/// is built and kept.
fn one(
    (board, halfmoves): (&FairyBoard, usize),
    fifty: bool,
    config: &TableConfig,
    cache: &TableCache,
    job: &JobContext<'_>,
) -> Completion {
    let material = Tablebase::material_of(board);
    let entry = match cache.holding(board, config) {
        Some(entry) => Ok(entry),
        None => opened_or_built(&material, config, cache, job)
            .map(|table| cache.put(table, config.is_seeded())),
    };
    let looked_up = entry.and_then(|entry| {
        match look_up(&entry, board) {
            Err(ProbeError::Damaged(why)) => {
                notify_damage(&why, &material.to_string(), job);
                let table = build(config, &material, BuildContext { job, cache, notify: &|_| {} })?;
                look_up(&cache.put(table, config.is_seeded()), board)
            }
            found => found,
        }
        .map_err(|error| Failure::refused(error.to_string()))
    });
    let (value, moves, best) = match looked_up {
        Ok(found) => found,
        Err(failure) => return failed(job, &failure),
    };
    for choice in &moves {
        let is_best = best.as_ref() == Some(&choice.mv);
        let after = board.after(&choice.mv).to_fen();
        job.message(notify::a_move(choice, config.rules.metric, is_best, after));
    }
    let mut probed =
        ProbedValue { best: best.as_ref().map(ToString::to_string), ..Default::default() };
    add_value(&mut probed, value, config.rules.metric, halfmoves);
    let mate = match fifty.then(|| mate_of_one((board, halfmoves), config, job)).transpose() {
        Ok(mate) => mate,
        Err(failure) => return failed(job, &failure),
    };
    if let Some(mate) = &mate {
        mate.add_to(&mut probed);
    }
    let (count, wdl) = (moves.len() as u64, value.wdl().into());
    let record = ProbeEnd { count, fen: board.to_fen(), wdl, value: probed };
    let done = ended(count).with("fen", record.fen.as_str()).with("wdl", Value::Number(wdl));
    let mut done = with_words(done, &record.value).holding(&record);
    let turn = board.turn;
    let mut verdict = format!("{turn} to move {}", notify::worth(value, config.rules.metric));
    if config.rules.metric == Metric::Dtz {
        verdict.push_str(match value.wdl50(halfmoves) {
            1 | -1 => ", but the fifty-move rule draws",
            _ => "",
        });
    }
    match best {
        Some(best) => {
            verdict.push_str(&format!("; best is {best}"));
        }
        None => {
            verdict.push_str("; there is no move");
            done = done.printing(verdict.as_str());
        }
    }
    done.page = vec![verdict];
    done.page.extend(mate.map(|mate| mate.words(halfmoves)));
    Completion { done, status: Status::Complete }
}

/// Returns the shortest mate of a position under the fifty-move rule.
fn mate_of_one(
    (board, halfmoves): (&FairyBoard, usize),
    config: &TableConfig,
    job: &JobContext<'_>,
) -> Result<Mate, Failure> {
    let metrics = [Metric::Dtm, Metric::Dtz];
    let mut tables = tables(&Tablebase::material_of(board), config, &metrics, &[])?;
    values(&mut tables, board, config, &metrics, job)?;
    shortest_mate([&tables[0], &tables[1]], board, halfmoves, job)
}

/// Adds the value of a board in a metric.
pub(super) fn add_value(probed: &mut ProbedValue, value: Worth, metric: Metric, halfmoves: usize) {
    let plies = Some(value.signed_plies());
    match metric {
        Metric::Dtm => probed.dtm = plies,
        Metric::Dtc => probed.dtc = plies,
        Metric::Dtz => {
            (probed.dtz, probed.wdl50) = (plies, Some(value.wdl50(halfmoves).into()));
        }
        Metric::Level => probed.level = plies,
    }
}

/// Adds the words of a value for dialects that write lines.
pub(super) fn with_words(mut message: Message, probed: &ProbedValue) -> Message {
    let ProbedValue { dtm, dtc, dtz, level, wdl50, best, .. } = probed;
    let ProbedValue { dtm50, dtm50_at_least, line50, .. } = probed;
    let number = |number: Option<i64>| number.map_or(Value::Null, Value::Number);
    let distances = [("dtm", dtm), ("dtc", dtc), ("dtz", dtz), ("level", level)];
    let under_the_rule = [("dtm50", dtm50), ("dtm50_at_least", dtm50_at_least)];
    let distances = distances.into_iter().chain(under_the_rule);
    let distances = distances.filter_map(|(key, plies)| Some((key, number((*plies)?))));
    message.words.extend(distances);
    message.words.extend(wdl50.map(|value| ("wdl50", Value::Number(value))));
    message.words.extend(line50.as_ref().map(|line| ("line50", Value::Text(line.join(" ")))));
    message.words.extend(best.as_deref().map(|best| ("best", Value::from(best))));
    message
}

/// Returns the value of a board, its moves, and the best move.
fn look_up(
    entry: &CachedTable,
    board: &FairyBoard,
) -> Result<(Worth, Vec<ValuedMove>, Option<FairyMove>), ProbeError> {
    let table = entry.table();
    let best = table.best(board)?.map(|choice| choice.mv);
    Ok((table.value(board)?, table.moves(board)?, best))
}

/// Returns the table of a material, from the files of the folder or built.
fn opened_or_built(
    material: &Material,
    config: &TableConfig,
    cache: &TableCache,
    job: &JobContext<'_>,
) -> Result<Tablebase, Failure> {
    if let Some(folder) = config.files() {
        let opened = open(config, material, folder);
        notify_kept(opened.as_ref().map(|_| ()), (material, config.rules.metric), folder, job);
        if let Ok(table) = opened {
            return Ok(table);
        }
    }
    build(config, material, BuildContext { job, cache, notify: &|_| {} })
}

/// Probes every line of the text, FEN or EPD, in order, under DTM and DTC, and on request under DTZ
/// with the fifty-move rule. Tables are read from the folder or built as needed. A line that is not
/// a position gets an error in its place, which changes the exit status. Empty lines and those that
/// begin with `#` are skipped.
fn batch(
    text: &str,
    config: &TableConfig,
    metrics: &[Metric],
    fifty: bool,
    job: &JobContext<'_>,
) -> Completion {
    let bare = config.material("K.K").map_err(Failure::refused);
    let mut tables = match bare.and_then(|bare| tables(&bare, config, metrics, &[])) {
        Ok(tables) => tables,
        Err(failure) => return failed(job, &failure),
    };
    let (mut count, mut status) = (0, Status::Complete);
    let is_position = |line: &&str| !line.is_empty() && !line.starts_with('#');
    for line in text.lines().map(str::trim).filter(is_position) {
        let setup = read_position(line).map_err(|error| Failure::refused(error.to_string()));
        // EPD operations are omitted when the line is repeated.
        let stated = setup.as_ref().ok().filter(|_| line.contains(';')).map(ToString::to_string);
        let line = stated.as_deref().unwrap_or(line);
        let halfmoves = setup.as_ref().map_or(0, |setup| setup.halfmoves.into());
        let values = setup
            .and_then(|setup| read(&setup, config, None).map_err(Failure::refused))
            .and_then(|board| {
                let line = values(&mut tables, &board, config, metrics, job)?;
                let mate = match &tables[..] {
                    [to_mate, to_zeroing] if fifty => {
                        Some(shortest_mate([to_mate, to_zeroing], &board, halfmoves, job)?)
                    }
                    _ => None,
                };
                Ok((line, mate))
            });
        count += 1;
        let mut record = ProbedLine { fen: line.to_owned(), ..ProbedLine::default() };
        match values {
            Ok((BatchLine { worths, best }, mate)) => {
                let wdl = worths[0].wdl().into();
                record.wdl = Some(wdl);
                for (worth, metric) in worths.iter().zip(metrics) {
                    add_value(&mut record.value, *worth, *metric, halfmoves);
                }
                record.value.best.clone_from(&best);
                if let Some(mate) = &mate {
                    mate.add_to(&mut record.value);
                }
                let mut words = vec![];
                for (worth, metric) in worths.iter().zip(metrics) {
                    words.push(notify::worth(*worth, *metric));
                    if *worth == Worth::Draw {
                        break;
                    }
                }
                if let Some(best) = &best {
                    words.push(format!("best is {best}"));
                }
                words.extend(mate.map(|mate| mate.words(halfmoves)));
                let message = notify::result(&record).with("fen", line);
                let message = message.with("wdl", Value::Number(wdl));
                let mut message = with_words(message, &record.value);
                message.page = vec![format!("{line}: {}", words.join(", "))];
                job.message(message);
            }
            Err(failure) if failure.status == Status::Stopped => {
                status = Status::Stopped;
                break;
            }
            Err(failure) => {
                status = Status::Refused;
                record.error = Some(failure.why.clone());
                let message = notify::result(&record).with("fen", line);
                let mut message = message.with("error", failure.why.as_str());
                message.page = vec![format!("{line}: {}", failure.why)];
                job.message(message);
            }
        }
    }
    let mut done = ended(count);
    done.record = None;
    Completion { done, status }
}

/// Table values of one line.
struct BatchLine {
    /// Value in each table.
    worths: Vec<Worth>,
    /// Best move by the last table.
    best: Option<String>,
}

/// Returns the metrics of a batch: the one that the key names, or DTM and DTC, and DTZ if the option
/// asks for it.
fn batch_metrics(task: &Task, config: &TableConfig) -> Vec<Metric> {
    match (task.key("metric"), config.rules.metric) {
        (Some(_), metric) => vec![metric],
        (None, Metric::Dtz) => vec![Metric::Dtm, Metric::Dtc, Metric::Dtz],
        (None, _) => vec![Metric::Dtm, Metric::Dtc],
    }
}

/// Creates an empty table for each metric of a batch, with the seeds of the material.
fn seeded(
    material: &Material,
    config: &TableConfig,
    metrics: &[Metric],
    job: &JobContext<'_>,
) -> Result<Vec<Tablebase>, Failure> {
    let seeds = config.seeds(material, &|path| job.read_text(path)).map_err(Failure::refused)?;
    tables(material, config, metrics, &seeds)
}

/// Creates an empty table for each metric of a batch.
fn tables(
    material: &Material,
    config: &TableConfig,
    metrics: &[Metric],
    seeds: &[SeedLine],
) -> Result<Vec<Tablebase>, Failure> {
    let table = |&metric: &Metric| {
        let mut config = config.clone();
        config.rules.metric = metric;
        let mut request = BuildRequest::new(material, &config.piece_set, &config.rules);
        request.seeds = seeds.to_vec();
        let folder = config.files().map(std::path::Path::to_owned);
        let options = BuildOptions { folder, ..BuildOptions::unlimited() };
        Tablebase::new(request, options).map_err(|error| Failure::refused(error.to_string()))
    };
    metrics.iter().map(table).collect()
}

fn values(
    tables: &mut Vec<Tablebase>,
    board: &FairyBoard,
    config: &TableConfig,
    metrics: &[Metric],
    job: &JobContext<'_>,
) -> Result<BatchLine, Failure> {
    let refused = |error: umbrail_tables::ProbeError| Failure::refused(error.to_string());
    let material = Tablebase::material_of(board);
    // Seeds belong to one material, and their effects to no other.
    if config.is_seeded() && tables.first().is_none_or(|table| *table.material() != material) {
        *tables = seeded(&material, config, metrics, job)?;
    }
    let mut worths = vec![];
    for number in 0..tables.len() {
        if tables[number].value(board).is_err() {
            build_also(tables, number, &material, config, job)?;
        }
        worths.push(tables[number].value(board).map_err(refused)?);
    }
    let mut best = None;
    if let Some(last) = tables.len().checked_sub(1) {
        // A move may lead to a damaged block.
        if tables[last].best(board).is_err() {
            build_also(tables, last, &material, config, job)?;
        }
        best = tables[last].best(board).map_err(refused)?.map(|choice| choice.mv.to_string());
    }
    Ok(BatchLine { worths, best })
}
