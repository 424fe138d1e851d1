//! URL routes.

use super::web::{Address, UPLOAD, asset, guard, versioned_asset};
use super::{
    SharedPage, events, help, home, lab, open_position, play, proof, run_page, shell, steno,
    tables, theme,
};
use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{get, post};
use std::sync::Arc;

pub(super) fn router(shared: SharedPage, address: Arc<Address>) -> Router {
    Router::new()
        .route("/", get(home::page))
        .route("/proof", get(proof::edit).post(proof::begin))
        .route(UPLOAD, post(proof::upload))
        .route("/proof/sheet", get(proof::sheet).post(proof::begin_sheet))
        .route("/proof/{id}", get(proof::run))
        .route("/sheet/{id}", get(proof::sheet_run))
        .route("/sheet/{id}/{number}", get(proof::sheet_problem))
        .route("/api/proof/check", get(proof::check))
        .route("/steno", get(steno::edit).post(steno::begin))
        .route("/steno/bench", get(steno::bench))
        .route("/steno/{id}", get(steno::run))
        .route("/api/steno/read", get(steno::read))
        .route("/tables", get(tables::choose).post(tables::begin))
        .route("/tables/open", get(tables::open))
        .route("/tables/{endgame}", get(tables::statistics))
        .route("/tables/{endgame}/board", get(tables::board))
        .route("/tables/{endgame}/positions", get(tables::positions))
        .route("/tables/{endgame}/positions.epd", get(tables::export))
        .route("/table/{id}", get(tables::run))
        .route("/pieces", get(tables::designer))
        .route("/api/piece", get(tables::look))
        .route("/survey", get(tables::survey).post(tables::begin_survey))
        .route("/survey/{id}", get(tables::survey_run))
        .route("/tables/{endgame}/setup", get(tables::setup))
        .route("/api/tables/{endgame}/line", get(tables::line))
        .route("/api/tables/needs", get(tables::needs))
        .route("/api/tables/value", get(tables::value))
        .route("/help", get(help::list))
        .route("/help/{name}", get(help::page))
        .route("/position", get(open_position::open))
        .route("/play", get(play::play))
        .route("/api/moves", get(play::moves))
        .route("/api/game", get(play::played).post(play::read))
        .route("/api/analysis", get(play::live))
        .route("/api/review", get(play::review))
        .route("/lab", get(lab::overview))
        .route("/lab/{name}", get(lab::one))
        .route("/api/lab/events", get(lab::stream))
        .route("/api/runs", get(home::runs))
        .route("/api/events/{id}", get(events::stream))
        .route("/runs/{id}/{action}", post(run_page::act))
        .route("/runs/{id}/files/{name}", get(run_page::file))
        .route("/memory", post(home::free))
        .route("/theme", post(theme::choose))
        .route("/assets/{name}", get(asset))
        .route("/assets/{version}/{name}", get(versioned_asset))
        .fallback(unknown)
        .with_state(shared)
        .layer(from_fn_with_state(address, guard))
}

async fn unknown(headers: HeaderMap) -> Response {
    shell::fault(StatusCode::NOT_FOUND, &headers, "There is no such page.")
}
