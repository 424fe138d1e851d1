//! The answer to the field for any position or game: it leads to the table if few enough pieces remain, and to the analysis
//! otherwise.

use super::position::{OPENED_MAX, address_of, endgame};
use super::shell::fault;
use super::{SharedPage, play, tables};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use umbrail_chess::geometry::Setup;

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
        (Err(error), None) => {
            let why = format!("The position cannot be read: {error}");
            fault(StatusCode::UNPROCESSABLE_ENTITY, &headers, &why)
        }
    }
}
