//! Messages of the search of positions, and its records in result files.

use super::notify::{self, measured, message, texts, times, truth};
use super::outcome::{PositionOutcome, date};
use std::fmt::Write as _;
use umbrail_chess::{Move, Position, to_uci};
use umbrail_proof::report::{Notation, length, text};
use umbrail_proof::run::Words as _;
use umbrail_proof::san_from;
use umbrail_session::message::{Kind, Message, Value};

/// Games that are listed, unless `max-solutions` is larger.
pub(super) const GAMES_LISTED: usize = 20;

/// One game.
pub(super) fn solution(index: u64, start: &Position, game: &[Move], notation: Notation) -> Message {
    let mut position = *start;
    let coordinates = game.iter().map(|&mv| {
        let text = to_uci(&position, mv, false);
        position = position.after(mv);
        text
    });
    let mut message = message(Kind::Result, "solution")
        .with("index", index)
        .with("plies", game.len() as u64)
        .printing(text::numbered_from(start, game, 'N'));
    message.data = vec![("moves", texts(san_from(start, game))), ("uci", texts(coordinates))];
    message.page = vec![format!("{index}) {}", notation.write_from(start, game))];
    message
}

/// A whole number of any size.
pub(super) fn number(games: u128) -> Value {
    match i64::try_from(games) {
        Ok(games) => Value::Number(games),
        Err(_) => Value::Digits(games.to_string()),
    }
}

/// The verdict on one problem.
pub(super) fn verdict(kind: Kind, record: &'static str, outcome: &PositionOutcome<'_>) -> Message {
    let PositionOutcome { posed, problem, report, verdict, times: measured } = outcome;
    let counts = report.counts.iter();
    let lengths = counts.map(|one| (one.plies.to_string(), number(one.games))).collect();
    let title = posed.title.as_deref();
    let start = problem.start.to_setup().to_string();
    let mut message = message(kind, record)
        .with("verdict", verdict.word.to_string().as_str())
        .with("count", u64::try_from(report.count()).unwrap_or(u64::MAX));
    message.data = vec![
        ("solver", Value::from("positions")),
        ("solutions", number(report.count())),
        ("complete", Value::Truth(verdict.complete)),
        ("lengths", Value::Record(lengths)),
        ("shorter_plies", verdict.shorter.map_or(Value::Null, |plies| Value::from(plies as u64))),
        ("correct", truth(verdict.correct)),
        ("computer_tested", Value::Truth(verdict.is_computer_tested())),
        ("stipulation", Value::from(verdict.stipulation.as_str())),
        ("start", Value::Text(start)),
        ("nodes", Value::from(report.nodes)),
        ("table_bytes", Value::from(report.table_bytes)),
        ("title", title.map_or(Value::Null, Value::from)),
        ("length", Value::from(problem.length.word())),
        ("intended", Value::from(posed.params.intended as u64)),
    ];
    message.data.extend(times(measured));
    message.text = Some(verdict.text.clone());
    message.page = page(outcome);
    message
}

fn page(outcome: &PositionOutcome<'_>) -> Vec<String> {
    let PositionOutcome { posed, report, verdict, times, .. } = outcome;
    let mut lines = vec![String::new(), verdict.text.clone()];
    let hidden = report.count().saturating_sub(report.games.len() as u128);
    if hidden > 0 && !report.games.is_empty() {
        lines
            .push(format!("{} games are listed; --max-solutions N lists more", report.games.len()));
    }
    if posed.params.intended != 1 {
        lines.push(verdict.intention.clone());
    }
    lines.push(format!("{} positions; {}", report.nodes, measured(times)));
    lines
}

/// One problem of the result file, below the lines that name it.
pub(super) fn record(outcome: &PositionOutcome<'_>) -> String {
    let PositionOutcome { posed, problem, report, verdict, times } = outcome;
    let mut out = String::new();
    let mut line = |text: &str| {
        let _ = writeln!(out, "{text}");
    };
    line("");
    for game in &report.games {
        line(&posed.notation.write_from(&problem.start, game));
    }
    line("");
    line(&verdict.text);
    line(&format!("verdict: {}", verdict.word));
    line("solver: positions");
    line(&format!("start: {}", problem.start.to_setup()));
    let (plies, mode) = (usize::from(problem.plies), problem.length.word());
    line(&format!("length: {} ({mode})", length(plies)));
    line(&format!("solutions: {}", report.count()));
    line(&format!("intended: {}", verdict.intention));
    line(&format!("complete: {}", verdict.complete));
    line(&format!("positions: {}", report.nodes));
    line(&format!("table: {} MiB", report.table_bytes >> 20));
    line(&format!("time: {}", notify::measured(times)));
    line(&format!("date: {}", date(times.ended)));
    line(&format!("version: {}\n", env!("CARGO_PKG_VERSION")));
    out
}
