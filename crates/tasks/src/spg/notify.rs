//! The messages of the module: games, verdicts and counts.

use super::histograms::{histograms, last_moves};
use super::outcome::{Outcome, SheetResult, Times};
use super::posed::PosedProblem;
use super::posing::UnreadProblem;
use super::sheet_problem::SheetProblem;
use crate::records::spg::{
    CookDifference, FreeMovesClass, GameTheme, RetractionClasses, SpgCook, SpgCounts, SpgHistogram,
    SpgProblem, SpgResumed, SpgSolution, SpgUnsearched, SpgVerdict,
};
use crate::records::{self, TaskRecord};
use std::collections::BTreeMap;
use std::time::Duration;
use umbrail_chess::geometry::Color;
use umbrail_chess::{Move, Position, to_uci};
use umbrail_proof::files::archive::Archive;
use umbrail_proof::positions::CountArchive;
use umbrail_proof::report::cooks::{Cook, Difference};
use umbrail_proof::report::{self, cooks};
use umbrail_proof::report::{Notation, ProblemVerdict, text};
use umbrail_proof::run::{Histogram, RunCounts, RunReport, Success, Words};
use umbrail_proof::{Rule, san_of};
use umbrail_session::domain::Domain;
use umbrail_session::message::{Kind, Message};

/// Strategies with games, and cooks, that are shown in words. The files of games have all of them.
pub(super) const STRATEGIES_SHOWN: usize = 5;
/// Games that are shown as soon as they are found; JSON has all of them.
const GAMES_SHOWN: u64 = 20;

/// Message of this module with a kind of record for JSON.
pub(super) fn message(kind: Kind, record: &'static str) -> Message {
    let mut message = Message::new(Domain::Spg, kind);
    message.record = Some(record);
    message
}

/// Message of this module that holds a record.
pub(super) fn holding<R: TaskRecord>(kind: Kind, record: &R) -> Message {
    records::message(Domain::Spg, kind, record)
}

fn coordinates(game: &[Move]) -> Vec<String> {
    let mut position = Position::startpos();
    let spell = |&mv: &Move| {
        let text = to_uci(&position, mv, false);
        position = position.after(mv);
        text
    };
    game.iter().map(spell).collect()
}

/// One game of a strategy.
pub(super) fn solution(
    index: u64,
    success: &Success,
    game: &[Move],
    notation: Notation,
) -> Message {
    let record = SpgSolution {
        index,
        plies: game.len() as u64,
        moves: san_of(game),
        uci: coordinates(game),
        boards: vec![],
        strategy: success.strategy.to_string(),
        strategy_number: success.number.to_string(),
        text: text::numbered(game, 'N'),
    };
    let mut message = holding(Kind::Result, &record)
        .with("index", index)
        .with("plies", record.plies)
        .printing(record.text);
    message.page = vec![format!("{index}) {}", notation.write(game))];
    message.json_only = index > GAMES_SHOWN;
    if index == GAMES_SHOWN {
        message
            .page
            .push("further games are not listed here; pgn FILE writes all of them".to_owned());
    }
    message
}

/// Something that the user should know about the run.
pub(super) fn warning(text: impl Into<String>) -> Message {
    let text = text.into();
    let mut message = message(Kind::Progress, "warning").printing(text.as_str());
    // With a page it is also shown where pages cover the terminal.
    message.page = vec![text];
    message
}

/// Reports that a run continues from an archive.
pub(super) fn resumed((done, known): (Option<&Archive>, Option<&CountArchive>)) -> Message {
    let claims = done.map_or(0, |done| done.claims.len() as u64);
    let numbers = known.map_or(0, |known| known.len() as u64);
    let work = known.map(|known| known.work).unwrap_or_default();
    let record =
        SpgResumed { claims, numbers, earlier_nodes: work.nodes, earlier_ms: work.elapsed_ms };
    let mut message =
        holding(Kind::Progress, &record).with("claims", claims).with("numbers", numbers);
    message.page = vec![];
    if done.is_some() {
        message.page.push(format!("continuing after {claims} finished claims"));
    }
    if known.is_some() {
        let time = hours(Duration::from_millis(work.elapsed_ms));
        message
            .page
            .push(format!("continuing with {numbers} numbers of games, from {time} of work"));
    }
    message
}

/// Reports the start of a problem of a sheet.
pub(super) fn problem(at: usize, of: usize, posed: &SheetProblem) -> Message {
    let title = posed.title().as_deref();
    let moves = posed.length();
    let record = SpgProblem {
        number: at as u64,
        of: of as u64,
        length_moves: Some(moves.clone()),
        fen: Some(posed.placement()),
        title: title.map(str::to_owned),
        ..posed.stipulation()
    };
    let mut message = holding(Kind::Progress, &record)
        .with("number", record.number)
        .with("of", record.of)
        .with("moves", moves.as_str());
    message.page = vec![String::new(), format!("Nr {at}/{of}  {}", title.unwrap_or(""))];
    message.page.extend(posed.board());
    message
}

