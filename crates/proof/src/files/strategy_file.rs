//! Strategy files: strategies that were enumerated in one run, to be searched in another.
//!
//! Such a file is text and may be edited: lines can be removed or added, and everything is checked
//! when it is read. The first lines name the problem. Then comes a line for each strategy that
//! analysis did not refute, with its number, its free moves and its routes. The last line states
//! the number of strategies, whether they are complete, and a digest of the problem and of all
//! strategies, in whatever order; without the right digest they count as incomplete. Lines that begin
//! with `#` are comments.
//!
//! ```text
//! umbrail strategies 2
//! diagram rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R
//! plies 3
//! length parity
//! retraction check
//! 0.0 0+0 Sg1-f3, Pf2-f4, Pf7-f5
//! end 1 complete 5da37ab103ac9931
//! ```

use crate::problem::diagram::Diagram;
use crate::problem::retraction::{EarlierProblem, Retraction, earlier};
use crate::problem::{Length, Problem};
use crate::run::record::{ListedStrategy, StrategyList, StrategyNumber};
use crate::strategy::Strategy;
use std::collections::HashMap;
use std::fmt::Write as _;
use xxhash_rust::xxh3::xxh3_64;

/// The first line.
const HEADER: &str = "umbrail strategies 2";

/// A line that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {what}")]
pub struct StrategyListError {
    /// Its number, from 1.
    pub line: usize,
    /// Its column, in characters from 1.
    pub column: usize,
    /// What is wrong and what was expected.
    pub what: String,
}

/// The lines before the strategies.
pub fn head(problem: &Problem, retraction: Retraction) -> String {
    format!(
        "{HEADER}\ndiagram {}\nplies {}\nlength {}\nretraction {}\n",
        problem.diagram,
        problem.plies,
        if problem.length == Length::Exact { "exact" } else { "parity" },
        match retraction {
            Retraction::Check => "check",
            Retraction::Never => "never",
            Retraction::Always => "always",
        }
    )
}

/// The line of a strategy.
pub fn line(number: StrategyNumber, free: [i32; 2], strategy: &Strategy) -> String {
    format!("{number} {}+{} {strategy}\n", free[0], free[1])
}

/// The digest of a strategy file: of the lines before the strategies, and of the strategies in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileDigest(u64);

impl FileDigest {
    /// The digest of a file that begins with this head.
    pub fn new(head: &str) -> Self {
        Self(xxh3_64(head.as_bytes()))
    }

    /// Adds the line of a strategy.
    pub fn add(&mut self, line: &str) {
        self.0 = self.0.wrapping_add(xxh3_64(line.trim_end().as_bytes()));
    }
}

/// The last line.
pub fn tail(count: u64, complete: bool, digest: FileDigest) -> String {
    let word = if complete { "complete" } else { "partial" };
    format!("end {count} {word} {:016x}\n", digest.0)
}

