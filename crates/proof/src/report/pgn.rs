//! Games as PGN, which every chess program reads.
//!
//! Games with conditions have their names in the tag `Conditions`; the moves are long (`e4xd5`), and effects follow as
//! comments (`{[+bPd7]}`). A pass of the other side in a series is `--`.
//!
//! The author is the player White and the title the event, as in the databases of endgame studies and problems that
//! game programs read; their lists of players are then lists of authors. The tag `Source` has the source; it is the event
//! of a problem without a title.

use super::solved::ExportedGame;
use crate::report::{SolvedProblem, length};

/// All games of a problem, numbered from 1 on.
pub(super) fn games(solved: &SolvedProblem<'_>) -> String {
    let games = solved.games.iter().enumerate();
    games.map(|(at, one)| game(solved, at + 1, one) + "\n").collect()
}

/// One game, with the problem in short and in words, the verdict, what it covers, and the strategy in tags of their own. A
/// game that is shorter than the
/// stated length solves another problem, which its stipulation names. Lines of moves are at most 80 columns wide.
fn game(solved: &SolvedProblem<'_>, number: usize, game: &ExportedGame) -> String {
    let SolvedProblem { credits, verdict, .. } = solved;
    let escape = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = String::new();
    let source = credits.source();
    let event = credits.title.or(source.as_deref()).unwrap_or("Proof game");
    let plies = game.moves.len();
    let stipulation = match plies == solved.plies || solved.series || solved.start.is_some() {
        true => verdict.stipulation.clone(),
        false => {
            let names: String = solved.conditions.iter().map(|name| format!(", {name}")).collect();
            format!("PG in {}{names}", length(plies))
        }
    };
    let mut tags = vec![
        ("Event", event.to_owned()),
        ("Site", "?".to_owned()),
        ("Date", credits.date()),
        ("Round", number.to_string()),
        ("White", credits.author().unwrap_or_else(|| "?".to_owned())),
        ("Black", "?".to_owned()),
        ("Result", game.result.to_owned()),
    ];
    if let Some(source) = &source {
        tags.push(("Source", source.clone()));
    }
    if let Some(start) = &solved.start {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", start.clone())]);
    }
    tags.extend([
        ("Diagram", solved.placement.clone()),
        ("PlyCount", plies.to_string()),
        ("Stipulation", stipulation),
    ]);
    if !solved.conditions.is_empty() {
        tags.push(("Conditions", solved.conditions.join(", ")));
    }
    if !solved.letters.is_empty() {
        tags.push(("Pieces", solved.letters.join(", ")));
    }
    tags.extend([
        ("Task", verdict.task.clone()),
        ("Verdict", verdict.text.clone()),
        ("Scope", verdict.scope.clone()),
    ]);
    match &game.strategy {
        Some(strategy) => tags.push(("Strategy", strategy.text.clone())),
        None => tags.push(("Solver", "positions".to_owned())),
    }
    for (tag, value) in tags {
        text.push_str(&format!("[{tag} \"{}\"]\n", escape(&value)));
    }
    text.push('\n');
    let mut line = String::new();
    for word in words(solved, game) {
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

/// The words of the moves: numbers, moves, comments with effects, and the result.
fn words(solved: &SolvedProblem<'_>, game: &ExportedGame) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    let first = usize::from(!solved.first.is_white());
    let plies = game.plies(solved.series);
    // Knights are S in these moves, so that N is another piece, such as a nightrider.
    let is_n = |mv: &String| mv.starts_with('N') || mv.contains("=N");
    let has_n = solved.games.iter().any(|game| game.moves.iter().any(is_n));
    for (at, mv) in game.moves.iter().enumerate() {
        let ply = first + plies[at];
        match ply % 2 {
            0 => words.push(format!("{}.", ply / 2 + 1)),
            _ if at == 0 => words.push("1...".to_owned()),
            _ => {}
        }
        let is_long = solved.is_long();
        match effects(mv).filter(|_| is_long) {
            Some((mv, effects)) => {
                words.push(pgn_move(mv, has_n));
                words.push(format!("{{{effects}}}"));
            }
            None if is_long => words.push(pgn_move(mv, has_n)),
            None => words.push(mv.clone()),
        }
        if plies.get(at + 1).is_some_and(|next| next - plies[at] > 1) {
            if ply.is_multiple_of(2) {
                words.push("--".to_owned());
            } else {
                words.extend([format!("{}.", ply / 2 + 2), "--".to_owned()]);
            }
        }
    }
    words.push(game.result.to_owned());
    words
}

/// Splits a move in Popeye's notation into the move and its effects.
fn effects(mv: &str) -> Option<(&str, &str)> {
    let at = mv.find('[')?;
    let check = mv.len() - mv.trim_end_matches([' ', '+']).len();
    Some((&mv[..at], mv[at..mv.len() - check].trim()))
}

/// Turns a move in Popeye's notation into one of PGN: `Sb1*c3 +` is `Nb1xc3+`. Knights keep their S where another piece has
/// the letter N.
fn pgn_move(mv: &str, has_n: bool) -> String {
    let castling = mv.replace("0-0-0", "O-O-O").replace("0-0", "O-O");
    if castling.starts_with("O-O") {
        return castling.replace(' ', "");
    }
    let mut text = castling.replace('*', "x").replace(" ep.", "").replace(' ', "");
    if has_n {
        return text;
    }
    if let Some(rest) = text.strip_prefix('S') {
        text = format!("N{rest}");
    }
    text.replace("=S", "=N")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::run::RunReport;
    use crate::run::record::{StrategyNumber, Success};
    use crate::{Diagram, Length, Waypoints, game_of, project};

    /// A game of a problem of the array in two moves.
    fn written(title: Option<&str>, text: &str) -> String {
        let problem = Problem { diagram: Diagram::initial(), plies: 4, length: Length::Exact };
        let game = game_of(text).unwrap();
        let success = Success {
            number: StrategyNumber { retraction: 0, claim: 0, index: 0 },
            strategy: project(&game).unwrap(),
            needed: [0; 32],
            waypoints: Waypoints::default(),
            free: [0, 0],
            games: vec![game],
            complete: true,
        };
        let report = RunReport { successes: vec![success], ..RunReport::default() };
        SolvedProblem::exported(&problem, title, &report, games)
    }

    #[test]
    fn tags_and_moves() {
        let text = written(Some("A \"joke\""), "Nf3 Nf6 Ng1 Ng8");
        assert!(text.starts_with("[Event \"A \\\"joke\\\"\"]\n"));
        assert!(text.contains("[White \"?\"]\n") && !text.contains("[Source"), "{text}");
        assert!(text.contains("[PlyCount \"4\"]\n[Stipulation \"PG in 2.0\"]\n"));
        let verdict = "[Task \"proof game in exactly 2.0 moves\"]\n[Verdict \"not fully tested in 2.0 moves: ";
        assert!(text.contains(verdict), "{text}");
        assert!(text.contains("[Scope \"Counted: games of exactly 2.0 moves, shorter"), "{text}");
        assert!(text.ends_with("\n\n1. Nf3 Nf6 2. Ng1 Ng8 *\n\n"), "{text}");
    }

    #[test]
    fn a_game_that_ends_in_mate_has_its_result() {
        let written = |text: &str| written(None, text);
        let mate = written("f3 e5 g4 Qh4#");
        assert!(mate.contains("[Result \"0-1\"]") && mate.ends_with("Qh4# 0-1\n\n"), "{mate}");
        assert!(written("e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#").ends_with(" 1-0\n\n"));
        let stalemate =
            "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6";
        assert!(written(stalemate).ends_with(" 1/2-1/2\n\n"));
    }

    #[test]
    fn moves_of_popeye_become_moves_and_comments() {
        assert_eq!(effects("e4*d5[+bPd7] +"), Some(("e4*d5", "[+bPd7]")));
        for (mv, expected) in [
            ("Sb1*c3 +", "Nb1xc3+"),
            ("0-0-0", "O-O-O"),
            ("e5*d6 ep.", "e5xd6"),
            ("a7-a8=S", "a7-a8=N"),
        ] {
            assert_eq!(pgn_move(mv, false), expected);
        }
        // A nightrider has the letter N.
        assert_eq!(pgn_move("a7-a8=S", true), "a7-a8=S");
        assert_eq!(pgn_move("Na1*c5 +", true), "Na1xc5+");
    }
}
