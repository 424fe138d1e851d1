//! The verdict on a problem: one value, made in one place, that every output format renders.
//!
//! A verdict states what a run proved: the lengths of the games, the conditions under which they were searched, and what
//! was not searched. `C+` (computer tested) is used only for a complete run that found the intended number of games, all
//! of the stated length. Only of several intended solutions, two may lie in one strategy.

use super::{Wording, counts, length, not_the_shortest};
use crate::problem::{Length, Problem};
use crate::run::{Params, RunReport, least_moves};
use std::collections::BTreeMap;
use std::fmt;
use umbrail_chess::geometry::Color;

/// A verdict in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemVerdict {
    /// The run is complete; there is exactly one game, and it has the stated length.
    Unique,
    /// The run is complete; there is exactly one game, and it is shorter than the stated length.
    Shorter,
    /// The run is complete; there are at least two games, each alone in its strategy, or no more than intended.
    Several,
    /// Some strategy can be played in more than one way, and there are more games than intended. This is certain even when
    /// the run is not complete.
    Cooked,
    /// The run is complete; there is no game.
    None,
    /// The run is not complete.
    Partial,
}

impl fmt::Display for ProblemVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unique => "unique",
            Self::Shorter => "shorter",
            Self::Several => "several",
            Self::Cooked => "cooked",
            Self::None => "none",
            Self::Partial => "partial",
        })
    }
}

/// What a run proved of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// In one word.
    pub word: ProblemVerdict,
    /// As a sentence, with everything on which it rests.
    pub text: String,
    /// What was asked: `PG in 5.5, 2 solutions`.
    pub stipulation: String,
    /// The same in words: `proof game in 5.5 moves; 2 solutions`.
    pub task: String,
    /// Which games count, what of the last position is compared, and how listed games are checked.
    pub scope: String,
    /// Whether the games are those that the author intends, in words.
    pub intention: String,
    /// Whether the games are those that the author intends: that many, all of the stated length, and no others. None while
    /// that is not known.
    pub correct: Option<bool>,
    /// Whether no game is missing.
    pub complete: bool,
    /// Claims of an archive whose strategies this process did not search.
    pub unverified: u64,
    /// Half-moves of the shortest known game, when that is shorter than the stated length.
    pub shorter: Option<usize>,
}

impl Verdict {
    /// The verdict of a run. Where only games of exactly the stated length count, it says that shorter ones were not
    /// searched.
    pub fn of(problem: &Problem, params: &Params, report: &RunReport) -> Self {
        let shorter_open = problem.length == Length::Exact && report.refusals.is_empty();
        Statement { problem, params, report, lengths: report.lengths(), shorter_open }.verdict()
    }

    /// The verdict of a run after other runs proved that no shorter game exists.
    pub fn after_shorter_lengths(problem: &Problem, params: &Params, report: &RunReport) -> Self {
        let lengths = report.lengths();
        Statement { problem, params, report, lengths, shorter_open: false }.verdict()
    }

    /// Whether the run proved that the problem is correct: `C+`. It did not, where claims were taken from an archive.
    pub fn is_computer_tested(&self) -> bool {
        is_tested(self.word, self.correct, self.unverified)
    }
}

/// The parts from which a verdict is made.
struct Statement<'a> {
    problem: &'a Problem,
    params: &'a Params,
    report: &'a RunReport,
    /// Games by their length in half-moves.
    lengths: BTreeMap<usize, u64>,
    /// Whether nothing is known of shorter games.
    shorter_open: bool,
}

