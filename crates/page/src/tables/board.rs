//! A position of an endgame: every legal move with its outcome and distance, best play, and play
//! against the table.

use super::super::SharedPage;
use super::super::position;
use super::super::run_page::quoted;
use super::super::shell::{Shell, fault};
use super::capitals::elsewhere;
use super::clock::{clock, ticked};
use super::figures::figures_of;
use super::{TableQuery, ask, is_late, moves};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use umbrail_chess::geometry::{Setup, Square};
use umbrail_report::drawing::{Arrow, Board};
use umbrail_tasks::records::egt::{ProbeEnd, ProbedMove};

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
        return refuse(&"The table of this position takes too long for a page; build it first.");
    };
    let choices: Vec<Choice> = answer.all().map(|probed| Choice::of(probed, &place.fen)).collect();
    let link = Links { endgame: &endgame, rules: &rules, you: &place.you };
    let best = choices.iter().find(|choice| choice.best);
    let turn = if place.fen.split_whitespace().nth(1) == Some("b") { "black" } else { "white" };
    let is_played = matches!(place.you.as_str(), "white" | "black");
    if let Some(best) = best.filter(|_| is_played && place.you != turn) {
        return Redirect::to(&link.after(best)).into_response();
    }
    let title = format!("{endgame}: {}", place.fen);
    let script = Some("table.js");
    let shell = Shell { title: &title, here: "/tables", script, headers: &headers };
    shell.page(&content(&place, &end, &choices, &link, turn)).into_response()
}

/// Writes the page of a position that has no value in this table: the reason, the FEN to correct, and ways on.
fn wrong(endgame: &str, rules: &TableQuery, fen: &str, why: &str) -> Markup {
    html! {
        h1 { (endgame) }
        div.panel.wide {
            p.fault { (why) }
            (fen_form(rules, fen))
            div.controls {
                a.button href=(format!("/tables/{endgame}/setup?{}", rules.query())) { "Set up a position" }
                @if fen.parse::<Setup>().is_ok() {
                    a.button href=(format!("/position?fen={}", quoted(fen))) { "Open this position with its own pieces" }
                }
                a href=(format!("/tables/{endgame}?{}", rules.query())) { "Statistics of " (endgame) }
            }
        }
    }
}

fn fen_form(rules: &TableQuery, fen: &str) -> Markup {
    html! {
        form.controls method="get" {
            input type="hidden" name="metric" value=(rules.metric());
            input type="hidden" name="piece" value=(rules.piece);
            label.grow { "Position (FEN)" input name="fen" value=(fen) spellcheck="false" autocomplete="off"; }
            button { "Show" }
        }
    }
}

/// A move with its result.
struct Choice {
    /// Coordinates of the move.
    name: String,
    /// Position after the move, with the half-move clock.
    fen: String,
    /// 1 for a win of the side that moves, -1 for a loss.
    wdl: i64,
    plies: u64,
    best: bool,
}

impl Choice {
    fn of(probed: ProbedMove, before: &str) -> Self {
        Self {
            fen: ticked(before, &probed.fen),
            name: probed.mv,
            wdl: probed.wdl,
            plies: probed.plies.map_or(0, i64::unsigned_abs),
            best: probed.best == Some(1),
        }
    }

    fn class(&self) -> &'static str {
        class(self.wdl)
    }

    /// Returns the origin and the target square.
    fn squares(&self) -> Option<(u8, u8)> {
        squares(&self.name)
    }
}

fn class(wdl: i64) -> &'static str {
    match wdl {
        1 => "win",
        -1 => "loss",
        _ => "draw",
    }
}

fn squares(coordinates: &str) -> Option<(u8, u8)> {
    let square = |text: &str| {
        text.parse::<Square>().ok().and_then(|square| u8::try_from(square.index()).ok())
    };
    Some((square(coordinates.get(0..2)?)?, square(coordinates.get(2..4)?)?))
}

/// Returns the piece on a square of a placement.
fn piece_on(fen: &str, square: u8) -> Option<char> {
    let mut at = 0;
    for letter in fen.split(' ').next().unwrap_or("").chars() {
        // Squares are numbered from a1, but a placement begins at a8.
        let here = (7 - at / 8) * 8 + at % 8;
        match letter.to_digit(10) {
            Some(blank) => at += blank,
            None if letter == '/' => {}
            None if here == u32::from(square) => return Some(letter),
            None => at += 1,
        }
        if at >= 64 {
            return None;
        }
    }
    None
}

/// Formats a move with its piece: `Qb1–b5`, `Kd5×d4`, `e7–e8=Q`. `before` is the position before
/// the move.
fn long(name: &str, before: &str) -> String {
    let Some((from, to)) = squares(name) else { return name.to_owned() };
    let piece = piece_on(before, from).unwrap_or(' ').to_ascii_uppercase();
    let is_pawn = piece == 'P';
    let takes = piece_on(before, to).is_some() || is_pawn && from % 8 != to % 8;
    let (start, end, promoted) = (&name[..2], &name[2..4], &name[4..]);
    let piece = if is_pawn { String::new() } else { piece.to_string().trim().to_owned() };
    let promoted = match promoted {
        "" => String::new(),
        role => format!("={}", role.to_uppercase()),
    };
    format!("{piece}{start}{}{end}{promoted}", if takes { "×" } else { "–" })
}

/// Returns the heading of moves with the same outcome.
fn group(wdl: i64) -> &'static str {
    match wdl {
        1 => "Winning moves",
        -1 => "Losing moves",
        _ => "Drawing moves",
    }
}

