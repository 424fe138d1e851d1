//! The editor of a proof game: a board, a palette, and the fields of the problem. Without scripts
//! the FEN and the length can be typed and sent.

use super::super::SharedPage;
use super::super::shell::Shell;
use super::super::work::{ProofRequest, RunRequest, StartError};
use super::check::{Look, PAGE_MS, look};
use super::{conditions, fairy};
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use umbrail_proof::run::{SolverChoice, Words};
use umbrail_proof::{Length, Retraction};
use umbrail_report::drawing::{self, Board};

/// Diagram of a page without one: the initial position.
const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
/// Letters of the palette with their names.
const PIECES: [(char, &str); 6] =
    [('K', "king"), ('Q', "queen"), ('R', "rook"), ('B', "bishop"), ('N', "knight"), ('P', "pawn")];
/// Initial example: diagram and length.
const EXAMPLE: &str = "/proof?fen=rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR&moves=2.5";

/// Serves the page of the editor.
pub(crate) async fn edit(
    State(shared): State<SharedPage>,
    Query(wish): Query<ProofRequest>,
    headers: HeaderMap,
) -> Markup {
    page(&shared, wish, None, &headers).await
}

/// Starts a run.
pub(crate) async fn begin(
    State(shared): State<SharedPage>,
    headers: HeaderMap,
    Form(wish): Form<ProofRequest>,
) -> Response {
    // Requests that the command line would refuse get no folder.
    let seen = look(&shared, &wish, PAGE_MS).await;
    let empty = || "moves must be a length such as 23.0 or 22.5".to_owned();
    let fault = seen.fault.or_else(|| wish.moves.trim().is_empty().then(empty));
    let started = match fault {
        Some(fault) => Err((StatusCode::UNPROCESSABLE_ENTITY, fault)),
        None => shared.runs.begin(&RunRequest::Proof(wish.clone())).map_err(|why| match why {
            StartError::Full(_) => (StatusCode::SERVICE_UNAVAILABLE, why.to_string()),
            why => (StatusCode::INTERNAL_SERVER_ERROR, why.to_string()),
        }),
    };
    match started {
        Ok(id) => Redirect::to(&format!("/proof/{id}")).into_response(),
        Err((status, why)) => {
            (status, page(&shared, wish, Some(why), &headers).await).into_response()
        }
    }
}

async fn page(
    shared: &SharedPage,
    mut wish: ProofRequest,
    fault: Option<String>,
    headers: &HeaderMap,
) -> Markup {
    if wish.fen.is_empty() {
        ARRAY.clone_into(&mut wish.fen);
    }
    let mut seen = look(shared, &wish, PAGE_MS).await;
    seen.fault = fault.or(seen.fault);
    let shell =
        Shell { title: "Proof game", here: "/proof", script: Some("proof-edit.js"), headers };
    shell.page(&content(&wish, &seen, &shared.options.proofs.cluster))
}

/// Writes the page. `cluster` is the server of the option `Cluster`, empty for none.
fn content(wish: &ProofRequest, seen: &Look, cluster: &str) -> Markup {
    let figures = fairy::figures(wish);
    // A letter that the problem gives another meaning stands for that alone.
    let own = fairy::letters(wish);
    let usual = PIECES.iter().filter(|(letter, _)| own.iter().all(|(given, _)| given != letter));
    let usual = usual.map(|&(letter, name)| (letter, name.to_owned()));
    let palette: Vec<(char, String)> = usual.chain(own.clone()).collect();
    let board = Board { placement: &wish.fen, figures: &figures, ..Board::default() };
    html! {
        h1 { "Proof game" }
        div.split {
            div.side {
                div.editor #board tabindex="0" role="application"
                    aria-label="Diagram. Arrow keys move the cursor, letters place pieces (upper case: White), Delete removes one, Enter picks up and drops."
                {
                    (PreEscaped(board.to_string()))
                }
                p.hint.scripted { "Drag pieces from below onto the board, and off the board to remove them; or click a piece, then a square." }
                div.palette #palette {
                    @for color in ["white", "black"] {
                        div {
                            @for (letter, name) in &palette {
                                @let placed = if color == "white" { *letter } else { letter.to_ascii_lowercase() };
                                @let label = format!("{color} {name}");
                                button type="button" data-piece=(placed) aria-label=(label) title=(label) {
                                    svg viewBox="0 0 100 100" aria-hidden="true" { (PreEscaped(drawing::single_piece(placed, &figures))) }
                                }
                            }
                        }
                    }
                }
                div.controls.scripted {
                    button type="button" data-do="array" { "Initial position" }
                    button type="button" data-do="clear" { "Empty board" }
                    button type="button" data-do="flip" { "Turn the board" }
                }
                p.status aria-live="polite" #status {}
            }
            form.panel method="post" action="/proof" #problem {
                label { "Diagram (FEN)" input name="fen" value=(wish.fen) aria-describedby="look" spellcheck="false" autocomplete="off" required; }
                label { "Length in moves" input.short name="moves" value=(wish.moves) aria-describedby="look" placeholder="23.0" spellcheck="false" autocomplete="off" required; }
                div.look #look aria-live="polite" data-late[seen.late] { (reported(seen)) }
                details open[has_settings(wish)] {
                    summary { "Conditions on strategies, and settings" }
                    label { "Only strategies that meet this condition" input name="conditions" value=(wish.conditions) list="condition-words" placeholder="Sb1-c3 AND NOT Pa2=R" spellcheck="false" autocomplete="off"; }
                    datalist #condition-words {}
                    (conditions::list())
                    label { "Games of another length" (choice("length", &wish.length, Length::WORDS.iter().copied())) }
                    label { "Last moves taken back first" (choice("retraction", &wish.retraction, Retraction::WORDS.iter().copied())) }
                    label { "Solver" (choice("solver", &wish.solver, SolverChoice::WORDS.iter().copied())) }
                }
                (fairy::fields(wish))
                div.controls { button.main { "Solve" } }
                @if !cluster.is_empty() { p.hint { "Runs are shared with the workers of " code { (cluster) } "." } }
                details.scripted {
                    summary { "Continue from an archive" }
                    label { "An archive of up to 256 MiB" input #archive type="file" accept=".spga"; }
                    p #sent role="status" {}
                }
                p.hint { "Several problems: " a href="/proof/sheet" { "a sheet" } ". An example: " a href=(EXAMPLE) { "a game of two and a half moves" } "." }
            }
        }
    }
}

/// Returns true if the closed part of the form holds something.
fn has_settings(wish: &ProofRequest) -> bool {
    [&wish.conditions, &wish.length, &wish.retraction, &wish.solver]
        .iter()
        .any(|word| !word.is_empty())
}

/// Writes a selection among the words of an option; the first entry is the option's own value.
fn choice<'a>(name: &str, chosen: &str, words: impl Iterator<Item = &'a str>) -> Markup {
    html! {
        select name=(name) {
            option value="" { "as set in the options" }
            @for word in words { option value=(word) selected[word == chosen] { (word) } }
        }
    }
}

/// Writes the facts about the problem; the script writes equal lines.
fn reported(seen: &Look) -> Markup {
    let [white, black] = seen.pieces;
    html! {
        p.count { @if white + black == 0 { "–" } @else { (white) "+" (black) } }
        @if let Some(fault) = &seen.fault { p.fault { (fault) } }
        ul {
            @for reason in &seen.reasons { li.fault { (reason) } }
            @for line in &seen.reported { li { (line) } }
        }
    }
}
