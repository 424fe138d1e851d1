//! The verdict of a search of positions, in the form of every other verdict.

use super::fairy_problem::FairyProblem;
use super::problem::PositionProblem;
use super::solve::PositionReport;
use super::turns::Turns;
use crate::problem::Length;
use crate::problem::diagram::Diagram;
use crate::report::{ProblemVerdict, Verdict, Wording, length, not_the_shortest};
use umbrail_chess::geometry::Color;

/// Returns the verdict of a run if the author intends this number of games. `C+` (computer tested)
/// precedes it only if the run is complete and found the intended number of games, all of the
/// stated length.
pub fn verdict_of(problem: &PositionProblem, intended: usize, report: &PositionReport) -> Verdict {
    let start = &problem.start;
    let stipulation = Stipulation {
        plies: problem.plies,
        length: problem.length,
        turns: problem.turns,
        is_from_array: Diagram::of(start) == Diagram::initial() && start.turn().is_white(),
        begins: start.turn(),
        conditions: vec![],
        open: vec![],
        checked: "code that uses only the rules of chess",
    };
    stipulation.verdict(intended, report)
}

/// Returns the verdict of a run with conditions, which are part of its text.
pub fn fairy_verdict_of(
    problem: &FairyProblem,
    intended: usize,
    report: &PositionReport,
) -> Verdict {
    let stipulation = Stipulation {
        plies: problem.plies,
        length: problem.length,
        turns: problem.turns,
        is_from_array: problem.start.men.is_none(),
        begins: problem.start.turn,
        conditions: problem.condition_words(),
        open: problem.open_parts(),
        checked: "the rules with conditions, without bounds and table",
    };
    stipulation.verdict(intended, report)
}

/// What was asked.
struct Stipulation {
    plies: u16,
    length: Length,
    turns: Turns,
    is_from_array: bool,
    begins: Color,
    /// Conditions, and what the diagram leaves open.
    conditions: Vec<String>,
    /// Parts of the last position that are not compared.
    open: Vec<&'static str>,
    /// How listed games are checked.
    checked: &'static str,
}

impl Stipulation {
    fn verdict(&self, intended: usize, report: &PositionReport) -> Verdict {
        let statement = PositionStatement { problem: self, intended: intended as u128, report };
        let (word, correct) = (statement.word(), statement.correct());
        let agrees = match correct {
            Some(true) => "the verdict agrees",
            Some(false) => "the verdict differs",
            None => "the verdict leaves that open",
        };
        let solutions = match intended {
            1 => "1 solution is".to_owned(),
            _ => format!("{intended} solutions are"),
        };
        let kind = if self.is_from_array { "PG" } else { "A=>B" };
        let series = self.turns.words();
        let mut stipulation = format!("{series}{kind} in {}", statement.stated());
        for condition in &self.conditions {
            stipulation += &format!(", {condition}");
        }
        if intended != 1 {
            stipulation += &format!(", {intended} solutions");
        }
        let wording = Wording {
            turns: series,
            moves: statement.stated(),
            begins: self.begins,
            from_array: self.is_from_array,
            series: self.turns.is_series(),
            parries: self.turns.parries(),
            has_help: self.turns.has_help(),
            exact: self.length == Length::Exact,
            conditions: &self.conditions,
            intended,
            open: self.open.clone(),
            checked: self.checked,
        };
        Verdict {
            word,
            text: statement.text(word, correct),
            stipulation,
            task: wording.task(),
            scope: wording.scope(),
            intention: format!("{solutions} intended; {agrees}"),
            correct,
            complete: statement.is_complete(),
            unverified: report.unverified,
            shorter: statement.shorter().map(usize::from),
        }
    }

    /// Returns a number of plies in moves; a move of a series is one ply.
    fn moves(&self, plies: u16) -> String {
        match self.turns {
            Turns::Alternating => length(usize::from(plies)),
            _ => (plies - u16::from(self.turns.has_help())).to_string(),
        }
    }
}

struct PositionStatement<'a> {
    problem: &'a Stipulation,
    intended: u128,
    report: &'a PositionReport,
}

