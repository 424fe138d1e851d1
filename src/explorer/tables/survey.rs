//! A survey: one endgame after the other, as a table of how often the first side wins and how long it takes.

use super::super::ExplorerHandle;
use super::super::shell::{Shell, fault};
use super::{TableQuery, ask, is_late, metrics, moves, percent};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Milliseconds for all endgames together.
const TIME_MS: u64 = 30_000;
/// Letters that the question mark may stand for, at most.
const LETTERS_MAX: usize = 12;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::explorer) struct SurveyQuery {
    pattern: String,
    letters: String,
    metric: String,
    piece: String,
}

/// What is known of one endgame.
struct Cell {
    endgame: String,
    /// Positions with White to move, and those that White wins.
    legal: u64,
    won: u64,
    longest: u64,
}

pub(in crate::explorer) async fn survey(
    State(explorer): State<ExplorerHandle>,
    Query(wish): Query<SurveyQuery>,
    headers: HeaderMap,
) -> Response {
    let rules = TableQuery { metric: wish.metric.clone(), piece: wish.piece.clone() };
    let pattern = wish.pattern.trim();
    let shell = Shell { title: "Survey", here: "/tables", script: None, headers: &headers };
    if pattern.is_empty() {
        return shell.page(&form(&wish, &rules, None)).into_response();
    }
    let letters: String = wish.letters.chars().filter(|c| c.is_ascii_alphabetic()).collect();
    if letters.len() > LETTERS_MAX {
        let why = format!("At most {LETTERS_MAX} letters can be compared");
        return fault(StatusCode::UNPROCESSABLE_ENTITY, &headers, &why);
    }
    let asked = match rules.request(&explorer, pattern) {
        Ok(request) => {
            let mut task = request.task("survey");
            if !letters.is_empty() {
                task.keys.push(("letters", letters));
            }
            ask(&explorer, &request, task, TIME_MS).await
        }
        Err(why) => Err(why),
    };
    match asked {
        Err(why) => {
            let page = shell.page(&form(&wish, &rules, Some(&why)));
            (StatusCode::UNPROCESSABLE_ENTITY, page).into_response()
        }
        Ok(answer) => {
            let cells: Vec<Cell> = answer.records.iter().filter_map(cell).collect();
            let content = html! {
                (form(&wish, &rules, None))
                (heat(&cells, &rules))
                @if is_late(&answer) { p.fault { "The time for a page is over; further endgames are left out. At the shell there is no limit." } }
            };
            shell.page(&content).into_response()
        }
    }
}

fn cell(record: &Value) -> Option<Cell> {
    let number = |group: &str, key: &str| record[group][key].as_u64().unwrap_or(0);
    Some(Cell {
        endgame: record["material"].as_str()?.to_owned(),
        legal: number("full_board", "wtm_legal"),
        won: number("full_board", "wtm_win"),
        longest: number("max", "wtm_win"),
    })
}

fn form(wish: &SurveyQuery, rules: &TableQuery, why: Option<&str>) -> Markup {
    html! {
        h1 { "Compare pieces" }
        form.panel.wide method="get" action="/survey" {
            label { "Endgames, ? for each of the letters"
                input name="pattern" value=(wish.pattern) placeholder="K?.K?" spellcheck="false" autocomplete="off" required;
            }
            label { "Letters" input name="letters" value=(wish.letters) placeholder="QRBN" spellcheck="false" autocomplete="off"; }
            (metrics(rules.metric()))
            label { "Pieces of your own, one a line" textarea name="piece" rows="2" spellcheck="false" placeholder="X = (1,3)" { (wish.piece) } }
            @if let Some(why) = why { p.fault { (why) } }
            div.controls { button.main { "Compare" } a href="/pieces" { "Design a piece" } }
            p.hint { "An example: " a href="/survey?pattern=K%3F.K%3F&letters=QRBN" { "all pieces against all" } ", some seconds." }
        }
    }
}

/// The cells by White's men and Black's, as dark as White wins often.
fn heat(cells: &[Cell], rules: &TableQuery) -> Markup {
    let mut columns: Vec<&str> = vec![];
    let mut rows: BTreeMap<usize, (&str, BTreeMap<&str, &Cell>)> = BTreeMap::new();
    let mut order: Vec<&str> = vec![];
    for one in cells {
        let (white, black) = one.endgame.split_once('.').unwrap_or((&one.endgame, ""));
        if !columns.contains(&black) {
            columns.push(black);
        }
        let at = order.iter().position(|known| *known == white).unwrap_or_else(|| {
            order.push(white);
            order.len() - 1
        });
        rows.entry(at).or_insert((white, BTreeMap::new())).1.insert(black, one);
    }
    let level = |one: &Cell| match one.legal {
        0 => 0,
        legal => one.won * 10 / legal,
    };
    html! {
        div.scroll {
            table.heat {
                caption { "How often White wins with the move, and the longest win in moves" }
                thead { tr { th { "White, Black" } @for black in &columns { th { (black) } } } }
                tbody {
                    @for (white, found) in rows.values() {
                        tr {
                            th { (white) }
                            @for black in &columns {
                                @match found.get(black) {
                                    Some(one) => {
                                        td class=(format!("heat-{}", level(one))) {
                                            a href=(format!("/tables/{}?{}", one.endgame, rules.query())) {
                                                (percent(one.won, one.legal))
                                                @if one.won > 0 { small { (moves(one.longest)) } }
                                            }
                                        }
                                    }
                                    None => { td {} }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
