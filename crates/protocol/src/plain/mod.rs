//! The plain dialect, for people and scripts at a terminal: UCI's commands without its ceremony,
//! answers to be read.

mod write;

use super::domain::Tasks;
use super::{Dialect, ParseError, ProgressLine, quote, uci};
use umbrail_session::{Command, Event, SolverModule};

/// Who reads what the plain dialect writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// A script in a conversation: every message is a record on a line (`done id 1 status complete ...`).
    Script,
    /// A person in a conversation at a terminal: sentences, and a greeting.
    Person,
    /// A person who gave one command on the command line: sentences; errors and notes are written to standard error.
    Shell,
    /// The same, and nothing but the answer: progress is written to standard error, too.
    Command,
}

impl Reader {
    /// Records are turned into sentences.
    fn is_person(self) -> bool {
        self != Self::Script
    }

    /// Progress is not wanted.
    fn is_quiet(self) -> bool {
        self == Self::Command
    }
}

/// The plain dialect.
pub struct Plain {
    tasks: Tasks,
    reader: Reader,
    progress: ProgressLine,
}

impl Plain {
    /// Plain talk with this reader, with these modules for tasks.
    pub fn new(modules: &'static [SolverModule], reader: Reader) -> Self {
        Self { tasks: Tasks::new(modules), reader, progress: ProgressLine::default() }
    }
}

impl Dialect for Plain {
    fn parse(&mut self, line: &str) -> Result<Vec<Command>, ParseError> {
        if let Some(received) = self.tasks.continue_with(line) {
            return received;
        }
        if line.is_empty() || line.starts_with('#') {
            return Ok(vec![]);
        }
        if let Some(received) = self.tasks.parse(line) {
            return received;
        }
        if self.reader.is_person() { uci::parse_typed(line) } else { uci::parse(line) }
    }

    fn is_amid_command(&self) -> bool {
        self.tasks.is_open()
    }

    fn write(&mut self, event: &Event, out: &mut String) {
        write::event(event, self.reader, &mut self.progress, out);
    }

    fn greeting(&self) -> Option<String> {
        (self.reader == Reader::Person).then(|| {
            format!(
                "Umbrail {}: chess engine, endgame tables, proof games, Steno-Chess.\n\
                 Type help for the commands, help spg (or egt, steno) for a solver, quit to leave.\n",
                env!("CARGO_PKG_VERSION")
            )
        })
    }

    fn reports_aside(&self) -> bool {
        matches!(self.reader, Reader::Shell | Reader::Command)
    }

    fn complain(&mut self, line: &str, why: &ParseError, out: &mut String) {
        let text = match why {
            ParseError::Unknown if is_move(line) => format!(
                "{line} is a move: try position startpos moves {line}, or xboard to play a game by moves"
            ),
            ParseError::Unknown => format!("unknown command: {} (try help)", quote(line)),
            ParseError::Bad(why) => why.clone(),
            ParseError::Task(message) => return self.write(&Event::Message(message.clone()), out),
        };
        out.push_str(&text);
        out.push('\n');
    }
}

/// Whether a line is nothing but a move as UCI writes it.
fn is_move(line: &str) -> bool {
    let bytes = line.as_bytes();
    let square = |at: usize| matches!(bytes.get(at..at + 2), Some([b'a'..=b'h', b'1'..=b'8']));
    let promotion = matches!(bytes.get(4..), Some([] | [b'q' | b'r' | b'b' | b'n']));
    square(0) && square(2) && promotion
}
