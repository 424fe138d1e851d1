//! The plain dialect, for people and scripts at a terminal: UCI's commands without its ceremony,
//! answers to be read.

mod say;

use super::domain::Tasks;
use super::{Dialect, Mishearing, quote, uci};
use crate::session::{Command, Event, SolverModule};

/// The plain dialect.
pub struct Plain {
    tasks: Tasks,
    /// What is wanted of what is said.
    manner: Manner,
}

/// What is wanted of what is said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// Everything, as a conversation needs it.
    Conversation,
    /// The answer to one command, in sentences. Faults, notes and progress are told aside, on standard error.
    Command,
}

impl Plain {
    /// Plain talk, with these modules for tasks.
    pub fn new(modules: &'static [SolverModule]) -> Self {
        Self { tasks: Tasks::new(modules), manner: Manner::Conversation }
    }

    /// The answer to one command of the shell, in sentences and nothing around them.
    pub fn command(modules: &'static [SolverModule]) -> Self {
        Self { manner: Manner::Command, ..Self::new(modules) }
    }
}

impl Dialect for Plain {
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
        uci::hear(line)
    }

    fn say(&mut self, event: &Event, out: &mut String) {
        say::event(event, self.manner == Manner::Command, out);
    }

    fn tells_aside(&self) -> bool {
        self.manner == Manner::Command
    }

    fn complain(&mut self, line: &str, why: &Mishearing, out: &mut String) {
        let text = match why {
            Mishearing::Unknown => format!("unknown command: {} (try help)", quote(line)),
            Mishearing::Bad(why) => why.clone(),
            Mishearing::Task(message) => return self.say(&Event::Message(message.clone()), out),
        };
        out.push_str(&text);
        out.push('\n');
    }
}
