//! The table of a survey: White's men against Black's, as dark as White wins often, sorted by any of its columns.

use super::{TableQuery, moves, percent};
use maud::{Markup, html};
use serde_json::Value;
use std::cmp::Reverse;

/// What is known of one endgame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) endgame: String,
    /// Positions with White to move, and those that White wins.
    legal: u64,
    won: u64,
    longest: u64,
}

impl Cell {
    /// From the statistics of an endgame.
    pub(super) fn of(record: &Value) -> Option<Self> {
        let number = |group: &str, key: &str| record[group][key].as_u64().unwrap_or(0);
        Some(Self {
            endgame: record["material"].as_str()?.to_owned(),
            legal: number("full_board", "wtm_legal"),
            won: number("full_board", "wtm_win"),
            longest: number("max", "wtm_win"),
        })
    }

    /// White's men and Black's.
    fn sides(&self) -> (&str, &str) {
        self.endgame.split_once('.').unwrap_or((&self.endgame, ""))
    }

    /// How often White wins, in steps of ten.
    fn level(&self) -> u64 {
        (self.won * 10).checked_div(self.legal).unwrap_or(0)
    }

    /// In parts of a million, so that it can be sorted.
    fn share(&self) -> u64 {
        (u128::from(self.won) * 1_000_000 / u128::from(self.legal.max(1))) as u64
    }
}

/// By which figure rows are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum HeatOrder {
    /// The order of the letters.
    #[default]
    Given,
    /// How often White wins, the best first.
    Wins,
    /// The longest win, the longest first.
    Longest,
}

impl HeatOrder {
    const ALL: [(Self, &str, &str); 3] = [
        (Self::Given, "", "letters"),
        (Self::Wins, "wins", "how often White wins"),
        (Self::Longest, "longest", "longest win"),
    ];

    /// The order of this word.
    pub(super) fn of(word: &str) -> Self {
        Self::ALL
            .iter()
            .find(|(_, known, _)| *known == word)
            .map_or_else(Self::default, |one| one.0)
    }

    fn word(self) -> &'static str {
        Self::ALL.iter().find(|(order, ..)| *order == self).map_or("", |(_, word, _)| word)
    }
}

/// How a table is shown.
#[derive(Clone, Debug, Default)]
pub(super) struct HeatView {
    pub(super) order: HeatOrder,
    /// The men of Black by which rows are compared; empty for all together.
    pub(super) against: String,
}

/// The table; `link` gives the address of the same page in another order.
pub(super) fn heat(
    cells: &[Cell],
    rules: &TableQuery,
    view: &HeatView,
    link: &dyn Fn(&str, &str) -> String,
) -> Markup {
    let mut columns: Vec<&str> = vec![];
    for one in cells {
        if !columns.contains(&one.sides().1) {
            columns.push(one.sides().1);
        }
    }
    let rows = rows(cells, view);
    html! {
        p.controls {
            "Sort by: "
            @for (order, word, name) in HeatOrder::ALL {
                a href=(link(word, &view.against)) aria-current=[(order == view.order).then_some("true")] { (name) }
            }
        }
        div.scroll {
            table.heat {
                caption { "How often White wins with the move, and the longest win in moves. The head of a column sorts by it." }
                thead {
                    tr {
                        th scope="col" { "White, Black" }
                        @for black in &columns {
                            @let word = if view.order == HeatOrder::Given { HeatOrder::Wins } else { view.order }.word();
                            @let sorted = view.against == *black && view.order != HeatOrder::Given;
                            th scope="col" aria-sort=[sorted.then_some("descending")] { a href=(link(word, black)) { (black) @if sorted { " ↓" } } }
                        }
                    }
                }
                tbody {
                    @for (white, found) in &rows {
                        tr {
                            th scope="row" { (white) }
                            @for black in &columns {
                                @match found.iter().find(|one| one.sides().1 == *black) {
                                    Some(one) => {
                                        td class=(format!("heat-{}", one.level())) {
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

/// The rows by White's men, in the order of the view.
fn rows<'a>(cells: &'a [Cell], view: &HeatView) -> Vec<(&'a str, Vec<&'a Cell>)> {
    let mut rows: Vec<(&str, Vec<&Cell>)> = vec![];
    for one in cells {
        let white = one.sides().0;
        match rows.iter_mut().find(|(known, _)| *known == white) {
            Some((_, found)) => found.push(one),
            None => rows.push((white, vec![one])),
        }
    }
    let value = |found: &[&Cell]| {
        let of = |one: &&&Cell| view.against.is_empty() || one.sides().1 == view.against;
        let figure = |one: &&Cell| match view.order {
            HeatOrder::Longest => one.longest,
            _ => one.share(),
        };
        found.iter().filter(of).map(figure).sum::<u64>()
    };
    if view.order != HeatOrder::Given {
        rows.sort_by_key(|(_, found)| Reverse(value(found)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::{Cell, HeatOrder, HeatView, rows};

    fn cell(endgame: &str, won: u64, longest: u64) -> Cell {
        Cell { endgame: endgame.to_owned(), legal: 100, won, longest }
    }

    #[test]
    fn rows_are_sorted_by_a_column_or_by_all() {
        let cells = [
            cell("KQ.KR", 90, 70),
            cell("KQ.KN", 99, 20),
            cell("KR.KR", 30, 30),
            cell("KR.KN", 100, 60),
        ];
        let order = |word: &str, against: &str| {
            let view = HeatView { order: HeatOrder::of(word), against: against.to_owned() };
            rows(&cells, &view).into_iter().map(|(white, _)| white).collect::<Vec<_>>()
        };
        assert_eq!(order("", ""), ["KQ", "KR"]);
        assert_eq!(order("wins", ""), ["KQ", "KR"]);
        assert_eq!(order("wins", "KN"), ["KR", "KQ"]);
        assert_eq!(order("longest", "KN"), ["KR", "KQ"]);
        assert_eq!(order("nonsense", "KN"), ["KQ", "KR"]);
        assert_eq!(cells[0].level(), 9);
        assert_eq!(Cell { legal: 0, ..cells[0].clone() }.level(), 0);
    }
}
