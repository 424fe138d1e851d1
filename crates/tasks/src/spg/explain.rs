//! `spg explain`: which deduction refused which strategies, in words; or what becomes of one of them.

use super::ending;
use super::game_text::read_game;
use super::notify;
use super::posed::PosedProblem;
use super::posing;
use super::problems::SolveSettings;
use super::run_files::NO_FAULTS;
use super::strategies;
use crate::records::spg::{ExplainEnd, FateEnd, SpgRefused};
use umbrail_proof::report::{self, text};
use umbrail_proof::run::{Persistence, RunReport};
use umbrail_proof::{
    Effort, Explainer, NodeRefutation, PieceId, Rule, Strategy, StrategyFacts, StrategyRefutation,
    project,
};
use umbrail_session::domain::Task;
use umbrail_session::job_context::JobContext;
use umbrail_session::message::{Completion, Kind, Value};
use umbrail_session::module::{Context, Prepared};
use umbrail_session::status::Status;
use umbrail_session::task_error::TaskError;

pub(super) fn explaining(
    task: &Task,
    settings: SolveSettings,
    context: &Context,
) -> Result<Prepared, TaskError> {
    let mut posed = posing::chess(task, &settings, context)?;
    match &task.text {
        None => {
            posed.params.histogram = true;
            Ok(Prepared::work(move |job| all(&posed, job)))
        }
        Some(text) => {
            let strategy = strategy_of(text)?;
            if let Err(error) = strategy.check(&posed.problem.diagram) {
                return Err(format!("this is not a strategy of the diagram: {error}").into());
            }
            Ok(Prepared::work(move |job| one(&posed, &strategy, job)))
        }
    }
}

/// A strategy as it is written, or the one that a game has.
fn strategy_of(text: &str) -> Result<Strategy, TaskError> {
    match (text.parse::<Strategy>(), read_game(text)) {
        (Ok(strategy), _) => Ok(strategy),
        (Err(_), Ok(game)) if !game.is_empty() => {
            project(&game).map_err(|error| format!("the game: {error}").into())
        }
        (Err(error), Err(other)) => Err(TaskError::expected(format_args!(
            "a strategy such as \"Sb1-c3, Pe2-e4\", or a game; as a strategy {error}; as a game {other}"
        ))),
        (Err(error), Ok(_)) => {
            Err(TaskError::expected(format_args!("a strategy or a game; as a strategy {error}")))
        }
    }
}

/// The name and the explanation of a rule, or of simple counting without one.
fn reported(rule: Option<Rule>) -> (&'static str, &'static str) {
    match rule {
        Some(rule) => (rule.name(), rule.description()),
        None => ("moves", "The pieces need more moves than their side has."),
    }
}

/// All strategies: how many each deduction refuted, with examples.
fn all(posed: &PosedProblem, job: &JobContext<'_>) -> Completion {
    let (outcome, status) = strategies::run(posed, Persistence::default(), NO_FAULTS, None, job);
    let report = &outcome.report;
    for line in tree(report) {
        job.message(line_message(line));
    }
    let mut rows: Vec<_> = report.refused.iter().filter(|(_, count)| **count > 0).collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (&rule, &count) in rows {
        let (name, reports) = reported(rule);
        let examples = report.examples.get(&rule).map_or(&[][..], Vec::as_slice);
        let record = SpgRefused {
            rule: name.to_owned(),
            count,
            examples: examples.iter().map(ToString::to_string).collect(),
            text: reports.to_owned(),
        };
        let mut message =
            notify::holding(Kind::Result, &record).with("rule", name).with("count", count);
        message.page = vec![format!("{count:>10} strategies refuted by {name}: {reports}")];
        message.page.extend(examples.iter().map(|one| format!("{:>11}such as {one}", "")));
        job.message(message.printing(reports));
    }
    let counts = &report.counts;
    let (enumerated, left) = (counts.enumerated, counts.unrefuted);
    let record = ExplainEnd { enumerated, left, complete: report.enumerated };
    let mut done = notify::holding(Kind::Done, &record)
        .with("enumerated", counts.enumerated)
        .with("left", counts.unrefuted)
        .with("complete", Value::Truth(report.enumerated));
    done.page = match report.refusals.is_empty() {
        true => vec![format!(
            "strategies: {}{}",
            report::counts(report),
            if report.enumerated { "" } else { "; the enumeration is not complete" }
        )],
        false => vec![outcome.verdict.text],
    };
    Completion { done, status }
}

/// What was cut off in the tree, before there were strategies.
fn tree(report: &RunReport) -> Vec<String> {
    let reasons = [
        "a piece cannot reach its square",
        "a side needs more moves than it has",
        "pawns need more captures than there are pieces to take",
        "a piece that must be captured cannot be",
    ];
    let mut lines = vec![];
    for (count, reason) in report.cut.iter().zip(reasons).filter(|(count, _)| **count > 0) {
        let branches = if *count == 1 { "branch" } else { "branches" };
        lines.push(format!("{count:>10} {branches} of the tree cut because {reason}"));
    }
    lines
}

