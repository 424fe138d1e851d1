//! Problems for the LaTeX package `diagram`, whose letters are German. It draws with `pstricks`, so a document is made
//! with `latex` and `dvips`, or with `xelatex`.

use crate::report::SolvedProblem;
use umbrail_chess::geometry::{Color, Square};
use umbrail_chess::{Piece, Role};

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

/// One `diagram` environment with its solution. The title stands in the place of a source, which is printed as it is:
/// the package has no field for titles, and takes an author only as surname and first name.
pub(super) fn diagram(solved: &SolvedProblem<'_>) -> String {
    let SolvedProblem { problem, credits, report, verdict, notation } = solved;
    let pieces: Vec<String> = Square::all()
        .filter_map(|square| problem.diagram.at(square).map(|piece| piece_code(piece, square)))
        .collect();
    let [white, black] = problem.diagram.piece_counts();
    let mut text = String::from("\\begin{diagram}\n");
    if let Some(title) = credits.title {
        text.push_str(&format!("\\source{{{}}}\n", escaped(title)));
    }
    text.push_str(&format!("\\pieces[{white}+{black}]{{{}}}\n", pieces.join(", ")));
    text.push_str(&format!("\\stipulation{{{}}}\n", escaped(&verdict.stipulation)));
    let games: Vec<String> =
        report.games().map(|(_, game)| escaped(&notation.write(game))).collect();
    text.push_str(&format!("\\solution{{{}}}\n", games.join("\\\\\n")));
    // Without a word the package prints "C-", which stands for a problem that was not tested.
    text.push_str(match verdict.correct {
        _ if verdict.is_computer_tested() => "\\Co{+}\n",
        Some(_) => "\\nocomputer\n",
        None => "",
    });
    text.push_str(&format!("\\comment{{{}}}\n", escaped(&verdict.text)));
    text.push_str("\\end{diagram}");
    text + GAP
}

/// A problem that was not searched, with the first line of the reason, as a paragraph of its own.
pub(super) fn unsolved(title: &str, word: &str, why: &str) -> String {
    let why = why.lines().next().unwrap_or("");
    format!("\\par\\textbf{{{}}}: {word}: {}\\par\n", escaped(title), escaped(why))
}

fn piece_code(Piece { color, role }: Piece, square: Square) -> String {
    let side = if color == Color::White { 'w' } else { 's' };
    let letter = match role {
        Role::King => 'K',
        Role::Queen => 'D',
        Role::Rook => 'T',
        Role::Bishop => 'L',
        Role::Knight => 'S',
        Role::Pawn => 'B',
    };
    format!("{side}{letter}{square}")
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
            let (credits, notation) = (Credits { title, comments: &[] }, Notation::default());
            let (problem, report, verdict) = (&problem, &report, &verdict);
            super::diagram(&SolvedProblem { problem, credits, report, verdict, notation })
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
            super::diagram(&SolvedProblem { problem, credits, report, verdict, notation })
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
