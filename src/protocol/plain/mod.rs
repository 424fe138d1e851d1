//! The plain dialect, for people and scripts at a terminal: UCI's commands without its ceremony,
//! answers to be read.

mod say;

use super::domain::Tasks;
use super::{Dialect, Mishearing, quote, uci};
use crate::session::{Command, Event, SolverModule};

/// The plain dialect.
pub struct Plain {
    tasks: Tasks,
    /// Progress is not wanted, only what was asked for.
    quiet: bool,
}

impl Plain {
    /// Plain talk, with these modules for tasks.
    pub fn new(modules: &'static [SolverModule]) -> Self {
        Self { tasks: Tasks::new(modules), quiet: false }
    }

    /// The same without progress: only what was asked for.
    pub fn quiet(modules: &'static [SolverModule]) -> Self {
        Self { quiet: true, ..Self::new(modules) }
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
        say::event(event, self.quiet, out);
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
