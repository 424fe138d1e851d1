//! The page of a solved steno: the verdict, the games with their marks, and the number of positions
//! after each mark.

use super::super::SharedPage;
use super::super::run_page;
use super::super::stepper::{StepGame, stepper};
use super::super::work::{Run, RunRequest, RunState, StenoRequest};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use serde_json::Value;
use umbrail_report::drawing::{Bar, Histogram};
use umbrail_steno::{Steno, Vocabulary};

/// Maximum number of games that a page shows; the files have all listed games.
const GAMES_SHOWN: usize = 100;

pub(crate) async fn run(
    State(shared): State<SharedPage>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    run_page::page(&shared, &id, &headers, "run.js", |run| match &run.request {
        RunRequest::Steno(wish) => Some(content(run, wish)),
        _ => None,
    })
    .await
}

/// Returns the marks of the turns, as text.
fn marks(wish: &StenoRequest) -> Vec<String> {
    let vocabulary = Vocabulary::from_name(&wish.vocabulary).unwrap_or_default();
    let steno = Steno::parse(wish.text.trim(), vocabulary);
    steno.map_or_else(
        |_| vec![],
        |steno| steno.turns.iter().map(|turn| steno.turn_text(turn)).collect(),
    )
}

fn content(run: &Run, wish: &StenoRequest) -> Markup {
    let at_work = run.state == RunState::AtWork;
    let marks = marks(wish);
    let solutions = run.records.iter().filter(|record| record["t"] == "solution");
    let all = solutions.clone().count();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    html! {
        h1 { "Steno " code { (wish.text) } }
        div.split {
            (stepper(start, all > 0))
            div.panel {
                p.verdict { (run_page::verdict(run)) }
                (run_page::controls(run, false))
                @if at_work { div #live data-run=(run.id) { p { "The run begins …" } } }
                div #games {
                    @for record in solutions.take(GAMES_SHOWN) {
                        (StepGame { record, marks: &marks, note: "", other: None })
                    }
                    @if all > GAMES_SHOWN { p { (all - GAMES_SHOWN) " more games are in the files" } }
                }
                div #layers { (layers(run)) }
                (run_page::files(run))
                p.hint {
                    a href=(format!("/steno?text={}&vocabulary={}", run_page::quoted(&wish.text), run_page::quoted(&wish.vocabulary))) { "Edit this steno" }
                }
            }
        }
    }
}

/// Writes the numbers of games and positions after each mark.
fn layers(run: &Run) -> Markup {
    let reported: Vec<&Value> = run.records.iter().filter(|record| record["t"] == "mark").collect();
    let number = |record: &Value, key: &str| {
        // Large numbers are strings.
        record[key].as_u64().or_else(|| record[key].as_str()?.parse().ok())
    };
    let bars: Vec<Bar<'_>> = reported
        .iter()
        .filter_map(|record| {
            let at = i64::try_from(record["turn"].as_u64()?).ok()?;
            let count = number(record, "positions").or_else(|| number(record, "games"))?;
            Some(Bar { at, count, class: "bar" })
        })
        .collect();
    let plot = Histogram {
        label: "positions after each turn",
        unit: "th turn",
        bars: &bars,
        logarithmic: true,
    };
    html! {
        @if bars.len() > 1 {
            h2 { "Positions after each turn" }
            (PreEscaped(plot.to_string()))
        }
    }
}
