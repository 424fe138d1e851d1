//! The page of a table that is being built.

use super::super::ExplorerHandle;
use super::super::run_page;
use super::super::shell::{Shell, fault};
use super::super::work::{RunRequest, RunState};
use super::TableQuery;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::html;

pub(in crate::explorer) async fn run(
    State(explorer): State<ExplorerHandle>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let found = run_page::find(&explorer, &id).await;
    let Some((run, RunRequest::Table(wish))) = found.map(|run| {
        let request = run.request.clone();
        (run, request)
    }) else {
        return fault(StatusCode::NOT_FOUND, &headers, "There is no such run.");
    };
    let rules = TableQuery { metric: wish.metric.clone(), piece: wish.piece.clone() };
    let title = run.request.title();
    let here = format!("/table/{id}");
    let script = Some("build.js");
    let shell = Shell { title: &title, here: &here, script, headers: &headers };
    let content = html! {
        h1 { (title) }
        div.panel.wide {
            p.verdict { (run_page::verdict(&run)) }
            (run_page::controls(&run, false))
            @if run.state == RunState::AtWork { div #live data-run=(run.id) { p { "The run begins …" } } }
            @if run.state == RunState::Done {
                p { a href=(format!("/tables/{}?{}", wish.endgame, rules.query())) { "To the table" } }
            }
        }
    };
    shell.page(&content).into_response()
}
