//! Reports: solutions and strategies as text, PGN, LaTeX and HTML.
//!
//! Writers return text; printing and saving is up to the caller. [`EXPORTS`] lists the formats of whole files.

pub mod cooks;
mod export;
mod html;
mod latex;
mod pgn;
pub mod text;

pub use export::{EXPORTS, Export, SolvedProblem};

use crate::problem::Problem;
use crate::run::{ProblemVerdict, RunReport};
use umbrail_chess::Move;

/// Further information about a problem.
#[derive(Clone, Copy, Debug, Default)]
pub struct Credits<'a> {
    /// Its title or author line.
    pub title: Option<&'a str>,
    /// Comment lines of its source.
    pub comments: &'a [String],
}

/// How games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    /// `Sg1-f3`, not `Sf3`.
    pub long: bool,
    /// The letter of knights.
    pub knight: char,
}

impl Default for Notation {
    fn default() -> Self {
        Self { long: true, knight: 'S' }
    }
}

impl Notation {
    /// A game so written.
    pub fn write(self, game: &[Move]) -> String {
        match self.long {
            true => text::long(game, self.knight),
            false => text::numbered(game, self.knight),
        }
    }
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
    let ways = match cooks {
        1 => "1 strategy".to_owned(),
        _ => format!("{cooks} strategies"),
    };
    let text = match report.verdict() {
        ProblemVerdict::Unique => format!("C+: exactly one proof game in {at} moves"),
        ProblemVerdict::Several => {
            format!("{games} proof games in {at} moves, each alone in its strategy")
        }
        ProblemVerdict::Cooked => {
            let least = if report.is_complete() { "" } else { "at least " };
            format!(
                "cooked: {least}{games} proof games in {at} moves, {ways} playable in several ways"
            )
        }
        ProblemVerdict::None if report.refusals.is_empty() => {
            format!("no proof game in {at} moves")
        }
        ProblemVerdict::None => {
            let reasons: Vec<String> = report.refusals.iter().map(ToString::to_string).collect();
            format!("no proof game in {at} moves: {}", reasons.join("; "))
        }
        ProblemVerdict::Partial => partial(report, &at),
    };
    match report.strategy_digest {
        Some(digest) => format!("{text} (given the strategy file with digest {digest:016x})"),
        None => text,
    }
}

/// What was tested and what was not.
fn partial(report: &RunReport, at: &str) -> String {
    let rest = if report.enumerated { "" } else { "; the enumeration is not complete" };
    let games = match report.count() {
        0 if report.counted_only => {
            let counts = counts(report);
            return format!("strategies of {at} moves were only counted: {counts}{rest}");
        }
        0 => "no proof game found so far".to_owned(),
        1 => "one proof game found so far".to_owned(),
        more => format!("{more} proof games found so far"),
    };
    format!("not fully tested in {at} moves: {games}; strategies: {}{rest}", counts(report))
}

/// The numbers of strategies, the first of which is the sum of the others: `44 enumerated: 7 refuted by analysis, 37
/// searched`.
pub fn counts(report: &RunReport) -> String {
    let counts = &report.counts;
    let known = counts.searched + counts.dropped + counts.filtered;
    let rest = counts.unrefuted.saturating_sub(known);
    let open = counts.enumerated.saturating_sub(counts.refuted + counts.unrefuted);
    let (counted, open) = if report.counted_only { (rest, open) } else { (0, open + rest) };
    let numbers = [
        (counts.dropped, "dropped"),
        (counts.filtered, "excluded by the condition"),
        (counted, "left to be searched"),
        (open, "not looked at"),
    ];
    let mut text =
        format!("{} enumerated: {} refuted by analysis", counts.enumerated, counts.refuted);
    if !report.counted_only || counts.searched > 0 {
        text += &format!(", {} searched", counts.searched);
    }
    for (number, what) in numbers.into_iter().filter(|(number, _)| *number > 0) {
        text += &format!(", {number} {what}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::RunCounts;

    #[test]
    fn p14_the_numbers_of_strategies_add_up() {
        let counts = RunCounts {
            enumerated: 44,
            refuted: 7,
            unrefuted: 36,
            searched: 30,
            dropped: 2,
            filtered: 3,
            ..RunCounts::default()
        };
        let mut report = RunReport { counts, ..RunReport::default() };
        let text = super::counts(&report);
        assert_eq!(
            text,
            "44 enumerated: 7 refuted by analysis, 30 searched, 2 dropped, 3 excluded by the condition, 2 not looked at"
        );
        let numbers: Vec<u64> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert_eq!(numbers[0], numbers[1..].iter().sum::<u64>());
        report.counts =
            RunCounts { enumerated: 44, refuted: 7, unrefuted: 37, ..RunCounts::default() };
        (report.counted_only, report.enumerated) = (true, true);
        let told = partial(&report, "23.0");
        assert_eq!(
            told,
            "strategies of 23.0 moves were only counted: 44 enumerated: 7 refuted by analysis, 37 left to be searched"
        );
    }
}
