//! What the module tells: games, verdicts and counts as message.

use super::files;
use super::problems::{PosedProblem, Style};
use crate::chess::{Move, Position, to_uci};
use crate::geometry::Color;
use crate::proof::files::archive::Archive;
use crate::proof::report::cooks::{self, Cook, Difference};
use crate::proof::report::{length, sentence, text};
use crate::proof::run::{Histogram, ProblemVerdict, RunCounts, RunReport, Success};
use crate::proof::{Problem, Rule, san_of};
use crate::session::domain::Domain;
use crate::session::message::{Kind, Message, Value};

/// Message of this module with a kind of record for JSON.
pub(super) fn message(kind: Kind, record: &'static str) -> Message {
    let mut message = Message::new(Domain::Spg, kind);
    message.record = Some(record);
    message
}

fn texts<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> Value {
    Value::List(items.into_iter().map(|item| Value::from(item.as_ref())).collect())
}

/// A truth value that may not be known.
fn truth(known: Option<bool>) -> Value {
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
pub(super) fn solution(index: u64, success: &Success, game: &[Move], style: Style) -> Message {
    let mut message = message(Kind::Result, "solution")
        .with("index", index)
        .with("plies", game.len() as u64)
        .saying(text::numbered(game, 'N'));
    message.data = vec![
        ("moves", texts(san_of(game))),
        ("uci", texts(coordinates(game))),
        ("strategy", Value::Text(success.strategy.to_string())),
        ("number", Value::Text(success.number.to_string())),
    ];
    message.page = vec![format!("{index}) {}", style.write(game))];
    message
}

/// A run goes on from an archive.
pub(super) fn resumed(done: &Archive) -> Message {
    let text = format!("going on after {} finished claims", done.claims.len());
    let mut message = message(Kind::Progress, "resumed").with("claims", done.claims.len() as u64);
    message.page = vec![text];
    message
}

/// A problem of a sheet is begun.
pub(super) fn problem(at: usize, of: usize, problem: &Problem, title: Option<&str>) -> Message {
    let mut message = message(Kind::Progress, "problem")
        .with("number", at as u64)
        .with("of", of as u64)
        .with("moves", length(usize::from(problem.plies)).as_str());
    message.data = vec![("fen", Value::Text(problem.diagram.to_string()))];
    message.page = vec![String::new(), format!("Nr {at}/{of}  {}", title.unwrap_or(""))];
    message.page.extend(text::board(&problem.diagram, problem.plies));
    message
}

fn counts(counts: &RunCounts) -> Value {
    let fields = [
        ("leaves", counts.leaves),
        ("found", counts.found),
        ("kept", counts.kept),
        ("played", counts.played),
        ("dropped", counts.dropped),
        ("filtered", counts.filtered),
        ("moves", counts.moves),
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
    let row = |(&(white, black), &(found, kept)): (&(i32, i32), &(u64, u64))| {
        Value::Record(vec![
            ("white".into(), Value::Number(white.into())),
            ("black".into(), Value::Number(black.into())),
            ("found".into(), found.into()),
            ("kept".into(), kept.into()),
        ])
    };
    let rows = |histogram: &Histogram| Value::List(histogram.iter().map(row).collect());
    message.data = vec![("classes", rows(&report.histogram))];
    let parts = files::last_moves(&posed.problem, posed.params.retraction);
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
    message.page = files::histograms(posed, report);
    message
}

/// The verdict on one problem, with all that JSON wants to know of it.
pub(super) fn verdict(
    kind: Kind,
    record: &'static str,
    posed: &PosedProblem,
    report: &RunReport,
) -> Message {
    let intended = posed.params.intended;
    let mut message = message(kind, record)
        .with("verdict", report.verdict().to_string().as_str())
        .with("count", report.count() as u64);
    let lengths = report
        .lengths()
        .into_iter()
        .map(|(plies, games)| (plies.to_string(), Value::from(games)))
        .collect();
    message.data = vec![
        ("solutions", Value::from(report.count() as u64)),
        ("complete", Value::Truth(report.is_complete())),
        ("lengths", Value::Record(lengths)),
        ("cook_strategies", Value::from(report.cooks().count() as u64)),
        ("correct", truth(report.is_correct(intended))),
        ("reasons", texts(report.refusals.iter().map(ToString::to_string))),
        ("counts", counts(&report.counts)),
        ("refused", refused(report)),
    ];
    let cooks: Vec<Value> = cooks::cooks(report).iter().map(cook).collect();
    if !cooks.is_empty() {
        message.data.push(("cooks", Value::List(cooks)));
    }
    message.text = Some(sentence(&posed.problem, report));
    message.page = page(&posed.problem, report);
    message
}

/// A strategy that can be played in several ways.
fn cook(cook: &Cook<'_>) -> Value {
    let difference = match cook.difference {
        Difference::Order => "order",
        Difference::Way => "way",
    };
    Value::Record(vec![
        ("number".into(), Value::Text(cook.success.number.to_string())),
        ("games".into(), Value::from(cook.success.games.len() as u64)),
        ("differ".into(), Value::from(difference)),
        ("ways".into(), Value::from(cook.groups.len() as u64)),
        ("text".into(), Value::Text(cook.to_string())),
    ])
}

fn page(posed: &Problem, report: &RunReport) -> Vec<String> {
    let mut lines = vec![];
    for success in &report.successes {
        lines.push(String::new());
        lines.extend(text::table(success));
        for (mark, color) in ["w", "b"].into_iter().zip(Color::ALL) {
            let paths = text::paths(success, color);
            lines.push(format!("{mark}: {paths}"));
        }
    }
    let cooks = cooks::page(report);
    if !cooks.is_empty() {
        lines.push(String::new());
        lines.extend(cooks);
    }
    lines.push(String::new());
    lines.push(sentence(posed, report));
    let counts = &report.counts;
    lines.push(format!(
        "strategies found {} kept {} played {}, moves {}, tree nodes {}",
        counts.found, counts.kept, counts.played, counts.moves, counts.nodes
    ));
    if report.verdict() == ProblemVerdict::Unique
        && report.lengths().keys().any(|&plies| plies != usize::from(posed.plies))
    {
        lines.push(format!(
            "the game is shorter than {}: it has the same parity",
            length(usize::from(posed.plies))
        ));
    }
    lines
}
