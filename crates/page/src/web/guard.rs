//! Access control of the local page. Before a page handles a request, the guard checks the host
//! name, the origin, the token and the size of the body. Every answer gets headers that make
//! browsers isolate it from other sites.
//!
//! A page of another site may not read any answer, because no answer allows that. Its requests are
//! refused before anything is done: browsers report the origin of a request (`Sec-Fetch-Site`,
//! `Origin`). A link that a user follows from another site is answered with a link on this site to the same
//! address, so that one more click opens it.

use super::address::{Address, same};
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};
use std::sync::Arc;
use std::time::Duration;

/// Maximum size of a request's body, in bytes.
const BODY_BYTES_MAX: usize = 1 << 20;
/// Time limit for receiving a body.
const BODY_TIME_MAX: Duration = Duration::from_secs(10);
/// Path of archive uploads.
pub(crate) const UPLOAD: &str = "/proof/archive";
/// Header with the origin of a request.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Headers with the kind of a request: `navigate` and `document` for a page in a tab of its own.
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Headers of every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    // With `no-referrer` browsers would send `Origin: null` for our own forms.
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Refuses requests that are not from our own pages, and adds the headers to every answer.
pub(crate) async fn guard(
    State(address): State<Arc<Address>>,
    request: Request,
    next: Next,
) -> Response {
    let mut answer = match check(&address, request.method(), request.uri(), request.headers()) {
        Err(refusal) => *refusal,
        // The page that receives an archive applies limits of its own.
        Ok(()) if request.uri().path() == UPLOAD => next.run(request).await,
        Ok(()) => match complete(request).await {
            Ok(request) => next.run(request).await,
            Err(refusal) => *refusal,
        },
    };
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Results of a run change, and another version of the program has other pages.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    answer
}

fn refuse(status: StatusCode, why: &str) -> Box<Response> {
    Box::new((status, format!("{why}\n")).into_response())
}

/// Returns the reply to a link on a page of another site. It does nothing; its own link is a request of this site.
fn followed_link(uri: &Uri) -> Box<Response> {
    let path = own_path(uri.path_and_query().map_or("/", |path| path.as_str()));
    bare(
        StatusCode::FORBIDDEN,
        &html! {
            p { "A page of another site has a link to this address of your local page:" }
            p { a href=(path) { (path) } }
            p { "Open it if you trust the page. Or open the " a href="/" { "first page" } "." }
        },
    )
}

/// Returns a path as one of this site: two slashes, of either kind, would begin the name of a host.
fn own_path(path: &str) -> String {
    format!("/{}", path.trim_start_matches(['/', '\\']))
}

/// Returns a page without the parts of the site.
fn bare(status: StatusCode, content: &Markup) -> Box<Response> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head { title { "Umbrail" } meta name="viewport" content="width=device-width"; }
            body { (content) }
        }
    };
    Box::new((status, page).into_response())
}

fn check(
    address: &Address,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<(), Box<Response>> {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let named: Vec<_> = headers.get_all(header::HOST).iter().collect();
    let host = match named.as_slice() {
        [host] => host.to_str().unwrap_or(""),
        _ => "",
    };
    if !address.is_named_by(host) {
        return Err(refuse(StatusCode::MISDIRECTED_REQUEST, "this is another host"));
    }
    if !matches!(*method, Method::GET | Method::HEAD | Method::POST) {
        return Err(refuse(StatusCode::METHOD_NOT_ALLOWED, "expected GET or POST"));
    }
    let foreign = "requests from other sites are refused";
    // A request from a typed address has no origin.
    let site = text(&FETCH_SITE);
    if headers.contains_key(FETCH_SITE) && !matches!(site, Some("same-origin" | "none")) {
        let is_link = *method == Method::GET
            && text(&FETCH_MODE) == Some("navigate")
            && text(&FETCH_DEST) == Some("document");
        return Err(if is_link {
            followed_link(uri)
        } else {
            refuse(StatusCode::FORBIDDEN, foreign)
        });
    }
    let origin = text(&header::ORIGIN);
    if headers.contains_key(header::ORIGIN)
        && !origin.is_some_and(|origin| address.is_origin(origin, host))
    {
        return Err(refuse(StatusCode::FORBIDDEN, foreign));
    }
    if *method == Method::POST && origin.is_none() && site != Some("same-origin") {
        return Err(refuse(StatusCode::FORBIDDEN, "POST requires the header Origin of this page"));
    }
    match &address.token {
        None => Ok(()),
        Some(token) => know(token, &address.cookie(), method, uri, text(&header::COOKIE)),
    }
}

/// Checks the token of a request: in its cookie, or, once, in its address, which sets the cookie.
fn know(
    token: &str,
    name: &str,
    method: &Method,
    uri: &Uri,
    cookies: Option<&str>,
) -> Result<(), Box<Response>> {
    let pair = |text: &str, name: &str| {
        let (key, value) = text.trim().split_once('=')?;
        (key == name).then(|| value.to_owned())
    };
    let mut cookies = cookies.unwrap_or("").split(';').filter_map(|part| pair(part, name));
    if cookies.any(|given| same(&given, token)) {
        return Ok(());
    }
    let given = uri.query().unwrap_or("").split('&').find_map(|part| pair(part, "token"));
    if *method == Method::GET && given.is_some_and(|given| same(&given, token)) {
        let cookie = format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict");
        // The token does not stay in the address bar; the rest of the address does.
        let kept =
            uri.query().unwrap_or("").split('&').filter(|part| pair(part, "token").is_none());
        let kept = kept.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("&");
        let path = own_path(uri.path());
        let place = if kept.is_empty() { path } else { format!("{path}?{kept}") };
        let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, place)];
        return Err(Box::new((StatusCode::SEE_OTHER, headers).into_response()));
    }
    Err(refuse(StatusCode::UNAUTHORIZED, "open the address that umbrail serve printed"))
}

/// Returns the request with its whole body.
async fn complete(request: Request) -> Result<Request, Box<Response>> {
    let (parts, body) = request.into_parts();
    match tokio::time::timeout(BODY_TIME_MAX, to_bytes(body, BODY_BYTES_MAX)).await {
        Err(_) => Err(refuse(StatusCode::REQUEST_TIMEOUT, "the body took too long")),
        // A text that was typed is still in the form.
        Ok(Err(_)) => Err(bare(
            StatusCode::PAYLOAD_TOO_LARGE,
            &html! {
                p { "The text is too long: at most 1 MiB can be sent." }
                p { "Your browser’s Back leads to the form with the text." }
            },
        )),
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
    }
}
