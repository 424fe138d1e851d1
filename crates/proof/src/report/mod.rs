//! Reports: solutions and strategies as text, PGN, LaTeX and HTML.
//!
//! Writers return text; printing and saving is up to the caller.

pub mod cooks;
pub mod html;
pub mod latex;
pub mod pgn;
pub mod text;

use crate::problem::Problem;
use crate::run::{ProblemVerdict, RunReport};

/// Further information about a problem.
#[derive(Clone, Copy, Debug, Default)]
pub struct Credits<'a> {
    /// Its title or author line.
    pub title: Option<&'a str>,
    /// Comment lines of its source.
    pub comments: &'a [String],
}

/// Length as problemists write it: `23.0`, `16.5`.
pub fn length(plies: usize) -> String {
    format!("{}.{}", plies / 2, plies % 2 * 5)
}

/// The verdict as a printable sentence.
pub fn sentence(problem: &Problem, report: &RunReport) -> String {
    let at = length(usize::from(problem.plies));
    let cooks = report.cooks().count();
    let games = report.count();
    let ways = |count: usize| match count {
        1 => "1 strategy".to_owned(),
        _ => format!("{count} strategies"),
    };
    match report.verdict() {
        ProblemVerdict::Unique => format!("C+: exactly one proof game in {at} moves"),
        ProblemVerdict::Several => {
            format!("{games} proof games in {at} moves, each alone in its strategy")
        }
        ProblemVerdict::Cooked if report.is_complete() => {
            format!(
                "cooked: {games} proof games in {at} moves, {} playable in several ways",
                ways(cooks)
            )
        }
        ProblemVerdict::Cooked => format!(
            "cooked: at least {games} proof games in {at} moves, {} playable in several ways",
            ways(cooks)
        ),
        ProblemVerdict::None if report.refusals.is_empty() => {
            format!("no proof game in {at} moves")
        }
        ProblemVerdict::None => {
            let reasons: Vec<String> = report.refusals.iter().map(ToString::to_string).collect();
            format!("no proof game in {at} moves: {}", reasons.join("; "))
        }
        ProblemVerdict::Partial => partial(report, &at),
    }
}

/// What was tested and what was not.
fn partial(report: &RunReport, at: &str) -> String {
    let counts = &report.counts;
    let games = match report.count() {
        0 => "no proof game found so far".to_owned(),
        1 => "one proof game found so far".to_owned(),
        more => format!("{more} proof games found so far"),
    };
    let mut text = format!(
        "not fully tested in {at} moves: {games}; {} strategies found, {} played to the end",
        counts.found, counts.played
    );
    for (number, what) in [(counts.dropped, "dropped"), (counts.filtered, "passed over")] {
        if number > 0 {
            text.push_str(&format!(", {number} {what}"));
        }
    }
    text
}
