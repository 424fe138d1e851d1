//! Problems for the LaTeX package `diagram`, whose letters are German. It draws with `pstricks`, so a document is made
//! with `latex` and `dvips`, or with `xelatex`.

use crate::report::{ExportedMan, ExportedPiece, SolvedProblem, counts_of};
use umbrail_chess::Role;
use umbrail_chess::geometry::Color;

/// What stands before the problems. The old encoding of `latex` lacks letters such as the Polish ones; `xelatex`
/// has all.
const PREAMBLE: &str = "\\documentclass{article}
\\usepackage{iftex}
\\iftutex\\else
\\usepackage[T1]{fontenc}
\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}
\\fi
\\usepackage{diagram}
";

/// A document of problems, with their solutions at the end. Rows of diagrams are not justified: a row that cannot be
/// stretched to the width of the page would get one diagram too many.
pub(super) fn document(diagrams: &str) -> String {
    format!(
        "{PREAMBLE}\\begin{{document}}\n{{\\raggedright\n{diagrams}\\par}}\n\\putsol\n\\end{{document}}\n"
    )
}

/// The space between two diagrams of a row, which is dropped at the end of a row.
const GAP: &str = "\\hspace{0.8em}%\n";

/// One `diagram` environment with its solution, behind one of position A, if the problem has a start of its own. The
/// title stands in the place of a source, which is printed as it is: the package has no field for titles, and takes an
/// author only as surname and first name. The problem in words, the verdict, what it covers, and the meanings of turned
/// figures are the comment, which is printed with the solution.
pub(super) fn diagram(solved: &SolvedProblem<'_>) -> String {
    let SolvedProblem { men, start_men, credits, verdict, games, .. } = solved;
    let fairy = fairy_pieces(men.iter().chain(start_men));
    let title = credits.title.map(escaped);
    let mut text = String::new();
    if !start_men.is_empty() {
        text += &first_position(solved, &fairy, title.as_deref());
    }
    text.push_str("\\begin{diagram}\n");
    if let Some(title) = &title {
        text.push_str(&format!("\\source{{{title}}}\n"));
    }
    text.push_str(&pieces(men, &fairy));
    text.push_str(&format!("\\stipulation{{{}}}\n", escaped(&verdict.stipulation)));
    let games: Vec<String> = games.iter().map(|game| escaped(&game.written)).collect();
    text.push_str(&format!("\\solution{{{}}}\n", games.join("\\\\\n")));
    // Without a word the package prints "C-", which stands for a problem that was not tested.
    text.push_str(match verdict.correct {
        _ if verdict.is_computer_tested() => "\\Co{+}\n",
        Some(_) => "\\nocomputer\n",
        None => "",
    });
    let [task, verdict, scope] =
        [&verdict.task, &verdict.text, &verdict.scope].map(|one| escaped(one));
    let mut comment = format!("{task}. {verdict}. {scope}");
    if !start_men.is_empty() {
        comment += &format!(" A: {}.", escaped(&solved.start_words()));
    }
    for (name, (letter, turn)) in &fairy {
        let how = if *turn == 'U' { "upside down" } else { "turned to the left" };
        comment += &format!(" {letter} {how} is a {}.", escaped(name));
    }
    text.push_str(&format!("\\comment{{{comment}}}\n"));
    text.push_str("\\end{diagram}");
    text + GAP
}

