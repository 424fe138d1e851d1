//! The line that a running match shows: games, Elo, log-likelihood ratio, time left.

use super::engine_match::{Ending, EngineMatch};
use super::outcome::MatchResult;
use super::sprt::{Decision, Hypotheses};
use std::time::{Duration, Instant};

/// How often the line is shown.
const REPORTED: Duration = Duration::from_secs(10);

/// Data for reporting the progress of a match.
pub(super) struct ProgressLine {
    name: String,
    /// What each side has for its moves, as fastchess writes it.
    pace: String,
    games: u32,
    ending: Ending,
    elo: (f64, f64),
    started: Instant,
    reported: Option<Instant>,
    /// Pairs that were played before this run.
    before: u64,
}

impl ProgressLine {
    /// The line of a match; `before` is the number of pairs that earlier runs have played.
    pub(super) fn new(engine_match: &EngineMatch, before: u64) -> Self {
        let EngineMatch { label, control, ending, .. } = engine_match;
        Self {
            name: format!("{label} at {}", control.name),
            pace: control.words().join(" "),
            games: control.games,
            ending: *ending,
            elo: control.elo,
            started: Instant::now(),
            reported: None,
            before,
        }
    }

    /// Report before the first game ends, which may take a minute at a slow control.
    pub(super) fn beginning(&self, played: usize) -> String {
        let Self { name, pace, games, .. } = self;
        let most = if self.ending == Ending::Decision { "at most " } else { "" };
        let behind = match played {
            0 => String::new(),
            _ => format!(", continuing after {played}"),
        };
        let reported = "a line every ten seconds once a game is over";
        format!(
            "{name}: playing {most}{games} games at {pace}{behind}; {reported}; Ctrl-C stops, the same command resumes"
        )
    }

    /// Shows the line when it is time, or when the match is decided.
    pub(super) fn show(&mut self, outcome: &MatchResult) {
        let decided = self.ending == Ending::Decision && outcome.decision != Decision::Open;
        if self.reported.is_some_and(|reported| reported.elapsed() < REPORTED) && !decided {
            return;
        }
        self.reported = Some(Instant::now());
        eprintln!("{}", self.line(outcome, self.started.elapsed()));
    }

    fn line(&self, outcome: &MatchResult, elapsed: Duration) -> String {
        let [wins, losses, draws] = outcome.tally;
        let games = wins + losses + draws;
        let most = match self.ending {
            Ending::Games => format!("of {}", self.games),
            Ending::Decision => format!("of at most {}", self.games),
        };
        let elo = match outcome.pairs.estimate() {
            Some(found) => format!("{:+.1} ± {:.1} Elo", found.elo, found.error),
            None => "too few games for an interval".to_owned(),
        };
        let bound = Hypotheses::bound();
        let (low, high) = self.elo;
        let mut line = format!(
            "{}: {games} {most} games (+{wins} ={draws} −{losses}), {elo}, LLR {:+.2} (−{bound:.2} to {bound:.2}, \
             {low} against {high} Elo)",
            self.name, outcome.llr
        );
        let flags: u32 = outcome.time_losses.iter().sum();
        if flags > 0 {
            line += &format!(", {flags} lost on time");
        }
        if let Some(left) = self.left(outcome, elapsed) {
            line += &format!(", {left}");
        }
        line
    }

    /// The time left at the speed so far: until all games are played, or until the ratio meets a bound if it goes on
    /// as it went.
    fn left(&self, outcome: &MatchResult, elapsed: Duration) -> Option<String> {
        let pairs = outcome.pairs.pairs();
        let now = pairs.checked_sub(self.before).filter(|now| *now > 0)?;
        let each = elapsed.as_secs_f64() / now as f64;
        let all = f64::from(self.games / 2) - pairs as f64;
        if all <= 0.0 || outcome.decision != Decision::Open && self.ending == Ending::Decision {
            return None;
        }
        Some(match self.ending {
            Ending::Games => format!("{} left", words(each * all)),
            Ending::Decision => {
                let drift = outcome.llr.abs() / pairs as f64;
                let needed = (Hypotheses::bound() - outcome.llr.abs()) / drift.max(1e-9);
                match needed < all {
                    true => format!("{} left at this trend", words(each * needed)),
                    false => format!("at most {} left", words(each * all)),
                }
            }
        })
    }
}

/// A duration for people.
fn words(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5_400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3_600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine_match::Ending;
    use super::super::engine_match::tests::engine_match;
    use super::super::outcome::MatchResult;
    use super::super::sprt::{Decision, PairCounts};
    use super::ProgressLine;
    use std::time::Duration;

    #[test]
    fn the_line_shows_games_elo_ratio_and_time_left() {
        let mut one = engine_match(("XP3 LMRCons", "true"), "nodes=5000");
        let outcome = MatchResult {
            pairs: PairCounts([5, 20, 40, 25, 10]),
            tally: [70, 60, 70],
            time_losses: [1, 0],
            llr: 0.75,
            decision: Decision::Open,
        };
        let line = ProgressLine::new(&one, 50).line(&outcome, Duration::from_secs(100));
        for part in [
            "XP3 LMRCons at nodes=5000: 200 of 1000 games (+70 =70 −60)",
            "+26.1 ± 34.8 Elo",
            "LLR +0.75",
            "1 lost on time",
            "13 min left",
        ] {
            assert!(line.contains(part), "{part} in {line}");
        }
        one.ending = Ending::Decision;
        let line = ProgressLine::new(&one, 50).line(&outcome, Duration::from_secs(100));
        assert!(
            line.contains("of at most 1000 games") && line.contains("10 min left at this trend"),
            "{line}"
        );
        let few = MatchResult { pairs: PairCounts([0, 0, 1, 1, 0]), tally: [1, 0, 3], ..outcome };
        let line = ProgressLine::new(&one, 0).line(&few, Duration::from_secs(1));
        assert!(line.contains("too few games") && !line.contains("NaN"), "{line}");
    }
}
