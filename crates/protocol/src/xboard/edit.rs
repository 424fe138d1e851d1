//! The board editor of protocol version 1: `#` clears, `c` changes the color, `Pa4` puts a piece,
//! `xa4` removes it, `.` ends.

use umbrail_chess::geometry::{Color, Square};
use umbrail_session::{Command, Edit, Play};

/// Ends editing.
pub(in super::super) const END: &str = ".";

/// Edits so far.
pub(in super::super) struct Editing {
    color: Color,
    edits: Vec<Edit>,
}

impl Default for Editing {
    fn default() -> Self {
        Self { color: Color::White, edits: vec![] }
    }
}

impl Editing {
    /// Takes an edit command; returns false for any other line.
    pub(in super::super) fn takes(&mut self, line: &str) -> bool {
        match line {
            "#" => self.edits.push(Edit::Clear),
            "c" => self.color = !self.color,
            _ => match piece(line) {
                Some(('x', square)) => self.edits.push(Edit::Remove(square)),
                Some((letter, square)) => self.edits.push(Edit::Put(self.color, letter, square)),
                None => return false,
            },
        }
        true
    }

    /// Returns the command for all edits.
    pub(in super::super) fn finish(self) -> Command {
        Command::Play(Play::Edit(self.edits))
    }
}

/// Parses a letter (with an optional `+` for a promoted piece) and a square.
fn piece(line: &str) -> Option<(char, Square)> {
    let plain = line.strip_prefix('+').unwrap_or(line);
    let mut letters = plain.chars();
    let letter = letters.next().filter(char::is_ascii_alphabetic)?;
    if letter.is_ascii_lowercase() && letter != 'x' {
        return None;
    }
    Some((letter, letters.as_str().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{Editing, piece};
    use umbrail_chess::geometry::{Color, Square};
    use umbrail_session::{Command, Edit, Play};

    #[test]
    fn edit_commands_are_gathered_and_others_left_alone() {
        let mut editing = Editing::default();
        for line in ["#", "Ka1", "c", "Qd4", "xa2"] {
            assert!(editing.takes(line), "{line}");
        }
        for line in ["new", "quit", "a2a3", "K", "Kz9", "ka1", ""] {
            assert!(!editing.takes(line), "{line}");
        }
        let expected = vec![
            Edit::Clear,
            Edit::Put(Color::White, 'K', Square::A1),
            Edit::Put(Color::Black, 'Q', Square::D4),
            Edit::Remove(Square::A2),
        ];
        assert_eq!(editing.finish(), Command::Play(Play::Edit(expected)));
        assert_eq!(piece("+Pa4"), Some(('P', Square::A4)));
    }
}
