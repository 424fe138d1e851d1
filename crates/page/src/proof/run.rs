//! The page of a run of proof games: progress, results and verdict.

use super::super::stepper::{StepGame, numbered, stepper};
use super::super::words::{elapsed, grouped};
use super::super::work::{ProofRequest, Run, RunRequest, RunState};
use super::super::{SharedPage, run_page};
use super::cooks;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::Value;

/// Maximum number of games that a page shows; the files have all.
const GAMES_SHOWN: usize = 200;
/// Maximum number of games in the text for a magazine.
const MAGAZINE_GAMES: usize = 10;

/// Serves the page of a run.
pub(crate) async fn run(
    State(shared): State<SharedPage>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    run_page::page(&shared, &id, &headers, "run.js", |run| match &run.request {
        RunRequest::Proof(wish) => Some(content(run, wish)),
        _ => None,
    })
    .await
}

fn content(run: &Run, wish: &ProofRequest) -> Markup {
    let at_work = run.state == RunState::AtWork;
    html! {
        h1 { (run.request.title()) }
        div.split {
            (stepper(&wish.fen, run.records.iter().any(|record| record["t"] == "solution")))
            div.panel {
                p.verdict { (run_page::verdict(run)) }
                (run_page::controls(run, true))
                @if at_work { div #live data-run=(run.id) { p { "The run begins …" } } }
                div #games { (games(run)) }
                (cooks::cooks(run))
                (exports(run, wish))
                @if let Some(end) = run.end() { (figures(end, run.records.iter().rev().find(|record| record["t"] == "units"))) }
                p.hint { a href=(edit_address(wish)) { "Edit this problem" } }
            }
        }
    }
}

/// Lists the result files, and the result in the format of a magazine.
fn exports(run: &Run, wish: &ProofRequest) -> Markup {
    html! {
        (run_page::files(run))
        @if run.state == RunState::Done {
            details {
                summary { "For a magazine" }
                pre #magazine { (magazine(run, wish)) }
                button.scripted type="button" data-copy="magazine" { "Copy" }
            }
        }
    }
}

/// Returns diagram, stipulation, verdict and solutions as text.
fn magazine(run: &Run, wish: &ProofRequest) -> String {
    let pieces = super::check::pieces(&wish.fen);
    let word = |key: &str| run.end().and_then(|end| end[key].as_str());
    // Ends of earlier versions have none.
    let stipulation =
        word("stipulation").map_or_else(|| format!("PG in {}", wish.moves), str::to_owned);
    let verdict = word("text").unwrap_or("");
    let mut text =
        format!("{}\n{stipulation} ({}+{})\n{verdict}\n", wish.fen, pieces[0], pieces[1]);
    let solutions = run.records.iter().filter(|record| record["t"] == "solution");
    for record in solutions.take(MAGAZINE_GAMES) {
        text.push_str(&numbered(record));
        text.push('\n');
    }
    text
}

/// Returns the address of the editor with this problem.
fn edit_address(wish: &ProofRequest) -> String {
    let pairs = [
        ("fen", &wish.fen),
        ("moves", &wish.moves),
        ("length", &wish.length),
        ("retraction", &wish.retraction),
        ("conditions", &wish.conditions),
    ];
    let given = pairs.into_iter().filter(|(_, word)| !word.is_empty());
    let words: Vec<String> =
        given.map(|(key, word)| format!("{key}={}", run_page::quoted(word))).collect();
    format!("/proof?{}", words.join("&"))
}

/// Writes the games, each with a board to step through.
fn games(run: &Run) -> Markup {
    let solutions = run.records.iter().filter(|record| record["t"] == "solution");
    let all = solutions.clone().count();
    let note = |record: &Value| {
        let word = |key: &str| record[key].as_str().unwrap_or("").to_owned();
        format!("Strategy {}: {}", word("number"), word("strategy"))
    };
    // First game of each strategy; the other games of a cook are compared with it.
    let mut firsts: Vec<&Value> = vec![];
    let mut shown = vec![];
    for record in solutions.take(GAMES_SHOWN) {
        let first = firsts.iter().find(|first| first["number"] == record["number"]).copied();
        if first.is_none() {
            firsts.push(record);
        }
        shown.push((record, first));
    }
    html! {
        @for (record, other) in shown {
            (StepGame { record, marks: &[], note: &note(record), other })
        }
        @if all > GAMES_SHOWN { p { (all - GAMES_SHOWN) " more games are in the files" } }
    }
}

/// Writes the figures of a run that has ended, with its units when several machines worked on it.
fn figures(end: &Value, units: Option<&Value>) -> Markup {
    let counts = &end["counts"];
    let number = |name: &str| counts[name].as_u64().unwrap_or(0);
    let rows = [
        ("strategies enumerated", number("enumerated")),
        ("refuted by analysis", number("refuted")),
        ("searched", number("searched")),
        ("moves tried", number("moves")),
        ("nodes of the tree", number("nodes")),
    ];
    let machines = units.map(|units| {
        let number = |name: &str| units[name].as_u64().unwrap_or(0);
        let spread = [number("median-ms"), number("max-ms")].map(elapsed).join(" and ");
        [
            ("units done by the workers", grouped(number("units"))),
            ("time of a unit, median and longest", spread),
            ("units done twice and compared", grouped(number("audited"))),
        ]
    });
    html! {
        table.figures {
            @for (name, count) in rows { tr { th { (name) } td { (grouped(count)) } } }
            @for (name, text) in machines.into_iter().flatten() { tr { th { (name) } td { (text) } } }
            tr { th { "time" } td { (elapsed(end["elapsed_ms"].as_u64().unwrap_or(0))) } }
        }
    }
}
