//! UCI, the Universal Chess Interface.
//!
//! `vampirc-uci` provides the typed messages: it parses the fixed commands and writes all output.
//! Our own tolerant parsers read `position`, `go` and `setoption`, because vampirc 0.11 panics on
//! some of their forms, truncates numbers and loses `ponder` beside a clock.
//!
//! Accepted deviations: any white space, unknown words (ignored, unless a person typed them), a line
//! whose first word is unknown (the word is dropped once), numbers of any size, EPD operations after
//! a FEN.

mod parse;
mod strict;
mod write;

use super::domain::Tasks;
use super::{Dialect, ParseError, human, quote};
use umbrail_session::{Command, Event, SolverModule};

pub(super) use parse::{command as parse, typed as parse_typed};

/// The UCI dialect.
pub struct Uci {
    tasks: Tasks,
}

impl Uci {
    /// Creates the UCI dialect, with these modules for tasks.
    pub fn new(modules: &'static [SolverModule]) -> Self {
        Self { tasks: Tasks::new(modules) }
    }
}

impl Dialect for Uci {
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
        parse::command(line)
    }

    fn is_amid_command(&self) -> bool {
        self.tasks.is_open()
    }

    fn write(&mut self, event: &Event, out: &mut String) {
        write::event(event, out);
    }

    fn complain(&mut self, line: &str, why: &ParseError, out: &mut String) {
        match why {
            ParseError::Unknown => {
                write::note(&format!("unknown command: {}", quote(line)), out);
            }
            ParseError::Bad(why) => write::note(why, out),
            ParseError::Task(message) => write::note(&human::message_line(message), out),
        }
    }
}

#[cfg(test)]
mod tests;
