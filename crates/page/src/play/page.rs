//! The page of a position: the search's results for each depth, for one or two configurations.

use super::super::SharedPage;
use super::super::page_error::PageError;
use super::super::shell::Shell;
use super::super::words::grouped;
use super::super::work::Desk;
use super::configuration::{configured, experiments};
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use umbrail_chess::geometry::Square;
use umbrail_protocol::records::{LineRecord, Record, ScoreBound};
use umbrail_report::drawing::{Arrow, Board, Share};
use umbrail_session::{Base, Command, Go, Options};

/// Maximum and default search depth of a page, in plies.
const DEPTH_MAX: u32 = 40;
const DEPTH: u32 = 12;
/// Time limit for each side of a page.
const TIME_MAX: Duration = Duration::from_secs(5);
/// Maximum number of lines that a page shows of one search.
const LINES_MAX: usize = 8;
/// Promotion pieces: letter in the move, and name.
const PROMOTIONS: [(&str, &str); 4] =
    [("q", "Queen"), ("r", "Rook"), ("b", "Bishop"), ("n", "Knight")];
const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PlayQuery {
    fen: String,
    /// Depth in plies; empty for the default.
    depth: String,
    /// Number of lines.
    lines: String,
    /// Options of the two sides, one a line.
    left: String,
    right: String,
    /// Starts the search.
    go: String,
}

/// Result of one search.
struct Search {
    name: &'static str,
    settings: String,
    /// Best line of each depth.
    depths: Vec<LineRecord>,
    /// All lines of the last depth.
    lines: Vec<LineRecord>,
}

pub(crate) async fn play(
    State(shared): State<SharedPage>,
    Query(wish): Query<PlayQuery>,
    headers: HeaderMap,
) -> Markup {
    let searched = if wish.go.is_empty() { Ok(vec![]) } else { search(&shared, &wish).await };
    let shell =
        Shell { title: "Analysis", here: "/play", script: Some("play.js"), headers: &headers };
    shell.page(&content(&wish, &searched))
}

