//! All longest wins and all mutual zugzwangs of a table, as boards and as an EPD file: the output
//! of `egt report --epd`.

use super::super::SharedPage;
use super::super::page_error::PageError;
use super::super::run_page::quoted;
use super::super::shell::{Shell, fault};
use super::capitals::elsewhere;
use super::figures::figures_of;
use super::{TableQuery, ask, is_late, moves};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use umbrail_report::drawing::Board;

/// Time limit for finding the positions, in milliseconds.
const TIME_MS: u64 = 20_000;
/// Number of boards on one page.
const SHOWN: usize = 48;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PositionsQuery {
    metric: String,
    piece: String,
    /// Text that the comment of a position must contain, such as `zugzwang`.
    of: String,
    /// Number of the first board.
    from: usize,
    /// Minimum and maximum distance in moves; empty for any.
    least: String,
    most: String,
}

impl PositionsQuery {
    /// Returns true if a position is among those requested.
    fn expects(&self, one: &Listed<'_>) -> bool {
        let limit = |text: &str| text.trim().parse::<u64>().ok();
        let length = one.plies().map(moves);
        let least =
            limit(&self.least).is_none_or(|least| length.is_some_and(|length| length >= least));
        let most = limit(&self.most).is_none_or(|most| length.is_some_and(|length| length <= most));
        one.comment.contains(&self.of) && least && most
    }

    /// Returns the query part of an address with these parameters.
    fn query(&self, of: &str) -> String {
        let (least, most) = (quoted(self.least.trim()), quoted(self.most.trim()));
        format!("of={}&least={least}&most={most}", quoted(of))
    }
}

/// A position with its comment.
struct Listed<'a> {
    fen: String,
    comment: &'a str,
}

impl Listed<'_> {
    /// Returns the distance at the end of the comment: `…, dtm 20 plies`.
    fn plies(&self) -> Option<u64> {
        self.comment.strip_suffix(" plies")?.rsplit(' ').next()?.parse().ok()
    }

    /// Returns the comment with the distance in moves, as everywhere on the page.
    fn text(&self) -> String {
        match (self.comment.rsplit_once(", "), self.plies()) {
            (Some((kind, _)), Some(plies)) => match moves(plies) {
                1 => format!("{kind}, 1 move"),
                length => format!("{kind}, {length} moves"),
            },
            _ => self.comment.to_owned(),
        }
    }
}

/// Parses a line of EPD: four fields, and a comment in quotes.
fn listed(line: &str) -> Option<Listed<'_>> {
    let (fields, comment) = line.split_once(" c0 \"")?;
    Some(Listed { fen: format!("{fields} 0 1"), comment: comment.trim_end_matches("\";") })
}

/// Returns the text of the file.
async fn epd(shared: &SharedPage, endgame: &str, rules: &TableQuery) -> Result<String, PageError> {
    let request = rules.request(shared, endgame)?;
    std::fs::create_dir_all(&request.folder)?;
    // The name of an endgame consists of letters and a dot.
    let path = request.folder.join(format!("{endgame}-{}.epd", rules.metric()));
    if !path.exists() {
        let mut task = request.task("report");
        task.keys.push(("epd", path.to_string_lossy().into_owned()));
        if is_late(&ask(shared, &request, task, TIME_MS).await?) {
            return Err(PageError::Late);
        }
    }
    Ok(std::fs::read_to_string(path)?)
}

