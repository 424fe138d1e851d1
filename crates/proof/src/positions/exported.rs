//! What files of games show of a search of positions.

use super::fairy_game::FairyGame;
use super::fairy_problem::{FairyProblem, PieceName};
use super::problem::PositionProblem;
use super::solve::PositionReport;
use crate::report::{
    Credits, ExportedGame, ExportedMan, ExportedPiece, Notation, SolvedProblem, Verdict,
};

impl<'a> SolvedProblem<'a> {
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
            men: exported_men(&problem.target),
            start_men: exported_men(problem.start.men.as_deref().unwrap_or_default()),
            placement: problem.target_setup().placement(),
            first: start.turn,
            start: (!is_usual).then(|| start.to_string()),
            series: problem.turns.is_series(),
            letters: problem.letter_words(),
            conditions: problem.condition_words(),
            plies: usize::from(problem.plies),
            credits,
            verdict,
            has_long_moves: true,
            games: report.fairy_games.iter().map(|game| of_fairy(problem, game)).collect(),
        }
    }
}

fn exported_men(men: &[super::PlacedMan]) -> Vec<ExportedMan> {
    let man = |man: &super::PlacedMan| ExportedMan {
        square: man.square,
        color: man.color,
        is_neutral: man.piece.is_neutral(),
        piece: match man.piece {
            PieceName::Standard(role) | PieceName::Neutral(role) => ExportedPiece::Chess(role),
            PieceName::Fairy(name) | PieceName::NeutralFairy(name) => ExportedPiece::Named(name),
            PieceName::Any => ExportedPiece::Named("piece of any kind"),
            PieceName::Anything => ExportedPiece::Named("piece of any kind and color"),
        },
    };
    men.iter().map(man).collect()
}

fn of_fairy(problem: &FairyProblem, game: &FairyGame) -> ExportedGame {
    ExportedGame {
        moves: game.moves.clone(),
        of_other: game.of_other.clone(),
        written: game.text.clone(),
        placements: problem.placements(game),
        result: "*",
        strategy: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::{PositionEvent, PositionSettings, count_fairy_games, fairy_verdict_of};
    use crate::report::EXPORTS;

    /// A problem of one of the formats, solved.
    fn written(text: &str, intended: usize, key: &str) -> String {
        let entry = crate::files::sheet::read(text).remove(0).unwrap();
        let (clock, progress) =
            (umbrail_control::Clock::started(std::time::Instant::now()), Default::default());
        let pool = umbrail_control::Pool::new(1).unwrap();
        let notify = |_: PositionEvent| {};
        let cancel = umbrail_control::Cancel::default();
        let control = umbrail_control::Control::new(cancel, &clock, &progress, &pool, &notify);
        let settings = PositionSettings { table_bytes: 1 << 20, ..PositionSettings::default() };
        let report = count_fairy_games(&entry.problem, &settings, None, &control).unwrap();
        let verdict = fairy_verdict_of(&entry.problem, intended, &report);
        let credits = Credits { title: entry.title.as_deref(), ..Credits::default() };
        let solved = SolvedProblem::of_fairy(&entry.problem, credits, &report, &verdict);
        let export = EXPORTS.iter().find(|export| export.key == key).unwrap();
        (export.problem)(&solved)
    }

    const CIRCE: &str =
        "rnbqkbnr/pppppppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR\n1.5\nTitle: C\nCondition: Circe\n";
    const SERIES: &str =
        "4k3/8/8/8/8/4P3/8/4K2R\nser-a=>b 2\nStart: 4k3/8/8/8/8/8/4P3/4K1R1 w - -\n";
    const BLACK: &str = "4k3/8/8/8/8/4P3/8/4K2r\na=>b 1.0\nStart: 4k3/8/8/8/8/8/4P3/4K1r1 b - -\nzeroposition\na) Circe\n";

    #[test]
    fn conditions_starts_and_series_are_in_the_file() {
        let circe = written(CIRCE, 1, "pgn");
        let tags = "[Stipulation \"PG in 1.5, Circe\"]\n[Conditions \"Circe\"]\n";
        assert!(circe.contains(tags), "{circe}");
        assert!(circe.contains("1. e2-e4 d7-d5 2. e4xd5 {[+bPd7]} *"), "{circe}");
        let series = written(SERIES, 1, "pgn");
        assert!(
            series.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K1R1 w - - 0 1\"]\n"),
            "{series}"
        );
        assert!(series.contains("1. e2-e3 -- 2. Rg1-h1 *"), "{series}");
    }

    #[test]
    fn every_format_states_problem_verdict_and_scope_in_words() {
        for key in ["pgn", "html"] {
            let circe = written(CIRCE, 2, key);
            for words in [
                "proof game in 1.5 moves, Circe; 2 solutions",
                "exactly one proof game in 1.5 moves, but 2 solutions are intended under Circe",
                "Counted: games of 1.5 moves and shorter ones that end with a move of the same side.",
                "by the rules with conditions, without bounds and table.",
            ] {
                assert!(circe.contains(words), "{key}: {words} in {circe}");
            }
        }
        let latex = written(CIRCE, 2, "latex");
        assert_eq!(latex.matches("\\begin{diagram}").count(), 1);
        let comment = "\\comment{proof game in 1.5 moves, Circe; 2 solutions. exactly one proof game in 1.5 moves, but 2";
        assert!(latex.contains(comment), "{latex}");
        let series = written(SERIES, 1, "pgn");
        let task = "A=>B: series game in 2 moves of White from position A to position B";
        assert!(series.contains(&format!("[Task \"{task}\"]")), "{series}");
        assert!(
            series.contains("[Scope \"Counted: games of 2 moves and all shorter ones."),
            "{series}"
        );
    }

    #[test]
    fn a_start_of_its_own_has_a_diagram() {
        let latex = written(BLACK, 1, "latex");
        let (first, last) = latex.split_once("\\end{diagram}").unwrap();
        assert!(first.contains("\\specialdiagnum{A}\n\\source{zeroposition a)}\n"), "{first}");
        let men = "\\pieces[2+2]{wKe1, sTg1, wBe2, sKe8}\n\\stipulation{A: Black begins}";
        assert!(first.contains(men) && !first.contains("solution"), "{first}");
        assert!(last.contains("\\stipulation{A=\\textgreater{}B in 1.0, Circe}"), "{last}");
        assert!(last.contains("\\pieces[2+2]{wKe1, sTh1, wBe3, sKe8}"), "{last}");
        assert!(last.contains(" A: Black begins."), "{last}");
        let html = written(BLACK, 1, "html");
        assert_eq!(html.matches("<svg").count(), 2, "{html}");
        assert!(html.contains("<p>Position A: Black begins (4k3/8/"), "{html}");
        assert_eq!(written(CIRCE, 1, "html").matches("<svg").count(), 1);
    }
}
