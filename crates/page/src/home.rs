//! The home page: the parts, and the runs that can be resumed.

use super::events::memory_bytes;
use super::shell::Shell;
use super::words::grouped;
use super::work::{Run, RunRequest};
use super::{SharedPage, position, run_list};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Redirect;
use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use serde_json::value::RawValue;
use std::sync::Arc;
use umbrail_report::drawing::{Board, Figure};

/// Parts of the page: address, name, purpose, and a diagram of it.
const PARTS: &[(&str, &str, &str, &str)] = &[
    (
        "/proof",
        "Proof games",
        "Which game leads to this diagram, and is it the only one?",
        "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR",
    ),
    (
        "/tables",
        "Endgame tables",
        "How often does a queen beat a rook, and a piece of your own?",
        "8/8/r7/8/3k4/8/8/K1Q5",
    ),
    (
        "/pieces",
        "Design a piece",
        "Draw its moves on a grid. Does it mate, and what does it beat?",
        "8/8/8/3k4/8/2A5/8/K7",
    ),
    (
        "/steno",
        "Stenos",
        "Which game is written as 36~#?",
        "rnb1kbnr/pppp1ppp/4p3/8/6Pq/5P2/PPPPP2P/RNBQKBNR",
    ),
    (
        "/play",
        "Analysis",
        "What does the search find, and what with other options?",
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R",
    ),
    (
        "/play?against=white",
        "Play",
        "A game against the engine, at any level and from any position.",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
    ),
    (
        "/survey",
        "Compare pieces",
        "Which pieces win against which, in one table?",
        "8/8/2n5/8/3k4/8/5R2/K7",
    ),
];

async fn all(shared: &SharedPage) -> Vec<Run> {
    let runs = Arc::clone(&shared.runs);
    tokio::task::spawn_blocking(move || runs.list()).await.unwrap_or_default()
}

pub(super) async fn page(State(shared): State<SharedPage>, headers: HeaderMap) -> Markup {
    let runs = all(&shared).await;
    // The archbishop on the board of the designer.
    let figures: Vec<_> =
        Figure::named("archbishop").map(|figure| ('A', figure)).into_iter().collect();
    let content = html! {
        h1 { "Umbrail" }
        p.lead { "Finds the games behind a chess diagram, plays endgames with any pieces perfectly, decodes stenos, and analyzes games." }
        (position::field(""))
        div.cards {
            @for (address, name, what, placement) in PARTS {
                a.card href=(address) {
                    (PreEscaped(Board { placement, figures: &figures, ..Board::default() }.to_string()))
                    span { b { (name) } " " (what) }
                }
            }
        }
        @if !runs.is_empty() {
            (run_list::table(&runs))
        }
        @if let Some(bytes) = memory_bytes() {
            form.controls method="post" action="/memory" {
                span.hint { "The program uses " (grouped(bytes >> 20)) " MiB of memory." }
                button.small title="Tables that pages have asked for are removed from memory. They are freed ten minutes after their last use in any case." { "Free the tables" }
            }
        }
    };
    Shell { title: "First page", here: "/", script: Some("home.js"), headers: &headers }
        .page(&content)
}

/// Removes tables from memory, as far as no page waits for them.
pub(super) async fn free(State(shared): State<SharedPage>) -> Redirect {
    shared.tables.free_idle();
    Redirect::to("/")
}

/// A run in the list for scripts.
#[derive(Serialize)]
pub(super) struct ListedRun {
    id: String,
    request: RunRequest,
    /// State in words.
    state: String,
    /// Record of the end, if the run has ended.
    end: Option<Box<RawValue>>,
}

/// Returns the list of runs for scripts.
pub(super) async fn runs(State(shared): State<SharedPage>) -> Json<Vec<ListedRun>> {
    let one = |run: Run| ListedRun {
        state: run.state.text(),
        end: run.records.end_line().map(ToOwned::to_owned),
        id: run.id,
        request: run.request,
    };
    Json(all(&shared).await.into_iter().map(one).collect())
}