/// Serves the file.
pub(crate) async fn export(
    State(shared): State<SharedPage>,
    Path(endgame): Path<String>,
    Query(wish): Query<PositionsQuery>,
    headers: HeaderMap,
) -> Response {
    let rules = TableQuery { metric: wish.metric.clone(), piece: wish.piece.clone() };
    match epd(&shared, &endgame, &rules).await {
        Ok(text) => {
            let disposition = format!("attachment; filename=\"{endgame}-{}.epd\"", rules.metric());
            let headers = [
                (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
                (header::CONTENT_DISPOSITION, disposition),
            ];
            let wanted = |line: &&str| listed(line).is_some_and(|one| wish.expects(&one));
            let text: String = text.lines().filter(wanted).flat_map(|line| [line, "\n"]).collect();
            (headers, text).into_response()
        }
        Err(why) => fault(StatusCode::UNPROCESSABLE_ENTITY, &headers, &why),
    }
}

/// Serves the boards.
pub(crate) async fn positions(
    State(shared): State<SharedPage>,
    Path(endgame): Path<String>,
    Query(wish): Query<PositionsQuery>,
    headers: HeaderMap,
) -> Response {
    let rules = TableQuery { metric: wish.metric.clone(), piece: wish.piece.clone() };
    if let Some(leads) = elsewhere(&shared, &endgame, &rules) {
        return leads;
    }
    let text = match epd(&shared, &endgame, &rules).await {
        Ok(text) => text,
        Err(why) => return fault(StatusCode::UNPROCESSABLE_ENTITY, &headers, &why),
    };
    let all: Vec<Listed<'_>> =
        text.lines().filter_map(listed).filter(|one| wish.expects(one)).collect();
    let title = format!("Positions of {endgame}");
    let shell = Shell { title: &title, here: "/tables", script: None, headers: &headers };
    shell.page(&content(&endgame, &rules, &wish, &all)).into_response()
}

fn content(endgame: &str, rules: &TableQuery, wish: &PositionsQuery, all: &[Listed<'_>]) -> Markup {
    let query = rules.query();
    let page = |of: &str, from: usize| {
        format!("/tables/{endgame}/positions?{query}&{}&from={from}", wish.query(of))
    };
    let kinds = [
        ("", "all"),
        ("longest win", "longest wins"),
        ("longest win of white", "those of White"),
        ("longest win of black", "those of Black"),
        ("zugzwang", "mutual zugzwangs"),
        ("white to move loses", "White loses with the move"),
        ("black to move loses", "Black loses with the move"),
    ];
    let shown = all.iter().skip(wish.from).take(SHOWN);
    let figures = figures_of(endgame, &rules.piece);
    html! {
        h1 { "Positions of " (endgame) }
        p {
            (all.len()) " positions. Show: "
            @for (of, name) in kinds { " " a href=(page(of, 0)) aria-current=[(of == wish.of).then_some("true")] { (name) } " " }
        }
        form.controls method="get" {
            input type="hidden" name="metric" value=(rules.metric());
            input type="hidden" name="piece" value=(rules.piece);
            input type="hidden" name="of" value=(wish.of);
            label.inline { "At least" input.short name="least" inputmode="numeric" value=(wish.least); }
            label.inline { "at most" input.short name="most" inputmode="numeric" value=(wish.most); }
            "moves "
            button { "Filter" }
            a href=(format!("/tables/{endgame}/positions.epd?{query}&{}", wish.query(&wish.of))) download { "These as EPD" }
        }
        div.boards {
            @for one in shown {
                a href=(format!("/tables/{endgame}/board?{query}&fen={}", quoted(&one.fen))) {
                    (PreEscaped(Board { placement: &one.fen, figures: &figures, ..Board::default() }.to_string()))
                    (if one.fen.contains(" w ") { "White to move" } else { "Black to move" }) ": " (one.text())
                }
            }
        }
        div.controls {
            @if wish.from > 0 { a href=(page(&wish.of, wish.from.saturating_sub(SHOWN))) { "Before" } }
            @if wish.from + SHOWN < all.len() { a href=(page(&wish.of, wish.from + SHOWN)) { "More" } }
            a href=(format!("/tables/{endgame}?{query}")) { "Statistics" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn a_line_has_a_position_and_a_comment() {
        let one = listed("8/8/8/8/4k3/8/1Q6/K7 b - - c0 \"longest win of white, dtm 20 plies\";")
            .unwrap();
        assert_eq!(one.fen, "8/8/8/8/4k3/8/1Q6/K7 b - - 0 1");
        assert_eq!(one.comment, "longest win of white, dtm 20 plies");
        assert!(listed("8/8").is_none());
        assert_eq!(one.plies(), Some(20));
        let wish = |least: &str, most: &str, of: &str| super::PositionsQuery {
            least: least.to_owned(),
            most: most.to_owned(),
            of: of.to_owned(),
            ..Default::default()
        };
        assert!(wish("", "", "").expects(&one) && wish("10", "10", "longest win").expects(&one));
        assert!(!wish("11", "", "").expects(&one) && !wish("", "9", "").expects(&one));
        assert_eq!(one.text(), "longest win of white, 10 moves");
        assert!(!wish("", "", "zugzwang").expects(&one));
    }
}