/// A problem of a sheet that cannot be read is next.
pub(super) fn unread(at: usize, of: usize, unread: &UnreadProblem) -> Message {
    let title = unread.title.as_deref();
    let (number, title_given) = (at as u64, title.map(str::to_owned));
    let record = SpgProblem {
        number,
        of: of as u64,
        title: title_given,
        unread: Some(true),
        ..SpgProblem::default()
    };
    let mut message = holding(Kind::Progress, &record).with("number", number).with("of", record.of);
    message.page = vec![String::new(), format!("Nr {at}/{of}  {}", title.unwrap_or(""))];
    message
}

/// The verdict on a problem of a sheet that was not searched.
pub(super) fn unsolved(number: usize, result: &SheetResult<'_>) -> Message {
    let record = SpgUnsearched {
        verdict: result.word(),
        number: number as u64,
        title: result.title(number),
        text: result.text().to_owned(),
        ..SpgUnsearched::default()
    };
    let mut message = holding(Kind::Result, &record)
        .with("verdict", record.verdict.as_str())
        .with("number", record.number)
        .printing(record.text);
    message.page = vec![format!("verdict: {}", record.verdict)];
    message
}

fn counts(counts: &RunCounts) -> SpgCounts {
    SpgCounts {
        leaves: counts.leaves,
        enumerated: counts.enumerated,
        refuted: counts.refuted,
        left: counts.unrefuted,
        searched: counts.searched,
        dropped: counts.dropped,
        filtered: counts.filtered,
        moves_tried: counts.moves,
        nodes: counts.nodes,
        claims: counts.claims,
    }
}

/// Which rules refused how many strategies.
fn refused(report: &RunReport) -> BTreeMap<String, u64> {
    let name = |rule: Option<Rule>| rule.map_or("moves", Rule::name).to_owned();
    let rows = report.refused.iter().filter(|(_, count)| **count > 0);
    rows.map(|(&rule, &count)| (name(rule), count)).collect()
}

/// Strategies by free moves, as an object per class.
pub(super) fn histogram(posed: &PosedProblem, report: &RunReport) -> Message {
    let row = |(&(white, black), &(enumerated, left)): (&(i32, i32), &(u64, u64))| FreeMovesClass {
        white: white.into(),
        black: black.into(),
        enumerated,
        left,
    };
    let rows = |histogram: &Histogram| histogram.iter().map(row).collect();
    let parts = last_moves(&posed.problem, posed.params.retraction);
    let part = |(&number, histogram): (&u16, &Histogram)| {
        let name = parts.get(usize::from(number).wrapping_sub(1)).map_or("", String::as_str);
        RetractionClasses { retracted: name.to_owned(), classes: rows(histogram) }
    };
    let shown = report.histogram.iter();
    let shown = shown.map(|((white, black), (found, _))| format!("{white}+{black}:{found}"));
    let record = SpgHistogram {
        classes: rows(&report.histogram),
        retractions: (!parts.is_empty()).then(|| report.histograms.iter().map(part).collect()),
        text: shown.collect::<Vec<_>>().join(" "),
    };
    let mut message = holding(Kind::Result, &record).printing(record.text);
    message.page = histograms(posed, report);
    message
}

/// The record of the verdict on one problem.
pub(super) fn record(outcome: &Outcome<'_>) -> SpgVerdict {
    let Outcome { posed, report, verdict, times } = outcome;
    let (params, problem) = (&posed.params, &posed.problem);
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let lengths = report.lengths().into_iter();
    let cooks: Vec<SpgCook> = cooks::cooks(report).iter().map(cook).collect();
    let (shard, shards) = params.shard;
    SpgVerdict {
        verdict: verdict.word.to_string(),
        number: None,
        count: Some(report.count() as u64),
        length_moves: None,
        solutions: report.count() as u64,
        complete: verdict.complete,
        lengths: Some(lengths.map(|(plies, games)| (plies.to_string(), games)).collect()),
        shorter_plies: verdict.shorter.map(|plies| plies as u64),
        cook_strategies: Some(report.cooks().count() as u64),
        correct: verdict.correct,
        computer_tested: verdict.is_computer_tested(),
        unverified_claims: Some(verdict.unverified),
        stipulation: Some(verdict.stipulation.clone()),
        task: Some(verdict.task.clone()),
        scope: Some(verdict.scope.clone()),
        reasons: Some(report.refusals.iter().map(ToString::to_string).collect()),
        counts: Some(counts(&report.counts)),
        refused: Some(refused(report)),
        strategy_digest: report.strategy_digest.map(|digest| format!("{digest:016x}")),
        table_bytes: Some(report.table_bytes),
        title: posed.title.clone(),
        length: Some(problem.length.word().to_owned()),
        retraction: Some(params.retraction.word().to_owned()),
        condition: params.condition.as_ref().map(ToString::to_string),
        from_strategy: Some(params.from_claim),
        rules: Some(params.rules.to_string()),
        shard: Some(format!("{shard}/{shards}")),
        intended: Some(params.intended as u64),
        shard_finished: (shards > 1).then_some(report.shard_finished),
        elapsed_ms: Some(ms(times.elapsed)),
        processor_ms: times.processor.map(ms),
        cooks: (!cooks.is_empty()).then_some(cooks),
        themes: only_game(outcome).map(|game| {
            let themes = report::themes(&Position::startpos(), game).into_iter();
            themes
                .map(|theme| GameTheme { name: theme.name.to_owned(), pieces: theme.pieces })
                .collect()
        }),
        recount: None,
        text: verdict.text.clone(),
    }
}

