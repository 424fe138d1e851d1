//! The files that results are written to: the result file in plain text, PGN, LaTeX and HTML.

use super::problems::PosedProblem;
use crate::geometry::Color;
use crate::proof::report::{Credits, cooks, html, latex, length, pgn, sentence, text};
use crate::proof::run::RunReport;
use crate::proof::{Problem, Retraction, earlier};
use crate::session::domain::Task;
use crate::session::results::write_result;
use std::fmt::Write as _;
use std::path::Path;

/// Where results are written.
pub(super) struct Exports {
    output: Option<String>,
    exports: Vec<(&'static str, String)>,
}

/// The result file beside a problem file: `problems_out.txt` beside `problems.txt`.
fn beside(path: &str) -> String {
    let path = Path::new(path);
    let stem = path.file_stem().map_or_else(|| "problems".into(), |stem| stem.to_string_lossy());
    path.with_file_name(format!("{stem}_out.txt")).to_string_lossy().into_owned()
}

impl Exports {
    /// The exports of a task about this file of problems.
    pub(super) fn of(task: &Task, file: Option<&str>) -> Self {
        let output = task.key("output").map(str::to_owned).or_else(|| file.map(beside));
        let exports = ["pgn", "latex", "html"]
            .map(|kind| (kind, task.key(kind).map(str::to_owned)))
            .into_iter()
            .filter_map(|(kind, path)| path.map(|path| (kind, path)))
            .collect();
        Self { output, exports }
    }

    /// Writes all files and adds a line for each to the page; gives back what failed.
    pub(super) fn write(
        &self,
        solved: &[(&PosedProblem, RunReport)],
        page: &mut Vec<String>,
    ) -> Vec<String> {
        let mut faults = vec![];
        let mut write =
            |path: &str, text: String| match write_result(Path::new(path), text.as_bytes()) {
                Ok(()) => page.push(format!("wrote {path}")),
                Err(why) => faults.push(why),
            };
        if let Some(path) = &self.output {
            write(path, solved.iter().map(|(posed, report)| record(posed, report)).collect());
        }
        for (kind, path) in &self.exports {
            let mut text = String::new();
            for (posed, report) in solved {
                let credits = Credits { title: posed.title.as_deref(), comments: &posed.comments };
                match *kind {
                    "latex" => text += &latex::diagram(&posed.problem, &credits, report),
                    "html" => text += &html::page(&posed.problem, &credits, report),
                    _ => {
                        for (at, (success, game)) in report.games().enumerate() {
                            let strategy = success.strategy.to_string();
                            text += &pgn::game(&posed.problem, &credits, at + 1, &strategy, game);
                            text.push('\n');
                        }
                    }
                }
            }
            write(path, text);
        }
        faults
    }
}

/// The last moves that are taken back from a problem, as `Qd8-h4`; none when none are.
pub(super) fn last_moves(problem: &Problem, mode: Retraction) -> Vec<String> {
    let parts = earlier(problem, mode).unwrap_or_default();
    parts.iter().map(|part| text::last_moves(&part.problem.diagram, &part.tail)).collect()
}

/// Strategies by free moves: all of them, after those of each last move that was taken back.
pub(super) fn histograms(posed: &PosedProblem, report: &RunReport) -> Vec<String> {
    let parts = last_moves(&posed.problem, posed.params.retraction);
    let mut lines = vec![];
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

/// One problem of the result file.
fn record(posed: &PosedProblem, report: &RunReport) -> String {
    let mut out = String::new();
    let mut line = |text: &str| {
        let _ = writeln!(out, "{text}");
    };
    posed.title.iter().chain(&posed.comments).for_each(|text| line(text));
    line(&posed.problem.diagram.to_string());
    text::board(&posed.problem.diagram, posed.problem.plies).iter().for_each(|text| line(text));
    for success in &report.successes {
        line("");
        text::table(success).iter().for_each(|text| line(text));
        for (mark, color) in ["w", "b"].into_iter().zip(Color::ALL) {
            line(&format!("{mark}: {}", text::paths(success, color)));
        }
        success.games.iter().for_each(|game| line(&posed.style.write(game)));
    }
    let cooks = cooks::page(report);
    if !cooks.is_empty() {
        line("");
        cooks.iter().for_each(|text| line(text));
    }
    if posed.params.histogram {
        line("");
        histograms(posed, report).iter().for_each(|text| line(text));
    }
    let counts = &report.counts;
    line("");
    line(&sentence(&posed.problem, report));
    line(&format!("verdict: {}", report.verdict()));
    line(&format!("length: {}", length(usize::from(posed.problem.plies))));
    line(&format!("solutions: {}", report.count()));
    line(&format!("cook-strategies: {}", report.cooks().count()));
    line(&format!("complete: {}", report.is_complete()));
    let (found, kept, played) = (counts.found, counts.kept, counts.played);
    line(&format!("strategies: {found} found, {kept} kept, {played} played"));
    line(&format!("moves: {}", counts.moves));
    line(&format!("version: {}\n", env!("CARGO_PKG_VERSION")));
    out
}
