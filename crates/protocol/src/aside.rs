//! Progress line of a long command, at intervals.

use super::human::grouped;
use std::time::Duration;
use umbrail_session::message::Kind;
use umbrail_session::{Domain, Message, Value};

/// Minimum duration of a command that reports progress, and minimum interval between lines.
const GAP: Duration = Duration::from_secs(2);
/// Minimum duration of a proof game that reports progress when no terminal shows the lines, and
/// minimum interval between its lines: scripts take the last line of both streams for the answer.
const GAP_UNSEEN: Duration = Duration::from_secs(30);
/// Upper limit of the minimum interval, which grows with the time since the start of the task.
const GAP_MAX: Duration = Duration::from_secs(30);

/// Decides when progress is reported.
#[derive(Debug, Default)]
pub struct ProgressLine {
    /// Time of the last line since the start of the task.
    last: Duration,
    /// Lines go to a file or a pipe.
    unseen: bool,
}

impl ProgressLine {
    /// Creates progress lines for a terminal, or for a file or a pipe.
    pub fn new(terminal: bool) -> Self {
        Self { last: Duration::ZERO, unseen: !terminal }
    }

    /// Returns the line for a progress message, if one is due.
    pub fn line(&mut self, message: &Message) -> Option<String> {
        if message.kind != Kind::Progress {
            return None;
        }
        let time = Duration::from_millis(number(message, "time")?);
        if time < self.last {
            // A new task.
            self.last = Duration::ZERO;
        }
        let gap = match message.domain {
            Domain::Spg if self.unseen => GAP_UNSEEN,
            _ => GAP.max(self.last / 4).min(GAP_MAX),
        };
        if time < self.last + gap {
            return None;
        }
        let line = sentence(message, time)?;
        self.last = time;
        Some(line)
    }
}

fn number(message: &Message, key: &str) -> Option<u64> {
    let (_, value) = message.words.iter().find(|(name, _)| *name == key)?;
    match value {
        Value::Number(number) => u64::try_from(*number).ok(),
        _ => None,
    }
}

fn sentence(message: &Message, time: Duration) -> Option<String> {
    let seconds = time.as_secs();
    if let (Some(done), Some(total)) = (number(message, "done"), number(message, "total")) {
        let share = (done as f64 / total.max(1) as f64).min(1.0);
        // The progress counter of a steno covers one turn, and restarts with each turn.
        return Some(match message.domain {
            Domain::Steno => {
                let percent = share * 100.0;
                format!("{seconds} s: {percent:.0} % of the positions of this turn are done")
            }
            _ if share > 0.0 => {
                let left = time.as_secs_f64() * (1.0 - share) / share;
                format!("{seconds} s: {:.0} % done, about {left:.0} s left", share * 100.0)
            }
            _ => format!("{seconds} s: begun"),
        });
    }
    match (&message.text, message.domain) {
        (Some(text), _) => Some(format!("{seconds} s: {}", row(text))),
        (None, Domain::Spg) => {
            // A worker that counts endgames or composes stenos reports its own progress.
            let moves = grouped(number(message, "nodes").filter(|&moves| moves > 0)?);
            let queued = match number(message, "queued") {
                None => String::new(),
                Some(queued) => format!(", {} strategies in the queue", grouped(queued)),
            };
            Some(format!("{seconds} s: {moves} moves made{queued}"))
        }
        (None, Domain::Steno) => {
            let moves = grouped(number(message, "nodes")?);
            Some(format!("{seconds} s: {moves} moves made"))
        }
        // A row of the builder has more details.
        (None, _) => None,
    }
}

/// Describes a row of the builder: `12.`, lost, won and time, separated by tabs; leaves other rows
/// unchanged.
fn row(text: &str) -> String {
    let fields: Vec<&str> = text.split('\t').collect();
    match fields[..] {
        [ply, lost, won, _] => {
            let ply = ply.trim_end_matches('.');
            format!("ply {ply} of the present table: {lost} positions lost, {won} won")
        }
        _ => text.replace('\t', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::ProgressLine;
    use umbrail_session::message::Kind;
    use umbrail_session::{Domain, Message};

    fn reported(lines: &mut ProgressLine, ms: u64, done: u64) -> Option<String> {
        let message = Message::new(Domain::Egt, Kind::Progress).with("time", ms);
        lines.line(&message.with("done", done).with("total", 200u64))
    }

    #[test]
    fn lines_come_after_two_seconds_and_ever_more_rarely() {
        let mut lines = ProgressLine::default();
        assert_eq!(reported(&mut lines, 1_900, 10), None);
        let line = reported(&mut lines, 2_000, 50);
        assert_eq!(line.as_deref(), Some("2 s: 25 % done, about 6 s left"));
        assert_eq!(reported(&mut lines, 3_000, 60), None);
        assert!(reported(&mut lines, 4_000, 60).is_some());
        let count = (8..3_600).filter(|s| reported(&mut lines, s * 500, 60).is_some()).count();
        assert!((60..200).contains(&count), "{count}");
        // The next task starts.
        assert_eq!(reported(&mut lines, 500, 1), None);
        assert!(reported(&mut lines, 2_500, 1).is_some());
    }

    #[test]
    fn a_search_for_proof_games_reports_moves_and_queue() {
        let message = Message::new(Domain::Spg, Kind::Progress).with("time", 2_500u64);
        let message = message.with("nodes", 1_003_855u64).with("queued", 17u64);
        let line = ProgressLine::default().line(&message);
        assert_eq!(line.as_deref(), Some("2 s: 1,003,855 moves made, 17 strategies in the queue"));
        let mut unseen = ProgressLine::new(false);
        assert_eq!(unseen.line(&message), None);
        let late = Message::new(Domain::Spg, Kind::Progress).with("time", 30_000u64);
        assert!(unseen.line(&late.with("nodes", 9u64)).is_some());
        let idle = Message::new(Domain::Spg, Kind::Progress).with("time", 30_000u64);
        assert_eq!(ProgressLine::default().line(&idle.with("nodes", 0u64)), None);
    }

    #[test]
    fn a_row_of_the_builder_is_a_sentence() {
        let message = Message::new(Domain::Egt, Kind::Progress).with("time", 3_000u64);
        let line = ProgressLine::default().line(&message.printing("12.\t642\t7\t2.9"));
        let reported = "3 s: ply 12 of the present table: 642 positions lost, 7 won";
        assert_eq!(line.as_deref(), Some(reported));
    }
}
