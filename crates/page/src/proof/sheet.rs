//! A sheet of proof games: a text of problems, solved one after another, as a table of verdicts.

use super::super::legend::{Legend, legend};
use super::super::shell::{Shell, fault};
use super::super::stepper::{numbered, stepper};
use super::super::words::capitalized;
use super::super::work::{ProofRequest, Records, Run, RunRequest, RunState, SheetRequest};
use super::super::{SharedPage, run_page};
use super::run::edit_address;
use super::{fairy, run};
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use umbrail_report::drawing::{Board, Figure};
use umbrail_tasks::records::spg::{SheetEnd, SheetRecord, SpgProblem, SpgSolution, SpgVerdict};

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
        true => Err("a sheet needs at least one problem: a FEN and its length".to_owned()),
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
            p.hint { "For each problem a FEN and its length: " code { "2.5" } " or " code { "3.0" } " moves; a number without a point counts half-moves, " code { "5" } ". A line " code { "Title: …" } " may stand above it; below it what the problem asks for beyond a game of chess, a line each: " code { "Condition: Circe" } ", " code { "Piece: G=grasshopper" } ", " code { "Start: FEN" } ", " code { "2 solutions" } ", " code { "Time: 60s" } " for the time that the problem and each of its twins may take, or twins such as " code { "b) Pe4-e3" } "." }
            label { "Problems"
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

/// Serves a problem of a sheet with its games on a board.
pub(crate) async fn sheet_problem(
    State(shared): State<SharedPage>,
    Path((id, number)): Path<(String, u64)>,
    headers: HeaderMap,
) -> Response {
    let found = run_page::find(&shared, &id).await;
    let run = found.filter(|run| matches!(run.request, RunRequest::Sheet(_)));
    let row = run.and_then(|run| {
        rows(&run.records).into_iter().find(
            |row| matches!(row, SheetRow::Problem { problem, .. } if problem.number == number),
        )
    });
    let Some(SheetRow::Problem { problem, games, verdict }) = row else {
        return fault(StatusCode::NOT_FOUND, &headers, "There is no such problem.");
    };
    let here = format!("/sheet/{id}/{number}");
    let shell = Shell { title: "Problem", here: &here, script: Some("run.js"), headers: &headers };
    let figures = pieces(&problem);
    let fen = problem.fen.clone().unwrap_or_default();
    let moves = problem.length_moves.clone().unwrap_or_default();
    shell
        .page(&html! {
            h1 { (title(&problem)) }
            div.split {
                (stepper(&fen, &figures, !games.is_empty()))
                div.panel {
                    p.verdict { (word(verdict.as_deref())) }
                    p.hint { (moves) " moves" @if let Some(named) = conditions(&problem) { ", " (named) } }
                    div #games { (run::games(&games)) }
                    p {
                        a href=(format!("/sheet/{id}")) { "Back to the sheet" }
                        @if let Some(wish) = edited(&problem) { " " a href=(edit_address(&wish)) { "Edit this problem" } }
                    }
                    (legend(Legend::Proof))
                }
            }
        })
        .into_response()
}

/// Returns the title of a problem, or its number.
fn title(problem: &SpgProblem) -> String {
    problem.title.clone().unwrap_or_else(|| format!("Nr {}", problem.number))
}

/// Returns what distinguishes a problem from a game of chess, in words.
fn conditions(problem: &SpgProblem) -> Option<String> {
    let series = problem.series.map(|_| "series moves".to_owned());
    let named = problem.conditions.iter().chain(&problem.further).cloned().chain(series);
    Some(named.collect::<Vec<_>>().join(", ")).filter(|named| !named.is_empty())
}

/// Returns the figures of the pieces of a problem.
fn pieces(problem: &SpgProblem) -> Vec<(char, Figure)> {
    let pieces = problem.pieces.join(", ");
    fairy::figures(&ProofRequest { pieces, ..ProofRequest::default() })
}

fn word(verdict: Option<&SpgVerdict>) -> String {
    verdict.map_or_else(|| "–".to_owned(), |verdict| capitalized(&verdict.text))
}

/// Length of a sheet that fits into an address, bytes.
const EDITED_MAX: usize = 4_000;
/// Maximum number of games of a problem that the table shows.
const GAMES_SHOWN: usize = 3;

/// A problem of a sheet as far as it is solved, or the reason why it cannot be read.
enum SheetRow {
    Problem { problem: SpgProblem, games: Vec<SpgSolution>, verdict: Option<Box<SpgVerdict>> },
    Faulty { title: String, why: String },
}

/// Reads the rows of the table from the records, in order.
fn rows(records: &Records) -> Vec<SheetRow> {
    let mut rows = vec![];
    let mut title = String::new();
    for record in records.read() {
        match record {
            // A problem that cannot be read has no diagram; the reason follows.
            SheetRecord::Problem(problem) if problem.unread == Some(true) => {
                title = problem.title.unwrap_or_default();
            }
            SheetRecord::Problem(problem) => {
                rows.push(SheetRow::Problem { problem, games: vec![], verdict: None });
            }
            SheetRecord::Solution(game) => {
                if let Some(SheetRow::Problem { games, .. }) = rows.last_mut() {
                    games.push(game);
                }
            }
            // The reason is already in the row.
            SheetRecord::Verdict(found) if found.verdict == "error" => {}
            SheetRecord::Verdict(found) => {
                if let Some(SheetRow::Problem { verdict, .. }) = rows.last_mut() {
                    *verdict = Some(found);
                }
            }
            SheetRecord::Error(error) => {
                rows.push(SheetRow::Faulty { title: std::mem::take(&mut title), why: error.text });
            }
            SheetRecord::Other => {}
        }
    }
    // The verdict on a single problem is the end of the run.
    if let [SheetRow::Problem { verdict, .. }] = rows.as_mut_slice() {
        // The end of a sheet has no verdict of its own.
        let end = || records.end::<SpgVerdict>().filter(|end| !end.verdict.is_empty());
        *verdict = verdict.take().or_else(|| end().map(Box::new));
    }
    rows
}

fn content(run: &Run) -> Markup {
    let at_work = run.state == RunState::AtWork;
    html! {
        h1 { "Sheet of problems" }
        div.panel {
            p.verdict { (summary(run)) }
            (run_page::controls(run, at_work))
            @if let RunRequest::Sheet(sheet) = &run.request && sheet.text.len() <= EDITED_MAX {
                p { a href=(format!("/proof/sheet?text={}", run_page::quoted(&sheet.text))) { "Edit the sheet" } }
            }
            @if at_work { div #live data-run=(run.id) { p { "The run begins …" } } }
            (run_page::files(run))
            (legend(Legend::Proof))
            div.scroll #rows {
                table.sheet {
                    thead { tr { th { "Diagram" } th { "Problem" } th { "Moves" } th { "Verdict" } } }
                    tbody { @for row in rows(&run.records) { (line(&run.id, &row)) } }
                }
            }
        }
    }
}

/// Returns the number of problems with a verdict, in words, or the state of the run.
fn summary(run: &Run) -> String {
    match run.records.end::<SheetEnd>() {
        Some(end) if run.state != RunState::AtWork => {
            format!("{} of {} problems have a verdict", end.count, end.problems)
        }
        _ => run_page::verdict(run),
    }
}

/// Returns the request of the editor for a problem; none if the editor has no field for a part of it.
fn edited(problem: &SpgProblem) -> Option<ProofRequest> {
    problem.further.is_empty().then(|| ProofRequest {
        fen: problem.fen.clone().unwrap_or_default(),
        moves: problem.length_moves.clone().unwrap_or_default(),
        rules: problem.conditions.join("; "),
        pieces: problem.pieces.join(", "),
        start: problem.start.clone().unwrap_or_default(),
        series: if problem.series == Some(true) { "on".to_owned() } else { String::new() },
        ..ProofRequest::default()
    })
}

fn line(id: &str, row: &SheetRow) -> Markup {
    match row {
        SheetRow::Faulty { title, why } => html! {
            tr { td {} td { (title) } td colspan="2" { "Error" pre.fault { (why) } } }
        },
        SheetRow::Problem { problem, games, verdict } => {
            let text = |text: &Option<String>| text.clone().unwrap_or_default();
            let (fen, moves) = (text(&problem.fen), text(&problem.length_moves));
            let figures = pieces(problem);
            let board = Board { placement: &fen, figures: &figures, ..Board::default() };
            html! {
                tr {
                    td.small { (PreEscaped(board.to_string())) }
                    td {
                        a href=(format!("/sheet/{id}/{}", problem.number)) { (title(problem)) }
                        @if let Some(named) = conditions(problem) { p.hint { (named) } }
                    }
                    td { (moves) }
                    td {
                        (word(verdict.as_deref()))
                        @for game in games.iter().take(GAMES_SHOWN) { p.hint { (numbered(&game.moves)) } }
                        @if games.len() > GAMES_SHOWN { p.hint { (games.len() - GAMES_SHOWN) " more in the files" } }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SheetRow, SpgProblem, edited, rows};

    #[test]
    fn each_problem_has_its_verdict_and_faulty_ones_their_reason() {
        let lines = [
            r#"{"t":"start"}"#,
            r#"{"t":"problem","number":1}"#,
            r#"{"t":"solution"}"#,
            r#"{"t":"verdict","text":"C+"}"#,
            r#"{"t":"problem","number":2,"unread":true,"title":"Two"}"#,
            r#"{"t":"error","text":"bad"}"#,
            r#"{"t":"verdict","verdict":"error","text":"bad"}"#,
            r#"{"t":"problem","number":3}"#,
        ];
        let rows = rows(&lines.into_iter().collect());
        assert!(matches!(&rows[0], SheetRow::Problem { games, verdict: Some(verdict), .. }
            if verdict.text == "C+" && games.len() == 1));
        assert!(
            matches!(&rows[1], SheetRow::Faulty { title, why } if title == "Two" && why == "bad")
        );
        assert!(matches!(&rows[2], SheetRow::Problem { problem, verdict: None, .. }
            if problem.number == 3));
    }

    #[test]
    fn a_problem_is_opened_with_its_conditions() {
        let problem = SpgProblem {
            fen: Some("8/8/8/8/8/8/8/8".to_owned()),
            length_moves: Some("3.0".to_owned()),
            conditions: vec!["Circe".to_owned(), "Hole e4".to_owned()],
            pieces: vec!["G=grasshopper".to_owned()],
            series: Some(true),
            ..SpgProblem::default()
        };
        let wish = edited(&problem).unwrap();
        assert_eq!((&*wish.rules, &*wish.pieces), ("Circe; Hole e4", "G=grasshopper"));
        assert!(wish.is_fairy() && wish.series == "on" && wish.start.is_empty());
        // The editor cannot add a piece.
        assert!(
            edited(&SpgProblem { further: vec!["add a black queen".to_owned()], ..problem })
                .is_none()
        );
    }
}
