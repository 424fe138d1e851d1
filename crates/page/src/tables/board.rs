//! A position of an endgame: every legal move with its outcome and distance, best play, and play
//! against the table.

use super::super::SharedPage;
use super::super::position;
use super::super::run_page::quoted;
use super::super::shell::{Shell, fault};
use super::capitals::elsewhere;
use super::choice::{Choice, class, group, long, outcome, said, squares, worth};
use super::clock::clock;
use super::figures::figures_of;
use super::played::PlayedGame;
use super::{TableQuery, ask, is_late};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use umbrail_chess::geometry::Setup;
use umbrail_report::drawing::{Arrow, Board};
use umbrail_tasks::records::egt::ProbeEnd;

/// Time limit for building a table that a move leads to, in milliseconds.
const TIME_MS: u64 = 8_000;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Place {
    fen: String,
    metric: String,
    piece: String,
    /// Side that the user plays, `white` or `black`; the table plays the other.
    you: String,
    /// Move that led to the position.
    last: String,
    /// That move was a capture.
    took: String,
    /// Shows the best move of a game against the table.
    hint: String,
    /// FEN with which a game against the table began, and its moves in coordinates, separated by commas.
    start: String,
    moves: String,
    /// Side that the user plays in the game whose values are shown.
    played: String,
}

pub(crate) async fn board(
    State(shared): State<SharedPage>,
    Path(endgame): Path<String>,
    Query(place): Query<Place>,
    headers: HeaderMap,
) -> Response {
    let refuse =
        |why: &dyn std::fmt::Display| fault(StatusCode::UNPROCESSABLE_ENTITY, &headers, why);
    let rules = TableQuery { metric: place.metric.clone(), piece: place.piece.clone() };
    if let Some(leads) = elsewhere(&shared, &endgame, &rules) {
        return leads;
    }
    let request = match rules.request(&shared, &endgame) {
        Ok(request) => request,
        Err(why) => return refuse(&why),
    };
    let mut task = request.task("probe");
    task.subject.clear();
    task.keys.push(("fen", place.fen.trim().to_owned()));
    let answer = match ask(&shared, &request, task, TIME_MS).await {
        Ok(answer) => answer,
        Err(why) => {
            let page = wrong(&endgame, &rules, &place.fen, &why.to_string());
            let title = format!("{endgame}: error");
            let shell = Shell { title: &title, here: "/tables", script: None, headers: &headers };
            return (StatusCode::UNPROCESSABLE_ENTITY, shell.page(&page)).into_response();
        }
    };
    let Some(end) = answer.end::<ProbeEnd>().filter(|_| !is_late(&answer)) else {
        let why = "The table of this position takes too long for a page.";
        let page = wrong(&endgame, &rules, &place.fen, why);
        let title = format!("{endgame}: not built");
        let shell = Shell { title: &title, here: "/tables", script: None, headers: &headers };
        return (StatusCode::UNPROCESSABLE_ENTITY, shell.page(&page)).into_response();
    };
    let choices: Vec<Choice> = answer.all().map(|probed| Choice::of(probed, &place.fen)).collect();
    let game = PlayedGame {
        start: &place.start,
        moves: &place.moves,
        has_own_pieces: !place.piece.trim().is_empty(),
    };
    let link = Links { endgame: &endgame, rules: &rules, you: &place.you, game };
    let best = choices.iter().find(|choice| choice.best);
    let turn = if place.fen.split_whitespace().nth(1) == Some("b") { "black" } else { "white" };
    let is_played = matches!(place.you.as_str(), "white" | "black");
    if let Some(best) = best.filter(|_| is_played && place.you != turn) {
        return Redirect::to(&link.after(best, &place.fen)).into_response();
    }
    // After a capture, or by a FEN, the position may belong to another endgame.
    let own = place.fen.parse().ok();
    let own = own.and_then(|setup| position::endgame(&setup, position::OPENED_MAX));
    let title = format!("{}: {}", own.as_deref().unwrap_or(&endgame), place.fen);
    let script = Some("table.js");
    let shell = Shell { title: &title, here: "/tables", script, headers: &headers };
    shell.page(&content(&place, own.as_deref(), (&end, &choices), &link, turn)).into_response()
}

/// Writes the page of a position that has no value in this table: the position, the reason, the FEN to correct, and ways
/// on.
fn wrong(endgame: &str, rules: &TableQuery, fen: &str, why: &str) -> Markup {
    let setup = fen.parse::<Setup>().ok();
    let own = setup.as_ref().and_then(|setup| position::endgame(setup, position::OPENED_MAX));
    let figures = figures_of(fen.split(' ').next().unwrap_or(""), &rules.piece);
    html! {
        h1 { (endgame) }
        div.split {
            @if setup.is_some() {
                div.side { div.editor { (PreEscaped(Board { placement: fen, figures: &figures, ..Board::default() }.to_string())) } }
            }
            div.panel {
                p.fault { (why) }
                (fen_form(rules, fen))
                div.controls {
                    @if setup.is_some() && rules.piece.trim().is_empty() {
                        a.button href=(format!("/play?fen={}", quoted(fen))) { "Analyze it with the engine" }
                    }
                    a.button href=(format!("/tables?endgame={endgame}&{}", rules.query())) { "What this table takes" }
                    a.button href=(format!("/tables/{endgame}/setup?{}", rules.query())) { "Set up a position" }
                    // With the pieces of this table the page would be the same.
                    @if own.as_ref().is_some_and(|own| own != endgame) {
                        a.button href=(format!("/position?fen={}", quoted(fen))) { "Open this position with its own pieces" }
                    }
                }
            }
        }
    }
}

