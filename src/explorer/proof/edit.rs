//! The editor of a proof game: a board, a palette, and the fields of the problem. Without scripts
//! the FEN and the length can be typed and sent.

use super::super::ExplorerHandle;
use super::super::shell::Shell;
use super::super::work::{ProofRequest, RunRequest, StartError};
use super::check::{Look, PAGE_MS, look};
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use umbrail::proof::run::Words;
use umbrail::proof::{Length, Retraction};
use umbrail::report::drawing::Board;

/// Diagram of a page without one: the initial position.
const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
/// Letters of the palette with their names.
const MEN: [(char, &str); 6] =
    [('K', "king"), ('Q', "queen"), ('R', "rook"), ('B', "bishop"), ('N', "knight"), ('P', "pawn")];
/// Initial example: diagram and length.
const EXAMPLE: &str = "/proof?fen=rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR&moves=2.5";

/// Serves the page of the editor.
pub(in crate::explorer) async fn edit(
    State(explorer): State<ExplorerHandle>,
    Query(wish): Query<ProofRequest>,
    headers: HeaderMap,
) -> Markup {
    page(&explorer, wish, None, &headers).await
}

/// Starts a run.
pub(in crate::explorer) async fn begin(
    State(explorer): State<ExplorerHandle>,
    headers: HeaderMap,
    Form(wish): Form<ProofRequest>,
) -> Response {
    // Requests that the command line would refuse get no folder.
    let seen = look(&explorer, &wish, PAGE_MS).await;
    let empty = || "moves wants a length such as 23.0 or 22.5".to_owned();
    let fault = seen.fault.or_else(|| wish.moves.trim().is_empty().then(empty));
    let begun = match fault {
        Some(fault) => Err((StatusCode::UNPROCESSABLE_ENTITY, fault)),
        None => explorer.runs.begin(&RunRequest::Proof(wish.clone())).map_err(|why| match why {
            StartError::Full => (StatusCode::SERVICE_UNAVAILABLE, why.to_string()),
            why => (StatusCode::INTERNAL_SERVER_ERROR, why.to_string()),
        }),
    };
    match begun {
        Ok(id) => Redirect::to(&format!("/proof/{id}")).into_response(),
        Err((status, why)) => {
            (status, page(&explorer, wish, Some(why), &headers).await).into_response()
        }
    }
}

async fn page(
    explorer: &ExplorerHandle,
    mut wish: ProofRequest,
    fault: Option<String>,
    headers: &HeaderMap,
) -> Markup {
    if wish.fen.is_empty() {
        ARRAY.clone_into(&mut wish.fen);
    }
    let mut seen = look(explorer, &wish, PAGE_MS).await;
    seen.fault = fault.or(seen.fault);
    let shell =
        Shell { title: "Proof game", here: "/proof", script: Some("proof-edit.js"), headers };
    shell.page(&content(&wish, &seen, &explorer.options.proofs.cluster))
}

/// Writes the page. `cluster` is the server of the option `Cluster`, empty for none.
fn content(wish: &ProofRequest, seen: &Look, cluster: &str) -> Markup {
    let board = Board { placement: &wish.fen, ..Board::default() };
    html! {
        h1 { "Proof game" }
        div.split {
            div.side {
                div.editor #board tabindex="0" role="application"
                    aria-label="Diagram. Arrow keys move, letters put men, upper case White's; Delete removes, Enter takes and puts."
                {
                    (PreEscaped(board.to_string()))
                }
                div.palette #palette {
                    @for color in ["white", "black"] {
                        div {
                            @for (letter, name) in MEN {
                                @let placed = if color == "white" { letter } else { letter.to_ascii_lowercase() };
                                button type="button" data-man=(placed) aria-label=(format!("{color} {name}")) title=(format!("{color} {name}")) {
                                    (man(letter, color))
                                }
                            }
                        }
                    }
                }
                div.controls.scripted {
                    button type="button" data-do="array" { "Game array" }
                    button type="button" data-do="clear" { "Empty board" }
                    button type="button" data-do="flip" { "Turn the board" }
                }
                p.said aria-live="polite" #said {}
            }
            form.panel method="post" action="/proof" #problem {
                label { "Diagram (FEN)" input name="fen" value=(wish.fen) aria-describedby="look" spellcheck="false" autocomplete="off" required; }
                label { "Length in moves" input.short name="moves" value=(wish.moves) aria-describedby="look" placeholder="23.0" spellcheck="false" autocomplete="off" required; }
                div.look #look aria-live="polite" data-late[seen.late] { (told(seen)) }
                details open[!wish.conditions.is_empty() || !wish.length.is_empty() || !wish.retraction.is_empty()] {
                    summary { "Conditions and settings" }
                    label { "Only strategies that meet this condition" input name="conditions" value=(wish.conditions) list="condition-words" placeholder="Sb1-c3 AND NOT Pa2=R" spellcheck="false" autocomplete="off"; }
                    datalist #condition-words {}
                    label { "Games of another length" (choice("length", &wish.length, Length::WORDS.iter().copied())) }
                    label { "Last moves taken back first" (choice("retraction", &wish.retraction, Retraction::WORDS.iter().copied())) }
                }
                div.controls { button.main { "Solve" } }
                @if !cluster.is_empty() { p.hint { "Runs are shared with the workers of " code { (cluster) } "." } }
                details.scripted {
                    summary { "Go on with an archive" }
                    label { "An archive of up to 256 MiB" input #archive type="file" accept=".spga"; }
                    p #sent role="status" {}
                }
                p.hint { "Several problems: " a href="/proof/sheet" { "a sheet" } ". An example: " a href=(EXAMPLE) { "a game of two and a half moves" } "." }
            }
        }
    }
}

/// Draws a piece of the palette.
fn man(letter: char, color: &str) -> Markup {
    let (fill, stroke) =
        if color == "white" { ("#fffdf6", "#1d1b18") } else { ("#26231f", "#f4efe4") };
    html! {
        svg viewBox="0 0 100 100" aria-hidden="true" {
            use href=(format!("#man-{letter}")) fill=(fill) stroke=(stroke) stroke-width="3.5" stroke-linejoin="round" stroke-linecap="round" {}
        }
    }
}

/// Writes a selection among the words of an option; the first entry is the option's own value.
fn choice<'a>(name: &str, chosen: &str, words: impl Iterator<Item = &'a str>) -> Markup {
    html! {
        select name=(name) {
            option value="" { "as the options say" }
            @for word in words { option value=(word) selected[word == chosen] { (word) } }
        }
    }
}

/// Writes the facts about the problem; the script writes equal lines.
fn told(seen: &Look) -> Markup {
    let [white, black] = seen.men;
    html! {
        p.count { @if white + black == 0 { "–" } @else { (white) "+" (black) } }
        @if let Some(fault) = &seen.fault { p.fault { (fault) } }
        ul {
            @for reason in &seen.reasons { li.fault { (reason) } }
            @for line in &seen.told { li { (line) } }
        }
    }
}
