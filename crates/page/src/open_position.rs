//! The answer to the field for any position or game: it leads to the table if few enough pieces remain, and to the analysis
//! otherwise.

use super::position::{OPENED_MAX, address_of, endgame, field};
use super::run_page::quoted;
use super::shell::Shell;
use super::{SharedPage, play, tables};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use serde::Deserialize;
use umbrail_chess::geometry::Setup;
use umbrail_proof::files::sheet::length_of;
use umbrail_steno::{Steno, Vocabulary};
use umbrail_tables::Material;
use umbrail_tables::fairy::PieceSet;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PositionQuery {
    fen: String,
}

/// Redirects to the page of a position.
pub(super) async fn open(
    State(shared): State<SharedPage>,
    Query(wish): Query<PositionQuery>,
    headers: HeaderMap,
) -> Response {
    let fen = wish.fen.trim();
    match (fen.parse::<Setup>(), play::game_address(fen, &shared.options)) {
        (Ok(setup), _) => {
            let address = match endgame(&setup, OPENED_MAX) {
                Some(_) => tables::value_address(&shared, fen).await,
                None => None,
            };
            let address = address.unwrap_or_else(|| address_of(fen, &setup));
            Redirect::to(&address).into_response()
        }
        (Err(_), Some(address)) => Redirect::to(&address).into_response(),
        (Err(error), None) => match of_problem(fen).or_else(|| of_word(fen)) {
            Some(address) => Redirect::to(&address).into_response(),
            None => refused(fen, &error, &headers),
        },
    }
}

/// Returns the address of a proof game, which is a diagram and a length: `FEN 46` or `FEN PG in 23.0`.
fn of_problem(text: &str) -> Option<String> {
    let (placement, length) = text.split_once(char::is_whitespace)?;
    format!("{placement} w - - 0 1").parse::<Setup>().ok()?;
    let plies = usize::from(length_of(length)?);
    Some(format!("/proof?fen={}&moves={}", quoted(placement), umbrail_proof::report::length(plies)))
}

/// Returns the address of what is neither a position nor a game: an endgame such as `KQ.KR`, or a steno such as `36~#`.
fn of_word(text: &str) -> Option<String> {
    if let Ok(material) = Material::read(text, &PieceSet::default()) {
        return Some(format!("/tables?endgame={}", quoted(&material.to_string())));
    }
    // Small letters alone are more likely a word, and slashes a part of a FEN.
    let is_other = text.contains('/') || text.chars().all(|letter| letter.is_ascii_lowercase());
    let is_steno = !is_other && Steno::parse(text, Vocabulary::Extended).is_ok();
    is_steno.then(|| format!("/steno?text={}&vocabulary=extended", quoted(text)))
}

/// Says what can be opened, with the text that cannot.
fn refused(text: &str, error: &impl std::fmt::Display, headers: &HeaderMap) -> Response {
    let content = html! {
        h1 { "This cannot be opened" }
        p.fault { "Expected a FEN, a game in PGN, an endgame such as KQ.KR, a steno such as 36~#, or a diagram with the length of a proof game such as PG in 23.0. As a FEN: " (error) "." }
        (field(text))
    };
    let shell = Shell { title: "Error", here: "/", script: Some("home.js"), headers };
    (StatusCode::UNPROCESSABLE_ENTITY, shell.page(&content)).into_response()
}
