//! The page of a table that is being built.

use super::super::SharedPage;
use super::super::run_page;
use super::super::work::{Run, RunRequest, RunState};
use super::TableQuery;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};

pub(crate) async fn run(
    State(shared): State<SharedPage>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    run_page::page(&shared, &id, &headers, "build.js", content).await
}

fn content(run: &Run) -> Option<Markup> {
    let RunRequest::Table(wish) = &run.request else { return None };
    let rules = TableQuery { metric: wish.metric.clone(), piece: wish.piece.clone() };
    Some(html! {
        h1 { (run.request.title()) }
        div.panel.wide {
            p.verdict { (run_page::verdict(run)) }
            (run_page::controls(run, false))
            @if run.state == RunState::AtWork { div #live data-run=(run.id) { p { "The run begins …" } } }
            @if run.state == RunState::Done {
                p { a href=(format!("/tables/{}?{}", wish.endgame, rules.query())) { "To the table" } }
            }
        }
    })
}
