//! Statistics of an endgame: wins, draws and losses, lengths, and the hardest positions.

use super::super::SharedPage;
use super::super::run_page::quoted;
use super::super::shell::{Shell, fault};
use super::super::words::grouped;
use super::capitals::elsewhere;
use super::choose::{builder, unit};
use super::figures::figures_of;
use super::{TableQuery, ask, is_late, moves, needs, percent};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use umbrail_report::drawing::{Bar, Board, Histogram, Share};
use umbrail_tasks::records::egt::{ClassCounts, EgtStatistics, ZugzwangCounts};

/// Time limit for building a table within a page, in milliseconds; a longer build becomes a run.
const TIME_MS: u64 = 8_000;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CountQuery {
    /// Not empty where a long count is to begin at once.
    now: String,
}

pub(crate) async fn statistics(
    State(shared): State<SharedPage>,
    Path(endgame): Path<String>,
    Query(rules): Query<TableQuery>,
    Query(wish): Query<CountQuery>,
    headers: HeaderMap,
) -> Response {
    if let Some(leads) = elsewhere(&shared, &endgame, &rules) {
        return leads;
    }
    let title = format!("Endgame {endgame}");
    let shell = Shell { title: &title, here: "/tables", script: None, headers: &headers };
    let key = [endgame.clone(), rules.metric().to_owned(), rules.piece.trim().to_owned()];
    if let Some(known) = shared.counted.get(&key) {
        return shell.page(&content(&rules, &endgame, &known)).into_response();
    }
    // A long count does not start; its cost is shown.
    if wish.now.is_empty() {
        let needed = needs::of(&shared, &rules, &endgame).await;
        if needed.lacks_memory || needed.is_long(shared.options.threads) {
            return shell.page(&costly(&rules, &endgame, &needed, "")).into_response();
        }
    }
    let asked = match rules.request(&shared, &endgame) {
        Ok(request) => {
            let task = request.task("stats");
            ask(&shared, &request, task, TIME_MS).await
        }
        Err(why) => Err(why),
    };
    let answer = match asked {
        Ok(answer) => answer,
        Err(why) => return fault(StatusCode::UNPROCESSABLE_ENTITY, &headers, &why),
    };
    let content = match answer.first::<EgtStatistics>().map(Arc::new) {
        Some(record) => {
            shared.counted.put(key, &record);
            content(&rules, &endgame, &record)
        }
        None if is_late(&answer) => {
            let needed = needs::of(&shared, &rules, &endgame).await;
            costly(&rules, &endgame, &needed, "The count took longer than a page may. ")
        }
        None => {
            return fault(
                StatusCode::INTERNAL_SERVER_ERROR,
                &headers,
                "The table has no statistics.",
            );
        }
    };
    shell.page(&content).into_response()
}

/// Writes the page of an endgame that takes long: its cost, and ways on. `why` is a sentence in front.
fn costly(rules: &TableQuery, endgame: &str, needed: &needs::Needs, why: &str) -> Markup {
    let query = rules.query();
    html! {
        h1 { (endgame) }
        div.panel.wide {
            p {
                (why)
                @if needed.lacks_memory { "This table cannot be built here." }
                @else { "This table takes long. Build it as a run, which shows its progress and keeps the table." }
            }
            (needs::table(needed))
            @if !needed.lacks_memory { (builder(rules, endgame)) }
            div.controls {
                @if !needed.lacks_memory && why.is_empty() {
                    a.button href=(format!("/tables/{endgame}?{query}&now=1")) { "Count it now, for at most " (TIME_MS / 1_000) " seconds" }
                }
                a.button href=(format!("/tables/{endgame}/setup?{query}")) { "Set up a position" }
                a.button href=(format!("/tables?endgame={endgame}&{query}")) { "Another endgame" }
            }
        }
    }
}