/// Describes a value for the side that moves.
fn worth(wdl: i64, plies: u64) -> String {
    match wdl {
        1 => format!("wins in {}", moves(plies)),
        -1 => format!("loses in {}", plies / 2),
        _ => "draws".to_owned(),
    }
}

/// Describes a position: what the side to move reaches, or how the game has ended.
fn outcome(end: &ProbeEnd, name: &str, is_over: bool) -> String {
    match (is_over, end.wdl) {
        (false, wdl) => format!("{name} to move {}", worth(wdl, end.value.plies())),
        (true, -1) => format!("{name} is checkmated"),
        (true, 0) => format!("{name} is stalemated: a draw"),
        (true, _) => format!("{name} is stalemated: a win by the rules chosen"),
    }
}

/// Addresses of the pages of one table.
struct Links<'a> {
    endgame: &'a str,
    rules: &'a TableQuery,
    you: &'a str,
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

    fn after(&self, choice: &Choice) -> String {
        self.to(&choice.fen, self.you, &choice.name)
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

fn content(
    place: &Place,
    end: &ProbeEnd,
    choices: &[Choice],
    link: &Links<'_>,
    turn: &str,
) -> Markup {
    let marked: Vec<(u8, &str)> =
        squares(&place.last).map_or(vec![], |(from, to)| vec![(from, "last"), (to, "last")]);
    // Only the best move has an arrow: arrows of all moves would hide the board.
    let arrows: Vec<Arrow<'_>> = choices
        .iter()
        .filter(|choice| choice.best && link.you.is_empty())
        .filter_map(|choice| {
            let (from, to) = choice.squares()?;
            Some(Arrow { from, to, class: choice.class() })
        })
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
    let mut choices: Vec<&Choice> = choices.iter().collect();
    if is_hidden {
        choices.sort_by(|one, other| one.name.cmp(&other.name));
    }
    // After a capture, or by a FEN, the position may belong to another endgame.
    let endgame = place.fen.parse().ok().and_then(|setup| position::endgame(&setup));
    html! {
        h1 { (endgame.as_deref().unwrap_or(link.endgame)) }
        div.split {
            div.side {
                div.editor.stepper #board data-fen=(place.fen) data-last=(place.last) data-flipped[link.you == "black"] tabindex="0" role="group" aria-label="Diagram; choose a piece and its target square, or a move of the list. After Enter, arrow keys move a cursor." {
                    (PreEscaped(board.to_string()))
                }
                p.status aria-live="polite" #status {
                    @if let Some((_, to)) = squares(&place.last) {
                        // The captured piece is no longer known.
                        @if let Some(piece) = piece_on(&place.fen, to).filter(|piece| !piece.eq_ignore_ascii_case(&'p')) { (piece.to_ascii_uppercase()) }
                        (place.last.get(..2).unwrap_or("")) "–" (place.last.get(2..).unwrap_or("")) ". "
                    }
                    @if is_hidden && !is_over { (name) " to move." } @else { (outcome) "." }
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
                    @if is_hidden && !is_over { (name) " to move" } @else { span class=(format!("worth {}", class(end.wdl))) { (outcome) } }
                }
                div.controls {
                    @match link.you {
                        "" => {
                            a.button href=(link.to(&place.fen, "white", "")) data-here { "Play White against the table" }
                            a.button href=(link.to(&place.fen, "black", "")) data-here { "Play Black against the table" }
                        }
                        _ => { a.button href=(link.to(&place.fen, "", "")) data-here { "Show all values" } }
                    }
                }
                table.choices {
                    @for (at, choice) in choices.iter().enumerate() {
                        @if !is_hidden && (at == 0 || choices[at - 1].wdl != choice.wdl) {
                            tr { th colspan="2" { (group(choice.wdl)) } }
                        }
                        tr {
                            td { a href=(link.after(choice)) data-move=(choice.name) data-best=[(choice.best && !is_hidden).then_some("1")] data-worth=[link.you.is_empty().then_some(choice.class())] { (long(&choice.name, &place.fen)) } }
                            @if link.you.is_empty() {
                                td class=(format!("worth {}", choice.class())) { (worth(choice.wdl, choice.plies)) @if choice.best { " – best" } }
                            }
                        }
                    }
                }
                p.hint {
                    @if is_hidden { "The left arrow key takes a move back." } @else { "The right arrow key plays the best move, the left one takes it back." }
                }
                p.hint { a href=(format!("/tables/{}?{}", link.endgame, link.rules.query())) { "How often does who win " (link.endgame) "?" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{long, piece_on, squares, worth};

    #[test]
    fn moves_are_reported_with_their_piece() {
        let fen = "8/4P3/8/3k4/3r4/8/8/KQ6 w - - 0 1";
        assert_eq!(
            [piece_on(fen, 0), piece_on(fen, 52), piece_on(fen, 63)],
            [Some('K'), Some('P'), None]
        );
        assert_eq!(long("b1b5", fen), "Qb1–b5");
        assert_eq!(long("e7e8q", fen), "e7–e8=Q");
        assert_eq!(long("e7d8n", fen), "e7×d8=N");
        assert_eq!(long("d4d5", fen), "Rd4×d5");
        assert_eq!(long("nonsense", fen), "nonsense");
    }

    #[test]
    fn values_are_reported_in_moves() {
        assert_eq!(worth(1, 65), "wins in 33");
        assert_eq!(worth(1, 1), "wins in 1");
        assert_eq!(worth(-1, 2), "loses in 1");
        assert_eq!(worth(0, 0), "draws");
        assert_eq!(squares("b1b5"), Some((1, 33)));
        assert_eq!(squares("x"), None);
    }
}