fn line_message(line: String) -> umbrail_session::Message {
    let mut message = notify::message(Kind::Result, "note").printing(line.trim_start());
    message.page = vec![line];
    message
}

/// One strategy: what refutes it, or what the analysis derives and what the search finds.
fn one(posed: &PosedProblem, strategy: &Strategy, job: &JobContext<'_>) -> Completion {
    let write = |line: String| job.message(line_message(line));
    let end = |word: &str, text: String, status| {
        let mut done =
            notify::holding(Kind::Done, &FateEnd { fate: word.to_owned() }).with("fate", word);
        done.page = vec![text.clone()];
        Completion { done: done.printing(text), status }
    };
    let mut explainer = Explainer::new(&posed.problem, &posed.params, &job.cancel);
    if let Some((wanted, granted)) = explainer.smaller_table() {
        job.message(notify::warning(ending::smaller_table(wanted, granted)));
    }
    match explainer.enumerate(strategy) {
        Ok(free) => write(format!("it is enumerated, with {}+{} free moves", free[0], free[1])),
        Err(dead) => {
            let why = dead.map_or("its branch has no such child".to_owned(), in_words);
            return end("refuted", format!("refuted while enumerating: {why}"), Status::Complete);
        }
    }
    for (effort, word) in [(Effort::Quick, "quick"), (Effort::Deep, "deep")] {
        match explainer.analyse(strategy, effort) {
            Err(refused) => {
                let text = format!("refuted by {word} analysis: {}", refusal(refused));
                return end("refuted", text, Status::Complete);
            }
            Ok(derived) if effort == Effort::Deep => {
                facts(&derived, strategy).into_iter().for_each(write);
            }
            Ok(_) => {}
        }
    }
    let played = explainer.play(strategy, &job.cancel);
    for game in &played.games {
        write(format!("game: {}", posed.notation.write(game)));
    }
    let moves = played.moves;
    match (played.games.len(), played.complete || played.enough) {
        (0, true) => end("none", format!("no game, after {moves} moves"), Status::Complete),
        (0, false) => {
            let status = if job.clock.is_over() { Status::Limit } else { Status::Stopped };
            end("open", format!("stopped after {moves} moves, no game so far"), status)
        }
        (1, true) => {
            let (plies, stated) = (played.games[0].len(), posed.problem.plies);
            let shorter = (plies < usize::from(stated))
                .then(|| format!("; {}", report::not_the_shortest(plies, stated)));
            let text = format!("exactly one game ({moves} moves){}", shorter.unwrap_or_default());
            end("unique", text, Status::Complete)
        }
        (games, _) => {
            let least = if played.complete { "" } else { "at least " };
            let text = format!("{least}{games} games ({moves} moves)");
            end("cook", text, Status::Complete)
        }
    }
}

fn in_words(dead: NodeRefutation) -> String {
    match dead {
        NodeRefutation::NoWay(piece) => format!("{piece} cannot reach its square"),
        NodeRefutation::Moves(color) => format!("{color} needs more moves than it has"),
        NodeRefutation::Captures(color) => {
            format!("the pawns of {color} need more captures than there are pieces to take")
        }
        NodeRefutation::Victim(piece) => format!("no piece can take {piece}"),
        NodeRefutation::Refuted(rule) => format!("{} ({})", rule.description(), rule.name()),
    }
}

fn refusal(refused: StrategyRefutation) -> String {
    let (name, reports) = reported(refused.rule);
    let piece = refused.piece.map_or(String::new(), |piece| format!(", which shows at {piece}"));
    format!("{reports} ({name}{piece})")
}

/// What the analysis derives of a strategy that it does not refute.
fn facts(derived: &StrategyFacts, strategy: &Strategy) -> Vec<String> {
    let free = derived.free;
    let mut lines =
        vec![format!("analysis does not refute it; {}+{} free moves", free[0], free[1])];
    let [white, black] = text::columns(strategy, &derived.needed, &derived.waypoints);
    lines.extend(
        white.iter().zip(&black).map(|(w, b)| format!("  {w:<36}{b}").trim_end().to_owned()),
    );
    let named =
        |pieces: &[PieceId]| pieces.iter().map(PieceId::to_string).collect::<Vec<_>>().join(", ");
    for (pieces, what) in
        [(&derived.fixed, "never move"), (&derived.away, "must step aside and come back")]
    {
        if !pieces.is_empty() {
            lines.push(format!("{what}: {}", named(pieces)));
        }
    }
    lines
}
