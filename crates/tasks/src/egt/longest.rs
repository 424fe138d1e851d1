//! The longest wins and the mutual zugzwangs of a table: lists with lines of play, EPD, and a
//! report with diagrams.

use super::build::Failure;
use super::work::{TaskResult, complete, endgame, entry, run, statistics};
use super::{Inputs, end, ended, notify};
use crate::records::egt::{EgtEnd, LongestWin, MoreWins};
use crate::results::write_result;
use std::fmt::Display;
use std::path::PathBuf;
use umbrail_chess::geometry::Color;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::Value;
use umbrail_session::module::Work;
use umbrail_session::table_store::TableCache;
use umbrail_session::table_store::TableConfig;
use umbrail_session::task_error::TaskError;
use umbrail_tables::{FairyBoard, Material, Metric, Tablebase, egtgen};

/// Maximum length of a line of best play, in plies.
const LINE_PLIES: usize = 2000;

pub(super) fn longest_wins(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let material = endgame(&inputs)?;
    let files = ["epd", "pgn"].map(|key| inputs.task.key(key).map(PathBuf::from));
    let Inputs { config, cache, .. } = inputs;
    Ok(run(move |job| maximin(&material, &config, &cache, &files, job)))
}

pub(super) fn report_on(inputs: Inputs<'_>) -> Result<Work, TaskError> {
    let material = endgame(&inputs)?;
    let files = ["html", "epd"].map(|key| inputs.task.key(key).map(PathBuf::from));
    let Inputs { config, cache, .. } = inputs;
    Ok(run(move |job| report(&material, &config, &cache, files, job)))
}

/// Maximum number of longest wins listed with their lines, for each side to move.
pub(super) const LONGEST_SHOWN: usize = 20;

fn maximin(
    material: &Material,
    config: &TableConfig,
    cache: &TableCache,
    [epd, pgn]: &[Option<PathBuf>; 2],
    job: &JobContext<'_>,
) -> TaskResult {
    let entry = entry(material, config, cache, job)?;
    let mut table = entry.table();
    let refused = |error: umbrail_tables::ProbeError| Failure::refused(error.to_string());
    let mut count = 0;
    let (mut exported, mut games) = (String::new(), String::new());
    let metric = config.rules.metric;
    for winner in Color::ALL {
        for winner_moves in [true, false] {
            let boards = table.hardest(winner, winner_moves, usize::MAX);
            let total = boards.len();
            for (number, board) in boards.iter().enumerate() {
                let value = table.value(board).map_err(refused)?;
                let plies = value.signed_plies().unwrap_or(0).abs();
                if epd.is_some() {
                    let comment = format!("{winner} wins, {} {plies} plies", metric.name());
                    exported.push_str(&epd_line(board, &comment));
                }
                if number >= LONGEST_SHOWN {
                    continue;
                }
                if pgn.is_some() {
                    games += &table.pgn(board, LINE_PLIES).map_err(refused)?.to_string();
                }
                let line = table.line(board, LINE_PLIES).map_err(refused)?;
                let moves: Vec<_> = line.iter().map(ToString::to_string).collect();
                let octal = egtgen::index(board, material);
                let text = moves.join(" ");
                let record = LongestWin {
                    winner: winner.to_string(),
                    fen: board.to_fen(),
                    plies,
                    octal: octal.map(|index| format!("{index:o}")),
                    uci: moves,
                };
                let mut message = notify::result(&record)
                    .with("winner", record.winner.as_str())
                    .with("fen", record.fen.as_str())
                    .with("plies", Value::Number(plies));
                if let Some(index) = &record.octal {
                    message = message.with("octal", index.as_str());
                }
                message = message.printing(text.as_str());
                let turn = board.turn;
                let index = octal.map_or(String::new(), |index| format!(", index {index:o}"));
                message.page = vec![
                    format!(
                        "{winner} wins, {turn} to move: {plies} plies{}{index}  {}",
                        egtgen::unit(metric),
                        board.to_fen()
                    ),
                    format!("  {text}"),
                ];
                job.message(message);
                count += 1;
            }
            more_message(winner, total, material, job);
        }
    }
    let mut done = ended(count);
    let exports = [(epd, &exported, exported.lines().count()), (pgn, &games, count as usize)];
    for (path, text, positions) in exports {
        let Some(path) = path else { continue };
        write_result(path, text.as_bytes()).map_err(Failure::refused)?;
        done.page.push(format!("wrote {positions} positions to {}", path.display()));
    }
    Ok(complete(done))
}

