//! Scores of training positions by another engine, the *teacher*, which speaks UCI.

use crate::record::GameRecord;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use umbrail_chess::{Move, Position, parse_uci};
use umbrail_control::lock;

/// Time within which the teacher must answer `uci` and `isready`.
const PATIENCE: Duration = Duration::from_secs(10);
/// Positions that are sent before the first answer is read. Longer texts could fill both pipes.
const AHEAD: usize = 16;

/// Teacher and what to do with its scores.
#[derive(Clone, Debug, PartialEq)]
pub struct TeacherOptions {
    /// Program and arguments, separated by spaces.
    pub command: String,
    /// Limit of each search, the words after `go`.
    pub limit: String,
    /// Factor of the teacher's centipawns.
    pub factor: f64,
    /// Centipawns added afterwards for the side to move.
    pub bonus: f64,
}

/// Reason why a teacher cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TeacherError {
    /// The program cannot be started.
    #[error("the teacher \"{0}\" does not start: {1}")]
    Start(String, io::Error),
    /// It does not answer `uci` and `isready` in ten seconds.
    #[error("the teacher \"{0}\" does not answer uci and isready")]
    NoUci(String),
    /// It ended, or its output cannot be read.
    #[error("the teacher \"{0}\" ended")]
    Ended(String),
    /// It gave no score and no legal move; the position and the last line.
    #[error("the teacher \"{command}\" gave no score and legal move for {fen}, but: {line}")]
    Answer {
        /// Its command.
        command: String,
        /// The position.
        fen: String,
        /// Its last line.
        line: String,
    },
}

/// Running teacher. It ends with this value.
pub(crate) struct Teacher<'o> {
    options: &'o TeacherOptions,
    child: Arc<Mutex<Child>>,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl<'o> Teacher<'o> {
    /// Starts a teacher and waits until it is ready.
    pub(crate) fn start(options: &'o TeacherOptions) -> Result<Self, TeacherError> {
        let command = &options.command;
        let mut words = command.split_whitespace();
        let start = |error| TeacherError::Start(command.clone(), error);
        let program = words.next().ok_or_else(|| start(io::ErrorKind::NotFound.into()))?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(start)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(start(io::ErrorKind::BrokenPipe.into()));
        };
        let child = Arc::new(Mutex::new(child));
        let mut teacher = Self { options, child, input, output: BufReader::new(output) };
        // A program that says nothing is killed, which ends the wait for its output.
        let (ready, wait) = mpsc::channel::<()>();
        let late = Arc::clone(&teacher.child);
        std::thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                let _ = lock(&late).kill();
            }
        });
        let no_uci = |_| TeacherError::NoUci(command.clone());
        for (question, answer) in [("uci\n", "uciok"), ("isready\n", "readyok")] {
            teacher.send(question).map_err(no_uci)?;
            while teacher.line().map_err(no_uci)?.trim() != answer {}
        }
        let _ = ready.send(());
        Ok(teacher)
    }

    /// Returns for each position the teacher's move and its score for the side to move, in the
    /// form of [`Ply::score`](crate::Ply::score). The teacher forgets what it knew before, so the
    /// answers depend only on these positions.
    pub(crate) fn scores(
        &mut self,
        positions: &[Position],
    ) -> Result<Vec<(Move, i16)>, TeacherError> {
        self.send("ucinewgame\n")?;
        let mut answers = vec![];
        for positions in positions.chunks(AHEAD) {
            let limit = &self.options.limit;
            let question =
                |position: &Position| format!("position fen {}\ngo {limit}\n", position.to_setup());
            self.send(&positions.iter().map(question).collect::<String>())?;
            for position in positions {
                answers.push(self.answer(position)?);
            }
        }
        Ok(answers)
    }

    fn answer(&mut self, position: &Position) -> Result<(Move, i16), TeacherError> {
        let mut score = None;
        loop {
            let line = self.line()?;
            if line.starts_with("info ") {
                score = read_score(&line).or(score);
            } else if let Some(rest) = line.strip_prefix("bestmove ") {
                let text = rest.split_whitespace().next().unwrap_or_default();
                let mv = parse_uci(position, text).ok();
                let (Some(mv), Some(score)) = (mv, score) else {
                    let (command, fen) = (self.options.command.clone(), position.to_setup());
                    let (fen, line) = (fen.to_string(), line.trim_end().to_owned());
                    return Err(TeacherError::Answer { command, fen, line });
                };
                return Ok((mv, self.own_score(score)));
            }
        }
    }

    /// Returns a score of the teacher in own centipawns.
    fn own_score(&self, score: TeacherScore) -> i16 {
        let TeacherOptions { factor, bonus, .. } = *self.options;
        match score {
            TeacherScore::Centipawns(cp) => {
                (f64::from(cp) * factor + bonus).round().clamp(-30_000.0, 30_000.0) as i16
            }
            TeacherScore::Mate(moves) if moves > 0 => GameRecord::MATE - moves.min(500) as i16,
            TeacherScore::Mate(moves) => -GameRecord::MATE - moves.max(-500) as i16,
        }
    }

    fn send(&mut self, text: &str) -> Result<(), TeacherError> {
        let sent = self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|_| TeacherError::Ended(self.options.command.clone()))
    }

    fn line(&mut self) -> Result<String, TeacherError> {
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(1..) => Ok(line),
            _ => Err(TeacherError::Ended(self.options.command.clone())),
        }
    }
}

impl Drop for Teacher<'_> {
    fn drop(&mut self) {
        let mut child = lock(&self.child);
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Score as the teacher writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TeacherScore {
    /// Centipawns for the side to move.
    Centipawns(i32),
    /// Moves to mate; not positive if the side to move is mated.
    Mate(i32),
}

/// Reads the score of an `info` line; none if it has no score or only a bound.
fn read_score(line: &str) -> Option<TeacherScore> {
    let mut words = line.split_whitespace().skip_while(|&word| word != "score").skip(1);
    let (kind, number) = (words.next()?, words.next()?.parse().ok()?);
    if matches!(words.next(), Some("lowerbound" | "upperbound")) {
        return None;
    }
    match kind {
        "cp" => Some(TeacherScore::Centipawns(number)),
        "mate" => Some(TeacherScore::Mate(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{TeacherScore, read_score};

    #[test]
    fn scores_are_read_and_bounds_are_not() {
        let read =
            |score: &str| read_score(&format!("info depth 4 score {score} nodes 99 pv e2e4"));
        assert_eq!(read("cp -31"), Some(TeacherScore::Centipawns(-31)));
        assert_eq!(read("mate 3"), Some(TeacherScore::Mate(3)));
        assert_eq!(read("mate -2"), Some(TeacherScore::Mate(-2)));
        assert_eq!(read("cp 12 wdl 300 600 100"), Some(TeacherScore::Centipawns(12)));
        assert_eq!(read("cp 12 lowerbound"), None);
        assert_eq!(read("cp"), None);
        assert_eq!(read_score("info string score"), None);
    }
}
