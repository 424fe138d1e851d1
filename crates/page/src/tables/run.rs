//! The page of a table that is being built.

use super::super::SharedPage;
use super::super::legend::{Legend, legend};
use super::super::run_page;
use super::super::work::{Run, RunRequest, RunState};
use super::{TableQuery, needs};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};

pub(crate) async fn run(
    State(shared): State<SharedPage>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let estimate = match run_page::find(&shared, &id).await {
        Some(run) if run.state == RunState::AtWork => estimate(&shared, &run.request).await,
        _ => None,
    };
    run_page::page(&shared, &id, &headers, "build.js", |run| content(run, estimate)).await
}

/// Returns the estimated time of a build in milliseconds, with all threads of the program.
async fn estimate(shared: &SharedPage, request: &RunRequest) -> Option<u64> {
    let RunRequest::Table(wish) = request else { return None };
    let rules = TableQuery { metric: wish.metric.clone(), piece: wish.piece.clone() };
    let ms = needs::of(shared, &rules, &wish.endgame).await.estimate_ms?;
    Some(ms / shared.options.threads.max(1) as u64)
}

fn content(run: &Run, estimate: Option<u64>) -> Option<Markup> {
    let RunRequest::Table(wish) = &run.request else { return None };
    let rules = TableQuery { metric: wish.metric.clone(), piece: wish.piece.clone() };
    Some(html! {
        h1 { (run.request.title()) }
        div.panel.wide {
            p.verdict { (run_page::verdict(run)) }
            (run_page::controls(run, false))
            @if run.state == RunState::AtWork {
                div #live data-run=(run.id) data-estimate=[estimate] { p { "The run begins …" } }
                p.hint { "A paused build continues with the tables that are finished. A canceled one is removed from the list; finished tables stay." }
            }
            @if run.state == RunState::Done {
                p { a href=(format!("/tables/{}?{}", wish.endgame, rules.query())) { "To the table" } }
            }
            (legend(Legend::Tables))
        }
    })
}
