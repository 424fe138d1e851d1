//! The choice among the light theme, the dark one and that of the system, kept in a cookie.

use super::shell::THEME;
use axum::extract::Form;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct ThemeChoice {
    to: String,
    #[serde(default)]
    back: String,
}

/// Lifetime of the cookie, in seconds: a year.
const AGE_SECONDS: u64 = 365 * 24 * 3600;

pub(super) async fn choose(Form(choice): Form<ThemeChoice>) -> Response {
    // Without a cookie the page follows the system.
    let (to, age) = match choice.to.as_str() {
        "dark" => ("dark", AGE_SECONDS),
        "system" => ("", 0),
        _ => ("light", AGE_SECONDS),
    };
    // Only a path of this page is accepted.
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_".contains(&byte);
    let own = choice.back.starts_with('/') && !choice.back.starts_with("//");
    let back = if own && choice.back.bytes().all(plain) { choice.back } else { "/".to_owned() };
    let cookie = format!("{THEME}={to}; Path=/; SameSite=Strict; Max-Age={age}");
    (StatusCode::SEE_OTHER, [(header::SET_COOKIE, cookie), (header::LOCATION, back)])
        .into_response()
}