impl Statement<'_> {
    fn verdict(&self) -> Verdict {
        let (word, correct) = (self.word(), self.correct());
        let wording = self.wording();
        Verdict {
            word,
            text: self.text(word, correct),
            stipulation: self.stipulation(),
            task: wording.task(),
            scope: wording.scope(),
            intention: self.intention(correct),
            correct,
            complete: self.report.is_complete(),
            unverified: self.report.taken.claims,
            shorter: self.shorter(),
        }
    }

    fn wording(&self) -> Wording<'static> {
        Wording {
            turns: "",
            moves: self.stated(),
            begins: Color::White,
            from_array: true,
            series: false,
            parries: false,
            has_help: false,
            exact: self.shorter_open,
            conditions: &[],
            intended: self.params.intended,
            open: vec![],
            checked: "code that uses only the rules of chess",
        }
    }

    fn plies(&self) -> usize {
        usize::from(self.problem.plies)
    }

    /// The stated length, in moves.
    fn stated(&self) -> String {
        length(self.plies())
    }

    fn shorter(&self) -> Option<usize> {
        self.lengths.keys().next().copied().filter(|&plies| plies < self.plies())
    }

    /// Whether a strategy has more games than the author intends. No game that is shorter than stated is intended.
    fn is_cooked(&self) -> bool {
        let report = self.report;
        report.is_cooked(self.params.intended)
            || self.shorter().is_some() && report.cooks().next().is_some()
    }

    fn word(&self) -> ProblemVerdict {
        let report = self.report;
        match report.count() {
            _ if self.is_cooked() => ProblemVerdict::Cooked,
            // One game of a strategy does not show that it is the only one.
            _ if !report.is_complete() => ProblemVerdict::Partial,
            0 => ProblemVerdict::None,
            1 if self.shorter().is_some() => ProblemVerdict::Shorter,
            1 => ProblemVerdict::Unique,
            _ => ProblemVerdict::Several,
        }
    }

    fn correct(&self) -> Option<bool> {
        let (games, intended) = (self.report.count(), self.params.intended);
        match self.word() {
            ProblemVerdict::Cooked => Some(false),
            _ if self.shorter().is_some() || games > intended => Some(false),
            ProblemVerdict::Partial => None,
            _ => Some(games == intended),
        }
    }

    fn stipulation(&self) -> String {
        match self.params.intended {
            1 => format!("PG in {}", self.stated()),
            intended => format!("PG in {}, {intended} solutions", self.stated()),
        }
    }

    fn intention(&self, correct: Option<bool>) -> String {
        let found = match correct {
            Some(true) => "the verdict agrees",
            Some(false) => "the verdict differs",
            None => "the verdict leaves that open",
        };
        format!("{} intended; {found}", solutions_are(self.params.intended))
    }

    fn text(&self, word: ProblemVerdict, correct: Option<bool>) -> String {
        let shorter = self.shorter().map(|plies| not_the_shortest(plies, self.problem.plies));
        let mut text = shorter.map_or_else(String::new, |shorter| format!("{shorter}; "));
        text += &match word {
            ProblemVerdict::Unique | ProblemVerdict::Shorter | ProblemVerdict::Several => {
                let is_tested = is_tested(word, correct, self.report.taken.claims);
                let mark = if is_tested { "C+: " } else { "" };
                format!("{mark}{}", self.games(correct))
            }
            ProblemVerdict::Cooked => self.cooked(),
            ProblemVerdict::None => self.none(),
            ProblemVerdict::Partial => self.partial(),
        };
        if self.shorter_open {
            text += " (length exact: shorter games not searched)";
        }
        text += &self.taken();
        if let Some(digest) = self.report.strategy_digest {
            text += &format!(" (given the strategy file with digest {digest:016x})");
        }
        text
    }

    /// What the verdict takes from an archive.
    fn taken(&self) -> String {
        let taken = &self.report.taken;
        let (claims, were) = match taken.claims {
            0 => return String::new(),
            1 => ("1 claim".to_owned(), "was"),
            more => (format!("{more} claims"), "were"),
        };
        match taken.recounted {
            true => format!(" ({claims} {were} counted again, not searched again)"),
            false => {
                format!(
                    " ({claims} {were} taken from the archive unverified; spg verify checks them)"
                )
            }
        }
    }

    /// All games, and whether each is alone in its strategy.
    fn games(&self, correct: Option<bool>) -> String {
        let (games, stated) = (self.report.count(), self.stated());
        let exactly = if games == 1 { "exactly " } else { "" };
        let alone = match self.report.cooks().count() {
            _ if games == 1 => "",
            0 => ", each alone in its strategy",
            _ => ", not all alone in their strategies",
        };
        match (correct, self.shorter()) {
            (Some(true), _) if games == 1 => {
                format!("exactly one proof game in {stated} moves")
            }
            (Some(true), _) => {
                format!("exactly {games} proof games in {stated} moves{alone}, as intended")
            }
            (_, Some(_)) => format!("{exactly}{}{alone}", self.by_length()),
            (_, None) => {
                let but = match self.params.intended {
                    1 => String::new(),
                    intended => format!(", but {} intended", solutions_are(intended)),
                };
                format!("{exactly}{} in {stated} moves{alone}{but}", proof_games(games as u64))
            }
        }
    }

    fn cooked(&self) -> String {
        let least = if self.report.is_complete() { "" } else { "at least " };
        let games = match self.shorter() {
            Some(_) => self.by_length(),
            None => {
                format!("{} in {} moves", proof_games(self.report.count() as u64), self.stated())
            }
        };
        let ways = match self.report.cooks().count() {
            1 => "1 strategy".to_owned(),
            cooks => format!("{cooks} strategies"),
        };
        let limits = self.limits();
        format!("cooked: {least}{games}, {ways} playable in several ways{limits}")
    }

    fn none(&self) -> String {
        let reasons: Vec<String> = self.report.refusals.iter().map(ToString::to_string).collect();
        let reasons = match reasons.is_empty() {
            true => self.needs(),
            false => format!(": {}", reasons.join("; ")),
        };
        format!("no proof game in {} moves{reasons}", self.stated())
    }

    /// Which side needs more moves than it has, by counting its pieces alone.
    fn needs(&self) -> String {
        let needed = Color::ALL.into_iter().zip(least_moves(self.problem));
        let short = needed.filter_map(|(color, least)| {
            let has = self.problem.budget(color);
            let least = least.filter(|&least| least > has)?;
            Some(format!("{color} needs at least {least} moves and has {has}"))
        });
        let short: Vec<String> = short.collect();
        if short.is_empty() { String::new() } else { format!(": {}", short.join("; ")) }
    }

    /// What was tested and what was not.
    fn partial(&self) -> String {
        let (report, stated, limits) = (self.report, self.stated(), self.limits());
        let games = match report.count() {
            0 if report.counted_only => {
                let counts = counts(report);
                return format!("strategies of {stated} moves were only counted: {counts}{limits}");
            }
            0 => "no proof game found so far".to_owned(),
            _ if self.shorter().is_some() => format!("{} found so far", self.by_length()),
            1 => "one proof game found so far".to_owned(),
            more => format!("{more} proof games found so far"),
        };
        let counts = counts(report);
        format!("not fully tested in {stated} moves: {games}; strategies: {counts}{limits}")
    }

    /// The parts of the problem that were not searched, each behind a semicolon.
    fn limits(&self) -> String {
        let (report, params) = (self.report, self.params);
        let mut limits = vec![];
        let (shard, shards) = params.shard;
        if shards > 1 && !report.enumerated {
            limits.push(format!("only shard {shard}/{shards} was searched"));
        }
        if params.from_claim > 0 {
            limits.push(format!("claims before {} were left out", params.from_claim));
        }
        if let Some(condition) = params.condition.as_ref().filter(|_| report.counts.filtered > 0) {
            limits.push(format!("only strategies with {condition} were searched"));
        }
        if !(report.enumerated || shards > 1 && report.shard_finished) {
            limits.push("the enumeration is not complete".to_owned());
        }
        // Further games of a cook change nothing.
        let is_open = |games| games == 1 || !self.is_cooked();
        let cut = report.successes.iter().filter(|one| is_open(one.games.len()) && !one.complete);
        match cut.count() {
            0 => {}
            1 => limits.push("1 strategy with a game was not searched to its end".to_owned()),
            cut => {
                limits.push(format!("{cut} strategies with a game were not searched to their end"))
            }
        }
        if !report.taken.contradictions.is_empty() {
            limits.push("the archive cannot be right".to_owned());
        }
        if !report.faults.is_empty() {
            limits.push("an internal error leaves the result open".to_owned());
        }
        limits.into_iter().map(|limit| format!("; {limit}")).collect()
    }

    /// `1 proof game in 1.0 moves and 3 in 2.0`; of a complete run also that there is none of the stated length.
    fn by_length(&self) -> String {
        let mut parts: Vec<String> = vec![];
        for (&plies, &games) in &self.lengths {
            let moves = length(plies);
            parts.push(match parts.is_empty() {
                true => format!("{} in {moves} moves", proof_games(games)),
                false => format!("{games} in {moves}"),
            });
        }
        if self.report.is_complete() && !self.lengths.contains_key(&self.plies()) {
            parts.push(format!("none in {}", self.stated()));
        }
        match parts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

/// Whether a verdict is C+: the games are those intended, and this process searched all strategies. Claims of an archive
/// are what another process states.
fn is_tested(word: ProblemVerdict, correct: Option<bool>, unverified: u64) -> bool {
    let games = matches!(word, ProblemVerdict::Unique | ProblemVerdict::Several);
    games && correct == Some(true) && unverified == 0
}

fn proof_games(games: u64) -> String {
    match games {
        1 => "one proof game".to_owned(),
        _ => format!("{games} proof games"),
    }
}

/// `1 solution is`, `2 solutions are`.
fn solutions_are(intended: usize) -> String {
    match intended {
        1 => "1 solution is".to_owned(),
        _ => format!("{intended} solutions are"),
    }
}

#[cfg(test)]
mod tests;
