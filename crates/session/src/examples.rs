//! An example for each verb, shown by `help` and `--help`.

use super::Domain;

/// Verbs with the arguments of an example; the first words of an example show the subject before
/// the keys.
const EXAMPLES: &[(Domain, &str, &[&str])] = &[
    (Domain::Egt, "build", &["KQ.KR", "--metric", "dtm"]),
    (Domain::Egt, "stats", &["KQ.KR", "--metric", "dtm"]),
    (Domain::Egt, "probe", &["--fen", "8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1"]),
    (Domain::Egt, "list", &["tables"]),
    (Domain::Egt, "piece", &["gQ", "--from", "d4"]),
    (Domain::Egt, "piece-report", &["gQ", "--html", "report.html"]),
    (Domain::Egt, "save", &["KQ.KR", "tables", "--metric", "dtm"]),
    (Domain::Egt, "load", &["KQ.KR", "tables", "--metric", "dtm"]),
    (Domain::Egt, "verify", &["KR.K", "--metric", "dtz", "--syzygy", "syzygy"]),
    (Domain::Egt, "compare", &["KQ.KR", "KQ.KB"]),
    (Domain::Egt, "maximin", &["KQ.KR", "--metric", "dtm"]),
    (Domain::Egt, "listing", &["KQ.KR", "--index", "2034252"]),
    (Domain::Egt, "drop", &["KQ.KR"]),
    (Domain::Egt, "survey", &["K?.K?", "--letters", "QRBN"]),
    (Domain::Egt, "need", &["KQP.KR", "--metric", "dtm"]),
    (Domain::Egt, "report", &["KQ.KR", "--metric", "dtm", "--html", "report.html"]),
    (Domain::Egt, "rep2", &["KQ.KR"]),
    (Domain::Spg, "solve", &["problems.txt"]),
    (Domain::Spg, "check", &["--moves", "2.5", "--fen", DIAGRAM, "--", GAME]),
    (Domain::Spg, "popeye", &["--condition", "Circe", "--moves", "1.5", "--fen", CIRCE]),
    (Domain::Spg, "bounds", &[DIAGRAM, "2.5"]),
    (Domain::Spg, "explain", &["--moves", "2.5", "--fen", DIAGRAM]),
    (Domain::Spg, "merge", &["part1.spga", "part2.spga"]),
    (Domain::Spg, "verify", &["problem.spga"]),
    (Domain::Spg, "work", &["--cluster", "nats://localhost:4222"]),
    (Domain::Spg, "min", &[DIAGRAM]),
    (Domain::Spg, "legal", &[DIAGRAM]),
    (Domain::Spg, "list", &["conditions"]),
    (Domain::Steno, "solve", &["--vocabulary", "extended", "--", "36~#"]),
    (Domain::Steno, "synthetic", &["--", "2...Qh4#"]),
    (Domain::Steno, "match", &["--moves", "e4", "e5", "--", "4e"]),
    (Domain::Steno, "marks", &["game.pgn", "--vocabulary", "extended"]),
    (Domain::Steno, "convert", &["--to", "pgn", "--", "ghLxLR3xo#"]),
    (Domain::Steno, "explain", &["--", "ghLxLR3xo#"]),
    (Domain::Steno, "whittle", &["--", "g&4h&5LxLR3xo#"]),
    (Domain::Steno, "compose", &["game.pgn", "--many-any"]),
];

const DIAGRAM: &str = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR";
/// Diagram of a Circe problem in 1.5 moves.
const CIRCE: &str = "rnbqkbnr/pppppppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR";
const GAME: &str = "1.d4 Nf6 2.Bf4 Nd5 3.Bxc7";

/// Returns the words of an example after the verb; empty for a verb without an example.
pub fn of(domain: Domain, verb: &str) -> &'static [&'static str] {
    let found = EXAMPLES.iter().find(|(of, name, _)| *of == domain && *name == verb);
    found.map_or(&[], |(.., words)| words)
}

/// Returns the complete example, as typed at a shell after the program's name.
pub fn line(domain: Domain, verb: &str) -> String {
    let quoted = |word: &&str| match word.contains([' ', '?', '#', '&', '~']) {
        true => format!("'{word}'"),
        false => (*word).to_owned(),
    };
    let words: Vec<String> = of(domain, verb).iter().map(quoted).collect();
    format!("{} {verb} {}", domain.word(), words.join(" ")).trim_end().to_owned()
}

/// Returns the words of the example before the keys.
pub fn subject(domain: Domain, verb: &str) -> String {
    let words = of(domain, verb).iter().take_while(|word| !word.starts_with("--"));
    words.copied().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::Domain;
    use super::{line, subject};

    #[test]
    fn an_example_is_written_as_it_is_typed() {
        assert_eq!(subject(Domain::Egt, "save"), "KQ.KR tables");
        let solve = "steno solve --vocabulary extended -- '36~#'";
        assert_eq!(line(Domain::Steno, "solve"), solve);
    }
}
