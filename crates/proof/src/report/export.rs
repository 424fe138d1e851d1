//! The formats in which solved problems are written to files: one table, from which keys, help and files follow.

use super::{SolvedProblem, html, latex, pgn};

/// A format.
#[derive(Clone, Copy, Debug)]
pub struct Export {
    /// The key that names the file.
    pub key: &'static str,
    /// Help for that key.
    pub help: &'static str,
    /// One problem.
    pub problem: fn(&SolvedProblem<'_>) -> String,
    /// A problem that was not searched: its title, its verdict in a word, and why.
    pub unsolved: fn(title: &str, word: &str, why: &str) -> String,
    /// The file: what was written of the problems, below the lines that head all of them.
    pub document: fn(heading: &[String], problems: &str) -> String,
}

/// All formats.
pub const EXPORTS: &[Export] = &[
    Export {
        key: "pgn",
        help: "write the games to this file",
        problem: pgn::games,
        // A file of games has no place for a problem without any.
        unsolved: |_, _, _| String::new(),
        document: |_, games| games.to_owned(),
    },
    Export {
        key: "latex",
        help: "write the problems with their solutions to this file",
        problem: latex::diagram,
        unsolved: latex::unsolved,
        document: |_, diagrams| latex::document(diagrams),
    },
    Export {
        key: "html",
        help: "write a page with a board for the games to this file",
        problem: html::section,
        unsolved: html::unsolved,
        document: |heading, sections| html::page("Proof games", heading, sections),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::run::RunReport;
    use crate::{Diagram, Length};

    #[test]
    fn every_format_has_a_key_of_its_own_and_writes_a_problem_without_games() {
        let problem = Problem { diagram: Diagram::initial(), plies: 4, length: Length::Exact };
        let report = RunReport::default();
        for (at, export) in EXPORTS.iter().enumerate() {
            assert!(EXPORTS[..at].iter().all(|other| other.key != export.key), "{}", export.key);
            assert!(export.key.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
            assert!(!export.help.is_empty());
            let text = (export.document)(
                &["A & B".to_owned()],
                &SolvedProblem::exported(&problem, None, &report, export.problem),
            );
            assert_eq!(text.is_empty(), export.key == "pgn", "{}", export.key);
            let text = (export.unsolved)("A & B", "error", "1:1: <x>");
            assert_eq!(text.contains("error"), export.key != "pgn", "{text}");
            assert!(!text.contains("A & B") && !text.contains("<x>"), "{text}");
        }
    }
}
