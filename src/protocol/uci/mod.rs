//! UCI, the Universal Chess Interface.
//!
//! `vampirc-uci` provides the typed messages: it parses the fixed commands and writes all output.
//! Our own tolerant parsers read `position`, `go` and `setoption`, because vampirc 0.11 panics on
//! some of their forms, truncates numbers and loses `ponder` beside a clock.
//!
//! Accepted deviations: any white space, unknown words (ignored, unless a person typed them), a line
//! whose first word is unknown (the word is dropped once), numbers of any size, EPD operations after
//! a FEN.

mod hear;
mod say;
mod strict;

use super::domain::Tasks;
use super::{Dialect, Mishearing, human, quote};
use crate::session::{Command, Event, SolverModule};

pub(super) use hear::{command as hear, typed as hear_typed};

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
    fn hear(&mut self, line: &str) -> Result<Vec<Command>, Mishearing> {
        if let Some(heard) = self.tasks.continue_with(line) {
            return heard;
        }
        if line.is_empty() || line.starts_with('#') {
            return Ok(vec![]);
        }
        if let Some(heard) = self.tasks.hear(line) {
            return heard;
        }
        hear::command(line)
    }

    fn is_amid_command(&self) -> bool {
        self.tasks.is_open()
    }

    fn say(&mut self, event: &Event, out: &mut String) {
        say::event(event, out);
    }

    fn complain(&mut self, line: &str, why: &Mishearing, out: &mut String) {
        match why {
            Mishearing::Unknown => {
                say::note(&format!("unknown command: {}", quote(line)), out);
            }
            Mishearing::Bad(why) => say::note(why, out),
            Mishearing::Task(message) => say::note(&human::message_line(message), out),
        }
    }
}

#[cfg(test)]
mod tests;
