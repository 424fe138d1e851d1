//! Output of fastchess for a match: results, games lost on time, and faults of the engines.
//!
//! fastchess computes Elo with its interval, the likelihood of superiority and the log-likelihood ratio over pairs of
//! games, and decides the sequential test. The laboratory reads these numbers and computes none of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use umbrail_control::{FILE_BYTES_MAX, read_own};

/// Log-likelihood ratio that accepts H1 with both error rates at 5 %; its negative accepts H0.
pub const BOUND: f64 = 2.944_439;
/// Fewest pairs for which an interval is believed: it rests on a normal approximation.
const PAIRS_MIN: u64 = 15;
/// Ends of a game that are a fault of the color named before them: fastchess's words, and those of a message.
const ENDS: [(&str, &str); 4] = [
    ("loses on time", "lost on time"),
    ("makes an illegal move", "made an illegal move"),
    ("disconnects", "disconnected"),
    ("connection stalls", "stopped answering"),
];

/// Result of the complete pairs of a match, from the side of DEV.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Report {
    pub(super) games: u32,
    pub(super) wins: u32,
    pub(super) losses: u32,
    pub(super) draws: u32,
    /// Elo and half the width of its 95 % interval; none with too few pairs, or when one side won all points.
    pub(super) elo: Option<(f64, f64)>,
    /// Likelihood of superiority, per cent.
    pub(super) los: Option<f64>,
    /// Pairs by the points of DEV: 0, ½, 1, 1½, 2.
    pub(super) pairs: [u64; 5],
    /// Log-likelihood ratio; none without a sequential test.
    pub(super) llr: Option<f64>,
}

/// An error of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Only BASE is at fault.
    pub(super) is_of_base: bool,
    /// A loss on time.
    pub(super) is_flag: bool,
    /// Description, such as `DEV lost on time in game 4`.
    pub(super) text: String,
}

/// Content of a line that matters to the match.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Finding {
    /// A result is complete; it is the last of [`Transcript::reports`].
    Report,
    /// An engine made an error.
    Fault(Fault),
}

/// Output of fastchess over all parts of a match.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    dev: String,
    base: String,
    /// Results by their number of games.
    pub(super) reports: Vec<Report>,
    /// `H0` or `H1` if the sequential test has decided, else empty.
    pub(super) decision: &'static str,
    /// Result that is being printed.
    block: Report,
    /// Games lost on time, by their number: true if DEV lost.
    flags: BTreeMap<u32, bool>,
    running: BTreeSet<u32>,
}

impl Transcript {
    /// An empty transcript of a match between these players.
    pub(super) fn new(dev: &str, base: &str) -> Self {
        Self { dev: dev.to_owned(), base: base.to_owned(), ..Self::default() }
    }

    /// Reads the logs of all parts in the folder of a match.
    pub(super) fn of_folder(folder: &Path, dev: &str, base: &str) -> Self {
        let mut transcript = Self::new(dev, base);
        for log in (1..).map(|part| part_file(folder, part, "txt")).take_while(|log| log.exists()) {
            let bytes = read_own(&log, FILE_BYTES_MAX).unwrap_or_default();
            for line in String::from_utf8_lossy(&bytes).lines() {
                transcript.read(line);
            }
            transcript.running.clear();
        }
        transcript
    }

    /// The newest result.
    pub(super) fn last(&self) -> Option<&Report> {
        self.reports.last()
    }

    /// Games lost on time by DEV and by BASE.
    pub(super) fn time_losses(&self) -> [u32; 2] {
        let games = self.last().map_or(0, |last| last.games);
        [true, false].map(|dev| {
            self.flags.range(..=games).filter(|(_, lost_by_dev)| **lost_by_dev == dev).count()
                as u32
        })
    }

    /// Reads the next line.
    pub(super) fn read(&mut self, line: &str) -> Option<Finding> {
        if let Some(rest) = line.strip_prefix("Started game ") {
            self.running
                .extend(rest.split(' ').next().and_then(|number| number.parse::<u32>().ok()));
        } else if let Some(rest) = line.strip_prefix("Finished game ") {
            return self.read_end(rest).map(Finding::Fault);
        } else if line.starts_with("Warning;") || line.starts_with("Fatal;") {
            return self.read_warning(line).map(Finding::Fault);
        } else if line.starts_with("SPRT (") && self.last().is_some_and(Report::is_at_bound) {
            self.decision = if line.contains("H1 was accepted") { "H1" } else { "H0" };
        } else if line.starts_with("-----") {
            let report = std::mem::take(&mut self.block);
            if report.games > 0 {
                // Games behind the last saved state are played again after a kill.
                while self.last().is_some_and(|known| known.games >= report.games) {
                    self.reports.pop();
                }
                self.reports.push(report.without_doubtful_interval());
                return Some(Finding::Report);
            }
        } else {
            self.block.read(line);
        }
        None
    }