async fn search(shared: &SharedPage, wish: &PlayQuery) -> Result<Vec<Search>, PageError> {
    // One page at a time: two searches at once would slow each other down.
    let _turn = Arc::clone(&shared.searches).try_acquire_owned();
    let _turn = _turn.map_err(|_| PageError::Searching)?;
    let sides: &[(&'static str, &str)] = match wish.right.trim() {
        "" => &[("Search", &wish.left)],
        right => &[("Left", &wish.left), ("Right", right)],
    };
    let mut searched = vec![];
    for (name, settings) in sides {
        let options = configured(&shared.options, settings)?;
        searched.push(one(options, wish, name, settings).await?);
    }
    Ok(searched)
}

fn fen(wish: &PlayQuery) -> &str {
    if wish.fen.trim().is_empty() { ARRAY } else { wish.fen.trim() }
}

async fn one(
    mut options: Options,
    wish: &PlayQuery,
    name: &'static str,
    settings: &str,
) -> Result<Search, PageError> {
    let number = |field, text: &str, usual: u32, most: u32| match text.trim() {
        "" => Ok(usual),
        text => match text.parse::<u32>() {
            Ok(number) if (1..=most).contains(&number) => Ok(number),
            _ => Err(PageError::Field {
                field,
                expected: format!("a number from 1 to {most}"),
                got: text.to_owned(),
            }),
        },
    };
    let depth = number("depth", &wish.depth, DEPTH, DEPTH_MAX)?;
    let lines = number("lines", &wish.lines, 1, LINES_MAX as u32)? as usize;
    options.multipv = lines;
    let desk = Desk::new(options)?;
    let go = Go { depth: Some(depth), movetime: Some(TIME_MAX), ..Go::default() };
    let base = Base::Setup(fen(wish).parse());
    let commands = vec![Command::Position { base, moves: vec![] }, Command::Go(go)];
    let answer = desk.ask(commands).await?;
    if let Some(fault) = answer.fault() {
        return Err(PageError::Refused(fault));
    }
    let reported = answer.read().filter_map(|record| match record {
        Record::Line(line) => Some(line),
        _ => None,
    });
    let reported: Vec<LineRecord> = reported.collect();
    let mut depths: Vec<LineRecord> = vec![];
    for line in reported.iter().filter(|line| line.multipv == 1 && line.bound == ScoreBound::Exact)
    {
        depths.retain(|known| known.depth != line.depth);
        depths.push(line.clone());
    }
    let last = depths.last().map(|line| line.depth);
    let lines: Vec<LineRecord> = (1..=lines)
        .filter_map(|number| {
            let of = |line: &&LineRecord| line.multipv == number && Some(line.depth) == last;
            reported.iter().rfind(of).cloned()
        })
        .collect();
    Ok(Search { name, settings: settings.trim().replace('\n', ", "), depths, lines })
}

/// Returns White's share of the bar, in thousandths: a score of four pawns is ten to one.
fn whites(line: &LineRecord, turn_is_black: bool) -> u64 {
    let cp = match (line.mate, line.cp) {
        (Some(moves), _) => {
            if moves < 0 {
                -10_000
            } else {
                10_000
            }
        }
        (None, cp) => cp.unwrap_or(0),
    };
    let cp = if turn_is_black { -cp } else { cp };
    let share = 1.0 / (1.0 + 10f64.powf(-f64::from(cp) / 400.0));
    (share * 1000.0).round() as u64
}

/// Draws the evaluation as a bar.
fn bar(found: &[Search], fen: &str) -> Markup {
    let Some(line) = found.first().and_then(|search| search.depths.last()) else {
        return html! {};
    };
    let white = whites(line, fen.split_whitespace().nth(1) == Some("b"));
    let parts = [("side-white", "White", white), ("side-black", "Black", 1000 - white)];
    let share = Share { label: "evaluation", parts: &parts }.to_string();
    html! { (PreEscaped(share.replacen("class=\"share\"", "class=\"share bar\"", 1))) }
}

/// Formats a score: `+0.35`, `mate in 3`.
fn score(line: &LineRecord) -> String {
    match (line.mate, line.cp) {
        (Some(moves), _) if moves < 0 => format!("mated in {}", -moves),
        (Some(moves), _) => format!("mate in {moves}"),
        (None, Some(cp)) => format!("{:+.2}", f64::from(cp) / 100.0),
        (None, None) => String::new(),
    }
}

fn first_move(line: &LineRecord) -> &str {
    line.uci.first().map_or("", String::as_str)
}

/// Returns the first depth at which the searches prefer different moves.
fn parting(searched: &[Search]) -> Option<u32> {
    let [left, right] = searched else { return None };
    let differ = |one: &&LineRecord| {
        let other = right.depths.iter().find(|other| other.depth == one.depth);
        other.is_some_and(|other| first_move(other) != first_move(one))
    };
    left.depths.iter().find(differ).map(|one| one.depth)
}

fn content(wish: &PlayQuery, searched: &Result<Vec<Search>, PageError>) -> Markup {
    let fen = fen(wish);
    let found = searched.as_deref().unwrap_or_default();
    let square = |text: &str| {
        text.parse::<Square>().ok().and_then(|square| u8::try_from(square.index()).ok())
    };
    let arrow = |search: &Search, class: &'static str| {
        let text = first_move(search.depths.last()?).to_owned();
        let (from, to) = (square(text.get(0..2)?)?, square(text.get(2..4)?)?);
        Some(Arrow { from, to, class })
    };
    let classes = ["left", "right"];
    let arrows: Vec<Arrow<'_>> =
        found.iter().zip(classes).filter_map(|(search, class)| arrow(search, class)).collect();
    let board = Board { placement: fen, arrows: &arrows, ..Board::default() };
    html! {
        h1 { "Analysis" }
        div.split {
            div.side {
                div.editor #board tabindex="0" role="application" aria-label="Diagram. Arrow keys move the cursor, Enter picks up and drops a piece." { (PreEscaped(board.to_string())) }
                (bar(found, fen))
                p.status aria-live="polite" #status {}
                div.controls.scripted #tools {
                    button type="button" data-do="back" { "Take back" }
                    button type="button" data-do="array" { "Initial position" }
                    button type="button" data-do="flip" { "Turn the board" }
                }
                div.controls #becomes role="group" aria-label="Promotion piece" hidden {
                    @for (role, name) in PROMOTIONS { button type="button" data-role=(role) { (name) } }
                }
            }
            form.panel #play method="get" action="/play" {
                label { "Position (FEN)" input name="fen" value=(fen) spellcheck="false" autocomplete="off"; }
                div.fields {
                    label { "Depth" input name="depth" inputmode="numeric" value=(wish.depth) placeholder=(DEPTH); }
                    label { "Lines" input name="lines" inputmode="numeric" value=(wish.lines) placeholder="1"; }
                }
                div.fields {
                    label { "Options" textarea name="left" rows="2" spellcheck="false" placeholder="XP3 LMRCons=true" { (wish.left) } }
                    label { "Options to compare with" textarea name="right" rows="2" spellcheck="false" { (wish.right) } }
                }
                @if let Err(why) = searched { p.fault { (why) } }
                div.controls { button.main name="go" value="1" { "Search" } }
                details {
                    summary { "Experiments" }
                    table.figures { @for (name, help) in experiments() { tr { th.mono { (name) } td { (help) } } } }
                }
            }
        }
        @if !found.is_empty() { section #results { (results(found)) } }
    }
}

