//! A problem with its result, as exports write it: the same for both solvers and all kinds of problems.

use super::text::table;
use super::{Credits, Notation, Verdict};
use crate::check::verify::san_from;
use crate::positions::{
    FairyGame, FairyProblem, PieceName, PlacedMan, PositionProblem, PositionReport, Turns,
};
use crate::problem::Problem;
use crate::problem::diagram::Diagram;
use crate::run::RunReport;
use umbrail_chess::geometry::{Color, Square};
use umbrail_chess::{Move, Position};

/// A problem that was worked on, as an export writes it.
#[derive(Clone, Debug)]
pub struct SolvedProblem<'a> {
    /// Pieces at the end.
    pub(super) men: Vec<PlacedMan>,
    /// Placement at the end.
    pub(super) placement: String,
    /// FEN of the first position, unless it is the initial one.
    pub(super) start: Option<String>,
    /// Color that begins.
    pub(super) first: Color,
    /// One side makes all moves.
    pub(super) series: bool,
    /// Conditions by name.
    pub(super) conditions: Vec<String>,
    /// Stated length in plies.
    pub(super) plies: usize,
    /// Title, with the letter of a twin, and comments.
    pub(super) credits: Credits<'a>,
    /// What was proved.
    pub(super) verdict: &'a Verdict,
    /// The moves are in Popeye's long notation.
    has_long_moves: bool,
    /// The games.
    pub(super) games: Vec<ExportedGame>,
}

/// A game with all that a format shows of it.
#[derive(Clone, Debug)]
pub(super) struct ExportedGame {
    /// Moves: in short notation, or in Popeye's long notation where a condition may change more than the move.
    pub moves: Vec<String>,
    /// The whole game in the notation of the run.
    pub written: String,
    /// Placements from the start on.
    pub placements: Vec<String>,
    /// Result as PGN writes it.
    pub result: &'static str,
    /// Strategy of the game, with its table, if strategies found it.
    pub strategy: Option<ExportedStrategy>,
}

/// A strategy in words.
#[derive(Clone, Debug)]
pub(super) struct ExportedStrategy {
    /// Number of the strategy among those with games, from 1.
    pub number: usize,
    /// Routes on a line.
    pub text: String,
    /// Routes with the moves that each piece needs.
    pub table: Vec<String>,
}

impl<'a> SolvedProblem<'a> {
    /// Returns what the search of strategies found.
    pub fn of_strategies(
        problem: &Problem,
        credits: Credits<'a>,
        report: &RunReport,
        verdict: &'a Verdict,
        notation: Notation,
    ) -> Self {
        let start = Position::startpos();
        let mut games = vec![];
        for (number, success) in (1..).zip(&report.successes) {
            let strategy = || ExportedStrategy {
                number,
                text: success.strategy.to_string(),
                table: table(success),
            };
            games.extend(success.games.iter().map(|game| ExportedGame {
                strategy: Some(strategy()),
                ..ExportedGame::of_chess(&start, game, notation)
            }));
        }
        let plies = usize::from(problem.plies);
        Self::of_chess(&problem.diagram, &start, plies, credits, verdict, games)
    }

    /// Returns what the search of positions found.
    pub fn of_positions(
        problem: &PositionProblem,
        credits: Credits<'a>,
        report: &PositionReport,
        verdict: &'a Verdict,
        notation: Notation,
    ) -> Self {
        let start = &problem.start;
        let games = report.games.iter().map(|game| ExportedGame::of_chess(start, game, notation));
        let (games, plies) = (games.collect(), usize::from(problem.plies));
        Self::of_chess(&problem.diagram, start, plies, credits, verdict, games)
    }

    /// Returns what the search of positions found of a problem with conditions, fairy pieces or series moves.
    pub fn of_fairy(
        problem: &FairyProblem,
        credits: Credits<'a>,
        report: &PositionReport,
        verdict: &'a Verdict,
    ) -> Self {
        let start = problem.start_setup();
        let is_usual = problem.start.men.is_none() && start.turn.is_white();
        Self {
            men: problem.target.clone(),
            placement: problem.target_setup().placement(),
            first: start.turn,
            start: (!is_usual).then(|| start.to_string()),
            series: problem.turns == Turns::Series,
            conditions: problem.condition_words(),
            plies: usize::from(problem.plies),
            credits,
            verdict,
            has_long_moves: true,
            games: report.fairy_games.iter().map(|game| of_fairy(problem, game)).collect(),
        }
    }

    fn of_chess(
        diagram: &Diagram,
        start: &Position,
        plies: usize,
        credits: Credits<'a>,
        verdict: &'a Verdict,
        games: Vec<ExportedGame>,
    ) -> Self {
        let man = |square: Square| {
            let piece = diagram.at(square)?;
            let name = PieceName::Standard(piece.role);
            Some(PlacedMan { square, color: piece.color, piece: name, on_b: false })
        };
        let is_usual = start.is_same(&Position::startpos());
        Self {
            men: Square::all().filter_map(man).collect(),
            placement: diagram.to_string(),
            start: (!is_usual).then(|| start.to_setup().to_string()),
            first: start.turn(),
            series: false,
            conditions: vec![],
            plies,
            credits,
            verdict,
            has_long_moves: false,
            games,
        }
    }

    /// Returns true if the moves are in Popeye's long notation.
    pub(super) fn is_long(&self) -> bool {
        self.has_long_moves
    }

    /// Returns the numbers of pieces of both sides.
    pub(super) fn piece_counts(&self) -> [usize; 2] {
        Color::ALL.map(|side| self.men.iter().filter(|man| man.color == side).count())
    }
}

impl ExportedGame {
    fn of_chess(start: &Position, game: &[Move], notation: Notation) -> Self {
        let mut position = *start;
        let mut placements = vec![Diagram::of(&position).to_string()];
        for &mv in game {
            position = position.after(mv);
            placements.push(Diagram::of(&position).to_string());
        }
        Self {
            moves: san_from(start, game),
            written: notation.write_from(start, game),
            placements,
            result: result(&position),
            strategy: None,
        }
    }
}

fn of_fairy(problem: &FairyProblem, game: &FairyGame) -> ExportedGame {
    ExportedGame {
        moves: game.moves.clone(),
        written: game.text.clone(),
        placements: problem.placements(game),
        result: "*",
        strategy: None,
    }
}

/// Returns the result of a game that ends in a position: that of a mate or stalemate, else none.
fn result(end: &Position) -> &'static str {
    match (end.legal_moves().is_empty(), end.in_check(), end.turn().is_white()) {
        (false, ..) => "*",
        (true, false, _) => "1/2-1/2",
        (true, true, true) => "0-1",
        (true, true, false) => "1-0",
    }
}

#[cfg(test)]
impl SolvedProblem<'_> {
    /// Returns what an export makes of a problem with this title and report, with default
    /// parameters.
    pub(crate) fn exported(
        problem: &Problem,
        title: Option<&str>,
        report: &RunReport,
        export: impl FnOnce(&SolvedProblem<'_>) -> String,
    ) -> String {
        let verdict = &Verdict::of(problem, &crate::run::Params::default(), report);
        let (credits, notation) = (Credits { title, comments: &[] }, Notation::default());
        export(&SolvedProblem::of_strategies(problem, credits, report, verdict, notation))
    }
}
