//! A problem with its result, as exports write it: the same for both solvers and all kinds of problems.

use super::text::table;
use super::{Credits, Notation, Verdict, side};
use crate::check::verify::san_from;
use crate::problem::Problem;
use crate::problem::diagram::Diagram;
use crate::run::RunReport;
use umbrail_chess::geometry::{Color, Square};
use umbrail_chess::{Move, Position, Role};

/// A problem that was worked on, as an export writes it.
#[derive(Clone, Debug)]
pub struct SolvedProblem<'a> {
    /// Pieces at the end.
    pub(crate) men: Vec<ExportedMan>,
    /// Placement at the end.
    pub(crate) placement: String,
    /// FEN of the first position, unless it is the initial one.
    pub(crate) start: Option<String>,
    /// Pieces of the first position, where it has a diagram of its own.
    pub(crate) start_men: Vec<ExportedMan>,
    /// Color that begins.
    pub(crate) first: Color,
    /// One side makes all moves.
    pub(crate) series: bool,
    /// Meanings of letters that are none of chess: `G=grasshopper`.
    pub(crate) letters: Vec<String>,
    /// Conditions by name.
    pub(crate) conditions: Vec<String>,
    /// Stated length in plies.
    pub(crate) plies: usize,
    /// Title, with the letter of a twin, and comments.
    pub(crate) credits: Credits<'a>,
    /// What was proved.
    pub(crate) verdict: &'a Verdict,
    /// The moves are in Popeye's long notation.
    pub(crate) has_long_moves: bool,
    /// The games.
    pub(crate) games: Vec<ExportedGame>,
}

/// A piece on its square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExportedMan {
    /// Square.
    pub square: Square,
    /// Color; meaningless for a neutral piece.
    pub color: Color,
    /// Both sides move and capture it.
    pub is_neutral: bool,
    /// Piece.
    pub piece: ExportedPiece,
}

/// A piece of chess, or another one by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportedPiece {
    /// A piece of chess.
    Chess(Role),
    /// Another one.
    Named(&'static str),
}

/// A game with all that a format shows of it.
#[derive(Clone, Debug)]
pub(crate) struct ExportedGame {
    /// Moves: in short notation, or in Popeye's long notation where a condition may change more than the move.
    pub moves: Vec<String>,
    /// For each move, true if the side that does not begin makes it; empty where the sides alternate.
    pub of_other: Vec<bool>,
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
pub(crate) struct ExportedStrategy {
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

    pub(crate) fn of_chess(
        diagram: &Diagram,
        start: &Position,
        plies: usize,
        credits: Credits<'a>,
        verdict: &'a Verdict,
        games: Vec<ExportedGame>,
    ) -> Self {
        let is_usual = start.is_same(&Position::startpos());
        let first = Diagram::of(start);
        let is_array = first == Diagram::initial();
        Self {
            men: men_of(diagram),
            placement: diagram.to_string(),
            start: (!is_usual).then(|| start.to_setup().to_string()),
            start_men: if is_array { vec![] } else { men_of(&first) },
            first: start.turn(),
            series: false,
            letters: vec![],
            conditions: vec![],
            plies,
            credits,
            verdict,
            has_long_moves: false,
            games,
        }
    }

    /// Returns the words below a position A: who begins, and castling rights and en passant, if there are any.
    pub(crate) fn start_words(&self) -> String {
        let fields: Vec<&str> = self.start.as_deref().unwrap_or_default().split(' ').collect();
        let mut words = format!("{} begins", side(self.first));
        for (at, name) in [(2, "castling rights"), (3, "en passant on")] {
            if let Some(value) = fields.get(at).filter(|value| **value != "-") {
                words += &format!(", {name} {value}");
            }
        }
        words
    }

    /// Returns true if the moves are in Popeye's long notation.
    pub(crate) fn is_long(&self) -> bool {
        self.has_long_moves
    }

    /// Returns the numbers of pieces of both sides, and of neutral pieces if there are any: `14+13`, `1+2+3`.
    pub(crate) fn piece_counts(&self) -> String {
        counts_of(&self.men)
    }
}

impl ExportedGame {
    /// Returns the number of plies before each move, in a game that White begins; a pass is a ply.
    pub(crate) fn plies(&self, series: bool) -> Vec<usize> {
        let mut ply = 0;
        let of = |at: usize| self.of_other.get(at).copied().unwrap_or_default();
        let each = (0..self.moves.len()).map(|at| {
            // The other side passes unless it replies.
            ply += usize::from(series && at > 0 && of(at) == of(at - 1));
            ply += 1;
            ply - 1
        });
        each.collect()
    }

    pub(crate) fn of_chess(start: &Position, game: &[Move], notation: Notation) -> Self {
        let mut position = *start;
        let mut placements = vec![Diagram::of(&position).to_string()];
        for &mv in game {
            position = position.after(mv);
            placements.push(Diagram::of(&position).to_string());
        }
        Self {
            moves: san_from(start, game),
            of_other: vec![],
            written: notation.write_from(start, game),
            placements,
            result: result(&position),
            strategy: None,
        }
    }
}

/// Returns the numbers of pieces of a diagram: White's, Black's, and neutral ones if there are any.
pub(crate) fn counts_of(men: &[ExportedMan]) -> String {
    let of = |side| men.iter().filter(|man| !man.is_neutral && man.color == side).count();
    let [white, black] = Color::ALL.map(of);
    match men.iter().filter(|man| man.is_neutral).count() {
        0 => format!("{white}+{black}"),
        neutral => format!("{white}+{black}+{neutral}"),
    }
}

/// Returns the pieces of a diagram.
fn men_of(diagram: &Diagram) -> Vec<ExportedMan> {
    let man = |square: Square| {
        let piece = diagram.at(square)?;
        let kind = ExportedPiece::Chess(piece.role);
        Some(ExportedMan { square, color: piece.color, is_neutral: false, piece: kind })
    };
    Square::all().filter_map(man).collect()
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
        let (credits, notation) = (Credits { title, ..Credits::default() }, Notation::default());
        export(&SolvedProblem::of_strategies(problem, credits, report, verdict, notation))
    }
}