fn fen_form(rules: &TableQuery, fen: &str) -> Markup {
    html! {
        form.controls method="get" {
            input type="hidden" name="metric" value=(rules.metric());
            input type="hidden" name="piece" value=(rules.piece);
            label.grow { "Position (FEN)" input name="fen" maxlength="200" value=(fen) spellcheck="false" autocomplete="off"; }
            button { "Show" }
        }
    }
}

/// Addresses of the pages of one table.
struct Links<'a> {
    endgame: &'a str,
    rules: &'a TableQuery,
    you: &'a str,
    game: PlayedGame<'a>,
}

impl Links<'_> {
    fn to(&self, fen: &str, you: &str, last: &str) -> String {
        let query = self.rules.query();
        let mut link = format!("/tables/{}/board?{query}&fen={}", self.endgame, quoted(fen));
        for (key, word) in [("you", you), ("last", last)] {
            if !word.is_empty() {
                link.push_str(&format!("&{key}={}", quoted(word)));
            }
        }
        link
    }

    fn setup(&self, fen: &str) -> String {
        format!("/tables/{}/setup?{}&fen={}", self.endgame, self.rules.query(), quoted(fen))
    }

    /// Returns the address of the main line from a position.
    fn line(&self, fen: &str) -> String {
        format!("/api/tables/{}/line?{}&fen={}", self.endgame, self.rules.query(), quoted(fen))
    }

    /// Returns the address of the position after a move in a position.
    fn after(&self, choice: &Choice, fen: &str) -> String {
        let mut link = self.to(&choice.fen, self.you, &choice.name);
        if !self.you.is_empty() {
            link.push_str(&self.game.query_after(&choice.name, fen));
        }
        let is_capture = pieces(&choice.fen) < pieces(fen);
        if is_capture { format!("{link}&took=1") } else { link }
    }

    /// Returns the address of the position with the other side to move.
    fn turned(&self, fen: &str) -> String {
        let mut words: Vec<&str> = fen.split_whitespace().collect();
        if let Some(side) = words.get_mut(1) {
            *side = if *side == "w" { "b" } else { "w" };
        }
        self.to(&words.join(" "), "", "")
    }
}

/// Returns the number of pieces of a FEN.
fn pieces(fen: &str) -> usize {
    fen.split(' ')
        .next()
        .unwrap_or("")
        .chars()
        .filter(|letter| letter.is_ascii_alphabetic())
        .count()
}

/// Returns true if no sequence of moves mates: kings alone, or with one bishop or knight.
fn is_dead(fen: &str) -> bool {
    let board = fen.split(' ').next().unwrap_or("");
    let letters: Vec<char> = board.chars().filter(|letter| letter.is_ascii_alphabetic()).collect();
    let others: Vec<char> =
        letters.iter().copied().filter(|letter| !letter.eq_ignore_ascii_case(&'k')).collect();
    letters.len() == others.len() + 2
        && others.len() <= 1
        && others.iter().all(|letter| matches!(letter.to_ascii_lowercase(), 'b' | 'n'))
}

