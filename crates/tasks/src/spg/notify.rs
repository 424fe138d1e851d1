//! The messages of the module: games, verdicts and counts.

use super::histograms::{histograms, last_moves};
use super::outcome::{Outcome, SheetResult, Times};
use super::problems::{PosedProblem, UnreadProblem};
use std::time::Duration;
use umbrail_chess::geometry::Color;
use umbrail_chess::{Move, Position, to_uci};
use umbrail_proof::files::archive::Archive;
use umbrail_proof::report::cooks::{Cook, Difference};
use umbrail_proof::report::{self, cooks};
use umbrail_proof::report::{Notation, ProblemVerdict, length, text};
use umbrail_proof::run::{Histogram, RunCounts, RunReport, Success, Words};
use umbrail_proof::{Rule, san_of};
use umbrail_session::domain::Domain;
use umbrail_session::message::{Kind, Message, Value};

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

pub(super) fn texts<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> Value {
    Value::List(items.into_iter().map(|item| Value::from(item.as_ref())).collect())
}

/// A truth value that may not be known.
pub(super) fn truth(known: Option<bool>) -> Value {
    known.map_or(Value::Null, Value::Truth)
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
    let mut message = message(Kind::Result, "solution")
        .with("index", index)
        .with("plies", game.len() as u64)
        .printing(text::numbered(game, 'N'));
    message.data = vec![
        ("moves", texts(san_of(game))),
        ("uci", texts(coordinates(game))),
        ("strategy", Value::Text(success.strategy.to_string())),
        ("strategy_number", Value::Text(success.number.to_string())),
    ];
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
pub(super) fn resumed(done: &Archive) -> Message {
    let text = format!("continuing after {} finished claims", done.claims.len());
    let mut message = message(Kind::Progress, "resumed").with("claims", done.claims.len() as u64);
    message.page = vec![text];
    message
}

/// Reports the start of a problem of a sheet.
pub(super) fn problem(at: usize, of: usize, posed: &PosedProblem) -> Message {
    let problem = &posed.problem;
    let mut message = message(Kind::Progress, "problem")
        .with("number", at as u64)
        .with("of", of as u64)
        .with("moves", length(usize::from(problem.plies)).as_str());
    message.data = vec![("fen", Value::Text(problem.diagram.to_string()))];
    let title = posed.title.as_deref();
    message.data.extend(title.map(|title| ("title", Value::from(title))));
    message.page = vec![String::new(), format!("Nr {at}/{of}  {}", title.unwrap_or(""))];
    message.page.extend(text::board(&problem.diagram, problem.plies));
    message
}

/// A problem of a sheet that cannot be read is next.
pub(super) fn unread(at: usize, of: usize, unread: &UnreadProblem) -> Message {
    let title = unread.title.as_deref();
    let mut message =
        message(Kind::Progress, "problem").with("number", at as u64).with("of", of as u64);
    message.data = vec![("unread", Value::Truth(true))];
    message.data.extend(title.map(|title| ("title", Value::from(title))));
    message.page = vec![String::new(), format!("Nr {at}/{of}  {}", title.unwrap_or(""))];
    message
}

/// The verdict on a problem of a sheet that was not searched.
pub(super) fn unsolved(number: usize, result: &SheetResult<'_>) -> Message {
    let word = result.word();
    let mut message = message(Kind::Result, "verdict")
        .with("verdict", word.as_str())
        .with("number", number as u64)
        .printing(result.text());
    message.data = vec![
        ("solutions", Value::from(0)),
        ("complete", Value::Truth(false)),
        ("correct", Value::Null),
        ("computer_tested", Value::Truth(false)),
        ("title", Value::Text(result.title(number))),
    ];
    message.page = vec![format!("verdict: {word}")];
    message
}

fn counts(counts: &RunCounts) -> Value {
    let fields = [
        ("leaves", counts.leaves),
        ("enumerated", counts.enumerated),
        ("refuted", counts.refuted),
        ("left", counts.unrefuted),
        ("searched", counts.searched),
        ("dropped", counts.dropped),
        ("filtered", counts.filtered),
        ("moves_tried", counts.moves),
        ("nodes", counts.nodes),
        ("claims", counts.claims),
    ];
    Value::Record(fields.map(|(name, count)| (name.to_owned(), Value::from(count))).into())
}

/// Which rules refused how many strategies.
fn refused(report: &RunReport) -> Value {
    let name = |rule: Option<Rule>| rule.map_or("moves", Rule::name).to_owned();
    let rows = report.refused.iter().filter(|(_, count)| **count > 0);
    Value::Record(rows.map(|(&rule, &count)| (name(rule), Value::from(count))).collect())
}

/// Strategies by free moves, as an object per class.
pub(super) fn histogram(posed: &PosedProblem, report: &RunReport) -> Message {
    let mut message = message(Kind::Result, "histogram");
    let row = |(&(white, black), &(enumerated, left)): (&(i32, i32), &(u64, u64))| {
        Value::Record(vec![
            ("white".into(), Value::Number(white.into())),
            ("black".into(), Value::Number(black.into())),
            ("enumerated".into(), enumerated.into()),
            ("left".into(), left.into()),
        ])
    };
    let rows = |histogram: &Histogram| Value::List(histogram.iter().map(row).collect());
    message.data = vec![("classes", rows(&report.histogram))];
    let parts = last_moves(&posed.problem, posed.params.retraction);
    if !parts.is_empty() {
        let part = |(&number, histogram): (&u16, &Histogram)| {
            let name = parts.get(usize::from(number).wrapping_sub(1)).map_or("", String::as_str);
            let name = ("retracted".to_owned(), Value::from(name));
            Value::Record(vec![name, ("classes".to_owned(), rows(histogram))])
        };
        let all = report.histograms.iter().map(part).collect();
        message.data.push(("retractions", Value::List(all)));
    }
    message.text = Some(
        report
            .histogram
            .iter()
            .map(|((white, black), (found, _))| format!("{white}+{black}:{found}"))
            .collect::<Vec<_>>()
            .join(" "),
    );
    message.page = histograms(posed, report);
    message
}

/// The settings of a problem under which its verdict was found.
fn settings(posed: &PosedProblem) -> Vec<(&'static str, Value)> {
    let (params, problem) = (&posed.params, &posed.problem);
    let condition = params.condition.as_ref().map(ToString::to_string);
    vec![
        ("title", posed.title.as_deref().map_or(Value::Null, Value::from)),
        ("length", Value::from(problem.length.word())),
        ("retraction", Value::from(params.retraction.word())),
        ("condition", condition.map_or(Value::Null, Value::Text)),
        ("from_strategy", Value::from(params.from_claim)),
        ("rules", Value::Text(params.rules.to_string())),
        ("shard", Value::Text(format!("{}/{}", params.shard.0, params.shard.1))),
        ("intended", Value::from(params.intended as u64)),
    ]
}

/// What was measured.
pub(super) fn times(times: &Times) -> Vec<(&'static str, Value)> {
    let ms = |time: Duration| Value::from(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    vec![
        ("elapsed_ms", ms(times.elapsed)),
        ("processor_ms", times.processor.map_or(Value::Null, ms)),
    ]
}

/// The verdict on one problem, with the details for JSON; `rest` names the place of the strategies that the page omits.
pub(super) fn verdict(
    kind: Kind,
    record: &'static str,
    outcome: &Outcome<'_>,
    rest: &str,
) -> Message {
    let Outcome { posed, report, verdict, times: measured } = outcome;
    let mut message = message(kind, record)
        .with("verdict", verdict.word.to_string().as_str())
        .with("count", report.count() as u64);
    let lengths = report
        .lengths()
        .into_iter()
        .map(|(plies, games)| (plies.to_string(), Value::from(games)))
        .collect();
    let digest = report.strategy_digest.map(|digest| format!("{digest:016x}"));
    message.data = vec![
        ("solutions", Value::from(report.count() as u64)),
        ("complete", Value::Truth(verdict.complete)),
        ("lengths", Value::Record(lengths)),
        ("shorter_plies", verdict.shorter.map_or(Value::Null, |plies| Value::from(plies as u64))),
        ("cook_strategies", Value::from(report.cooks().count() as u64)),
        ("correct", truth(verdict.correct)),
        ("computer_tested", Value::Truth(verdict.is_computer_tested())),
        ("unverified_claims", Value::from(verdict.unverified)),
        ("stipulation", Value::from(verdict.stipulation.as_str())),
        ("reasons", texts(report.refusals.iter().map(ToString::to_string))),
        ("counts", counts(&report.counts)),
        ("refused", refused(report)),
        ("strategy_digest", digest.map_or(Value::Null, Value::Text)),
        ("table_bytes", Value::from(report.table_bytes)),
    ];
    message.data.extend(settings(posed));
    if posed.params.shard.1 > 1 {
        message.data.push(("shard_finished", Value::Truth(report.shard_finished)));
    }
    message.data.extend(times(measured));
    let cooks: Vec<Value> = cooks::cooks(report).iter().map(cook).collect();
    if !cooks.is_empty() {
        message.data.push(("cooks", Value::List(cooks)));
    }
    message.text = Some(verdict.text.clone());
    message.page = page(outcome, rest);
    message
}

/// A strategy that can be played in several ways.
fn cook(cook: &Cook<'_>) -> Value {
    let difference = match cook.difference {
        Difference::Order => "order",
        Difference::Way => "way",
    };
    Value::Record(vec![
        ("strategy_number".into(), Value::Text(cook.success.number.to_string())),
        ("games".into(), Value::from(cook.success.games.len() as u64)),
        ("differ".into(), Value::from(difference)),
        ("ways".into(), Value::from(cook.groups.len() as u64)),
        ("text".into(), Value::Text(cook.to_string())),
    ])
}

/// The strategies with games that are shown, each with its table, and where the others are.
pub(super) fn strategies(
    outcome: &Outcome<'_>,
    rest: &str,
    games: &dyn Fn(&Success) -> Vec<String>,
) -> Vec<String> {
    let Outcome { posed, report, .. } = outcome;
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
    let cooks = cooks::page(report, posed.notation, STRATEGIES_SHOWN);
    if !cooks.is_empty() {
        lines.push(String::new());
        lines.extend(cooks);
        let more = report.cooks().count().saturating_sub(STRATEGIES_SHOWN);
        if more > 0 {
            lines.push(format!("{more} more cook strategies: {rest}"));
        }
    }
    lines
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
    let counts = &report.counts;
    // A verdict that is not final has the numbers of strategies.
    let strategies = match verdict.word {
        ProblemVerdict::Partial => String::new(),
        _ => format!("strategies: {}; ", report::counts(report)),
    };
    let (moves, nodes, times) = (counts.moves, counts.nodes, measured(times));
    lines.push(format!("{strategies}{moves} moves, {nodes} tree nodes; {times}"));
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
