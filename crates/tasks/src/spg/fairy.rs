//! Messages about problems with conditions, fairy pieces, series moves or unusual starts, and their records in result
//! files.

use super::counted::earlier_line;
use super::notify::{self, measured, message};
use super::outcome::{FairyOutcome, VerdictWords};
use crate::date;
use crate::records::spg::SpgSolution;
use crate::records::spg_counted::SpgCounted;
use std::fmt::Write as _;
use std::time::Duration;
use umbrail_proof::positions::{FairyGame, FairyProblem};
use umbrail_proof::run::Words as _;
use umbrail_session::message::{Kind, Message};

/// One game.
pub(super) fn solution(index: u64, problem: &FairyProblem, game: &FairyGame) -> Message {
    let record = SpgSolution {
        index,
        plies: game.moves.len() as u64,
        moves: game.moves.clone(),
        uci: vec![],
        boards: problem.placements(game),
        strategy: String::new(),
        strategy_number: String::new(),
        text: game.text.clone(),
    };
    let mut message = notify::holding(Kind::Result, &record)
        .with("index", index)
        .with("plies", record.plies)
        .printing(record.text);
    message.page = vec![format!("{index}) {}", game.text)];
    message
}

/// The verdict on one problem.
pub(super) fn end(outcome: &FairyOutcome<'_>, words: &VerdictWords) -> Message {
    let FairyOutcome { posed, report, verdict, times } = outcome;
    let (problem, params) = (&posed.problem, &posed.params);
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let record = SpgCounted {
        verdict: verdict.word.to_string(),
        count: report.count().into(),
        solver: "positions".to_owned(),
        solutions: report.count().into(),
        complete: verdict.complete,
        lengths: report
            .counts
            .iter()
            .map(|one| (one.plies.to_string(), one.games.into()))
            .collect(),
        shorter_plies: verdict.shorter.map(|plies| plies as u64),
        correct: verdict.correct,
        computer_tested: verdict.is_computer_tested(),
        stipulation: verdict.stipulation.clone(),
        task: verdict.task.clone(),
        scope: verdict.scope.clone(),
        start: problem.start_setup().to_string(),
        conditions: problem.condition_words(),
        series: problem.turns.is_series(),
        nodes: report.nodes,
        earlier_nodes: report.earlier.nodes,
        earlier_ms: report.earlier.elapsed_ms,
        unverified_numbers: report.unverified,
        table_bytes: report.table_bytes,
        title: posed.title.clone(),
        length: problem.length.word().to_owned(),
        intended: params.intended as u64,
        elapsed_ms: ms(times.elapsed),
        processor_ms: times.processor.map(ms),
    };
    let mut message = message(words.kind, words.record)
        .with("verdict", verdict.word.to_string().as_str())
        .with("count", u64::try_from(report.count()).unwrap_or(u64::MAX))
        .holding(&record);
    message.text = Some(verdict.text.clone());
    message.page = vec![String::new()];
    message.page.extend(posed.title.clone());
    message.page.push(verdict.text.clone());
    let listed = report.fairy_games.len();
    if report.count() > listed as u128 && listed > 0 {
        message.page.push(format!("{listed} games are listed; --max-solutions N lists more"));
    }
    if params.intended != 1 {
        message.page.push(verdict.intention.clone());
    }
    message.page.push(format!("{} positions; {}", report.nodes, measured(times)));
    message.page.extend(earlier_line(report));
    message
}

/// One problem of the result file, below the lines that name it.
pub(super) fn record(outcome: &FairyOutcome<'_>) -> String {
    let FairyOutcome { posed, report, verdict, times } = outcome;
    let problem = &posed.problem;
    let mut out = String::new();
    let mut line = |text: &str| {
        let _ = writeln!(out, "{text}");
    };
    line("");
    report.fairy_games.iter().for_each(|game| line(&game.text));
    line("");
    line(&verdict.text);
    line(&format!("verdict: {}", verdict.word));
    line("solver: positions");
    line(&format!("start: {}", problem.start_setup()));
    for condition in problem.condition_words() {
        line(&format!("fairy condition: {condition}"));
    }
    line(&format!("series: {}", problem.turns.is_series()));
    line(&format!("length: {} ({})", posed.length(), problem.length.word()));
    line(&format!("solutions: {}", report.count()));
    line(&format!("task: {}", verdict.task));
    line(&format!("scope: {}", verdict.scope));
    line(&format!("intended: {}", verdict.intention));
    line(&format!("complete: {}", verdict.complete));
    line(&format!("positions: {}", report.nodes));
    earlier_line(report).iter().for_each(|text| line(text));
    line(&format!("table: {} MiB", report.table_bytes >> 20));
    line(&format!("time: {}", measured(times)));
    line(&format!("date: {}", date(times.ended)));
    line(&format!("version: {}\n", env!("CARGO_PKG_VERSION")));
    out
}
