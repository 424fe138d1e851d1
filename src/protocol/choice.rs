//! The protocol of a conversation that begins without one: which lines select it, and until when.
//!
//! The first words of a protocol select it wherever they stand (`uci`, `xboard`, `protover`). GUIs that try one protocol
//! after the other on one process change it again in the same way, until a game has begun.

use super::{PROTOCOLS, Protocol, words};
use crate::session::{Command, Play};

/// Which protocol a conversation speaks, while that can still change.
#[derive(Default)]
pub struct ProtocolChoice {
    /// The protocol that was selected last.
    chosen: Option<&'static Protocol>,
    /// A game has begun under that protocol, which stays.
    closed: bool,
}

impl ProtocolChoice {
    /// The protocol that this line selects, if it is another one than before.
    pub fn select(&mut self, line: &str) -> Option<&'static Protocol> {
        let first = words::word(line).0;
        if self.closed || first.is_empty() || first.starts_with('#') {
            return None;
        }
        let protocol = PROTOCOLS.iter().find(|protocol| protocol.words.contains(&first))?;
        if self.chosen.is_some_and(|chosen| chosen.words == protocol.words) {
            return None;
        }
        self.chosen = Some(protocol);
        Some(protocol)
    }

    /// These commands were heard: a game that has begun ends the choice of its protocol.
    pub fn note(&mut self, commands: &[Command]) {
        self.closed |= self.chosen.is_some() && commands.iter().any(begins_game);
    }
}

/// True for commands that concern a position or its game, and not only the options and the clocks of games to come.
fn begins_game(command: &Command) -> bool {
    match command {
        Command::Position { .. }
        | Command::Go(_)
        | Command::Perft(_)
        | Command::Bench(_)
        | Command::Flip
        | Command::PonderHit
        | Command::Task(_)
        | Command::Skip(_) => true,
        Command::Play(play) => match play {
            Play::Variant(_)
            | Play::Go
            | Play::Other
            | Play::Move(_)
            | Play::Undo
            | Play::Remove
            | Play::Setup(_)
            | Play::Edit(_)
            | Play::Ask(_)
            | Play::Analyze
            | Play::Hint
            | Play::Exclude(_)
            | Play::Include(_) => true,
            Play::New
            | Play::Force
            | Play::MoveNow
            | Play::Result
            | Play::Leave
            | Play::Status
            | Play::Book
            | Play::Level { .. }
            | Play::PerMove(_)
            | Play::Depth(_)
            | Play::Rate(_)
            | Play::Clock(_)
            | Play::OtherClock(_)
            | Play::Ping(_)
            | Play::Memory(_)
            | Play::TablePath { .. } => false,
        },
        Command::Identify
        | Command::Ready
        | Command::Debug(_)
        | Command::SetOption { .. }
        | Command::NewGame
        | Command::Stop
        | Command::Show(_)
        | Command::Quit
        | Command::End
        | Command::Exit => false,
    }
}

#[cfg(test)]
mod tests {
    use super::ProtocolChoice;
    use crate::session::MODULES;

    /// The protocol after each line, with the commands that its dialect hears noted.
    fn talk(lines: &[&str]) -> Vec<&'static str> {
        let mut choice = ProtocolChoice::default();
        let mut dialect = None;
        let mut word = "plain";
        let mut spoken = vec![];
        for line in lines {
            if let Some(protocol) = choice.select(line) {
                dialect = Some((protocol.dialect)(MODULES));
                word = protocol.words[0];
            }
            if let Some(Ok(commands)) = dialect.as_mut().map(|dialect| dialect.hear(line)) {
                choice.note(&commands);
            }
            spoken.push(word);
        }
        spoken
    }

    #[test]
    fn the_first_protocol_word_decides() {
        assert_eq!(talk(&[" uci"]), ["uci"]);
        assert_eq!(talk(&["xboard"]), ["xboard"]);
        assert_eq!(talk(&["protover 2"]), ["xboard"]);
        assert_eq!(talk(&["d", "egt stats KQ.K", "uci"]), ["plain", "plain", "uci"]);
        assert_eq!(talk(&["isready"]), ["plain"]);
    }

    #[test]
    fn either_protocol_may_be_tried_until_a_game_has_begun() {
        let arena = ["xboard", "protover 2", "uci", "isready"];
        assert_eq!(talk(&arena), ["xboard", "xboard", "uci", "uci"]);
        let other = ["uci", "setoption name Hash value 1", "isready", "xboard", "new", "uci"];
        assert_eq!(talk(&other), ["uci", "uci", "uci", "xboard", "xboard", "uci"]);
        assert_eq!(talk(&["uci", "position startpos", "xboard"]), ["uci"; 3]);
        for begins in ["variant fischerandom", "go", "e2e4", "setboard 8/8/8/8/8/8/8/8", "analyze"]
        {
            assert_eq!(talk(&["xboard", begins, "uci"]), ["xboard"; 3], "{begins}");
        }
    }
}
