//! A problem as any input poses it: keys, a line of a protocol, a sheet, or a file of Popeye.
//!
//! Orthodox problems, whose start may be any legal position, are known to both solvers or at least to the verdicts and
//! files of both; all others belong to the search of positions with conditions.

use super::posed::PosedProblem;
use super::start::SolverMismatch;
use crate::records::spg::SpgProblem;
use std::time::Duration;
use umbrail_chess::Position;
use umbrail_chess::geometry::{Color, Setup, Square};
use umbrail_proof::positions::{CountQuestion, FairyProblem, FairyStart, Turns};
use umbrail_proof::report::{length, text};
use umbrail_proof::run::{Params, SolverChoice, Words as _};

/// A problem of a task.
#[derive(Clone, Debug)]
pub(super) enum SheetProblem {
    /// One of orthodox chess.
    Chess(Box<PosedProblem>),
    /// One with conditions, fairy pieces, series moves, or a start that is no legal position.
    Fairy(Box<FairyPosed>),
}

/// A problem beyond orthodox chess, with what its messages need.
#[derive(Clone, Debug)]
pub(super) struct FairyPosed {
    /// The problem.
    pub problem: FairyProblem,
    /// Settings of the search.
    pub params: Params,
    /// Its title.
    pub title: Option<String>,
    /// Comment lines of its source, and warnings.
    pub comments: Vec<String>,
    /// Time that this problem may take.
    pub time: Option<Duration>,
}

impl FairyPosed {
    /// Returns what distinguishes the problem from those of orthodox chess, in words.
    pub(super) fn kind(&self) -> String {
        let problem = &self.problem;
        let mut words = problem.condition_words();
        if problem.turns.is_series() {
            words.push("series moves".to_owned());
        }
        match words.is_empty() {
            true => "this start or these pieces".to_owned(),
            false => words.join(", "),
        }
    }

    /// Refuses a solver that does not know the problem.
    ///
    /// # Errors
    /// The solver and the reason.
    pub(super) fn check_solver(&self, solver: SolverChoice) -> Result<(), SolverMismatch> {
        match solver {
            SolverChoice::Positions | SolverChoice::Auto => Ok(()),
            other => Err(SolverMismatch::Kind(self.kind(), other.word())),
        }
    }

    /// Returns the number of plies in moves.
    pub(super) fn length(&self) -> String {
        match self.problem.turns {
            Turns::Alternating => length(usize::from(self.problem.plies)),
            series => (self.problem.plies - u16::from(series.has_help())).to_string(),
        }
    }

    fn stipulation(&self) -> SpgProblem {
        let problem = &self.problem;
        let is_array = problem.start == FairyStart::ARRAY;
        let mut further = problem.condition_words();
        further.drain(..problem.conditions.len());
        let has_boards = problem.start.men.iter().flatten().any(|man| man.on_b);
        if problem.states_boards || has_boards {
            further.push("boards are stated".to_owned());
        }
        if let Some(square) = problem.imitator_end {
            further.push(format!("imitator on {square} at the end"));
        }
        SpgProblem {
            conditions: problem.conditions.iter().map(ToString::to_string).collect(),
            pieces: problem.letter_words(),
            start: (!is_array).then(|| problem.start_setup().to_string()),
            series: (problem.turns == Turns::Series).then_some(true),
            further,
            ..SpgProblem::default()
        }
    }

    /// Returns the board at the end, with the numbers of pieces and the length beside it.
    pub(super) fn board(&self) -> Vec<String> {
        let setup = self.problem.target_setup();
        let men = &self.problem.target;
        let count =
            |side| men.iter().filter(|man| !man.piece.is_neutral() && man.color == side).count();
        let mut numbers = format!("{}+{}", count(Color::White), count(Color::Black));
        let neutral = men.iter().filter(|man| man.piece.is_neutral()).count();
        if neutral > 0 {
            numbers += &format!("+{neutral} neutral");
        }
        let mut lines = rows(&setup);
        for (line, text) in lines.iter_mut().zip([numbers, self.length()]) {
            line.push_str(&format!("   {text}"));
        }
        let letters = self.problem.letter_words();
        if !letters.is_empty() {
            lines.push(letters.join(", "));
        }
        match self.problem.start.men {
            None => lines,
            Some(_) => from_start(&self.problem.start_setup(), lines),
        }
    }
}

