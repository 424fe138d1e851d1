//! A sheet of proof games: a text of problems, solved one after another, as a table of verdicts.

use super::super::shell::{Shell, fault};
use super::super::stepper::numbered;
use super::super::words::capitalized;
use super::super::work::{Run, RunRequest, RunState, SheetRequest};
use super::super::{SharedPage, run_page};
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use serde_json::Value;
use umbrail_report::drawing::Board;

const PLACEHOLDER: &str = "Title: A knight after its pawn
rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R 3";

pub(crate) async fn sheet(Query(wish): Query<SheetRequest>, headers: HeaderMap) -> Markup {
    page(&wish, None, &headers)
}

/// Starts a run.
pub(crate) async fn begin_sheet(
    State(shared): State<SharedPage>,
    headers: HeaderMap,
    Form(wish): Form<SheetRequest>,
) -> Response {
    let started = match wish.text.trim().is_empty() {
        true => {
            Err("a sheet needs at least one problem: a FEN and a number of half-moves".to_owned())
        }
        false => {
            let request = RunRequest::Sheet(wish.clone());
            shared.runs.begin(&request).map_err(|why| why.to_string())
        }
    };
    match started {
        Ok(id) => Redirect::to(&format!("/sheet/{id}")).into_response(),
        Err(why) => {
            (StatusCode::UNPROCESSABLE_ENTITY, page(&wish, Some(&why), &headers)).into_response()
        }
    }
}

fn page(wish: &SheetRequest, why: Option<&str>, headers: &HeaderMap) -> Markup {
    let shell = Shell { title: "Sheet of problems", here: "/proof", script: None, headers };
    shell.page(&html! {
        h1 { "Sheet of problems" }
        form.panel method="post" action="/proof/sheet" {
            label { "Problems: a FEN and a number of half-moves each, titles and comments as in a file of problems"
                textarea name="text" rows="14" spellcheck="false" placeholder=(PLACEHOLDER) { (wish.text) }
            }
            @if let Some(why) = why { p.fault { (why) } }
            div.controls { button.main { "Solve all" } a href="/proof" { "One problem" } }
        }
    })
}

/// Serves the table of verdicts.
pub(crate) async fn sheet_run(
    State(shared): State<SharedPage>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let found = run_page::find(&shared, &id).await;
    let Some(run) = found.filter(|run| matches!(run.request, RunRequest::Sheet(_))) else {
        return fault(StatusCode::NOT_FOUND, &headers, "There is no such run.");
    };
    let here = format!("/sheet/{id}");
    let script = Some("build.js");
    let shell = Shell { title: "Sheet of problems", here: &here, script, headers: &headers };
    shell.page(&content(&run)).into_response()
}

/// Maximum number of games of a problem that the table shows.
const GAMES_SHOWN: usize = 3;

/// A problem of a sheet as far as it is solved, or the reason why it cannot be read.
enum SheetRow<'a> {
    Problem { problem: &'a Value, games: Vec<&'a Value>, verdict: Option<&'a Value> },
    Faulty { title: &'a str, why: &'a str },
}

/// Reads the rows of the table from the records, in order.
fn rows(records: &[Value]) -> Vec<SheetRow<'_>> {
    let mut rows = vec![];
    let mut title = "";
    for record in records {
        match record["t"].as_str() {
            // A problem that cannot be read has no diagram; the reason follows.
            Some("problem") if record["unread"] == true => {
                title = record["title"].as_str().unwrap_or("");
            }
            Some("problem") => {
                rows.push(SheetRow::Problem { problem: record, games: vec![], verdict: None });
            }
            Some("solution") => {
                if let Some(SheetRow::Problem { games, .. }) = rows.last_mut() {
                    games.push(record);
                }
            }
            // The reason is already in the row.
            Some("verdict") if record["verdict"] == "error" => {}
            Some("verdict") => {
                if let Some(SheetRow::Problem { verdict, .. }) = rows.last_mut() {
                    *verdict = Some(record);
                }
            }
            Some("error") => {
                let (title, why) = (std::mem::take(&mut title), record["text"].as_str());
                rows.push(SheetRow::Faulty { title, why: why.unwrap_or("") });
            }
            _ => {}
        }
    }
    rows
}

fn content(run: &Run) -> Markup {
    let at_work = run.state == RunState::AtWork;
    html! {
        h1 { "Sheet of problems" }
        div.panel {
            p.verdict { (match run.end() { Some(end) if !at_work => summary(end), _ => run_page::verdict(run) }) }
            (run_page::controls(run, at_work))
            @if at_work { div #live data-run=(run.id) { p { "The run begins …" } } }
            (run_page::files(run))
            div.scroll #rows {
                table.sheet {
                    thead { tr { th {} th { "Problem" } th { "Moves" } th { "Verdict" } } }
                    tbody { @for row in rows(&run.records) { (line(&row)) } }
                }
            }
        }
    }
}

/// Returns the number of problems with a verdict, in words.
fn summary(end: &Value) -> String {
    let solved = end["count"].as_u64().unwrap_or(0);
    match end["problems"].as_u64() {
        Some(problems) => format!("{solved} of {problems} problems have a verdict"),
        None => end["text"].as_str().unwrap_or("").to_owned(),
    }
}

fn line(row: &SheetRow<'_>) -> Markup {
    match row {
        SheetRow::Faulty { title, why } => html! {
            tr { td {} td { (title) } td colspan="2" { "Error" pre.fault { (why) } } }
        },
        SheetRow::Problem { problem, games, verdict } => {
            let word = |record: &Value, key: &str| record[key].as_str().unwrap_or("").to_owned();
            let (fen, moves) = (word(problem, "fen"), word(problem, "moves"));
            let board = Board { placement: &fen, ..Board::default() };
            let title = word(problem, "title");
            html! {
                tr {
                    td.small { (PreEscaped(board.to_string())) }
                    td {
                        a href=(format!("/proof?fen={}&moves={moves}", run_page::quoted(&fen))) {
                            (if title.is_empty() { format!("Nr {}", problem["number"]) } else { title })
                        }
                    }
                    td { (moves) }
                    td {
                        (verdict.map_or_else(|| "–".to_owned(), |verdict| capitalized(&word(verdict, "text"))))
                        @for game in games.iter().take(GAMES_SHOWN) { p.hint { (numbered(game)) } }
                        @if games.len() > GAMES_SHOWN { p.hint { (games.len() - GAMES_SHOWN) " more in the files" } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SheetRow, rows};
    use serde_json::json;

    #[test]
    fn each_problem_has_its_verdict_and_faulty_ones_their_reason() {
        let records = [
            json!({"t": "start"}),
            json!({"t": "problem", "number": 1}),
            json!({"t": "solution"}),
            json!({"t": "verdict", "text": "C+"}),
            json!({"t": "problem", "number": 2, "unread": true, "title": "Two"}),
            json!({"t": "error", "text": "bad"}),
            json!({"t": "verdict", "verdict": "error", "text": "bad"}),
            json!({"t": "problem", "number": 3}),
        ];
        let rows = rows(&records);
        assert!(matches!(&rows[0], SheetRow::Problem { games, verdict: Some(verdict), .. }
            if verdict["text"] == "C+" && games.len() == 1));
        assert!(matches!(rows[1], SheetRow::Faulty { title: "Two", why: "bad" }));
        assert!(matches!(rows[2], SheetRow::Problem { problem, verdict: None, .. }
            if problem["number"] == 3));
    }
}