/// Statistics for one side to move: wins, draws and losses.
struct SideToMove<'a> {
    name: &'static str,
    class: &'static str,
    legal: u64,
    won: u64,
    lost: u64,
    longest: u64,
    /// Number of wins by plies.
    histogram: &'a BTreeMap<u64, u64>,
}

impl<'a> SideToMove<'a> {
    /// Returns the statistics of White and of Black.
    fn both(record: &'a EgtStatistics) -> [Self; 2] {
        let EgtStatistics { full_board, max, histogram, .. } = record;
        let white = Self {
            name: "White",
            class: "white",
            legal: full_board.wtm_legal,
            won: full_board.wtm_win,
            lost: full_board.wtm_loss,
            longest: max.wtm_win,
            histogram: &histogram.wtm_win,
        };
        let black = Self {
            name: "Black",
            class: "black",
            legal: full_board.btm_legal,
            won: full_board.btm_win,
            lost: full_board.btm_loss,
            longest: max.btm_win,
            histogram: &histogram.btm_win,
        };
        [white, black]
    }

    /// Describes the statistics in a sentence.
    fn text(&self) -> String {
        let share = percent(self.won, self.legal);
        match (self.won, moves(self.longest)) {
            (0, _) => format!("{} never wins.", self.name),
            (_, 1) => format!("{} to move wins {share}, always in one move.", self.name),
            (_, longest) => {
                format!(
                    "{} to move wins {share}; the longest win takes {longest} moves.",
                    self.name
                )
            }
        }
    }

    fn share(&self) -> Markup {
        let draws = self.legal.saturating_sub(self.won + self.lost);
        let parts =
            [("win", "wins", self.won), ("draw", "draws", draws), ("loss", "loses", self.lost)];
        let label = format!("{} to move", self.name);
        html! {
            h2 { (label) }
            (PreEscaped(Share { label: &label, parts: &parts }.to_string()))
            p.key {
                @for (class, name, size) in parts {
                    span { i class=(class) {} (name) " " (percent(size, self.legal)) " (" (grouped(size)) ")" }
                }
            }
        }
    }
}

/// Returns each side whose royal piece is not a king, with that piece.
fn other_royals(endgame: &str) -> impl Iterator<Item = (&'static str, char)> {
    let sides = ["White", "Black"].into_iter().zip(endgame.split('.'));
    let royals = sides.filter_map(|(side, pieces)| Some((side, pieces.chars().next()?)));
    royals.filter(|(_, piece)| *piece != 'K')
}

fn content(rules: &TableQuery, endgame: &str, record: &EgtStatistics) -> Markup {
    let sides = SideToMove::both(record);
    let figures = figures_of(endgame, &rules.piece);
    let query = rules.query();
    let board = |fen: &str| format!("/tables/{endgame}/board?{query}&fen={}", quoted(fen));
    let (longest, max) = (&record.longest, &record.max);
    let hardest = [
        ("White to move wins", &longest.wtm_win, max.wtm_win),
        ("Black to move loses", &longest.btm_loss, max.btm_loss),
        ("Black to move wins", &longest.btm_win, max.btm_win),
        ("White to move loses", &longest.wtm_loss, max.wtm_loss),
    ];
    let hardest =
        hardest.into_iter().filter_map(|(what, fen, plies)| Some((what, fen.as_deref()?, plies)));
    let hardest: Vec<(&str, &str, u64)> = hardest.collect();
    html! {
        h1 { (endgame) }
        p.verdict { @if endgame.ends_with(".K") { (mates(&sides[0])) " " } @for side in &sides { (side.text()) " " } }
        p.hint {
            "Counted over all legal positions of the full board, in " (unit(rules.metric())) "."
            @for (side, piece) in other_royals(endgame) { " " (piece) " is " (side) "’s royal piece, because it comes first." }
            @if !rules.piece.trim().is_empty() { " Pieces: " @for line in rules.piece.trim().lines() { code { (line) } " " } }
        }
        div.split {
            div.panel { @for side in &sides { (side.share()) } (zugzwangs(record.zugzwangs)) @if let Some(classes) = &record.color_classes { (by_colors(classes)) } }
            @if sides.iter().any(|side| !side.histogram.is_empty()) {
                div.panel { @for side in &sides { (plot(side)) } }
            }
        }
        @if !hardest.is_empty() {
            h2 { "The longest" }
            p {
                a href=(format!("/tables/{endgame}/positions?{query}")) { "All longest wins and all mutual zugzwangs" }
            }
            div.boards {
                @for (what, fen, plies) in hardest {
                    a href=(board(fen)) {
                        (PreEscaped(Board { placement: fen, figures: &figures, ..Board::default() }.to_string()))
                        (what) ", " (moves(plies)) " moves"
                    }
                }
            }
        } @else {
            p { "No position is won." }
        }
        div.controls {
            @if let Some(fen) = &longest.wtm_win {
                a.button href=(format!("{}&you=white", board(fen))) { "Play White against the table" }
            }
            a.button href=(format!("/tables/{endgame}/setup?{query}")) { "Set up a position to look at or to play" }
            @if let Some(line) = rules.piece.trim().lines().next() {
                a.button href=(format!("/pieces?piece={}", quoted(line))) { "Back to the piece" }
            }
        }
        p.hint { a href=(format!("/tables?endgame={endgame}&{query}")) { "Another endgame" } }
    }
}

