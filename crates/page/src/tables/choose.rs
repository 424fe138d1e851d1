//! The page for choosing an endgame, and the start of a long build.

use super::super::SharedPage;
use super::super::position;
use super::super::run_page::{self, quoted};
use super::super::shell::{Shell, fault};
use super::super::work::RunRequest;
use super::definitions::PieceFile;
use super::{METRICS, TableQuery, is_endgame, metrics, needs};
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use umbrail_report::drawing::{Figure, single_piece};

/// Initial examples: address and name.
const EXAMPLES: &[(&str, &str)] = &[
    ("KQ.KR", "queen against rook"),
    ("KR.K", "rook"),
    ("KBN.K", "bishop and knight"),
    ("KP.K", "pawn"),
    ("KNN.K", "two knights"),
];

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct EndgameForm {
    endgame: String,
    metric: String,
    piece: String,
    /// Position from which the user came.
    fen: String,
}

pub(crate) async fn choose(
    State(shared): State<SharedPage>,
    Query(choice): Query<EndgameForm>,
    headers: HeaderMap,
) -> Markup {
    page(&shared, &choice, None, &headers).await
}

async fn page(
    shared: &SharedPage,
    choice: &EndgameForm,
    why: Option<&str>,
    headers: &HeaderMap,
) -> Markup {
    let pieces = PieceFile::of(&shared.folder, &choice.piece);
    let fault = why.map(str::to_owned).or(pieces.as_ref().err().map(ToString::to_string));
    let rules = TableQuery { metric: choice.metric.clone(), piece: choice.piece.clone() };
    let needed = needs::of(shared, &rules, choice.endgame.trim()).await;
    let building = shared.runs.at_work("table");
    let [count, build] =
        if needed.is_long(shared.options.threads) { ["", "main"] } else { ["main", ""] };
    let script = Some("table-choose.js");
    let shell = Shell { title: "Endgame tables", here: "/tables", script, headers };
    shell.page(&html! {
        h1 { "Endgame tables" }
        (position::field(""))
        div.split {
            form.panel #choose method="get" action="/tables/open" {
                label { "Endgame, White's pieces before the dot"
                    input name="endgame" value=(choice.endgame) aria-describedby="needs" placeholder="KQ.KR" spellcheck="false" autocomplete="off" required;
                }
                (metrics(&choice.metric))
                label { "Pieces of your own, one a line"
                    textarea name="piece" maxlength="4000" rows="2" spellcheck="false" placeholder="X = (1,3)" { (choice.piece) }
                }
                @for run in &building {
                    p { "At work: " a href=(run_page::address(run)) { (run.request.title()) } }
                }
                @if let Some(fault) = &fault { p.fault { (fault) } }
                div.look #needs aria-live="polite" { (needs::table(&needed)) }
                div.controls {
                    button class=(count) disabled[needed.lacks_memory] { "How often does who win?" }
                    button class=(build) disabled[needed.lacks_memory] formmethod="post" formaction="/tables" { "Build it as a run" }
                    a href="/pieces" { "Design a piece" }
                    a href="/survey" { "Compare pieces" }
                }
                @if !choice.fen.is_empty() {
                    p { a href=(format!("/position?fen={}", quoted(&choice.fen))) { "Back to the position" } @if !needed.lacks_memory { " – in the table as soon as it is built." } }
                }
                p.hint {
                    "Examples: "
                    @for (endgame, name) in EXAMPLES { a href=(format!("/tables/{endgame}")) { (name) } " " }
                }
            }
            @if let Ok(PieceFile { set, .. }) = &pieces {
                div.panel {
                    h2 { "Pieces" }
                    table.pieces {
                        @for piece in set.pieces() {
                            tr {
                                td.man { @if let Some(figure) = piece.common_name().and_then(Figure::named) {
                                    svg viewBox="0 0 100 100" aria-hidden="true" { (PreEscaped(single_piece('X', &[('X', figure)]))) }
                                } }
                                th.mono { (piece.letter) }
                                td { (piece.name) }
                                td.mono { (piece.betza()) }
                                td.scripted {
                                    @for side in ["white", "black"] {
                                        button.small type="button" data-letter=(piece.letter) data-side=(side)
                                            aria-label=(format!("+{}: one more {} for {side}", side.chars().next().unwrap_or(' ').to_ascii_uppercase(), piece.name)) title=(format!("One more for {side}")) { "+" (side.chars().next().unwrap_or(' ').to_ascii_uppercase()) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    })
}

/// Redirects to the page of an endgame that was typed.
pub(crate) async fn open(
    State(shared): State<SharedPage>,
    Query(choice): Query<EndgameForm>,
    headers: HeaderMap,
) -> Response {
    let endgame = written(choice.endgame.trim());
    let rules = TableQuery { metric: choice.metric.clone(), piece: choice.piece.clone() };
    if is_endgame(&endgame) {
        return Redirect::to(&format!("/tables/{endgame}?{}", rules.query())).into_response();
    }
    let why = format!("Expected an endgame such as KQ.KR, got \"{endgame}\"");
    let page = page(&shared, &choice, Some(&why), &headers).await;
    (StatusCode::UNPROCESSABLE_ENTITY, page).into_response()
}

/// Returns an endgame as it is named here. `kq.kr`, `KQ-KR` and `KQ v KR` are KQ.KR: an endgame has kings, so small letters
/// throughout are no pieces of one's own.
pub(super) fn written(text: &str) -> String {
    let joined = text.replace(" v ", ".").replace(" vs ", ".").replace('-', ".");
    let is_small = !joined.chars().any(|letter| letter.is_ascii_uppercase());
    if is_small { joined.to_ascii_uppercase() } else { joined }
}

/// Starts the build of a table that takes longer than a page may.
pub(crate) async fn begin(
    State(shared): State<SharedPage>,
    headers: HeaderMap,
    Form(choice): Form<EndgameForm>,
) -> Response {
    let rules = TableQuery { metric: choice.metric, piece: choice.piece };
    let needed = needs::of(&shared, &rules, choice.endgame.trim()).await;
    if needed.lacks_memory {
        return fault(StatusCode::UNPROCESSABLE_ENTITY, &headers, needed.cost());
    }
    let started = rules
        .request(&shared, choice.endgame.trim())
        .and_then(|request| Ok(shared.runs.begin(&RunRequest::Table(request))?));
    match started {
        Ok(id) => Redirect::to(&format!("/table/{id}")).into_response(),
        Err(why) => fault(StatusCode::UNPROCESSABLE_ENTITY, &headers, &why),
    }
}

/// Writes the form that starts a build.
pub(super) fn builder(rules: &TableQuery, endgame: &str) -> Markup {
    html! {
        form method="post" action="/tables" {
            input type="hidden" name="endgame" value=(endgame);
            input type="hidden" name="metric" value=(rules.metric());
            input type="hidden" name="piece" value=(rules.piece);
            button.main { "Build it" }
        }
    }
}

/// Returns the unit of a metric.
pub(super) fn unit(metric: &str) -> &'static str {
    METRICS.iter().find(|(word, _)| *word == metric).map_or("", |(_, what)| what)
}
