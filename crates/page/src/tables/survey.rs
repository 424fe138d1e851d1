//! A survey: endgames one after another, as a table of how often the first side wins and how long
//! it takes. A page has a time limit; a run has none, and resumes after the tables that it has
//! stored.

use super::super::SharedPage;
use super::super::legend::{Legend, legend};
use super::super::page_error::PageError;
use super::super::run_page::{self, quoted};
use super::super::shell::Shell;
use super::super::work::{Run, RunRequest, RunState, SurveyRequest, TableRequest};
use super::heat::{Cell, HeatOrder, HeatView, heat};
use super::{TableQuery, ask, is_late, metrics};
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use umbrail_tables::survey::expand;
use umbrail_tasks::records::ErrorRecord;
use umbrail_tasks::records::egt::EgtStatistics;

/// Time limit for all endgames together, in milliseconds.
const TIME_MS: u64 = 30_000;
/// Maximum number of letters that the question mark may stand for.
const LETTERS_MAX: usize = 12;
/// Default letters of the question mark.
const LETTERS: &str = "QRBN";
/// Maximum number of endgames of a run.
const ENDGAMES_MAX: usize = 500;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SurveyQuery {
    pattern: String,
    letters: String,
    metric: String,
    piece: String,
    /// Sort order of rows, and its column.
    sort: String,
    by: String,
}

impl SurveyQuery {
    fn view(&self) -> HeatView {
        HeatView { order: HeatOrder::of(&self.sort), against: self.by.clone() }
    }

    fn letters(&self) -> Result<Vec<char>, PageError> {
        let letters: Vec<char> = self.letters.chars().filter(char::is_ascii_alphabetic).collect();
        match letters.len() {
            0 if self.letters.trim().is_empty() => Ok(LETTERS.chars().collect()),
            0 => Err(PageError::Field {
                field: "letters",
                expected: format!("pieces such as {LETTERS}"),
                got: self.letters.trim().to_owned(),
            }),
            1..=LETTERS_MAX => Ok(letters),
            _ => Err(PageError::Letters(LETTERS_MAX)),
        }
    }
}

pub(crate) async fn survey(
    State(shared): State<SharedPage>,
    Query(wish): Query<SurveyQuery>,
    headers: HeaderMap,
) -> Response {
    let rules = TableQuery { metric: wish.metric.clone(), piece: wish.piece.clone() };
    let pattern = wish.pattern.trim();
    let shell = Shell { title: "Survey", here: "/tables", script: None, headers: &headers };
    if pattern.is_empty() {
        return shell.page(&form(&wish, &rules, None)).into_response();
    }
    let request =
        wish.letters().and_then(|letters| Ok((rules.request(&shared, pattern)?, letters)));
    let asked = match request {
        Ok((request, letters)) => {
            let mut task = request.task("survey");
            task.keys.push(("letters", letters.iter().collect()));
            ask(&shared, &request, task, TIME_MS).await
        }
        Err(why) => Err(why),
    };
    match asked {
        Err(why) => {
            let page = shell.page(&form(&wish, &rules, Some(&why.to_string())));
            (StatusCode::UNPROCESSABLE_ENTITY, page).into_response()
        }
        Ok(answer) => {
            let cells: Vec<Cell> = answer.all::<EgtStatistics>().map(Cell::from).collect();
            let link = |sort: &str, by: &str| {
                format!(
                    "/survey?pattern={}&letters={}&{}&sort={sort}&by={}",
                    quoted(pattern),
                    quoted(&wish.letters),
                    rules.query(),
                    quoted(by)
                )
            };
            let content = html! {
                (form(&wish, &rules, None))
                (heat(&cells, &rules, &wish.view(), &link))
                @if is_late(&answer) { p.fault { "The time limit of a page is reached, so further endgames are left out. A run has no limit." } }
            };
            shell.page(&content).into_response()
        }
    }
}