/// Reports the number of the longest wins that are not listed.
pub(super) fn more_message(
    winner: Color,
    total: usize,
    material: &impl Display,
    job: &JobContext<'_>,
) {
    let Some(more @ 1..) = total.checked_sub(LONGEST_SHOWN) else { return };
    let record = MoreWins { winner: winner.to_string(), more: more as u64 };
    let mut rest =
        notify::result(&record).with("winner", record.winner.as_str()).with("more", record.more);
    rest.page = vec![format!(
        "{more} more positions of this length; maximin {material} --epd FILE writes all {total}"
    )];
    job.message(rest);
}

/// Writes a line of EPD with a comment.
fn epd_line(board: &FairyBoard, comment: &str) -> String {
    let fen = board.to_fen();
    let fields: Vec<&str> = fen.split_whitespace().take(4).collect();
    format!("{} c0 \"{comment}\";\n", fields.join(" "))
}

fn report(
    material: &Material,
    config: &TableConfig,
    cache: &TableCache,
    [html, epd]: [Option<PathBuf>; 2],
    job: &JobContext<'_>,
) -> TaskResult {
    if html.is_none() && epd.is_none() {
        let statistics = statistics(material, config, cache, job)?;
        let mut message = notify::statistics(&statistics);
        message.page.extend(notify::histogram(&statistics));
        job.message(message);
        return Ok(complete(ended(1)));
    }
    let entry = entry(material, config, cache, job)?;
    let shown = |file: &PathBuf| file.display().to_string();
    let [file, positions_file] = [&html, &epd].map(|file| file.as_ref().map(shown));
    let record = EgtEnd { count: 1, file, epd: positions_file, ..EgtEnd::default() };
    let mut done = end(&record);
    if let Some(file) = html {
        let page = entry.table().report_html();
        let page = page.map_err(|error| Failure::refused(error.to_string()))?.unwrap_or_default();
        write_result(&file, page.as_bytes()).map_err(Failure::refused)?;
        done.page.push(format!("wrote {}", file.display()));
    }
    if let Some(file) = epd {
        let text = positions(&mut entry.table(), config.rules.metric)?;
        write_result(&file, text.as_bytes()).map_err(Failure::refused)?;
        done.page.push(format!("wrote {} positions to {}", text.lines().count(), file.display()));
    }
    Ok(complete(done))
}

/// Writes all longest wins and all mutual zugzwangs as EPD.
fn positions(table: &mut Tablebase, metric: Metric) -> Result<String, Failure> {
    let mut out = String::new();
    for winner in Color::ALL {
        for winner_moves in [true, false] {
            for board in table.hardest(winner, winner_moves, usize::MAX) {
                let value =
                    table.value(&board).map_err(|error| Failure::refused(error.to_string()))?;
                let plies = value.signed_plies().unwrap_or(0).abs();
                let comment = format!("longest win of {winner}, {} {plies} plies", metric.name());
                out.push_str(&epd_line(&board, &comment));
            }
        }
        for zugzwang in table.mutual_zugzwangs(winner, usize::MAX) {
            let other = if zugzwang.full_point { "loses" } else { "draws" };
            let value = table.value(&zugzwang.board);
            let value = value.map_err(|error| Failure::refused(error.to_string()))?;
            let plies = value.signed_plies().unwrap_or(0).abs();
            let comment = format!(
                "mutual zugzwang: {} to move loses, {winner} to move {other}, {} {plies} plies",
                !winner,
                metric.name()
            );
            out.push_str(&epd_line(&zugzwang.board, &comment));
        }
    }
    Ok(out)
}