/// Returns the board of the first position, A, above the lines of the last one, B.
fn from_start(start: &Setup, mut lines: Vec<String>) -> Vec<String> {
    let mut both = rows(start);
    both[0].push_str("   A");
    both[1].push_str(&format!("   {} begins", start.turn));
    both.push(String::new());
    lines[2].push_str("   B");
    both.append(&mut lines);
    both
}

/// Rows of a board from the eighth rank on; knights are `S`.
fn rows(setup: &Setup) -> Vec<String> {
    let cell = |square: Square| match setup.piece(square) {
        None => '.',
        Some((color, letter)) => {
            let letter = if letter == 'N' { 'S' } else { letter };
            if color.is_white() { letter } else { letter.to_ascii_lowercase() }
        }
    };
    let row = |rank| {
        let cells = (0..8).map(|file| cell(Square::at(file, rank)).to_string());
        cells.collect::<Vec<_>>().join(" ")
    };
    (0..8).rev().map(row).collect()
}

impl SheetProblem {
    /// Returns the question that a search of positions answers.
    pub(super) fn question(&self) -> CountQuestion {
        match self {
            Self::Chess(posed) => CountQuestion::of(&posed.position_problem()),
            Self::Fairy(posed) => CountQuestion::of_fairy(&posed.problem),
        }
    }

    /// The time that this problem may take.
    pub(super) fn time(&self) -> Option<Duration> {
        match self {
            Self::Chess(posed) => posed.time,
            Self::Fairy(posed) => posed.time,
        }
    }

    /// Returns the same problem with a time of its own.
    pub(super) fn within(mut self, time: Duration) -> Self {
        match &mut self {
            Self::Chess(posed) => posed.time = Some(time),
            Self::Fairy(posed) => posed.time = Some(time),
        }
        self
    }

    /// Its title.
    pub(super) fn title(&self) -> &Option<String> {
        match self {
            Self::Chess(posed) => &posed.title,
            Self::Fairy(posed) => &posed.title,
        }
    }

    /// Comment lines and warnings.
    pub(super) fn comments(&self) -> &[String] {
        match self {
            Self::Chess(posed) => &posed.comments,
            Self::Fairy(posed) => &posed.comments,
        }
    }

    /// The placement at the end.
    pub(super) fn placement(&self) -> String {
        match self {
            Self::Chess(posed) => posed.problem.diagram.to_string(),
            Self::Fairy(posed) => posed.problem.target_setup().placement(),
        }
    }

    /// The length in moves.
    pub(super) fn length(&self) -> String {
        match self {
            Self::Chess(posed) => length(usize::from(posed.problem.plies)),
            Self::Fairy(posed) => posed.length(),
        }
    }

    /// Returns what distinguishes the problem from a game of chess from the initial position.
    pub(super) fn stipulation(&self) -> SpgProblem {
        match self {
            Self::Chess(posed) => SpgProblem {
                start: (posed.start != Position::startpos())
                    .then(|| posed.start.to_setup().to_string()),
                ..SpgProblem::default()
            },
            Self::Fairy(posed) => posed.stipulation(),
        }
    }

    /// The board at the end, with the numbers of pieces and the length beside it.
    pub(super) fn board(&self) -> Vec<String> {
        match self {
            Self::Chess(posed) => {
                let lines = text::board(&posed.problem.diagram, posed.problem.plies);
                match posed.start == Position::startpos() {
                    true => lines,
                    false => from_start(&posed.start.to_setup(), lines),
                }
            }
            Self::Fairy(posed) => posed.board(),
        }
    }
}