/// Reads a file, and lists the lines that are no strategies of its problem; these are left out. The strategies count as
/// incomplete without the last line, or when that states another number or digest. `is_over` is polled.
///
/// # Errors
/// The line of the header that cannot be used, or that reading was stopped.
pub fn read(
    text: &str,
    is_over: &dyn Fn() -> bool,
) -> Result<(StrategyList, Vec<StrategyListError>), StrategyListError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let fail = |line: usize, column: usize, what: String| StrategyListError { line, column, what };
    match lines.next() {
        Some((_, HEADER)) => {}
        Some((at, line)) if line.starts_with("umbrail strategies ") => {
            let what = format!(
                "expected \"{HEADER}\", got \"{line}\", which another version wrote: read it with that one, or write it \
                 again with --strategies-out"
            );
            return Err(fail(at, 1, what));
        }
        Some((at, _)) => return Err(fail(at, 1, format!("expected \"{HEADER}\""))),
        None => return Err(fail(1, 1, format!("an empty file, expected \"{HEADER}\""))),
    }
    let mut field = |name: &str| match lines.next() {
        Some((at, line)) => match line.split_once(' ') {
            Some((word, value)) if word == name => Ok((at, value.trim().to_owned())),
            _ => Err(fail(at, 1, format!("expected {name} and a value"))),
        },
        None => Err(fail(1, 1, format!("the file ends before {name}"))),
    };
    let (at, value) = field("diagram")?;
    let setup = value.parse().map_err(|error| fail(at, 9, format!("{error}")))?;
    let diagram = Diagram::from_setup(&setup).map_err(|error| fail(at, 9, error.to_string()))?;
    let (at, value) = field("plies")?;
    let plies =
        value.parse().map_err(|_| fail(at, 7, format!("expected half-moves, got {value}")))?;
    let (at, value) = field("length")?;
    let length = match value.as_str() {
        "parity" => Length::Parity,
        "exact" => Length::Exact,
        _ => return Err(fail(at, 8, format!("expected parity or exact, got {value}"))),
    };
    let (at, value) = field("retraction")?;
    let retraction = match value.as_str() {
        "check" => Retraction::Check,
        "never" => Retraction::Never,
        "always" => Retraction::Always,
        _ => return Err(fail(at, 12, format!("expected check, never or always, got {value}"))),
    };
    let problem = Problem { diagram, plies, length };
    let parts = earlier(&problem, retraction);
    let mut digest = FileDigest::new(&head(&problem, retraction));
    let (mut strategies, mut faults) = (vec![], vec![]);
    let mut known: HashMap<(u16, String), usize> = HashMap::new();
    let mut complete = false;
    for (at, line) in lines {
        if is_over() {
            return Err(fail(at, 1, "stopped".to_owned()));
        }
        if let Some(rest) = line.strip_prefix("end ") {
            complete = rest == tail(strategies.len() as u64, true, digest)[4..].trim_end();
            break;
        }
        let one = match read_one(&problem, parts.as_deref(), line) {
            Ok(one) => one,
            Err((column, what)) => {
                faults.push(fail(at, column, what));
                continue;
            }
        };
        // With a strategy twice its games would be counted twice.
        let name = (one.number.retraction, one.strategy.to_string());
        if let Some(first) = known.insert(name, at) {
            faults.push(fail(at, 1, format!("the same strategy as in line {first}")));
            continue;
        }
        digest.add(&self::line(one.number, one.free, &one.strategy));
        strategies.push(one);
    }
    complete &= faults.is_empty();
    let list = StrategyList { problem, retraction, strategies, complete, digest: digest.0 };
    Ok((list, faults))
}

fn read_one(
    problem: &Problem,
    parts: Option<&[EarlierProblem]>,
    line: &str,
) -> Result<ListedStrategy, (usize, String)> {
    let wrong = |what: &str| (1, what.to_owned());
    let (number, rest) = line.split_once(' ').ok_or(wrong("expected a number such as 12.3"))?;
    let number = read_number(number).ok_or(wrong("expected a number such as 12.3 or r1/12.3"))?;
    let rest = rest.trim_start();
    let column = |rest: &str| line.len() - rest.len() + 1;
    let (free, routes) = rest.split_once(' ').unwrap_or((rest, ""));
    let free = free
        .split_once('+')
        .and_then(|(white, black)| Some([white.parse().ok()?, black.parse().ok()?]))
        .ok_or((column(rest), "expected free moves such as 2+0".to_owned()))?;
    let strategy: Strategy =
        routes.parse().map_err(|error: crate::strategy::reading::ReadError| {
            (column(routes) + error.at, format!("expected {}", error.expected))
        })?;
    let diagram = match (number.retraction, parts) {
        (0, None) => &problem.diagram,
        (from_one, Some(parts)) if from_one > 0 => {
            let part = parts.get(usize::from(from_one) - 1);
            &part.ok_or(wrong("there are fewer last moves"))?.problem.diagram
        }
        _ => return Err(wrong("the last move is taken back, or is not, against the retraction")),
    };
    strategy.check(diagram).map_err(|error| (column(routes), error.to_string()))?;
    Ok(ListedStrategy { number, free, strategy })
}

/// `12.3` or `r1/12.3`.
fn read_number(text: &str) -> Option<StrategyNumber> {
    let (retraction, rest) = match text.strip_prefix('r') {
        Some(rest) => {
            let (part, rest) = rest.split_once('/')?;
            (part.parse().ok()?, rest)
        }
        None => (0, text),
    };
    let (claim, index) = rest.split_once('.')?;
    Some(StrategyNumber { retraction, claim: claim.parse().ok()?, index: index.parse().ok()? })
}