    /// Reads `5 (DEV vs BASE): 1-0 {Black loses on time (12ms overrun)}`.
    fn read_end(&mut self, text: &str) -> Option<Fault> {
        let (number, rest) = text.split_once(" (")?;
        let number: u32 = number.parse().ok()?;
        self.running.remove(&number);
        self.flags.remove(&number);
        let (players, end) = rest.split_once("): ")?;
        let (white, _) = players.split_once(" vs ")?;
        let (_, words) = ENDS.iter().find(|(words, _)| end.contains(words))?;
        let is_dev = (white == self.dev) == end.contains("{White");
        let is_flag = *words == ENDS[0].1;
        if is_flag {
            self.flags.insert(number, is_dev);
        }
        let player = if is_dev { &self.dev } else { &self.base };
        let text = format!("{player} {words} in game {number}");
        Some(Fault { is_of_base: !is_dev, is_flag, text })
    }

    /// Reads `Warning; Illegal PV move - move a1a9 from DEV`.
    fn read_warning(&self, line: &str) -> Option<Fault> {
        // The end of the game follows in the next line and names its number.
        if line.contains("Illegal move ") || line.contains("Move does not match uci") {
            return None;
        }
        let (_, words) = line.split_once(';')?;
        let mut text = words.trim().to_owned();
        if let (Some(game), 1) = (self.running.first(), self.running.len()) {
            text += &format!(" in game {game}");
        }
        let is_of_base = names(words, &self.base) && !names(words, &self.dev);
        Some(Fault { is_of_base, is_flag: false, text })
    }
}

impl Report {
    /// Reads a line between two rules.
    fn read(&mut self, line: &str) {
        if line.starts_with("Elo: ") {
            self.elo = number(line, "Elo: ").zip(number(line, "+/- "));
        } else if line.starts_with("LOS: ") {
            self.los = number(line, "LOS: ");
        } else if line.starts_with("Games: ") {
            let count = |key| number(line, key).unwrap_or(0);
            self.games = count("Games: ");
            (self.wins, self.losses, self.draws) =
                (count("Wins: "), count("Losses: "), count("Draws: "));
        } else if let Some(rest) = line.strip_prefix("Ptnml(0-2): [") {
            let counts = rest.split([',', ']']).map_while(|count| count.trim().parse().ok());
            for (pairs, count) in self.pairs.iter_mut().zip(counts) {
                *pairs = count;
            }
        } else if line.starts_with("LLR: ") {
            // The hypotheses may be out of reach of any result.
            self.llr = number(line, "LLR: ").filter(|llr: &f64| llr.is_finite());
        }
    }

    /// Removes Elo and likelihood of superiority where they mean nothing.
    fn without_doubtful_interval(mut self) -> Self {
        let is_finite = |(elo, error): &(f64, f64)| elo.is_finite() && error.is_finite();
        // Adding zero turns -0 into 0.
        self.elo = self.elo.filter(is_finite).map(|(elo, error)| (elo + 0.0, error));
        self.los = self.los.filter(|los| los.is_finite());
        if self.pairs.iter().sum::<u64>() < PAIRS_MIN {
            (self.elo, self.los) = (None, None);
        }
        self
    }

    /// The ratio, which is printed with two decimals, has reached a bound.
    fn is_at_bound(&self) -> bool {
        self.llr.is_some_and(|llr| llr.abs() + 0.005 >= BOUND)
    }
}

/// Path of a file of one part: `part-1.txt`.
pub(super) fn part_file(folder: &Path, part: u32, kind: &str) -> PathBuf {
    folder.join(format!("part-{part}.{kind}"))
}

/// The number after a key.
fn number<T: FromStr>(line: &str, key: &str) -> Option<T> {
    line.split_once(key)?.1.split([',', ' ']).next()?.parse().ok()
}

