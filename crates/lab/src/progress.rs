//! The line that a running match prints: its result so far, and the time left.

use super::engine_match::{Ending, EngineMatch};
use super::journal::Row;
use super::transcript::Transcript;
use std::time::{Duration, Instant};

/// Interval between two lines.
const REPORTED: Duration = Duration::from_secs(10);

/// Progress of a match.
pub(super) struct ProgressLine<'a> {
    engine_match: &'a EngineMatch,
    started: Instant,
    reported: Option<Instant>,
    /// Games that earlier runs have played.
    before: u32,
}

impl<'a> ProgressLine<'a> {
    /// Starts the clock of a match of which `before` games are played.
    pub(super) fn new(engine_match: &'a EngineMatch, before: u32) -> Self {
        Self { engine_match, started: Instant::now(), reported: None, before }
    }

    /// The line before the first result, which may take minutes at a slow control.
    pub(super) fn beginning(&self) -> String {
        let EngineMatch { label, control, ending, .. } = self.engine_match;
        let most = if *ending == Ending::Decision { "at most " } else { "" };
        let behind = match self.before {
            0 => String::new(),
            before => format!(", continuing after {before}"),
        };
        format!(
            "{label} at {}: playing {most}{} games at {}{behind}; a line every ten seconds once a pair is over; \
             Ctrl-C stops, the same command resumes",
            control.name,
            control.games,
            control.words().join(" ")
        )
    }

    /// Prints the line when it is due.
    pub(super) fn show(&mut self, transcript: &Transcript) {
        if self.reported.is_none_or(|reported| reported.elapsed() >= REPORTED) {
            self.reported = Some(Instant::now());
            umbrail_control::print_error!("{}", self.line(transcript, self.started.elapsed()));
        }
    }

    fn line(&self, transcript: &Transcript, elapsed: Duration) -> String {
        let EngineMatch { label, control, ending, .. } = self.engine_match;
        let row = Row::new("", (label, "", &control.name), transcript);
        let most = if *ending == Ending::Decision { "at most " } else { "" };
        let mut line = format!(
            "{label} at {}: {}, of {most}{} games",
            control.name,
            row.summary(),
            control.games
        );
        let (now, left) =
            (row.games.saturating_sub(self.before), control.games.saturating_sub(row.games));
        if now > 0 && left > 0 {
            let seconds = elapsed.as_secs_f64() / f64::from(now) * f64::from(left);
            line += &format!(", {most}{} left", duration(seconds));
        }
        line
    }
}

/// A duration for people.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5_400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3_600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine_match::{Ending, tests::engine_match};
    use super::super::transcript::{Transcript, tests::block};
    use super::ProgressLine;
    use std::time::Duration;

    #[test]
    fn the_line_shows_games_elo_ratio_and_time_left() {
        let mut one = engine_match(("XP3 LMRCons", "true"), "nodes=5000");
        one.ending = Ending::Decision;
        let mut transcript = Transcript::new("DEV", "BASE");
        let llr = "LLR: 0.75 (25.5%) (-2.94, 2.94) [0.00, 10.00]\n";
        for line in block(200, "5, 20, 40, 25, 10", "26.10 +/- 34.80", llr).lines() {
            transcript.read(line);
        }
        let line = ProgressLine::new(&one, 100).line(&transcript, Duration::from_secs(100));
        let expected = "XP3 LMRCons at nodes=5000: 200 games (+100 =50 −50), +26.1 ± 34.8 Elo, stronger with 99.6 %, LLR +0.75, \
                        of at most 1000 games, at most 13 min left";
        assert_eq!(line, expected);
    }
}
