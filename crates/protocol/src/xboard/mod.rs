//! XBoard: the Chess Engine Communication Protocol, version 2.
//!
//! Accepted deviations: moves without `usermove`, castling in every spelling, fractions in times,
//! trailing characters in `level`, option names with `_` for a blank.
//!
//! Two properties of xboard determine the output. It takes a line that *contains* certain phrases
//! (`not found`, `No such file`, …) for a failed start and reads no further line, so the case of a
//! letter in such a phrase is changed. It
//! matches words anywhere in an `Error` line, so such a line quotes only the command. All other
//! output follows `#`.

mod edit;
mod features;
mod parse;
mod ranks;
mod table;
mod text;
mod write;

use super::domain::Tasks;
use super::{Dialect, ParseError};
pub(super) use edit::{END, Editing};
use ranks::RankNumbers;
use std::sync::Arc;
use umbrail_session::event::FromTable;
use umbrail_session::{Command, Event, Piece, Play, SolverModule};

/// Destination of thinking output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ThinkingOutput {
    /// None: `nopost`.
    Unwanted,
    /// Requested, but the GUI shows none now: the engine neither plays nor analyzes.
    Wanted,
    /// Requested and shown.
    Shown,
}

/// The XBoard dialect.
pub struct Xboard {
    tasks: Tasks,
    /// The board editor, while it is open.
    editing: Option<Editing>,
    /// Thinking output is requested.
    post: bool,
    /// The GUI shows thinking output now: the engine plays or analyzes.
    watching: bool,
    /// Pieces with moves that XBoard cannot check, of which the user has been warned.
    warned: Vec<Arc<Piece>>,
    ranks: RankNumbers,
}

impl Xboard {
    /// Creates the XBoard dialect, with these modules for tasks.
    pub fn new(modules: &'static [SolverModule]) -> Self {
        Self {
            tasks: Tasks::new(modules),
            editing: None,
            post: true,
            watching: false,
            warned: vec![],
            ranks: RankNumbers::default(),
        }
    }

    /// Records the state that only this dialect needs.
    fn notice(&mut self, command: &Command) {
        if let Command::Play(play) = command {
            self.ranks.notice(play);
            match play {
                Play::Go | Play::Other | Play::Analyze => self.watching = true,
                Play::New | Play::Force | Play::Result | Play::Leave => self.watching = false,
                _ => {}
            }
        }
    }
}

impl Dialect for Xboard {
    fn parse(&mut self, line: &str) -> Result<Vec<Command>, ParseError> {
        if let Some(received) = self.tasks.continue_with(line) {
            return received;
        }
        if line.is_empty() || (line.starts_with('#') && self.editing.is_none()) {
            return Ok(vec![]);
        }
        let mut commands = vec![];
        if let Some(editing) = &mut self.editing {
            if editing.takes(line) {
                return Ok(vec![]);
            }
            // Any other line ends editing and is parsed as an ordinary line.
            commands.extend(self.editing.take().map(Editing::finish));
            if line == END {
                return Ok(commands);
            }
        }
        if let Some(received) = self.tasks.parse(line) {
            commands.extend(received?);
            return Ok(commands);
        }
        match line {
            "edit" => self.editing = Some(Editing::default()),
            "post" => self.post = true,
            "nopost" => self.post = false,
            _ => commands.extend(parse::command(line)?),
        }
        for command in &mut commands {
            self.notice(command);
            self.ranks.read(command);
        }
        Ok(commands)
    }

    fn is_amid_command(&self) -> bool {
        self.tasks.is_open() || self.editing.is_some()
    }

    fn write(&mut self, event: &Event, out: &mut String) {
        let thinking = match (self.post, self.watching) {
            (false, _) => ThinkingOutput::Unwanted,
            (true, false) => ThinkingOutput::Wanted,
            (true, true) => ThinkingOutput::Shown,
        };
        let event = &*self.ranks.written(event);
        write::event(event, thinking, out);
        if let Event::FromTable(FromTable::Pieces { unusual, .. }) = event {
            table::warn(unusual, &mut self.warned, out);
        }
    }

    fn complain(&mut self, line: &str, why: &ParseError, out: &mut String) {
        write::complaint(line, why, out);
    }

    fn ignores_interrupts(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