/// Writes a whole file as text, when all strategies are at hand.
pub fn write(list: &StrategyList) -> String {
    let mut text = head(&list.problem, list.retraction);
    let mut digest = FileDigest::new(&text);
    for one in &list.strategies {
        let line = line(one.number, one.free, &one.strategy);
        digest.add(&line);
        let _ = write!(text, "{line}");
    }
    text + &tail(list.strategies.len() as u64, list.complete, digest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game_of, project};

    const FILE: &str = "umbrail strategies 2
diagram rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R
plies 3
length parity
retraction check
0.0 0+0 Sg1-f3, Pf2-f4, Pf7-f5
end 1 complete 5da37ab103ac9931
";

    fn read(text: &str) -> Result<(StrategyList, Vec<String>), String> {
        let (list, faults) = super::read(text, &|| false).map_err(|error| error.to_string())?;
        Ok((list, faults.iter().map(ToString::to_string).collect()))
    }

    #[test]
    fn what_is_written_is_read_back() {
        let (list, faults) = read(FILE).unwrap();
        assert_eq!(write(&list), FILE);
        assert!(list.complete && faults.is_empty());
        let strategy = project(&game_of("f4 f5 Nf3").unwrap()).unwrap();
        assert_eq!(list.strategies[0].strategy, strategy);
        let blank = format!("\u{feff}# by hand\r\n{}", FILE.replace("end 1", "\r\nend 1"));
        assert!(read(&blank).unwrap().0.complete);
        assert!(!read(FILE.split("end").next().unwrap()).unwrap().0.complete, "no last line");
    }

    #[test]
    fn a_strategy_twice_and_one_that_was_removed_are_noticed() {
        let line = "0.0 0+0 Sg1-f3, Pf2-f4, Pf7-f5\n";
        let twice = FILE.replace(line, &format!("{line}0.1 0+0 Pf2-f4, Pf7-f5, Sg1-f3\n"));
        let (list, faults) = read(&twice.replace("end 1", "end 2")).unwrap();
        assert_eq!(faults, ["7:1: the same strategy as in line 6"]);
        assert!(!list.complete && list.strategies.len() == 1);
        let none = FILE.replace(line, "").replace("end 1", "end 0");
        assert!(!read(&none).unwrap().0.complete);
        // Of another problem.
        let other = FILE.replace("length parity", "length exact");
        assert!(!read(&other).unwrap().0.complete);
    }

    #[test]
    fn mistakes_are_named_with_line_and_column() {
        let reported = |from: &str, to: &str| match read(&FILE.replace(from, to)) {
            Err(error) => error,
            Ok((list, faults)) => {
                assert!(!list.complete && list.strategies.is_empty());
                faults.join("; ")
            }
        };
        let other = reported("strategies 2", "strategies 1");
        assert!(
            other.starts_with(
                "1:1: expected \"umbrail strategies 2\", got \"umbrail strategies 1\""
            )
        );
        assert!(other.ends_with("or write it again with --strategies-out"));
        assert_eq!(reported("umbrail strategies", "x"), "1:1: expected \"umbrail strategies 2\"");
        assert_eq!(reported("plies 3", "plies x"), "3:7: expected half-moves, got x");
        assert_eq!(reported("0.0 0+0", "0 0+0"), "6:1: expected a number such as 12.3 or r1/12.3");
        assert_eq!(reported("0+0", "0-0"), "6:5: expected free moves such as 2+0");
        assert_eq!(reported("Sg1-f3", "Sg1-f9"), "6:13: expected a square");
        let wrong = reported("Sg1-f3, ", "");
        assert!(wrong.starts_with("6:9: the men at rest differ from the diagram on"), "{wrong}");
        assert_eq!(
            reported("0.0 ", "r1/0.0 "),
            "6:1: the last move is taken back, or is not, against the retraction"
        );
        assert_eq!(read("").unwrap_err(), "1:1: an empty file, expected \"umbrail strategies 2\"");
    }
}
