//! Lookup of positions of games: one with its moves, or each line of a text.

use super::super::notify;
use super::super::probe::{add_value, with_words};
use super::super::work::{complete, run};
use super::super::{Failure, ended};
use super::GameInputs;
use super::tables::Endgame;
use crate::records::egt::{ProbeEnd, ProbedLine, ProbedMove, ProbedValue};
use std::collections::HashMap;
use std::sync::Arc;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Value};
use umbrail_session::module::Work;
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;
use umbrail_tables::game::{Game, GameMaterial, GamePosition, GameTables};
use umbrail_tables::{Metric, TableValue};

/// Letter of the royal pieces.
const ROYAL: char = 'K';

/// Returns the material on the board of a FEN, kings first.
fn material(fen: &str, game: &Game) -> Result<GameMaterial, TaskError> {
    let board = fen.split_whitespace().next().unwrap_or_default();
    let mut sides = [String::new(), String::new()];
    for letter in board.chars().filter(char::is_ascii_alphabetic) {
        sides[usize::from(letter.is_ascii_lowercase())].push(letter.to_ascii_uppercase());
    }
    for side in &mut sides {
        match side.find(ROYAL) {
            Some(at) => {
                side.remove(at);
                side.insert(0, ROYAL);
            }
            None => return Err(format!("{fen}: a side has no {ROYAL}").into()),
        }
    }
    let name = sides.join(".");
    GameMaterial::read(&name, game).map_err(|error| error.to_string().into())
}

/// Returns the lines to look up: those of a file, if the text is its name. A position on a board of any size may be a
/// single word, too.
pub(super) fn lines(
    text: String,
    read: &dyn Fn(&str) -> Result<String, TaskError>,
) -> Result<String, TaskError> {
    let name = text.trim();
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Ok(text);
    }
    match read(name) {
        Ok(lines) => Ok(lines),
        Err(_) if name.contains('/') && name.contains(ROYAL) => Ok(text),
        Err(why) => {
            Err(format!("\"{name}\" is neither a position nor a file of positions: {why}").into())
        }
    }
}

/// Returns the position of a line: its FEN, without the operations of EPD.
fn position(line: &str) -> String {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let is_count = |field: &&&str| field.bytes().all(|byte| byte.is_ascii_digit());
    let counts = fields.iter().skip(4).take(2).take_while(is_count).count();
    fields[..fields.len().min(4 + counts)].join(" ")
}

pub(super) fn probe(inputs: GameInputs<'_>) -> Result<Work, TaskError> {
    if let Some(text) = inputs.task.text.clone() {
        let lines = text.lines().map(str::trim);
        let lines: Vec<String> =
            lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(position).collect();
        let endgame = |fen: &str| {
            let material = material(fen, &inputs.game)?;
            Ok(Endgame::with(&inputs, material))
        };
        let all: Vec<(String, Result<Endgame, TaskError>)> =
            lines.into_iter().map(|line| (line.clone(), endgame(&line))).collect();
        return Ok(run(move |job| batch(all, job)));
    }
    let fen = inputs.task.key("fen").ok_or_else(|| {
        TaskError::expects("probe", "a position with fen, or positions on standard input")
    })?;
    let endgame = Endgame::with(&inputs, material(fen, &inputs.game)?);
    let fen = fen.to_owned();
    Ok(run(move |job| {
        let tables = endgame.tables(job)?;
        let position = tables.position(&fen).map_err(Failure::refused)?;
        one(&tables, &position, &fen, job)
    }))
}