/// The text contains a name as a whole word.
fn names(text: &str, name: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "._-".contains(c));
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !is_word(before.chars().next_back()) && !is_word(after.chars().next())
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Fault, Finding, Transcript};

    /// A result as fastchess 1.8 prints it.
    pub(crate) fn block(games: u32, pairs: &str, elo: &str, llr: &str) -> String {
        let third = games / 4;
        format!(
            "--------------------------------------------------\n\
             Results of DEV vs BASE (1000 nodes, 1t, 32MB, book.epd):\n\
             Elo: {elo}, nElo: 90.00 +/- 60.00\n\
             LOS: 99.60 %, DrawRatio: 32.81 %, PairsRatio: 2.07\n\
             Games: {games}, Wins: {}, Losses: {third}, Draws: {third}, Points: 79.0 (61.72 %)\n\
             Ptnml(0-2): [{pairs}], WL/DD Ratio: 0.50\n{llr}\
             --------------------------------------------------\n",
            games - 2 * third
        )
    }

    fn faults(text: &str) -> Vec<Fault> {
        let mut transcript = Transcript::new("umbrail", "Stash25");
        let events = text.lines().filter_map(|line| transcript.read(line));
        events
            .filter_map(|event| if let Finding::Fault(fault) = event { Some(fault) } else { None })
            .collect()
    }

    #[test]
    fn results_are_read_as_fastchess_prints_them() {
        let mut transcript = Transcript::new("DEV", "BASE");
        let few = block(8, "0, 0, 4, 0, 0", "0.00 +/- 0.00", "");
        let many = block(
            128,
            "9, 5, 21, 5, 24",
            "82.97 +/- 64.53",
            "LLR: 3.07 (104.2%) (-2.94, 2.94) [0.00, 60.00]\n",
        );
        let end = "SPRT ([0.00, 60.00]) completed - H1 was accepted\n";
        for line in format!("{few}{many}{many}{end}").lines() {
            transcript.read(line);
        }
        assert_eq!((transcript.reports.len(), transcript.decision), (2, "H1"));
        assert_eq!((transcript.reports[0].elo, transcript.reports[0].llr), (None, None), "4 pairs");
        let last = transcript.last().unwrap();
        assert_eq!((last.games, last.wins, last.losses, last.draws), (128, 64, 32, 32));
        assert_eq!((last.elo, last.los, last.llr), (Some((82.97, 64.53)), Some(99.6), Some(3.07)));
        assert_eq!(last.pairs, [9, 5, 21, 5, 24]);
        // A resumed part repeats the games that were not saved.
        let nan = "LLR: -nan (nan%) (-2.94, 2.94) [-500.00, 500.00]\n";
        for line in block(40, "0, 0, 0, 0, 20", "inf +/- -nan", nan).lines() {
            transcript.read(line);
        }
        assert_eq!(transcript.reports.iter().map(|one| one.games).collect::<Vec<_>>(), [8, 40]);
        let last = transcript.last().unwrap();
        assert_eq!((last.elo, last.llr), (None, None), "all points on one side");
    }

    #[test]
    fn faults_name_the_player_and_the_game() {
        let found = faults(
            "Started game 22 of 30 (Stash25 vs umbrail)\n\
             Warning; Bestmove does not match beginning of last PV - move f2f4 from Stash25\n\
             Finished game 22 (Stash25 vs umbrail): 0-1 {White loses on time (12ms overrun)}\n\
             Finished game 23 (umbrail vs Stash25): 0-1 {White loses on time (3ms overrun)}\n\
             Warning; Illegal move a1a9 played by umbrail\n\
             Finished game 24 (Stash25 vs umbrail): 1-0 {Black makes an illegal move}\n\
             Finished game 25 (Stash25 vs umbrail): 1/2-1/2 {Draw by 3-fold repetition}\n\
             Finished game 26 (Stash25 vs umbrail): 0-1 {White's connection stalls}\n\
             Warning; No output from Stash2\n",
        );
        let texts: Vec<&str> = found.iter().map(|fault| fault.text.as_str()).collect();
        assert_eq!(
            texts[0],
            "Bestmove does not match beginning of last PV - move f2f4 from Stash25 in game 22"
        );
        assert_eq!(texts[1], "Stash25 lost on time in game 22");
        assert_eq!(
            texts[2..4],
            ["umbrail lost on time in game 23", "umbrail made an illegal move in game 24"]
        );
        assert_eq!(texts[4..], ["Stash25 stopped answering in game 26", "No output from Stash2"]);
        let of_base: Vec<bool> = found.iter().map(|fault| fault.is_of_base).collect();
        assert_eq!(of_base, [true, true, false, false, true, false]);
        assert_eq!(found.iter().filter(|fault| fault.is_flag).count(), 2);
    }

    #[test]
    fn a_game_that_was_played_again_is_lost_on_time_once() {
        let mut transcript = Transcript::new("DEV", "BASE");
        let flag = "Finished game 3 (DEV vs BASE): 0-1 {White loses on time (12ms overrun)}";
        let mate = "Finished game 3 (DEV vs BASE): 0-1 {White mates}";
        let result = block(8, "0, 0, 4, 0, 0", "0.00 +/- 0.00", "");
        for (line, losses) in [(flag, [1, 0]), (mate, [0, 0]), (flag, [1, 0])] {
            for line in line.lines().chain(result.lines()) {
                transcript.read(line);
            }
            assert_eq!(transcript.time_losses(), losses, "{line}");
        }
    }
}
