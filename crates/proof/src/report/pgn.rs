//! Games as PGN, which every chess program reads.

use crate::check::verify::san_of;
use crate::report::{SolvedProblem, length};
use umbrail_chess::{Move, Position};

/// All games of a problem, numbered from 1 on.
pub(super) fn games(solved: &SolvedProblem<'_>) -> String {
    let written = solved.report.games().enumerate().map(|(at, (success, moves))| {
        game(solved, at + 1, &success.strategy.to_string(), moves) + "\n"
    });
    written.collect()
}

/// One game, with the problem, the verdict on it and the strategy in tags of their own. A game that is shorter than the
/// stated length solves another problem, which its stipulation names. Lines of moves are at most 80 columns wide.
fn game(solved: &SolvedProblem<'_>, number: usize, strategy: &str, game: &[Move]) -> String {
    let SolvedProblem { problem, credits, verdict, .. } = solved;
    let escape = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = String::new();
    let result = result(game);
    let event = credits.title.unwrap_or("Proof game");
    let stipulation = match game.len() == usize::from(problem.plies) {
        true => verdict.stipulation.clone(),
        false => format!("PG in {}", length(game.len())),
    };
    for (tag, value) in [
        ("Event", event.to_owned()),
        ("Site", "?".to_owned()),
        ("Date", "????.??.??".to_owned()),
        ("Round", number.to_string()),
        ("White", "?".to_owned()),
        ("Black", "?".to_owned()),
        ("Result", result.to_owned()),
        ("Diagram", problem.diagram.to_string()),
        ("PlyCount", game.len().to_string()),
        ("Stipulation", stipulation),
        ("Verdict", verdict.text.clone()),
        ("Strategy", strategy.to_owned()),
    ] {
        text.push_str(&format!("[{tag} \"{}\"]\n", escape(&value)));
    }
    text.push('\n');
    let mut line = String::new();
    let mut words: Vec<String> = vec![];
    for (ply, san) in san_of(game).into_iter().enumerate() {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(san);
    }
    words.push(result.to_owned());
    for word in words {
        if !line.is_empty() && line.len() + 1 + word.len() > 80 {
            text.push_str(&line);
            text.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    text.push_str(&line);
    text.push('\n');
    text
}

/// The result of a game: that of a mate or stalemate, else none.
fn result(game: &[Move]) -> &'static str {
    let end = game.iter().fold(Position::startpos(), |position, &mv| position.after(mv));
    match (end.legal_moves().is_empty(), end.in_check(), end.turn().is_white()) {
        (false, ..) => "*",
        (true, false, _) => "1/2-1/2",
        (true, true, true) => "0-1",
        (true, true, false) => "1-0",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::run::RunReport;
    use crate::{Diagram, Length, game_of};

    /// A game of a problem of the array in two moves.
    fn written(title: Option<&str>, text: &str) -> String {
        let problem = Problem { diagram: Diagram::initial(), plies: 4, length: Length::Exact };
        let report = RunReport::default();
        SolvedProblem::exported(&problem, title, &report, |solved| {
            game(solved, 1, "-", &game_of(text).unwrap())
        })
    }

    #[test]
    fn tags_and_moves() {
        let text = written(Some("A \"joke\""), "Nf3 Nf6 Ng1 Ng8");
        assert!(text.starts_with("[Event \"A \\\"joke\\\"\"]\n"));
        assert!(text.contains("[PlyCount \"4\"]\n[Stipulation \"PG in 2.0\"]\n"));
        assert!(text.contains("[Verdict \"not fully tested in 2.0 moves: "), "{text}");
        assert!(text.ends_with("\n\n1. Nf3 Nf6 2. Ng1 Ng8 *\n"), "{text}");
    }

    #[test]
    fn a_game_that_ends_in_mate_has_its_result() {
        let written = |text: &str| written(None, text);
        let mate = written("f3 e5 g4 Qh4#");
        assert!(mate.contains("[Result \"0-1\"]") && mate.ends_with("Qh4# 0-1\n"), "{mate}");
        assert!(written("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#").ends_with(" 1-0\n"));
        let stalemate =
            "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6";
        assert!(written(stalemate).ends_with(" 1/2-1/2\n"));
    }
}