/// The game of a problem that has exactly one.
fn only_game<'o>(outcome: &'o Outcome<'_>) -> Option<&'o [Move]> {
    let is_unique = outcome.verdict.word == ProblemVerdict::Unique;
    let success = outcome.report.successes.first().filter(|_| is_unique)?;
    success.games.first().map(Vec::as_slice)
}

/// The themes of a game on a line; none without themes.
pub(super) fn themes_line(start: &Position, game: &[Move]) -> Option<String> {
    let themes: Vec<String> = report::themes(start, game).iter().map(ToString::to_string).collect();
    (!themes.is_empty()).then(|| format!("themes: {}", themes.join("; ")))
}

/// The verdict on one problem with its record; `rest` names the place of the strategies that the page omits.
pub(super) fn verdict(
    kind: Kind,
    name: &'static str,
    outcome: &Outcome<'_>,
    record: &SpgVerdict,
    rest: &str,
) -> Message {
    let mut message = message(kind, name)
        .with("verdict", record.verdict.as_str())
        .with("count", record.solutions)
        .holding(record)
        .printing(record.text.as_str());
    message.page = page(outcome, rest);
    message
}

/// A strategy that can be played in several ways.
fn cook(cook: &Cook<'_>) -> SpgCook {
    SpgCook {
        strategy_number: cook.success.number.to_string(),
        games: cook.success.games.len() as u64,
        differ: match cook.difference {
            Difference::Order => CookDifference::Order,
            Difference::Way => CookDifference::Way,
        },
        ways: cook.groups.len() as u64,
        text: cook.to_string(),
    }
}

/// The strategies with games that are shown, each with its table, and where the others are.
pub(super) fn strategies(
    outcome: &Outcome<'_>,
    rest: &str,
    games: &dyn Fn(&Success) -> Vec<String>,
) -> Vec<String> {
    let Outcome { posed, report, verdict, .. } = outcome;
    let mut lines = vec![];
    for success in report.successes.iter().take(STRATEGIES_SHOWN) {
        lines.push(String::new());
        lines.extend(text::table(success));
        for (mark, color) in ["w", "b"].into_iter().zip(Color::ALL) {
            lines.push(format!("{mark}: {}", text::paths(success, color)));
        }
        lines.extend(games(success));
    }
    let more = report.successes.len().saturating_sub(STRATEGIES_SHOWN);
    if more > 0 {
        lines.extend([String::new(), format!("{more} more strategies with games: {rest}")]);
    }
    let is_cooked = verdict.word == ProblemVerdict::Cooked;
    let cooks = cooks::page(report, is_cooked, posed.notation, STRATEGIES_SHOWN);
    if !cooks.is_empty() {
        lines.push(String::new());
        lines.extend(cooks);
        let more = report.cooks().count().saturating_sub(STRATEGIES_SHOWN);
        if more > 0 {
            let named = if is_cooked { "cook strategies" } else { "strategies with several games" };
            lines.push(format!("{more} more {named}: {rest}"));
        }
    }
    lines
}

/// A time as `1:02:03`.
pub(super) fn hours(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// What was measured, in words.
pub(super) fn measured(times: &Times) -> String {
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    let processor = times.processor.map_or("unknown".to_owned(), seconds);
    format!("elapsed {}, processor time {processor}", seconds(times.elapsed))
}

fn page(outcome: &Outcome<'_>, rest: &str) -> Vec<String> {
    let Outcome { posed, report, verdict, times } = outcome;
    let mut lines = strategies(outcome, rest, &|_| vec![]);
    lines.push(String::new());
    lines.push(verdict.text.clone());
    if posed.params.intended != 1 {
        lines.push(verdict.intention.clone());
    }
    if let Some(game) = only_game(outcome) {
        lines.extend(themes_line(&Position::startpos(), game));
    }
    let counts = &report.counts;
    // A verdict that is not final has the numbers of strategies.
    let strategies = match verdict.word {
        ProblemVerdict::Partial => String::new(),
        _ => format!("strategies: {}; ", report::counts(report)),
    };
    let (moves, nodes, times) = (counts.moves, counts.nodes, measured(times));
    let chosen =
        posed.chosen.as_ref().map_or(String::new(), |chosen| format!("; solver: {chosen}"));
    lines.push(format!("{strategies}{moves} moves, {nodes} tree nodes; {times}{chosen}"));
    let (shard, shards) = posed.params.shard;
    if shards > 1 {
        lines.push(match report.shard_finished {
            true => format!(
                "shard {shard}/{shards} is finished; spg merge joins the archives of all shards"
            ),
            false => format!("shard {shard}/{shards} is not finished"),
        });
    }
    lines
}
