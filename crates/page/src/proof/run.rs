//! The page of a run of proof games: progress, results and verdict.

use super::super::legend::{Legend, legend};
use super::super::stepper::{StepGame, numbered, stepper};
use super::super::words::{elapsed, grouped};
use super::super::work::{ProofRequest, Run, RunRequest, RunState};
use super::super::{SharedPage, run_page};
use super::{cooks, fairy};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use maud::{Markup, html};
use umbrail_tasks::records::cluster::ClusterUnits;
use umbrail_tasks::records::spg::{GameTheme, SpgSolution, SpgVerdict};
use umbrail_tasks::records::spg_counted::SpgCounted;

/// Maximum number of games that a page shows; the files have all.
const GAMES_SHOWN: usize = 200;
/// Maximum number of games in the text for a magazine.
const MAGAZINE_GAMES: usize = 10;

/// Serves the page of a run.
pub(crate) async fn run(
    State(shared): State<SharedPage>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    run_page::page(&shared, &id, &headers, "run.js", |run| match &run.request {
        RunRequest::Proof(wish) => Some(content(run, wish)),
        _ => None,
    })
    .await
}

fn content(run: &Run, wish: &ProofRequest) -> Markup {
    let at_work = run.state == RunState::AtWork;
    let solutions: Vec<SpgSolution> = run.records.all().collect();
    let end = run.records.end::<SpgVerdict>();
    html! {
        h1 { (run.request.title()) }
        div.split {
            (stepper(&wish.fen, &fairy::figures(wish), !solutions.is_empty()))
            div.panel {
                p.verdict { (run_page::verdict(run)) }
                (run_page::controls(run, true))
                (earlier(run))
                @if at_work { div #live data-run=(run.id) { p { "The run begins …" } } }
                div #games { (games(&solutions)) }
                (themes(end.as_ref()))
                (cooks::cooks(run))
                (run_page::files(run))
                @if run.state == RunState::Done { (magazine(&magazine_text(wish, end.as_ref(), &solutions))) }
                @match (run.records.end::<SpgCounted>(), &end) {
                    (Some(counted), _) => (counted_figures(&counted)),
                    (None, Some(end)) => (figures(end, run.records.last())),
                    (None, None) => {}
                }
                (legend(Legend::Proof))
                p.hint { a href=(edit_address(wish)) { "Edit this problem" } }
            }
        }
    }
}

/// Writes the result in the format of a magazine.
fn magazine(text: &str) -> Markup {
    html! {
        details {
            summary { "For a magazine" }
            pre #magazine { (text) }
            button.scripted type="button" data-copy="magazine" { "Copy" }
        }
    }
}

/// Returns diagram, stipulation, verdict and solutions as text.
fn magazine_text(
    wish: &ProofRequest,
    end: Option<&SpgVerdict>,
    solutions: &[SpgSolution],
) -> String {
    let pieces = super::check::pieces(&wish.fen);
    // Ends of earlier versions have none.
    let stipulation = end.and_then(|end| end.stipulation.clone());
    let stipulation = stipulation.unwrap_or_else(|| format!("PG in {}", wish.moves));
    let verdict = end.map_or("", |end| &end.text);
    let mut text =
        format!("{}\n{stipulation} ({}+{})\n{verdict}\n", wish.fen, pieces[0], pieces[1]);
    for game in solutions.iter().take(MAGAZINE_GAMES) {
        text.push_str(&numbered(&game.moves));
        text.push('\n');
    }
    text
}

/// Returns the address of the editor with this problem.
pub(super) fn edit_address(wish: &ProofRequest) -> String {
    let pairs = [
        ("fen", &wish.fen),
        ("moves", &wish.moves),
        ("length", &wish.length),
        ("retraction", &wish.retraction),
        ("conditions", &wish.conditions),
        ("rules", &wish.rules),
        ("pieces", &wish.pieces),
        ("start", &wish.start),
        ("series", &wish.series),
        ("solver", &wish.solver),
    ];
    let given = pairs.into_iter().filter(|(_, word)| !word.is_empty());
    let words: Vec<String> =
        given.map(|(key, word)| format!("{key}={}", run_page::quoted(word))).collect();
    format!("/proof?{}", words.join("&"))
}

/// Writes the games, each with a board to step through.
pub(super) fn games(solutions: &[SpgSolution]) -> Markup {
    // First game of each strategy; the other games of a cook are compared with it.
    let mut firsts: Vec<&SpgSolution> = vec![];
    let mut shown = vec![];
    for game in solutions.iter().take(GAMES_SHOWN) {
        let first =
            firsts.iter().find(|first| first.strategy_number == game.strategy_number).copied();
        if first.is_none() {
            firsts.push(game);
        }
        shown.push((game, first));
    }
    html! {
        @for (SpgSolution { moves, uci, boards, strategy_number: number, strategy, .. }, first) in shown {
            // A search of positions has no strategies.
            @let note = if number.is_empty() { String::new() } else { format!("Strategy {number}: {strategy}") };
            (StepGame { moves, uci, boards, number, note: &note, other: first.filter(|_| !number.is_empty()).map(|first| &*first.uci), ..StepGame::default() })
        }
        @if solutions.len() > GAMES_SHOWN { p { (solutions.len() - GAMES_SHOWN) " more games are in the files" } }
    }
}

/// Writes the work of the sessions before the last pause, which the figures of a session do not count.
fn earlier(run: &Run) -> Markup {
    let ends: Vec<SpgVerdict> = run.earlier.read().collect();
    let counts = || ends.iter().filter_map(|end| end.counts);
    let searched = grouped(counts().map(|one| one.searched).sum());
    let moves = grouped(counts().map(|one| one.moves_tried).sum());
    let time = elapsed(ends.iter().filter_map(|end| end.elapsed_ms).sum());
    // Ends of a search of positions have no counts of strategies.
    let by_positions: Vec<SpgCounted> = run.earlier.read().collect();
    let positions = grouped(by_positions.iter().map(|end| end.nodes).sum());
    let mut work = vec![time];
    if counts().next().is_some() {
        work.push(format!("{searched} strategies searched, {moves} moves tried"));
    }
    if !by_positions.is_empty() {
        work.push(format!("{positions} positions searched"));
    }
    html! {
        @if !ends.is_empty() {
            p.hint #earlier {
                "Before the last pause: " (work.join(", ")) ". The figures of this session begin anew; finished work is not repeated."
            }
        }
    }
}

