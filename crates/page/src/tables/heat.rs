//! The table of a survey: White's pieces against Black's, darker the more often White wins, sorted
//! by any of its columns.

use super::{TableQuery, moves, percent};
use maud::{Markup, html};
use std::cmp::Reverse;
use umbrail_tasks::records::egt::EgtStatistics;

/// Statistics of one endgame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) endgame: String,
    /// Number of positions with White to move, and of those that White wins.
    legal: u64,
    won: u64,
    longest: u64,
}

impl From<EgtStatistics> for Cell {
    fn from(statistics: EgtStatistics) -> Self {
        let EgtStatistics { material: endgame, full_board, max, .. } = statistics;
        let (legal, won) = (full_board.wtm_legal, full_board.wtm_win);
        Self { endgame, legal, won, longest: max.wtm_win }
    }
}

impl Cell {
    /// Returns White's pieces and Black's.
    fn sides(&self) -> (&str, &str) {
        self.endgame.split_once('.').unwrap_or((&self.endgame, ""))
    }

    /// Returns the share of White's wins, in steps of ten.
    fn level(&self) -> u64 {
        (self.won * 10).checked_div(self.legal).unwrap_or(0)
    }

    /// Returns the share of White's wins in millionths, for sorting.
    fn share(&self) -> u64 {
        (u128::from(self.won) * 1_000_000 / u128::from(self.legal.max(1))) as u64
    }
}

/// Sort order of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum HeatOrder {
    /// Order of the letters.
    #[default]
    Given,
    /// Share of White's wins, highest first.
    Wins,
    /// Longest win, longest first.
    Longest,
}

impl HeatOrder {
    const ALL: [(Self, &str, &str); 3] = [
        (Self::Given, "", "letters"),
        (Self::Wins, "wins", "how often White wins"),
        (Self::Longest, "longest", "longest win"),
    ];

    /// Returns the order for this word.
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

/// View of a table.
#[derive(Clone, Debug, Default)]
pub(super) struct HeatView {
    pub(super) order: HeatOrder,
    /// Black's pieces used to compare rows; empty for the sum of all.
    pub(super) against: String,
}

/// Writes the table; `link` returns the address of the page in another order.
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
        p.hint #heat { "How often White to move wins, and the longest win in moves. Click the head of a column to sort by it." }
        div.scroll tabindex="0" role="region" aria-label="Results" {
            table.heat aria-describedby="heat" {
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

/// Returns the rows by White's pieces, in the order of the view.
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