impl PositionStatement<'_> {
    fn is_complete(&self) -> bool {
        self.report.is_complete && self.report.faults.is_empty()
    }

    fn stated(&self) -> String {
        self.problem.moves(self.problem.plies)
    }

    fn shorter(&self) -> Option<u16> {
        self.report.counts.first().map(|one| one.plies).filter(|&plies| plies < self.problem.plies)
    }

    fn word(&self) -> ProblemVerdict {
        match self.report.count() {
            games if games > self.intended.max(1) => ProblemVerdict::Cooked,
            _ if !self.is_complete() => ProblemVerdict::Partial,
            0 => ProblemVerdict::None,
            1 if self.shorter().is_some() => ProblemVerdict::Shorter,
            1 => ProblemVerdict::Unique,
            _ => ProblemVerdict::Several,
        }
    }

    fn correct(&self) -> Option<bool> {
        let games = self.report.count();
        match () {
            () if games > self.intended || self.shorter().is_some() => Some(false),
            () if !self.is_complete() => None,
            () => Some(games == self.intended),
        }
    }

    fn text(&self, word: ProblemVerdict, correct: Option<bool>) -> String {
        let shorter = self.shorter();
        let mut text = shorter.map_or_else(String::new, |plies| match self.problem.turns {
            Turns::Alternating => not_the_shortest(usize::from(plies), self.problem.plies) + "; ",
            _ => format!("a game of {} moves exists; ", self.problem.moves(plies)),
        });
        let is_exact = self.is_complete() && self.report.counts.iter().all(|one| one.is_exact);
        let games = self.by_length();
        let stated = self.stated();
        text += &match word {
            ProblemVerdict::Unique | ProblemVerdict::Shorter | ProblemVerdict::Several => {
                let is_tested = correct == Some(true) && self.report.unverified == 0;
                let mark = if is_tested { "C+: " } else { "" };
                let but = match (correct, self.intended) {
                    (Some(true), 1) => String::new(),
                    (Some(true), _) => ", as intended".to_owned(),
                    (_, 1) => String::new(),
                    (_, intended) => format!(", but {intended} solutions are intended"),
                };
                format!("{mark}exactly {games}{but}")
            }
            ProblemVerdict::Cooked if is_exact => format!("cooked: exactly {games}"),
            ProblemVerdict::Cooked => format!("cooked: at least {games}"),
            ProblemVerdict::None => format!("no {} in {stated} moves", self.noun(1)),
            ProblemVerdict::Partial => {
                let found = match self.report.count() {
                    0 => format!("no {}", self.noun(1)),
                    _ => games,
                };
                format!("not fully tested in {stated} moves: {found} found so far")
            }
        };
        if self.problem.length == Length::Exact {
            text += " (length exact: shorter games not searched)";
        }
        if !self.problem.conditions.is_empty() {
            text += &format!(" under {}", self.problem.conditions.join(", "));
        }
        text += " (search of positions)";
        match self.report.unverified {
            0 => {}
            1 => text += " (1 number of games was taken from the archive unverified)",
            count => {
                text +=
                    &format!(" ({count} numbers of games were taken from the archive unverified)");
            }
        }
        text
    }

    fn noun(&self, games: u128) -> &'static str {
        match (self.problem.is_from_array, games) {
            (true, 1) => "proof game",
            (true, _) => "proof games",
            (false, 1) => "game",
            (false, _) => "games",
        }
    }

    /// `one proof game in 1.0 moves and 3 in 2.0`.
    fn by_length(&self) -> String {
        let mut text = String::new();
        for (at, one) in self.report.counts.iter().enumerate() {
            let moves = self.problem.moves(one.plies);
            let number = if one.games == 1 { "one".to_owned() } else { one.games.to_string() };
            text += &match at {
                0 => format!("{number} {} in {moves} moves", self.noun(one.games)),
                _ if at + 1 == self.report.counts.len() => format!(" and {} in {moves}", one.games),
                _ => format!(", {} in {moves}", one.games),
            };
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::{GameCount, Turns};
    use umbrail_chess::Position;

    fn verdict(
        counts: &[(u16, u128)],
        plies: u16,
        (intended, is_complete): (usize, bool),
    ) -> (ProblemVerdict, Option<bool>, String) {
        let game_count =
            |&(plies, games): &(u16, u128)| GameCount { plies, games, is_exact: is_complete };
        let counts = counts.iter().map(game_count).collect();
        let report = PositionReport { counts, is_complete, ..PositionReport::default() };
        let problem = PositionProblem {
            start: Position::startpos(),
            diagram: Diagram::initial(),
            plies,
            length: Length::Parity,
            turns: Turns::Alternating,
        };
        let verdict = verdict_of(&problem, intended, &report);
        assert_eq!(verdict.is_computer_tested(), verdict.text.starts_with("C+: "));
        let text = verdict.text.strip_suffix(" (search of positions)").unwrap().to_owned();
        (verdict.word, verdict.correct, text)
    }

    #[test]
    fn a_verdict_states_what_was_proved() {
        use ProblemVerdict::{Cooked, None as NoGame, Partial, Several, Shorter, Unique};
        let reported = |word, correct, text: &str| (word, correct, text.to_owned());
        for (counts, plies, setting, expected) in [
            (
                vec![(33, 1)],
                33,
                (1, true),
                reported(Unique, Some(true), "C+: exactly one proof game in 16.5 moves"),
            ),
            (vec![], 4, (1, true), reported(NoGame, Some(false), "no proof game in 2.0 moves")),
            (
                vec![],
                4,
                (1, false),
                reported(
                    Partial,
                    None,
                    "not fully tested in 2.0 moves: no proof game found so far",
                ),
            ),
            (
                vec![(34, 292_397)],
                34,
                (1, true),
                reported(Cooked, Some(false), "cooked: exactly 292397 proof games in 17.0 moves"),
            ),
            (
                vec![(4, 5)],
                4,
                (2, false),
                reported(Cooked, Some(false), "cooked: at least 5 proof games in 2.0 moves"),
            ),
            (
                vec![(5, 2)],
                5,
                (2, true),
                reported(
                    Several,
                    Some(true),
                    "C+: exactly 2 proof games in 2.5 moves, as intended",
                ),
            ),
            (
                vec![(3, 1)],
                5,
                (1, true),
                reported(
                    Shorter,
                    Some(false),
                    "a game of 1.5 moves exists, so 2.5 is not the shortest length; exactly one proof game in 1.5 moves",
                ),
            ),
        ] {
            assert_eq!(verdict(&counts, plies, setting), expected);
        }
    }
}
