//! Common parts of all pages: head, navigation and foot; and error pages.

use super::web::asset_address;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use umbrail_report::drawing;

/// Cookie with the chosen theme.
pub(super) const THEME: &str = "umbrail_theme";

/// Maximum length of a game in a form whose fields become part of an address, in letters. Scripts send
/// longer ones.
pub(super) const ADDRESS_TEXT_MAX: usize = 16_000;

/// Parts of the page, in the order of the navigation: address, name, and other addresses that
/// belong to the part.
const PARTS: &[(&str, &str, &[&str])] = &[
    ("/proof", "Proof games", &["/sheet"]),
    ("/tables", "Tables", &["/table", "/survey"]),
    ("/steno", "Stenos", &[]),
    ("/play?against=white", "Play", &[]),
    ("/play", "Analysis", &[]),
    ("/lab", "Laboratory", &[]),
];

/// Properties of a page other than its content.
pub(super) struct Shell<'a> {
    /// Title of the page and of the browser's tab.
    pub(super) title: &'a str,
    /// Address of the page, for the navigation.
    pub(super) here: &'a str,
    /// Script module of the page, if it has one.
    pub(super) script: Option<&'a str>,
    /// Headers of the request, which contain the theme cookie.
    pub(super) headers: &'a HeaderMap,
}

/// Returns `light` or `dark` if the user has chosen a theme.
fn theme(headers: &HeaderMap) -> Option<&'static str> {
    let cookies = headers.get(header::COOKIE)?.to_str().ok()?;
    let given =
        cookies.split(';').find_map(|part| part.trim().strip_prefix(THEME)?.strip_prefix('='));
    ["light", "dark"].into_iter().find(|known| Some(*known) == given)
}

/// Returns the address of the document about a page.
fn help(here: &str) -> &'static str {
    let documents = [
        ("/proof", "/help/page#proof-games"),
        ("/sheet", "/help/page#proof-games"),
        ("/pieces", "/help/page#endgame-tables"),
        ("/survey", "/help/page#endgame-tables"),
        ("/table", "/help/page#endgame-tables"),
        ("/steno", "/help/page#stenos"),
        ("/play", "/help/page#analysis"),
        ("/lab", "/help/laboratory"),
    ];
    let document = documents.iter().find(|(part, _)| here.starts_with(part));
    document.map_or("/help", |(_, document)| document)
}

impl Shell<'_> {
    /// Returns the page with this content.
    pub(super) fn page(&self, content: &Markup) -> Markup {
        let is_below = |address: &&str| {
            self.here.strip_prefix(*address).is_some_and(|rest| rest.starts_with('/'))
        };
        let part = |address: &str, others: &[&str]| match self.here == address {
            true => Some("page"),
            false => others.iter().chain([&address]).any(is_below).then_some("true"),
        };
        html! {
            (DOCTYPE)
            html lang="en" data-theme=[theme(self.headers)] {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width";
                    title { (self.title) " – Umbrail" }
                    link rel="icon" href=(asset_address("icon.svg")) type="image/svg+xml";
                    link rel="stylesheet" href=(asset_address("style.css"));
                    script type="module" src=(asset_address("site.js")) {}
                    @if let Some(script) = self.script {
                        script type="module" src=(asset_address(script)) {}
                    }
                }
                body {
                    a.skip href="#content" { "Skip to the content" }
                    header.site {
                        a.name href="/" { "Umbrail" }
                        nav aria-label="Parts" {
                            @for (address, name, others) in PARTS {
                                a href=(address) aria-current=[part(address, others)] { (name) }
                            }
                            a href=(help(self.here)) aria-current=[part("/help", &[])] { "Help" }
                        }
                        form.theme method="post" action="/theme" {
                            input type="hidden" name="back" value=(self.here);
                            button name="to" value="light" title="Light theme" aria-label="Light theme" { "☀" }
                            button name="to" value="dark" title="Dark theme" aria-label="Dark theme" { "☾" }
                            button name="to" value="system" title="Theme of the system" aria-label="Theme of the system" { "◐" }
                        }
                    }
                    (PreEscaped(drawing::symbols()))
                    (PreEscaped(drawing::fairy_symbols()))
                    main #content { (content) }
                }
            }
        }
    }
}

/// Returns an error page.
pub(super) fn fault(
    status: StatusCode,
    headers: &HeaderMap,
    why: impl std::fmt::Display,
) -> Response {
    let content = html! {
        h1 {
            @if status == StatusCode::UNPROCESSABLE_ENTITY { "This is not possible" }
            @else { (status.canonical_reason().unwrap_or("Error")) }
        }
        p.fault { (why) }
        p { a href="/" { "To the first page" } }
    };
    let shell = Shell { title: "Error", here: "/", script: None, headers };
    (status, shell.page(&content)).into_response()
}