fn results(found: &[Search]) -> Markup {
    let parts = parting(found);
    html! {
        @if found.len() == 2 {
            p.verdict {
                @match parts {
                    Some(depth) => { "They prefer different moves, for the first time at depth " (depth) }
                    None => { "They prefer the same move at every depth" }
                }
            }
        }
        div.split {
            @for search in found {
                div.panel.scroll {
                    h2 { (search.name) @if !search.settings.is_empty() { ": " code { (search.settings) } } }
                    @if search.lines.len() > 1 {
                        table { @for line in &search.lines { tr { td.number { (score(line)) } td { (line.moves.join(" ")) } } } }
                    }
                    table {
                        thead { tr { th.number { "Depth" } th.number { "Score" } th.number { "Nodes" } th.number { "ms" } th { "Line" } } }
                        tbody {
                            @for line in &search.depths {
                                tr.parting[Some(line.depth) == parts] {
                                    td.number { (line.depth) }
                                    td.number { (score(line)) }
                                    td.number { (grouped(line.nodes)) }
                                    td.number { (line.elapsed_ms) }
                                    td { (line.moves.join(" ")) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LineRecord, ScoreBound, Search, parting, score, whites};

    fn line(cp: Option<i32>, mate: Option<i32>) -> LineRecord {
        LineRecord {
            depth: 1,
            multipv: 1,
            cp,
            mate,
            bound: ScoreBound::Exact,
            nodes: 0,
            elapsed_ms: 0,
            uci: vec![],
            moves: vec![],
        }
    }

    #[test]
    fn scores_are_reported_in_pawns_or_moves() {
        assert_eq!(score(&line(Some(35), None)), "+0.35");
        assert_eq!(score(&line(Some(-120), None)), "-1.20");
        assert_eq!(score(&line(None, Some(3))), "mate in 3");
        assert_eq!(score(&line(None, Some(-2))), "mated in 2");
    }

    #[test]
    fn the_bar_is_white_as_far_as_white_is_better() {
        assert_eq!(whites(&line(Some(0), None), false), 500);
        assert_eq!(whites(&line(Some(400), None), false), 909);
        assert_eq!(whites(&line(Some(400), None), true), 91);
        assert_eq!(whites(&line(None, Some(-3)), false), 0);
    }

    #[test]
    fn searches_part_where_their_first_moves_differ() {
        let search = |moves: &[&str]| {
            let depth = |(depth, text): (u32, &&str)| {
                let uci = vec![(*text).to_owned()];
                LineRecord { depth, uci, ..line(None, None) }
            };
            let depths = (1..).zip(moves).map(depth).collect();
            Search { name: "", settings: String::new(), depths, lines: vec![] }
        };
        let left = search(&["e2e4", "d2d4", "e2e4"]);
        assert_eq!(parting(&[left, search(&["e2e4", "e2e4", "c2c4"])]), Some(2));
        assert_eq!(parting(&[search(&["e2e4"]), search(&["e2e4", "d2d4"])]), None);
        assert_eq!(parting(&[search(&["e2e4"])]), None);
    }
}
