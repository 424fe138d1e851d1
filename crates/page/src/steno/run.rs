//! The page of a solved steno: the verdict, the games with their marks, and the number of positions
//! after each mark.

use super::super::SharedPage;
use super::super::legend::{Legend, legend};
use super::super::run_page;
use super::super::stepper::{StepGame, stepper};
use super::super::work::{Run, RunRequest, RunState, StenoRequest};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use umbrail_report::drawing::{Bar, Histogram};
use umbrail_steno::{Steno, Vocabulary};
use umbrail_tasks::records::steno::{GameCount, StenoEnd, StenoMark, StenoSolution};

/// Maximum number of games that a page shows; the files have all listed games.
const GAMES_SHOWN: usize = 100;

pub(crate) async fn run(
    State(shared): State<SharedPage>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    run_page::page(&shared, &id, &headers, "run.js", |run| match &run.request {
        RunRequest::Steno(wish) => Some(content(run, wish)),
        _ => None,
    })
    .await
}

/// Returns the marks of the turns, as text.
fn marks(wish: &StenoRequest) -> Vec<String> {
    let vocabulary = Vocabulary::from_name(&wish.vocabulary).unwrap_or_default();
    let steno = Steno::parse(wish.text.trim(), vocabulary);
    steno.map_or_else(
        |_| vec![],
        |steno| steno.turns.iter().map(|turn| steno.turn_text(turn)).collect(),
    )
}

fn content(run: &Run, wish: &StenoRequest) -> Markup {
    let at_work = run.state == RunState::AtWork;
    let marks = marks(wish);
    let solutions: Vec<StenoSolution> = run.records.all().collect();
    let all = solutions.len();
    let edit = format!(
        "/steno?text={}&vocabulary={}&games={}",
        run_page::quoted(&wish.text),
        run_page::quoted(&wish.vocabulary),
        run_page::quoted(&wish.games)
    );
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    html! {
        h1 { "Steno " code { (wish.text) } }
        div.split {
            (stepper(start, &[], all > 0))
            div.panel {
                p.verdict { (run_page::verdict(run)) }
                (run_page::controls(run, false))
                @if at_work { div #live data-run=(run.id) { p { "The run begins …" } } }
                div #games {
                    @for StenoSolution { moves, uci, .. } in solutions.iter().take(GAMES_SHOWN) {
                        (StepGame { moves, uci, marks: &marks, ..StepGame::default() })
                    }
                    @if all > GAMES_SHOWN { p { (all - GAMES_SHOWN) " more games are in the files" } }
                    @if let Some((listed, count)) = unlisted(run) {
                        p.hint { "The first " (listed) " of " (count.0) " games are listed. " a href=(edit) { "Edit this steno" } " to list more." }
                    }
                }
                div #layers { (layers(run)) }
                (run_page::files(run))
                (legend(Legend::Steno))
                p.hint {
                    a href=(edit) { "Edit this steno" }
                }
            }
        }
    }
}

/// Returns the number of listed games and that of all, if some are not listed.
fn unlisted(run: &Run) -> Option<(u64, GameCount)> {
    let StenoEnd { count, listed, .. } = run.records.end()?;
    (count.as_u64() != Some(listed)).then_some((listed, count))
}

/// Writes the numbers of games and positions after each mark.
fn layers(run: &Run) -> Markup {
    let bar = |mark: StenoMark| {
        let at = i64::try_from(mark.turn).ok()?;
        let count = mark.positions.or_else(|| mark.games.as_u64())?;
        Some(Bar { at, count, class: "bar" })
    };
    let bars: Vec<Bar<'_>> = run.records.all().filter_map(bar).collect();
    let plot = Histogram {
        label: "positions after each turn",
        unit: "th turn",
        bars: &bars,
        logarithmic: true,
    };
    html! {
        @if bars.len() > 1 {
            h2 { "Positions after each turn" }
            (PreEscaped(plot.to_string()))
        }
    }
}
