//! EGTgen's dialogue at a terminal: an octal index, the board editor, or a reply to the reported
//! move. All other lines belong to the plain dialect.

use super::words::{is_move, octal};
use super::xboard::{END, Editing};
use super::{Dialect, ParseError, Plain, Reader};
use umbrail_session::command::Ask;
use umbrail_session::{Command, Event, Play, SolverModule};

/// The dialogue of `4men KQ.KR`.
pub struct Dialogue {
    plain: Plain,
    editing: Option<Editing>,
}

impl Dialogue {
    /// Creates the dialogue, with these modules for tasks.
    pub fn new(modules: &'static [SolverModule]) -> Self {
        Self { plain: Plain::new(modules, Reader::Script), editing: None }
    }
}

impl Dialect for Dialogue {
    fn parse(&mut self, line: &str) -> Result<Vec<Command>, ParseError> {
        let ask = |ask| Command::Play(Play::Ask(ask));
        let mut commands = vec![];
        if let Some(editing) = &mut self.editing {
            if editing.takes(line) {
                return Ok(vec![]);
            }
            commands.extend(self.editing.take().map(Editing::finish));
            commands.push(ask(Ask::Board));
            if line == END {
                return Ok(commands);
            }
        }
        commands.extend(match line {
            "edit" => {
                self.editing = Some(Editing::default());
                vec![]
            }
            "new" | "force" => vec![Command::Play(Play::Force)],
            "remove" => vec![Command::Play(Play::Remove)],
            "undo" => vec![Command::Play(Play::Undo)],
            _ => match octal(line) {
                Some(index) => vec![ask(Ask::Index(index))],
                None if is_move(line) => vec![ask(Ask::Reply(line.to_owned()))],
                None => self.plain.parse(line)?,
            },
        });
        Ok(commands)
    }

    fn is_amid_command(&self) -> bool {
        self.editing.is_some() || self.plain.is_amid_command()
    }

    fn write(&mut self, event: &Event, out: &mut String) {
        self.plain.write(event, out);
    }

    fn complain(&mut self, line: &str, why: &ParseError, out: &mut String) {
        self.plain.complain(line, why, out);
    }
}

#[cfg(test)]
mod tests {
    use super::Dialogue;
    use crate::Dialect;
    use umbrail_session::command::Ask;
    use umbrail_session::{Command, Play};
    use umbrail_tasks::MODULES;

    #[test]
    fn indices_replies_and_the_editor_ask_the_table() {
        let mut dialogue = Dialogue::new(MODULES);
        let mut asks = |line: &str| dialogue.parse(line).unwrap();
        assert_eq!(asks("2034252"), [Command::Play(Play::Ask(Ask::Index(0o2_034_252)))]);
        let reply = Ask::Reply("c6b7".to_owned());
        assert_eq!(asks("c6b7"), [Command::Play(Play::Ask(reply))]);
        for line in ["edit", "#", "Ka1", "Qb1", "c", "Kd5"] {
            assert_eq!(asks(line), [], "{line}");
        }
        let received = asks(".");
        assert!(matches!(received[0], Command::Play(Play::Edit(_))));
        assert_eq!(received[1], Command::Play(Play::Ask(Ask::Board)));
        assert_eq!(asks("quit"), [Command::Quit]);
    }
}
