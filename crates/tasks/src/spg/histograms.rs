//! How many strategies there are for each number of free moves, with a part for each last move that is taken back.

use super::posed::PosedProblem;
use umbrail_proof::report::text;
use umbrail_proof::run::{RunReport, least_moves};
use umbrail_proof::{Problem, Retraction, earlier};

/// The last moves that are taken back from a problem, as `Qd8-h4`; none when none are.
pub(super) fn last_moves(problem: &Problem, mode: Retraction) -> Vec<String> {
    let parts = earlier(problem, mode).unwrap_or_default();
    parts.iter().map(|part| text::last_moves(&part.problem.diagram, &part.tail)).collect()
}

/// Strategies by free moves: all of them, after those of each last move that was taken back.
pub(super) fn histograms(posed: &PosedProblem, report: &RunReport) -> Vec<String> {
    let parts = last_moves(&posed.problem, posed.params.retraction);
    let [white, black] = least_moves(&posed.problem).map(|least| match least {
        Some(moves) => format!("at least {moves}"),
        None => "no number of".to_owned(),
    });
    let mut lines = vec![format!(
        "moves needed by the pieces of the diagram, each counted alone: White {white}, Black {black}"
    )];
    for (at, name) in (1u16..).zip(&parts) {
        lines.push(format!("before {name} ({at}/{}):", parts.len()));
        let histogram = report.histograms.get(&at).cloned().unwrap_or_default();
        lines.extend(text::histogram(&histogram));
    }
    if !parts.is_empty() {
        lines.push("all together:".to_owned());
    }
    lines.extend(text::histogram(&report.histogram));
    lines
}
