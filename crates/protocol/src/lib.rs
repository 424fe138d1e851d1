//! Dialects: how lines become commands and events become lines. Nothing else knows a protocol word.
//!
//! - [`Uci`]: the Universal Chess Interface.
//! - [`Xboard`]: the Chess Engine Communication Protocol, version 2.
//! - [`Dialogue`]: EGTgen's, at a terminal.
//! - [`Plain`]: for people and scripts at a terminal; [`Json`] writes the same as one object per line.
//! - [`ini`]: option files.
//!
//! [`ProtocolChoice`] picks the dialect from the first protocol word; until then, plain is spoken.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod aside;
mod choice;
mod dialogue;
mod domain;
mod human;
pub mod ini;
mod json;
mod notation;
mod plain;
pub mod records;
mod uci;
mod words;
mod xboard;

pub use aside::ProgressLine;
pub use choice::ProtocolChoice;
pub use dialogue::Dialogue;
pub use human::grouped;
pub use json::{Json, line_record};
pub use plain::{Plain, Reader};
pub use uci::Uci;
pub use xboard::Xboard;

use umbrail_session::{Command, Event, Message, SolverModule};

/// One protocol: how it is read and written. The state in it is what the protocol itself makes stateful
/// (a half-read `edit`, `post`, a here-document), and nothing else.
pub trait Dialect: Send {
    /// What a line asks for; one line may mean several commands, or none yet.
    ///
    /// # Errors
    /// [`ParseError`], to be written by [`Dialect::complain`].
    fn parse(&mut self, line: &str) -> Result<Vec<Command>, ParseError>;

    /// Says an event; nothing, if the protocol has no word for it. Each line ends with a line feed.
    fn write(&mut self, event: &Event, out: &mut String);

    /// Says that a line was not understood, in the protocol's own manner.
    fn complain(&mut self, line: &str, why: &ParseError, out: &mut String);

    /// Text that is written before any input; empty in most protocols.
    fn greeting(&self) -> Option<String> {
        None
    }

    /// True if errors and progress are written to standard error.
    fn reports_aside(&self) -> bool {
        false
    }

    /// True in the middle of a command of several lines, which decides what the next line means.
    fn is_amid_command(&self) -> bool {
        false
    }

    /// True when the interrupt signal means nothing in this protocol.
    fn ignores_interrupts(&self) -> bool {
        false
    }
}

/// Why a line was not understood.
#[derive(Clone, Debug, PartialEq)]
pub enum ParseError {
    /// Its first word is no command.
    Unknown,
    /// It is a command with something wrong behind it; this is what was expected.
    Bad(String),
    /// A task that is worded wrongly.
    Task(Message),
}

/// A protocol that a conversation may begin with.
pub struct Protocol {
    /// Its first words; the first of them is also the subcommand that speaks it.
    pub words: &'static [&'static str],
    /// Its commands that a program may begin with, and that select it when no person is at a terminal.
    pub commands: &'static [&'static str],
    /// Help of the subcommand.
    pub about: &'static str,
    /// Its dialect.
    pub dialect: fn(&'static [SolverModule]) -> Box<dyn Dialect>,
}

/// All of them.
pub const PROTOCOLS: &[Protocol] = &[
    Protocol {
        words: &["uci"],
        commands: &["isready", "ucinewgame", "setoption", "position", "go"],
        about: "Speak UCI",
        dialect: |modules| Box::new(Uci::new(modules)),
    },
    Protocol {
        words: &["xboard", "protover"],
        commands: &[],
        about: "Speak XBoard",
        dialect: |modules| Box::new(Xboard::new(modules)),
    },
];

/// A raw line as dialects want it: without byte order mark, NUL, and white space around it.
pub fn tidy(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\0' | '\u{feff}'))
}

/// Text from outside is quoted back only this far.
const QUOTED_MAX: usize = 100;

/// The beginning of a text, fit to be quoted on one line.
fn quote(text: &str) -> String {
    let clean: String =
        text.chars().take(QUOTED_MAX).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if clean.len() < text.len() { clean + "..." } else { clean }
}

#[cfg(test)]
mod tests;