fn form(wish: &SurveyQuery, rules: &TableQuery, why: Option<&str>) -> Markup {
    html! {
        h1 { "Compare pieces" }
        form.panel.wide method="get" action="/survey" {
            label { "Endgames, ? for each of the letters"
                input name="pattern" maxlength="16" value=(wish.pattern) placeholder="K?.K?" spellcheck="false" autocomplete="off" required;
            }
            label { "Letters" input name="letters" maxlength="26" value=(wish.letters) placeholder="QRBN" spellcheck="false" autocomplete="off"; }
            (metrics(rules.metric()))
            label { "Pieces of your own, one a line" textarea name="piece" maxlength="4000" rows="2" spellcheck="false" placeholder="X = (1,3)" { (wish.piece) } }
            @if let Some(why) = why { p.fault { (why) } }
            div.controls { button.main { "Compare" } button formmethod="post" { "Compare as a run" } a href="/pieces" { "Design a piece" } }
            p.hint { "An example: " a href="/survey?pattern=K%3F.K%3F&letters=QRBN" { "all pieces against all" } ", some seconds. A run has no time limit, keeps its tables, and can be resumed." }
        }
    }
}

/// Starts a run.
pub(crate) async fn begin_survey(
    State(shared): State<SharedPage>,
    headers: HeaderMap,
    Form(wish): Form<SurveyQuery>,
) -> Response {
    let rules = TableQuery { metric: wish.metric.clone(), piece: wish.piece.clone() };
    let started = asked(&shared, &wish, &rules)
        .and_then(|request| Ok(shared.runs.begin(&RunRequest::Survey(request))?));
    match started {
        Ok(id) => Redirect::to(&format!("/survey/{id}")).into_response(),
        Err(why) => {
            let shell = Shell { title: "Survey", here: "/tables", script: None, headers: &headers };
            let page = shell.page(&form(&wish, &rules, Some(&why.to_string())));
            (StatusCode::UNPROCESSABLE_ENTITY, page).into_response()
        }
    }
}

/// Returns the request of a run.
fn asked(
    shared: &SharedPage,
    wish: &SurveyQuery,
    rules: &TableQuery,
) -> Result<SurveyRequest, PageError> {
    let pattern = wish.pattern.trim();
    let letters = wish.letters()?;
    let table = TableRequest { endgame: String::new(), ..rules.request(shared, pattern)? };
    let mut endgames: Vec<String> = vec![];
    for name in expand(pattern, &letters, ENDGAMES_MAX)? {
        // K?? gives KQR and KRQ, which are one endgame.
        if endgames.iter().all(|known| same_pieces(known) != same_pieces(&name)) {
            endgames.push(name);
        }
    }
    let letters = letters.iter().collect();
    Ok(SurveyRequest { pattern: pattern.to_owned(), letters, endgames, table })
}

/// Returns the letters of each side, sorted.
fn same_pieces(endgame: &str) -> Vec<Vec<char>> {
    let sorted = |side: &str| {
        let mut letters: Vec<char> = side.chars().collect();
        letters.sort_unstable();
        letters
    };
    endgame.split('.').map(sorted).collect()
}

/// Serves the page of a run.
pub(crate) async fn survey_run(
    State(shared): State<SharedPage>,
    Path(id): Path<String>,
    Query(wish): Query<SurveyQuery>,
    headers: HeaderMap,
) -> Response {
    run_page::page(&shared, &id, &headers, "build.js", |run| match &run.request {
        RunRequest::Survey(request) => Some(content(run, request, &wish)),
        _ => None,
    })
    .await
}

fn content(run: &Run, request: &SurveyRequest, wish: &SurveyQuery) -> Markup {
    let TableRequest { metric, piece, .. } = &request.table;
    let rules = TableQuery { metric: metric.clone(), piece: piece.clone() };
    let cells: Vec<Cell> = run.records.all::<EgtStatistics>().map(Cell::from).collect();
    let link = |sort: &str, by: &str| format!("/survey/{}?sort={sort}&by={}", run.id, quoted(by));
    html! {
        h1 { (run.request.title()) }
        p.verdict #verdict { (run_page::state(run)) ": " (cells.len()) " of " (request.endgames.len()) " endgames are counted" }
        (run_page::controls(run, false))
        @if run.state == RunState::AtWork { div #live data-run=(run.id) data-total=(request.endgames.len()) { p { "The run begins …" } } }
        (legend(Legend::Tables))
        div #rows {
            (heat(&cells, &rules, &wish.view(), &link))
            @for fault in run.records.all::<ErrorRecord>() { p.fault { (fault.text) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::same_pieces;

    #[test]
    fn the_order_of_pieces_does_not_change_the_endgame() {
        assert_eq!(same_pieces("KQR.KB"), same_pieces("KRQ.KB"));
        assert_ne!(same_pieces("KQ.KR"), same_pieces("KR.KQ"));
    }
}
