//! The plain dialect, for people and scripts at a terminal: UCI's commands without its ceremony,
//! answers to be read.

mod say;

use super::domain::Errands;
use super::{Dialect, Mishearing, quote, uci};
use crate::session::{Command, Event, Room};

/// The plain dialect.
pub struct Plain {
    errands: Errands,
    /// Progress is not wanted, only what was asked for.
    quiet: bool,
}

impl Plain {
    /// Plain talk, with these rooms for errands.
    pub fn new(rooms: &'static [Room]) -> Self {
        Self { errands: Errands::new(rooms), quiet: false }
    }

    /// The same without progress: only what was asked for.
    pub fn quiet(rooms: &'static [Room]) -> Self {
        Self { quiet: true, ..Self::new(rooms) }
    }
}

impl Dialect for Plain {
    fn hear(&mut self, line: &str) -> Result<Vec<Command>, Mishearing> {
        if let Some(heard) = self.errands.continue_with(line) {
            return heard;
        }
        if line.is_empty() || line.starts_with('#') {
            return Ok(vec![]);
        }
        if let Some(heard) = self.errands.hear(line) {
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
            Mishearing::Errand(news) => return self.say(&Event::News(news.clone()), out),
        };
        out.push_str(&text);
        out.push('\n');
    }
}