/// The diagram of position A: without a number of its own, a solution or a mark, which belong to position B.
fn first_position(
    solved: &SolvedProblem<'_>,
    fairy: &[(&'static str, (char, char))],
    title: Option<&str>,
) -> String {
    let source = title.map(|title| format!("\\source{{{title}}}\n")).unwrap_or_default();
    let words = escaped(&solved.start_words());
    format!(
        "\\begin{{diagram}}\n\\specialdiagnum{{A}}\n{source}{}\\stipulation{{A: {words}}}\n\\nocomputer\n\\end{{diagram}}{GAP}",
        pieces(&solved.start_men, fairy)
    )
}

/// The pieces of a diagram, a1 first, with their numbers.
fn pieces(men: &[ExportedMan], fairy: &[(&'static str, (char, char))]) -> String {
    let counts = counts_of(men);
    let mut men: Vec<&ExportedMan> = men.iter().collect();
    men.sort_by_key(|man| man.square.index());
    let pieces: Vec<String> = men.into_iter().map(|man| piece_code(man, fairy)).collect();
    format!("\\pieces[{counts}]{{{}}}\n", pieces.join(", "))
}

/// Figures of fairy pieces: the letter of a figure of chess, and how it is turned (`U` upside down, `L` to the left).
fn fairy_pieces<'a>(
    men: impl Iterator<Item = &'a ExportedMan> + Clone,
) -> Vec<(&'static str, (char, char))> {
    const FIGURES: [(char, char); 10] = [
        ('D', 'U'),
        ('S', 'U'),
        ('T', 'U'),
        ('L', 'U'),
        ('K', 'U'),
        ('D', 'L'),
        ('S', 'L'),
        ('T', 'L'),
        ('L', 'L'),
        ('K', 'L'),
    ];
    let mut all: Vec<(&'static str, (char, char))> = vec![];
    // Usual figures come first.
    for name in ["grasshopper", "nightrider"]
        .into_iter()
        .chain(men.clone().filter_map(|man| fairy_name(man.piece)))
    {
        let figure = FIGURES.get(all.len()).copied();
        if let Some(figure) = figure.filter(|_| all.iter().all(|(known, _)| *known != name)) {
            all.push((name, figure));
        }
    }
    all.retain(|(name, _)| men.clone().any(|man| fairy_name(man.piece) == Some(name)));
    all
}

/// Returns the name of a piece that is none of chess.
fn fairy_name(piece: ExportedPiece) -> Option<&'static str> {
    match piece {
        ExportedPiece::Chess(_) => None,
        ExportedPiece::Named(name) => Some(name),
    }
}

/// A problem that was not searched, with the first line of the reason, as a paragraph of its own.
pub(super) fn unsolved(title: &str, word: &str, why: &str) -> String {
    let why = why.lines().next().unwrap_or("");
    format!("\\par\\textbf{{{}}}: {word}: {}\\par\n", escaped(title), escaped(why))
}

fn piece_code(man: &ExportedMan, fairy: &[(&'static str, (char, char))]) -> String {
    let side = match man.color {
        _ if man.is_neutral => 'n',
        Color::White => 'w',
        Color::Black => 's',
    };
    let letter = match man.piece {
        ExportedPiece::Chess(role) => match role {
            Role::King => "K".to_owned(),
            Role::Queen => "D".to_owned(),
            Role::Rook => "T".to_owned(),
            Role::Bishop => "L".to_owned(),
            Role::Knight => "S".to_owned(),
            Role::Pawn => "B".to_owned(),
        },
        ExportedPiece::Named(name) => {
            let figure = fairy.iter().find(|(known, _)| *known == name).map(|(_, figure)| *figure);
            let (letter, turn) = figure.unwrap_or(('D', 'U'));
            format!("{letter}{turn}")
        }
    };
    format!("{side}{letter}{}", man.square)
}

/// The text with everything replaced that means something else to LaTeX.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for symbol in text.chars() {
        match symbol {
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(symbol);
            }
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            // LaTeX refuses them.
            symbol if symbol.is_control() => escaped.push(' '),
            _ => escaped.push(symbol),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::report::{Credits, Notation, ProblemVerdict, Verdict};
    use crate::run::{Params, RunReport};
    use crate::{Diagram, Length};

    #[test]
    fn pieces_have_german_letters_and_signs_are_escaped() {
        let diagram = Diagram::from_setup(&"4k3/8/8/8/8/8/P7/1N2K3".parse().unwrap()).unwrap();
        let problem = Problem { diagram, plies: 33, length: Length::Parity };
        let report = RunReport::default();
        let verdict = Verdict::of(&problem, &Params::default(), &report);
        let written = |title| {
            let (credits, notation) =
                (Credits { title, ..Credits::default() }, Notation::default());
            let (problem, report, verdict) = (&problem, &report, &verdict);
            super::diagram(&SolvedProblem::of_strategies(
                problem, credits, report, verdict, notation,
            ))
        };
        let text = written(Some("A & B_1"));
        assert!(text.contains("\\pieces[3+1]{wSb1, wKe1, wBa2, sKe8}"), "{text}");
        assert!(text.contains("\\source{A \\& B\\_1}\n\\pieces"), "{text}");
        assert!(text.contains("\\stipulation{PG in 16.5}"), "{text}");
        assert!(!written(None).contains("\\source"));
    }

    #[test]
    fn the_mark_below_a_diagram_is_that_of_the_verdict() {
        let problem = Problem { diagram: Diagram::initial(), plies: 4, length: Length::Parity };
        let (credits, notation) = (Credits::default(), Notation::default());
        let over = RunReport { enumerated: true, searched: true, ..RunReport::default() };
        let written = |report: &RunReport, change: fn(&mut Verdict)| {
            let mut verdict = Verdict::of(&problem, &Params::default(), report);
            change(&mut verdict);
            let (problem, verdict) = (&problem, &verdict);
            super::diagram(&SolvedProblem::of_strategies(
                problem, credits, report, verdict, notation,
            ))
        };
        let marks = |text: &str| [text.contains("\\Co{+}\n"), text.contains("\\nocomputer\n")];
        // Two intended games, and one game too many.
        let several = |verdict: &mut Verdict| {
            (verdict.word, verdict.correct) = (ProblemVerdict::Several, Some(true));
        };
        assert_eq!(marks(&written(&over, several)), [true, false]);
        let cooked = |verdict: &mut Verdict| {
            (verdict.word, verdict.correct) = (ProblemVerdict::Cooked, Some(false));
        };
        assert_eq!(marks(&written(&over, cooked)), [false, true]);
        // No game; and a run that leaves it open, for which the package prints "C-".
        assert_eq!(marks(&written(&over, |_| {})), [false, true]);
        assert_eq!(marks(&written(&RunReport::default(), |_| {})), [false, false]);
    }

    /// These texts were compiled with TeX Live's `latex` and `xelatex`.
    #[test]
    fn every_sign_that_latex_reads_is_escaped() {
        let escapes = [
            ("& % # _ { } $", "\\& \\% \\# \\_ \\{ \\} \\$"),
            ("\\foo", "\\textbackslash{}foo"),
            ("a~b^c", "a\\textasciitilde{}b\\textasciicircum{}c"),
            ("<b>|", "\\textless{}b\\textgreater{}\\textbar{}"),
            ("Høeg, Łódź, ąę, Őž", "Høeg, Łódź, ąę, Őž"),
            ("tab\tbell\u{7}", "tab bell "),
            ("[x] -- 'y'", "[x] -- 'y'"),
        ];
        for (text, expected) in escapes {
            assert_eq!(escaped(text), expected);
        }
        let document = document("D");
        let end = "\\begin{document}\n{\\raggedright\nD\\par}\n\\putsol\n\\end{document}\n";
        assert!(document.ends_with(end));
        assert!(document.contains("\\usepackage{diagram}\n"), "{document}");
    }
}
