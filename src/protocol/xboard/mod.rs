//! XBoard: the Chess Engine Communication Protocol, version 2.
//!
//! Forgiven: moves without `usermove`, castling in every spelling, fractions in times, trailing
//! characters in `level`, options said with `_` for a blank.
//!
//! Two habits of the real xboard shape the output. It takes a line that *contains* certain phrases
//! (`not found`, `No such file`, …) for a failed start, so nothing from outside is quoted with them;
//! and it matches words anywhere in an `Error` line, so such a line quotes the command and nothing
//! else. Whatever has no place in the protocol goes behind `#`.

mod edit;
mod features;
mod hear;
mod say;
mod table;

use super::domain::Tasks;
use super::{Dialect, Mishearing};
use crate::session::event::FromTable;
use crate::session::{Command, Event, Piece, Play, SolverModule};
pub(super) use edit::{END, Editing};
use std::sync::Arc;

/// What becomes of thinking output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ThinkingOutput {
    /// `nopost`: it is not wanted.
    Unwanted,
    /// It is wanted, but the GUI shows none now: the engine neither plays nor analyses.
    Wanted,
    /// It is wanted and shown.
    Shown,
}

/// The XBoard dialect.
pub struct Xboard {
    tasks: Tasks,
    /// The board editor, while it is open.
    editing: Option<Editing>,
    /// Thinking output is wanted.
    post: bool,
    /// The GUI shows thinking output now: the engine plays or analyses.
    watching: bool,
    /// Pieces whose moves XBoard cannot check, as far as the user was warned of them.
    warned: Vec<Arc<Piece>>,
}

impl Xboard {
    /// XBoard, with these modules for tasks.
    pub fn new(modules: &'static [SolverModule]) -> Self {
        Self {
            tasks: Tasks::new(modules),
            editing: None,
            post: true,
            watching: false,
            warned: vec![],
        }
    }

    /// Keeps what only this dialect cares about.
    fn notice(&mut self, command: &Command) {
        if let Command::Play(play) = command {
            match play {
                Play::Go | Play::Other | Play::Analyze => self.watching = true,
                Play::New | Play::Force | Play::Result | Play::Leave => self.watching = false,
                _ => {}
            }
        }
    }
}

impl Dialect for Xboard {
    fn hear(&mut self, line: &str) -> Result<Vec<Command>, Mishearing> {
        if let Some(heard) = self.tasks.continue_with(line) {
            return heard;
        }
        if line.is_empty() || (line.starts_with('#') && self.editing.is_none()) {
            return Ok(vec![]);
        }
        let mut commands = vec![];
        if let Some(editing) = &mut self.editing {
            if editing.takes(line) {
                return Ok(vec![]);
            }
            // Anything else ends editing; a line that is no edit command is heard as what it is.
            commands.extend(self.editing.take().map(Editing::finish));
            if line == END {
                return Ok(commands);
            }
        }
        if let Some(heard) = self.tasks.hear(line) {
            commands.extend(heard?);
            return Ok(commands);
        }
        match line {
            "edit" => self.editing = Some(Editing::default()),
            "post" => self.post = true,
            "nopost" => self.post = false,
            _ => commands.extend(hear::command(line)?),
        }
        for command in &commands {
            self.notice(command);
        }
        Ok(commands)
    }

    fn is_amid_command(&self) -> bool {
        self.tasks.is_open() || self.editing.is_some()
    }

    fn say(&mut self, event: &Event, out: &mut String) {
        let thinking = match (self.post, self.watching) {
            (false, _) => ThinkingOutput::Unwanted,
            (true, false) => ThinkingOutput::Wanted,
            (true, true) => ThinkingOutput::Shown,
        };
        say::event(event, thinking, out);
        if let Event::FromTable(FromTable::Pieces { unusual, .. }) = event {
            table::warn(unusual, &mut self.warned, out);
        }
    }

    fn complain(&mut self, line: &str, why: &Mishearing, out: &mut String) {
        say::complaint(line, why, out);
    }

    fn ignores_interrupts(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