/// Writes the themes of a unique game, each with the pieces that show it.
fn themes(end: Option<&SpgVerdict>) -> Markup {
    let found = end.and_then(|end| end.themes.as_deref()).unwrap_or_default();
    let one = |theme: &GameTheme| match theme.pieces.as_slice() {
        [] => theme.name.clone(),
        pieces => format!("{} ({})", theme.name, pieces.join(", ")),
    };
    html! {
        @if !found.is_empty() {
            p #themes { "Themes: " (found.iter().map(one).collect::<Vec<_>>().join("; ")) }
        }
    }
}

/// Writes the figures of a search of positions that has ended.
fn counted_figures(end: &SpgCounted) -> Markup {
    let length = |plies: &str| match plies.parse::<u64>() {
        Ok(plies) if !end.series => format!("games of {}.{} moves", plies / 2, 5 * (plies % 2)),
        _ => format!("games of {plies} moves"),
    };
    html! {
        table.figures {
            @for (plies, games) in &end.lengths { tr { th { (length(plies)) } td { (games.0) } } }
            tr { th { "positions searched" } td { (grouped(end.nodes)) } }
            @if end.unverified_numbers > 0 {
                tr { th { "positions searched by earlier sessions" } td { (grouped(end.earlier_nodes)) } }
            }
            tr { th { "time" } td { (elapsed(end.elapsed_ms)) } }
        }
    }
}

/// Writes the figures of a run that has ended, with its units when several machines worked on it.
fn figures(end: &SpgVerdict, units: Option<ClusterUnits>) -> Markup {
    let counts = end.counts.unwrap_or_default();
    let rows = [
        ("strategies enumerated", counts.enumerated),
        ("refuted by analysis", counts.refuted),
        ("searched", counts.searched),
        ("moves tried", counts.moves_tried),
        ("nodes of the tree", counts.nodes),
    ];
    let machines = units.map(|units| {
        let spread = [units.median_ms, units.max_ms].map(elapsed).join(" and ");
        [
            ("units done by the workers", grouped(units.units)),
            ("time of a unit, median and longest", spread),
            ("units done twice and compared", grouped(units.audited)),
        ]
    });
    html! {
        table.figures {
            @for (name, count) in rows { tr { th { (name) } td { (grouped(count)) } } }
            @for (name, text) in machines.into_iter().flatten() { tr { th { (name) } td { (text) } } }
            tr { th { "time" } td { (elapsed(end.elapsed_ms.unwrap_or(0))) } }
        }
    }
}