/// Writes the page of a position with its value and its moves. `own` is the endgame of its pieces.
fn content(
    place: &Place,
    own: Option<&str>,
    (end, choices): (&ProbeEnd, &[Choice]),
    link: &Links<'_>,
    turn: &str,
) -> Markup {
    let marked: Vec<(u8, &str)> =
        squares(&place.last).map_or(vec![], |(from, to)| vec![(from, "last"), (to, "last")]);
    // Only the best move has an arrow: arrows of all moves would hide the board. In a game its color
    // would show the value.
    let best = choices.iter().find(|choice| choice.best);
    let hint = best.filter(|_| !link.you.is_empty() && !place.hint.is_empty());
    let arrow = best.filter(|_| link.you.is_empty()).map(|best| (best, best.class()));
    let arrow = arrow.or(hint.map(|hint| (hint, "left")));
    let arrows: Vec<Arrow<'_>> = arrow
        .and_then(|(choice, class)| {
            let (from, to) = choice.squares()?;
            Some(Arrow { from, to, class })
        })
        .into_iter()
        .collect();
    let figures = figures_of(place.fen.split(' ').next().unwrap_or(""), &place.piece);
    let board = Board {
        figures: &figures,
        placement: &place.fen,
        marked: &marked,
        arrows: &arrows,
        flipped: link.you == "black",
    };
    let name = if turn == "white" { "White" } else { "Black" };
    let is_over = choices.is_empty();
    let outcome = outcome(end, name, is_over);
    // Against the table the values are hidden, and so is the order, which would show the best move.
    let is_hidden = !link.you.is_empty();
    let is_dead = is_hidden && !is_over && place.piece.is_empty() && is_dead(&place.fen);
    // In a game, the color shows the result for the user, not for the side to move.
    let worth_to_viewer = if is_hidden && link.you != turn { -end.wdl } else { end.wdl };
    let mut choices: Vec<&Choice> = choices.iter().collect();
    if is_hidden {
        choices.sort_by(|one, other| one.name.cmp(&other.name));
    }
    let shown = own.unwrap_or(link.endgame);
    html! {
        h1 { (shown) }
        div.split {
            div.side {
                div.editor.stepper #board data-fen=(place.fen) data-last=(place.last) data-flipped[link.you == "black"] tabindex="0" role="group" aria-label="Diagram; choose a piece and its target square, or a move of the list. After Enter, arrow keys move a cursor." {
                    (PreEscaped(board.to_string()))
                }
                p.status aria-live="polite" #status {
                    @if !place.last.is_empty() { (said(&place.last, &place.fen, !place.took.is_empty())) ". " }
                    @if is_dead { "Draw: neither side has enough pieces to mate." }
                    @else if is_hidden && !is_over { (name) " to move." } @else { (outcome) "." }
                    @if let Some(hint) = hint { " Hint: " (long(&hint.name, &place.fen)) "." }
                }
                div.controls #becomes role="group" aria-label="Promotion piece" hidden {}
                (fen_form(link.rules, &place.fen))
                div.controls {
                    button.scripted type="button" data-do="flip" { "Turn the board" }
                    a.button href=(link.setup(&place.fen)) { "Set up a position" }
                    @if link.you.is_empty() {
                        a.button href=(link.turned(&place.fen)) data-here { "The other side to move" }
                    }
                }
            }
            div.panel {
                @if link.rules.metric() == "dtz" {
                    p { "Half-moves since the last capture or move of a pawn: " b { (clock(&place.fen)) } "." }
                    @if end.value.wdl50.is_some_and(|wdl| wdl.abs() == 1) {
                        p.fault { "The fifty-move rule draws." }
                    }
                }
                p.verdict {
                    @if is_dead { "Draw" }
                    @else if is_hidden && !is_over { (name) " to move" } @else { span class=(format!("worth {}", class(worth_to_viewer))) { (outcome) } }
                }
                div.controls {
                    @match link.you {
                        "" => {
                            @if !place.played.is_empty() {
                                a.button.main href=(format!("{}{}", link.to(&place.fen, &place.played, &place.last), link.game.query())) data-here { "Back to the game" }
                            }
                            a.button href=(link.to(&place.fen, "white", "")) data-here { "Play White against the table" }
                            a.button href=(link.to(&place.fen, "black", "")) data-here { "Play Black against the table" }
                        }
                        _ => {
                            @if !is_over && !is_dead { a.button href=(format!("{}{}{}&hint=1", link.to(&place.fen, link.you, &place.last), link.game.query(), if place.took.is_empty() { "" } else { "&took=1" })) data-here { "Hint" } }
                            button.scripted type="button" data-do="back" { "Take back" }
                            a.button href=(format!("{}{}&played={}", link.to(&place.fen, "", &place.last), link.game.query(), quoted(link.you))) data-here { "Show all values" }
                        }
                    }
                }
                (link.game.list())
                @for line in place.piece.trim().lines() { p.hint { code { (line) } } }
                table.choices {
                    @for (at, choice) in choices.iter().enumerate() {
                        @if !is_hidden && (at == 0 || choices[at - 1].wdl != choice.wdl) {
                            tr { th colspan="2" { (group(choice.wdl)) } }
                        }
                        tr {
                            td { a href=(link.after(choice, &place.fen)) data-move=(choice.name) data-best=[(choice.best && !is_hidden).then_some("1")] data-arrow=[arrow.filter(|(shown, _)| shown.name == choice.name).map(|(_, class)| class)] { (long(&choice.name, &place.fen)) } }
                            @if link.you.is_empty() {
                                td class=(format!("worth {}", choice.class())) { (worth(choice.wdl, choice.plies)) @if best.is_some_and(|best| (best.wdl, best.plies) == (choice.wdl, choice.plies)) { " – best" } }
                            }
                        }
                    }
                }
                @if !is_hidden && !is_over && end.wdl != 0 {
                    details.scripted #line data-line=(link.line(&place.fen)) { summary { "Main line" } p.moves aria-live="polite" {} }
                }
                p.hint {
                    @if is_hidden { "The left arrow key takes a move back, " } @else { "The right arrow key or the space bar plays the best move, the left one takes it back, " }
                    "the upper one or Home leads to the first position, " kbd { "f" } " turns the board."
                }
                p.hint { a href=(format!("/tables/{shown}?{}", link.rules.query())) { "How often does who win " (shown) "?" } }
            }
        }
    }
}
