//! The composer's bench: from a game to its marks, and to a steno with that game as its only
//! solution.

use super::super::SharedPage;
use super::super::page_error::PageError;
use super::super::run_page::quoted;
use super::super::shell::Shell;
use super::super::work::{Records, StenoRequest};
use super::{ask, vocabularies};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use maud::{Markup, html};
use serde::Deserialize;
use umbrail_tasks::records::steno::{ComposedSteno, DroppedPart, NeededPart, StenoMarks};
use umbrail_tasks::records::{NoteRecord, TaskEnd};

/// Time limit for an answer, in milliseconds.
const TIME_MS: u64 = 10_000;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Bench {
    /// Game, in SAN or as coordinates.
    moves: String,
    /// A steno.
    text: String,
    vocabulary: String,
    /// `marks`, `compose`, `match` or `whittle`.
    #[serde(rename = "do")]
    act: String,
}

/// Actions of the bench: the verb, the button, and the required input.
const ACTS: [(&str, &str); 4] = [
    ("marks", "All marks of the game"),
    ("compose", "Compose a steno of the game"),
    ("match", "Does the game fit the steno?"),
    ("whittle", "Drop what the steno does not need"),
];

pub(crate) async fn bench(
    State(shared): State<SharedPage>,
    Query(wish): Query<Bench>,
    headers: HeaderMap,
) -> Markup {
    let act = ACTS.iter().find(|(verb, _)| *verb == wish.act);
    let answer = match act {
        None => None,
        Some((verb, _)) => {
            let text = if matches!(*verb, "marks" | "compose") { "" } else { &wish.text };
            let vocabulary = wish.vocabulary.clone();
            let steno = StenoRequest { text: text.to_owned(), vocabulary, ..Default::default() };
            let moves = match *verb {
                "whittle" => vec![],
                _ => vec![("moves", wish.moves.trim().to_owned())],
            };
            Some((*verb, asked(&shared, &steno, verb, &moves).await))
        }
    };
    let shell = Shell { title: "Bench", here: "/steno/bench", script: None, headers: &headers };
    shell.page(&content(&wish, answer.as_ref()))
}

async fn asked(
    shared: &SharedPage,
    steno: &StenoRequest,
    verb: &'static str,
    keys: &[(&'static str, String)],
) -> Result<Records, PageError> {
    let answer = ask(shared, steno, verb, keys, TIME_MS).await?;
    match answer.fault() {
        Some(fault) => Err(PageError::Refused(fault)),
        None => Ok(answer),
    }
}

fn content(wish: &Bench, answer: Option<&(&str, Result<Records, PageError>)>) -> Markup {
    html! {
        h1 { "The composer's bench" }
        form.panel.wide method="get" action="/steno/bench" {
            label { "Game" textarea name="moves" maxlength="8000" rows="2" spellcheck="false" placeholder="f3 e6 g4 Qh4#" { (wish.moves) } }
            label { "Steno" input name="text" maxlength="2000" value=(wish.text) spellcheck="false" autocomplete="off" autocapitalize="none"; }
            (vocabularies(&wish.vocabulary))
            div.controls {
                @for (verb, name) in ACTS { button name="do" value=(verb) { (name) } }
            }
            div aria-live="polite" {
                @match answer {
                    None => {}
                    Some((_, Err(why))) => { p.fault { (why) } }
                    Some((verb, Ok(answer))) => { (reported(verb, wish, answer)) }
                }
            }
        }
    }
}

/// Returns the command that does the same in a shell.
fn command(verb: &str, wish: &Bench) -> String {
    let vocabulary = match wish.vocabulary.as_str() {
        "" => String::new(),
        name => format!(" --vocabulary {name}"),
    };
    let moves = match verb {
        "whittle" => String::new(),
        _ => format!(" --moves {}", wish.moves.trim()),
    };
    let text = match verb {
        "marks" | "compose" => String::new(),
        _ => format!(" -- '{}'", wish.text.trim()),
    };
    format!("umbrail steno {verb}{vocabulary}{moves}{text}")
}

fn reported(verb: &str, wish: &Bench, answer: &Records) -> Markup {
    let end = answer.end::<TaskEnd>();
    let is_late = end.as_ref().is_some_and(|end| end.status.is_early());
    let text = end.and_then(|end| end.text).unwrap_or_default();
    html! {
        @match verb {
            "marks" => {
                table.marks {
                    thead { tr { th { "Move" } th { "Marks" } } }
                    tbody {
                        @for StenoMarks { mv, marks, .. } in answer.all() {
                            tr { td { (mv) } td.mono { (marks) } }
                        }
                    }
                }
            }
            "compose" => {
                @for ComposedSteno { steno, text, trials, cooks, .. } in answer.all() {
                    @match steno {
                        None if is_late => { p.verdict { "No steno with this game alone was found in time. There may be one." } }
                        None => { p.verdict { (text) } }
                        Some(steno) => {
                            @let of = format!("text={}&vocabulary={}", quoted(&steno), quoted(&wish.vocabulary));
                            p.verdict { "This game alone has the steno " code { (steno) } "." }
                            div.controls {
                                a.button href=(format!("/steno?{of}")) { "Solve it" }
                                a.button href=(format!("/steno/bench?{of}&moves={}", quoted(&wish.moves))) { "Examine it here" }
                            }
                        }
                    }
                    p.hint { (trials) " stenos tried, " (cooks) " other games found that share their marks" }
                }
            }
            "whittle" => {
                p.verdict.mono { (text) }
                ul {
                    @for DroppedPart { turn, part } in answer.all() {
                        li { "Turn " (turn) ": " code { (part) } " is not needed" }
                    }
                    @for NeededPart { turn, part } in answer.all() {
                        li { "Turn " (turn) ": " code { (part) } " is needed" }
                    }
                }
            }
            _ => {
                @for note in answer.all::<NoteRecord>() { p { (note.text) } }
                p.verdict { (text) }
            }
        }
        @if is_late {
            p.fault { "The time limit of a page is reached. In a shell there is none: " code { (command(verb, wish)) } }
        }
    }
}
