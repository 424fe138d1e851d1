//! The editor of a steno.

use super::super::SharedPage;
use super::super::shell::Shell;
use super::super::work::{RunRequest, StartError, StenoRequest};
use super::read::{Reading, reading};
use super::vocabularies;
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use umbrail_steno::Vocabulary;

/// Greatest number of games that a run lists.
const GAMES_MAX: u32 = 100_000;

/// Initial examples.
const EXAMPLES: &[(&str, &str)] = &[("36~#", "36~%23"), ("36g#", "36g%23")];

pub(crate) async fn edit(
    State(shared): State<SharedPage>,
    Query(wish): Query<StenoRequest>,
    headers: HeaderMap,
) -> Markup {
    page(&shared, &wish, None, &headers).await
}

/// Starts a run.
pub(crate) async fn begin(
    State(shared): State<SharedPage>,
    headers: HeaderMap,
    Form(wish): Form<StenoRequest>,
) -> Response {
    let empty = || "a steno needs at least one mark".to_owned();
    let seen = reading(&shared, &wish).await;
    let fault = seen.fault.or_else(|| wish.text.trim().is_empty().then(empty));
    let fault = fault.or_else(|| games_fault(&wish.games));
    let started = match fault {
        Some(fault) => Err((StatusCode::UNPROCESSABLE_ENTITY, Some(fault))),
        None => shared.runs.begin(&RunRequest::Steno(wish.clone())).map_err(|why| match why {
            StartError::Full(_) => (StatusCode::SERVICE_UNAVAILABLE, Some(why.to_string())),
            why => (StatusCode::INTERNAL_SERVER_ERROR, Some(why.to_string())),
        }),
    };
    match started {
        Ok(id) => Redirect::to(&format!("/steno/{id}")).into_response(),
        Err((status, why)) => (status, page(&shared, &wish, why, &headers).await).into_response(),
    }
}

/// Returns the error of a text that is not a valid number of games to list. An empty text means the default.
fn games_fault(games: &str) -> Option<String> {
    let games = games.trim();
    let is_valid =
        games.is_empty() || games.parse().is_ok_and(|games| (1..=GAMES_MAX).contains(&games));
    (!is_valid)
        .then(|| format!("games to list must be a number from 1 to {GAMES_MAX}, got \"{games}\""))
}

async fn page(
    shared: &SharedPage,
    wish: &StenoRequest,
    fault: Option<String>,
    headers: &HeaderMap,
) -> Markup {
    let mut seen = reading(shared, wish).await;
    seen.fault = fault.or(seen.fault);
    let shell = Shell { title: "Steno", here: "/steno", script: Some("steno.js"), headers };
    shell.page(&html! {
        h1 { "Steno-Chess" }
        p.lead { "A steno is a whole game from the initial position in shorthand: one character for each half-move. " code { "3" } " is a move to rank 3, " code { "g" } " a move to the g-file, " code { "#" } " mate. Find the game; a good steno has exactly one. " code { "36g#" } " is 1. f3 e6 2. g4 Qh4#." }
        form.panel.wide #steno method="post" action="/steno" {
            label { "Steno" input name="text" value=(wish.text) aria-describedby="look" spellcheck="false" autocomplete="off" autocapitalize="none" required; }
            div.fields {
                (vocabularies(&wish.vocabulary))
                label { "Games to list" input name="games" value=(wish.games) inputmode="numeric" placeholder="10" size="6" maxlength="6" autocomplete="off"; }
            }
            div.controls {
                button.main { "Solve" }
                a href="/steno/bench" { "The composer's bench" }
            }
            div.look #look aria-live="polite" { (reported(wish, &seen)) }
            (marks(&wish.vocabulary))
            p.hint {
                "Examples: "
                @for (text, quoted) in EXAMPLES { a.mono href=(format!("/steno?text={quoted}&vocabulary=extended")) { (text) } " " }
            }
        }
    })
}

/// Writes the marks of a vocabulary with their meanings. With a script, a click adds the mark to the steno.
fn marks(vocabulary: &str) -> Markup {
    let vocabulary = Vocabulary::from_name(vocabulary).unwrap_or_default();
    html! {
        details #vocabulary open {
            summary { "Marks: one for each half-move" }
            @if vocabulary == Vocabulary::Extended {
                p.hint { "Join marks of one half-move with " code { "&" } ", as in " code { "N&x" } "; " code { "!" } " in front means not, as in " code { "!x" } "." }
            }
            ul.marklist {
                @for (mark, words) in vocabulary.marks() {
                    li { button.mono type="button" data-mark=(mark) { (mark) } " " (words) }
                }
            }
        }
    }
}

/// Writes the facts about the steno; the script writes equal lines.
fn reported(wish: &StenoRequest, seen: &Reading) -> Markup {
    html! {
        @if let Some(fault) = &seen.fault {
            @if let Some(column) = seen.column {
                pre.mono { (wish.text) "\n" (" ".repeat(column.saturating_sub(1))) "^" }
            }
            p.fault { (fault) }
        }
        @if !seen.turns.is_empty() {
            table.marks {
                thead { tr { th { "Turn" } th { "Mark" } th { "Meaning" } } }
                tbody {
                    @for (at, [mark, words]) in seen.turns.iter().enumerate() {
                        tr { td { (turn_name(at)) } td.mono { (mark) } td { (words) } }
                    }
                }
            }
        }
        @if !seen.remarks.is_empty() {
            details {
                summary { "What follows for earlier moves" }
                ul { @for remark in &seen.remarks { li { (remark) } } }
            }
        }
    }
}

/// Formats the name of a turn: `1. White`, `1. Black`.
fn turn_name(at: usize) -> String {
    format!("{}. {}", at / 2 + 1, if at.is_multiple_of(2) { "White" } else { "Black" })
}

#[cfg(test)]
mod tests {
    use super::games_fault;

    #[test]
    fn games_to_list_are_a_number() {
        for right in ["", " 10 ", "1", "100000"] {
            assert_eq!(games_fault(right), None, "{right}");
        }
        for wrong in ["0", "-1", "abc", "100001", "99999999999999999999"] {
            let why = games_fault(wrong).unwrap_or_default();
            assert!(why.ends_with(&format!("got \"{wrong}\"")), "{why}");
        }
    }
}