/// Looks up one position with its moves.
fn one(
    tables: &GameTables,
    position: &GamePosition,
    fen_given: &str,
    job: &JobContext<'_>,
) -> Result<Completion, Failure> {
    let metric = tables.metric();
    let value = tables.value(position).map_err(Failure::refused)?;
    let moves = tables.moves(position).map_err(Failure::refused)?;
    for (number, (mv, value)) in moves.iter().enumerate() {
        let best = number == 0;
        let record = ProbedMove {
            mv: tables.name(mv),
            wdl: value.wdl().into(),
            plies: value.signed_plies(),
            metric: metric.name().to_owned(),
            best: best.then_some(1),
            fen: tables.fen(&tables.after(position, mv)),
        };
        let mut message = notify::result(&record)
            .with("move", record.mv.as_str())
            .with("wdl", Value::Number(record.wdl))
            .with("dtx", record.plies.map_or(Value::Null, Value::Number))
            .with("kind", record.metric.as_str());
        if best {
            message = message.with("best", 1);
        }
        let mark = if best { "  best" } else { "" };
        let worth = notify::worth(*value, metric);
        message.page = vec![format!("{:<6} {worth}{mark}", record.mv)];
        job.message(message);
    }
    let best = moves.first().map(|(mv, _)| tables.name(mv));
    let (fen, wdl) = (tables.fen(position), value.wdl().into());
    let probed = probed(value, best.clone(), metric, halfmoves(fen_given));
    let record = ProbeEnd { count: moves.len() as u64, fen, wdl, value: probed };
    let done = ended(record.count).with("fen", record.fen.as_str()).with("wdl", Value::Number(wdl));
    let mut done = with_words(done, &record.value).holding(&record);
    let best = match best {
        Some(best) => format!("best is {best}"),
        None => "there is no move".to_owned(),
    };
    let mut worth = notify::worth(value, metric);
    if record.value.wdl50.is_some_and(|wdl50| wdl50.abs() == 1) {
        worth += ", but the fifty-move rule draws";
    }
    done.page = vec![format!("{} to move {worth}; {best}", position.turn)];
    Ok(complete(done))
}

fn probed(
    value: TableValue,
    best: Option<String>,
    metric: Metric,
    halfmoves: usize,
) -> ProbedValue {
    let mut probed = ProbedValue { best, ..ProbedValue::default() };
    add_value(&mut probed, value, metric, halfmoves);
    probed
}

/// Returns the plies since the last capture or pawn move that a FEN states.
fn halfmoves(fen: &str) -> usize {
    fen.split_whitespace().nth(4).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Looks up each line; a line that is not a position has an error in its place.
fn batch(
    lines: Vec<(String, Result<Endgame, TaskError>)>,
    job: &JobContext<'_>,
) -> Result<Completion, Failure> {
    let mut built: HashMap<String, Arc<GameTables>> = HashMap::new();
    let (mut status, count) = (Status::Complete, lines.len() as u64);
    for (fen, endgame) in lines {
        let value = endgame.map_err(Failure::refused).and_then(|endgame| {
            let name = endgame.material.to_string();
            if !built.contains_key(&name) {
                built.insert(name.clone(), endgame.tables(job)?);
            }
            let tables = &built[&name];
            let position = tables.position(&fen).map_err(Failure::refused)?;
            let value = tables.value(&position).map_err(Failure::refused)?;
            let moves = tables.moves(&position).map_err(Failure::refused)?;
            Ok((value, moves.first().map(|(mv, _)| tables.name(mv)), tables.metric()))
        });
        let mut record = ProbedLine { fen: fen.clone(), ..ProbedLine::default() };
        let mut message = match value {
            Ok((value, best, metric)) => {
                let wdl = i64::from(value.wdl());
                record.wdl = Some(wdl);
                record.value = probed(value, best, metric, halfmoves(&fen));
                let message = notify::result(&record).with("fen", fen.as_str());
                let mut message =
                    with_words(message.with("wdl", Value::Number(wdl)), &record.value);
                let best = record.value.best.iter().map(|best| format!(", best is {best}"));
                let worth = notify::worth(value, metric);
                message.page = vec![format!("{fen}: {worth}{}", best.collect::<String>())];
                message
            }
            Err(failure) if failure.status == Status::Stopped => return Err(failure),
            Err(failure) => {
                status = Status::Refused;
                record.error = Some(failure.why.clone());
                let message = notify::result(&record).with("fen", fen.as_str());
                let mut message = message.with("error", failure.why.as_str());
                message.page = vec![format!("{fen}: {}", failure.why)];
                message
            }
        };
        message.json_only = false;
        job.message(message);
    }
    let mut done = ended(count);
    done.record = None;
    Ok(Completion { done, status })
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn operations_of_epd_are_no_part_of_a_position() {
        let fen = "6/6/3k2/6/6/KQ4 w - -";
        assert_eq!(position(&format!("{fen} c0 \"longest win\";")), fen);
        for text in [fen, "6/6/3k2/6/6/KQ4", "6/6/3k2/6/6/KQ4 w - - 3 40"] {
            assert_eq!(position(text), text);
        }
    }
}
