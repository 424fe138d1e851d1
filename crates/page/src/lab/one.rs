//! One match: its estimate and its log-likelihood ratio over the games.

use super::super::SharedPage;
use super::super::shell::{Shell, fault};
use super::{elo_text, games, results, state_text};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use umbrail_lab::{LabMatch, LabPoint};
use umbrail_report::drawing::{Course, CoursePoint};

pub(crate) async fn page(
    State(shared): State<SharedPage>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let found = match results(&shared).await {
        Ok(found) => found,
        Err(why) => return fault(StatusCode::UNPROCESSABLE_ENTITY, &headers, &why),
    };
    // Only a name that exists in the folder becomes part of a path.
    let one = found.matches.iter().find(|one| !one.name.is_empty() && one.name == name);
    let Some(one) = one.cloned() else {
        return fault(StatusCode::NOT_FOUND, &headers, "There is no such match.");
    };
    let lab = shared.lab.clone();
    let course = tokio::task::spawn_blocking(move || umbrail_lab::course(&lab, &name)).await;
    let course = course.unwrap_or_default();
    let title = format!("{} · {}", one.label, one.control);
    let shell = Shell { title: &title, here: "/lab", script: Some("lab.js"), headers: &headers };
    let page = shell.page(&html! {
        h1 { (title) }
        div #lab aria-live="off" { (content(&one, &course, umbrail_lab::BOUND, found.is_at_work)) }
        p { a href="/lab" { "All matches" } }
    });
    page.into_response()
}

fn content(one: &LabMatch, course: &[LabPoint], bound: f64, is_at_work: bool) -> Markup {
    let [wins, losses, draws] = one.tally;
    let (low, high) = one.hypotheses;
    let figures = [
        ("games", games(one).to_string()),
        ("wins, draws, losses of DEV", format!("{wins}, {draws}, {losses}")),
        ("Elo with its 95 % interval", elo_text(one)),
        (
            "likelihood of superiority",
            one.los.map_or_else(|| "–".to_owned(), |los| format!("{los:.1} %")),
        ),
        (
            "log-likelihood ratio",
            one.llr.map_or_else(|| "–".to_owned(), |llr| format!("{llr:+.2}")),
        ),
        ("hypotheses, normalized Elo", format!("{low} and {high}")),
    ];
    html! {
        p.verdict { (elo_text(one)) @if one.elo.is_some() { " Elo: " span class=(one.class) { (one.reading) } } }
        p.hint { "The match is " (state_text(one, is_at_work)) "." }
        div.split {
            div.panel.scroll {
                @if course.is_empty() { p.hint { "No pair of games is finished yet." } }
                (llr(course, bound))
                (elo(course))
            }
            div.panel {
                table.figures { @for (name, text) in figures { tr { th { (name) } td { (text) } } } }
                @if !one.identity.is_empty() {
                    details { summary { "Identity of the match" } pre { (one.identity) } }
                }
            }
        }
    }
}

/// Draws the log-likelihood ratio between its bounds.
fn llr(course: &[LabPoint], bound: f64) -> Markup {
    let points: Vec<CoursePoint> = course
        .iter()
        .filter_map(|point| Some(CoursePoint { at: point.games, value: point.llr?, half: 0.0 }))
        .collect();
    let bounds = [(bound, "H1"), (-bound, "H0")];
    let plot = Course {
        label: "log-likelihood ratio over games",
        unit: "games",
        points: &points,
        bounds: &bounds,
    };
    html! {
        @if !points.is_empty() {
            h2 { "Log-likelihood ratio over games" }
            (PreEscaped(plot.to_string()))
        }
    }
}

/// Draws the estimate with its narrowing interval.
fn elo(course: &[LabPoint]) -> Markup {
    let points: Vec<CoursePoint> = course
        .iter()
        .filter_map(|point| {
            let (value, half) = point.elo?;
            Some(CoursePoint { at: point.games, value, half })
        })
        .collect();
    let plot = Course { label: "Elo over games", unit: "games", points: &points, bounds: &[] };
    html! {
        @if !points.is_empty() {
            h2 { "Elo over games, with its 95 % interval" }
            (PreEscaped(plot.to_string()))
        }
    }
}
