//! Messages of the search of positions, and its records in result files.

use super::notify::{self, measured, message};
use super::outcome::PositionOutcome;
use crate::date;
use crate::records::spg::SpgSolution;
use crate::records::spg_counted::SpgCounted;
use std::fmt::Write as _;
use std::time::Duration;
use umbrail_chess::{Move, Position, to_uci};
use umbrail_proof::positions::{EarlierWork, PositionReport};
use umbrail_proof::report::{Notation, ProblemVerdict, length, text};
use umbrail_proof::run::Words as _;
use umbrail_proof::san_from;
use umbrail_session::message::{Kind, Message};

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
    let record = SpgSolution {
        index,
        plies: game.len() as u64,
        moves: san_from(start, game),
        uci: coordinates.collect(),
        boards: vec![],
        strategy: String::new(),
        strategy_number: String::new(),
        text: text::numbered_from(start, game, 'N'),
    };
    let mut message = notify::holding(Kind::Result, &record)
        .with("index", index)
        .with("plies", record.plies)
        .printing(record.text);
    message.page = vec![format!("{index}) {}", notation.write_from(start, game))];
    message
}

/// The verdict on one problem.
pub(super) fn verdict(kind: Kind, name: &'static str, outcome: &PositionOutcome<'_>) -> Message {
    let PositionOutcome { posed, problem, report, verdict, times: measured } = outcome;
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let counts = report.counts.iter();
    let record = SpgCounted {
        verdict: verdict.word.to_string(),
        count: report.count().into(),
        solver: "positions".to_owned(),
        solutions: report.count().into(),
        complete: verdict.complete,
        lengths: counts.map(|one| (one.plies.to_string(), one.games.into())).collect(),
        shorter_plies: verdict.shorter.map(|plies| plies as u64),
        correct: verdict.correct,
        computer_tested: verdict.is_computer_tested(),
        stipulation: verdict.stipulation.clone(),
        task: verdict.task.clone(),
        scope: verdict.scope.clone(),
        start: problem.start.to_setup().to_string(),
        conditions: vec![],
        series: false,
        nodes: report.nodes,
        earlier_nodes: report.earlier.nodes,
        earlier_ms: report.earlier.elapsed_ms,
        unverified_numbers: report.unverified,
        table_bytes: report.table_bytes,
        title: posed.title.clone(),
        length: problem.length.word().to_owned(),
        intended: posed.params.intended as u64,
        elapsed_ms: ms(measured.elapsed),
        processor_ms: measured.processor.map(ms),
    };
    let mut message = message(kind, name)
        .with("verdict", verdict.word.to_string().as_str())
        .with("count", u64::try_from(report.count()).unwrap_or(u64::MAX))
        .holding(&record);
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
    if let ([game], ProblemVerdict::Unique) = (report.games.as_slice(), verdict.word) {
        lines.extend(notify::themes_line(&outcome.problem.start, game));
    }
    lines.push(format!("{} positions; {}", report.nodes, measured(times)));
    lines.extend(earlier_line(report));
    lines
}

/// The work of earlier runs, if there were any.
pub(super) fn earlier_line(report: &PositionReport) -> Option<String> {
    let EarlierWork { nodes, elapsed_ms } = report.earlier;
    let time = notify::hours(Duration::from_millis(elapsed_ms));
    (report.unverified > 0).then(|| format!("earlier runs: {nodes} positions; {time}"))
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
    match &posed.chosen {
        Some(chosen) => line(&format!("solver: {chosen}; the verdict is that of positions")),
        None => line("solver: positions"),
    }
    line(&format!("start: {}", problem.start.to_setup()));
    let (plies, mode) = (usize::from(problem.plies), problem.length.word());
    line(&format!("length: {} ({mode})", length(plies)));
    line(&format!("solutions: {}", report.count()));
    line(&format!("task: {}", verdict.task));
    line(&format!("scope: {}", verdict.scope));
    line(&format!("intended: {}", verdict.intention));
    line(&format!("complete: {}", verdict.complete));
    line(&format!("positions: {}", report.nodes));
    earlier_line(report).iter().for_each(|text| line(text));
    line(&format!("table: {} MiB", report.table_bytes >> 20));
    line(&format!("time: {}", notify::measured(times)));
    line(&format!("date: {}", date(times.ended)));
    line(&format!("version: {}\n", env!("CARGO_PKG_VERSION")));
    out
}