/// Answers whether White's pieces mate a bare king.
fn mates(white: &SideToMove<'_>) -> &'static str {
    match white.won {
        0 => "No: White cannot force a mate of the bare king.",
        won if won == white.legal => "Yes: White always mates the bare king.",
        _ => "White can mate the bare king, but not from everywhere.",
    }
}

fn zugzwangs(count: ZugzwangCounts) -> Markup {
    html! {
        h2 { "Mutual zugzwangs" }
        table.figures {
            tr { th { "White to move only draws, Black to move loses" } td { (grouped(count.wtm_draw_btm_loss)) } }
            tr { th { "Black to move only draws, White to move loses" } td { (grouped(count.wtm_loss_btm_draw)) } }
            tr { th { "the side to move loses, whichever it is" } td { (grouped(count.full_point)) } }
        }
    }
}

/// Writes the classes of square colors.
fn by_colors(classes: &BTreeMap<String, ClassCounts>) -> Markup {
    html! {
        h2 { "By square colors" }
        table.figures {
            tr { th { "Square colors" } th.number { "White to move wins" } th.number { "Black to move wins" } }
            @for (name, class) in classes {
                tr {
                    th { (name) }
                    td { (percent(class.wtm_win, class.wtm_legal)) }
                    td { (percent(class.btm_win, class.btm_legal)) }
                }
            }
        }
    }
}

/// Draws the wins by their length in moves.
fn plot(side: &SideToMove<'_>) -> Markup {
    let mut by_moves = BTreeMap::new();
    for (ply, count) in side.histogram {
        *by_moves.entry(moves(*ply)).or_insert(0) += count;
    }
    let bars: Vec<Bar<'_>> = by_moves
        .into_iter()
        .filter_map(|(at, count)| Some(Bar { at: i64::try_from(at).ok()?, count, class: "bar" }))
        .collect();
    let label = format!("wins of {} by moves", side.name);
    let plot = |logarithmic| {
        PreEscaped(Histogram { label: &label, unit: "moves", bars: &bars, logarithmic }.to_string())
    };
    html! {
        @if !bars.is_empty() {
            h2 { "Wins of " (side.name) " by moves" }
            div class=(side.class) { (plot(false)) }
            details { summary { "With logarithmic heights" } (plot(true)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::other_royals;

    #[test]
    fn royal_pieces_other_than_kings_are_named() {
        assert_eq!(other_royals("Q.K").collect::<Vec<_>>(), [("White", 'Q')]);
        assert_eq!(other_royals("KQ.NK").collect::<Vec<_>>(), [("Black", 'N')]);
        assert_eq!(other_royals("KQ.K").count(), 0);
    }
}
