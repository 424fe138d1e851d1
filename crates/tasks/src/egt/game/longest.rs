//! The longest wins and the mutual zugzwangs of an endgame on another board or of another game:
//! lists with lines of play, EPD, PGN, and a report with diagrams.

use super::super::longest::{LONGEST_SHOWN, more_message};
use super::super::notify;
use super::super::work::{complete, run};
use super::super::{Failure, end, ended};
use super::GameInputs;
use super::tables::Endgame;
use crate::records::egt::{EgtEnd, LongestWin};
use crate::results::write_result;
use std::path::PathBuf;
use umbrail_chess::geometry::Color;
use umbrail_session::message::Value;
use umbrail_session::module::Work;
use umbrail_session::task_error::TaskError;
use umbrail_tables::game::{GameProbeError, GameTables};

/// Maximum length of a line of best play, in plies.
const LINE_PLIES: usize = 600;

pub(super) fn maximin(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    let endgame = Endgame::of(&inputs)?;
    let [epd, pgn] = ["epd", "pgn"].map(|key| inputs.task.key(key).map(PathBuf::from));
    Ok(run(move |job| {
        let tables = endgame.tables(job)?;
        let refused = |error: GameProbeError| Failure::refused(error);
        let (mut count, mut positions, mut games) = (0, String::new(), String::new());
        for winner in Color::ALL {
            for winner_moves in [true, false] {
                let found = tables.hardest(winner, winner_moves, usize::MAX);
                for (number, position) in found.iter().enumerate() {
                    let plies = tables.value(position).map_err(refused)?.signed_plies();
                    let plies = plies.unwrap_or(0).abs();
                    let fen = tables.fen(position);
                    if epd.is_some() {
                        let text = format!("{winner} wins, {} {plies} plies", tables.metric());
                        positions += &epd_line(&fen, &text);
                    }
                    if number >= LONGEST_SHOWN {
                        continue;
                    }
                    if pgn.is_some() {
                        let game = tables.pgn(position, LINE_PLIES).map_err(refused)?;
                        games += &game.to_string();
                    }
                    let line = tables.line(position, LINE_PLIES).map_err(refused)?;
                    let uci: Vec<String> = line.iter().map(|mv| tables.name(mv)).collect();
                    let text = uci.join(" ");
                    let winner_name = winner.to_string();
                    let record = LongestWin { winner: winner_name, fen, plies, octal: None, uci };
                    let mut message = notify::result(&record)
                        .with("winner", record.winner.as_str())
                        .with("fen", record.fen.as_str())
                        .with("plies", Value::Number(plies))
                        .printing(text.as_str());
                    let heading =
                        format!("{winner} wins, {} to move: {plies} plies  ", position.turn);
                    message.page = vec![heading + &record.fen, format!("  {text}")];
                    job.message(message);
                    count += 1;
                }
                more_message(winner, found.len(), tables.material(), job);
            }
        }
        let mut done = ended(count);
        for (path, text, what) in
            [(&epd, &positions, positions.lines().count()), (&pgn, &games, count as usize)]
        {
            let Some(path) = path else { continue };
            write_result(path, text.as_bytes()).map_err(Failure::refused)?;
            done.page.push(format!("wrote {what} positions to {}", path.display()));
        }
        Ok(complete(done))
    }))
}

pub(super) fn report(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    let endgame = Endgame::of(&inputs)?;
    let [html, epd] = ["html", "epd"].map(|key| inputs.task.key(key).map(PathBuf::from));
    Ok(run(move |job| {
        let tables = endgame.tables(job)?;
        if html.is_none() && epd.is_none() {
            let statistics = tables.statistics();
            let mut message = notify::statistics(&statistics);
            message.page.extend(notify::histogram(&statistics));
            job.message(message);
            return Ok(complete(ended(1)));
        }
        let shown = |file: &PathBuf| file.display().to_string();
        let [file, positions] = [&html, &epd].map(|file| file.as_ref().map(shown));
        let mut done = end(&EgtEnd { count: 1, file, epd: positions, ..EgtEnd::default() });
        if let Some(file) = &html {
            let page = tables.report_html().map_err(Failure::refused)?;
            write_result(file, page.as_bytes()).map_err(Failure::refused)?;
            done.page.push(format!("wrote {}", file.display()));
        }
        if let Some(file) = &epd {
            let text = exported(&tables)?;
            write_result(file, text.as_bytes()).map_err(Failure::refused)?;
            let lines = text.lines().count();
            done.page.push(format!("wrote {lines} positions to {}", file.display()));
        }
        Ok(complete(done))
    }))
}

/// Writes a line of EPD with a comment.
fn epd_line(fen: &str, comment: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    format!("{} c0 \"{comment}\";\n", fields.join(" "))
}

/// Writes all longest wins and mutual zugzwangs of an ending as EPD.
pub(super) fn exported(tables: &GameTables) -> Result<String, Failure> {
    let mut out = String::new();
    let metric = tables.metric();
    for winner in Color::ALL {
        for winner_moves in [true, false] {
            for position in tables.hardest(winner, winner_moves, usize::MAX) {
                let value = tables.value(&position).map_err(Failure::refused)?;
                let plies = value.signed_plies().unwrap_or(0).abs();
                let text = format!("longest win of {winner}, {metric} {plies} plies");
                out += &epd_line(&tables.fen(&position), &text);
            }
        }
        for (position, both) in tables.mutual_zugzwangs(winner, usize::MAX) {
            let other = if both { "loses" } else { "draws" };
            let value = tables.value(&position).map_err(Failure::refused)?;
            let plies = value.signed_plies().unwrap_or(0).abs();
            let text = format!(
                "mutual zugzwang: {} to move loses, {winner} to move {other}, {metric} {plies} plies",
                !winner
            );
            out += &epd_line(&tables.fen(&position), &text);
        }
    }
    Ok(out)
}
