//! The protocol of a conversation that begins without one: which lines select it, and until when.
//!
//! - The first words of a protocol select it wherever they stand (`uci`, `xboard`, `protover`). GUIs that try one protocol
//!   after the other on one process change it again in the same way, until a game has begun. A UCI session
//!   stays one: `xboard` is an unknown command there, which UCI ignores.
//! - Programs that skip the greeting of UCI begin with one of its commands. At a terminal these are plain commands,
//!   elsewhere they select UCI when they are the first line.

use super::{PROTOCOLS, Protocol, words};
use umbrail_session::{Command, Play};

/// Which protocol a conversation speaks, while that can still change.
pub struct ProtocolChoice {
    /// The next line may select a protocol by one of its commands: it is the first one, and no person typed it.
    commands_select: bool,
    /// The protocol that was selected last.
    chosen: Option<&'static Protocol>,
    /// A game has begun under that protocol, which stays.
    closed: bool,
}

impl ProtocolChoice {
    /// A protocol is selected by its first words only: the choice of a person at a terminal.
    pub fn by_words() -> Self {
        Self { commands_select: false, chosen: None, closed: false }
    }

    /// A protocol is selected by its first words, and by its commands in the first line: the choice of a script.
    pub fn by_first_line() -> Self {
        Self { commands_select: true, ..Self::by_words() }
    }

    /// The protocol that this line selects, if it is another one than before.
    pub fn select(&mut self, line: &str) -> Option<&'static Protocol> {
        let first = words::word(line).0;
        if self.closed || first.is_empty() || first.starts_with('#') {
            return None;
        }
        let opens = std::mem::take(&mut self.commands_select);
        if self.chosen.is_some_and(|chosen| chosen.words.contains(&"uci")) {
            return None;
        }
        let selects = |protocol: &&Protocol| {
            protocol.words.contains(&first) || opens && protocol.commands.contains(&first)
        };
        let protocol = PROTOCOLS.iter().find(selects)?;
        if self.chosen.is_some_and(|chosen| chosen.words == protocol.words) {
            return None;
        }
        self.chosen = Some(protocol);
        Some(protocol)
    }

    /// These commands were read: a game that has begun ends the choice of its protocol.
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
            | Play::Draw
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
    use umbrail_tasks::MODULES;

    /// The protocol after each line, with the commands that its dialect hears noted.
    fn talk(mut choice: ProtocolChoice, lines: &[&str]) -> Vec<&'static str> {
        let mut dialect = None;
        let mut word = "plain";
        let mut spoken = vec![];
        for line in lines {
            if let Some(protocol) = choice.select(line) {
                dialect = Some((protocol.dialect)(MODULES));
                word = protocol.words[0];
            }
            if let Some(Ok(commands)) = dialect.as_mut().map(|dialect| dialect.parse(line)) {
                choice.note(&commands);
            }
            spoken.push(word);
        }
        spoken
    }

    fn typed(lines: &[&str]) -> Vec<&'static str> {
        talk(ProtocolChoice::by_words(), lines)
    }

    fn piped(lines: &[&str]) -> Vec<&'static str> {
        talk(ProtocolChoice::by_first_line(), lines)
    }

    #[test]
    fn the_first_protocol_word_decides() {
        for talk in [typed, piped] {
            assert_eq!(talk(&[" uci"]), ["uci"]);
            assert_eq!(talk(&["xboard"]), ["xboard"]);
            assert_eq!(talk(&["protover 2"]), ["xboard"]);
            assert_eq!(talk(&["d", "egt stats KQ.K", "uci"]), ["plain", "plain", "uci"]);
        }
    }

    #[test]
    fn commands_of_uci_select_it_as_the_first_line_of_a_pipe() {
        let firsts = ["isready", "ucinewgame", "setoption name Hash value 1", "position startpos"];
        for first in firsts.into_iter().chain(["go depth 1"]) {
            assert_eq!(piped(&["", "# a script", first]), ["plain", "plain", "uci"], "{first}");
            assert_eq!(typed(&[first]), ["plain"], "{first}");
            assert_eq!(piped(&["spg help", first]), ["plain", "plain"], "{first}");
        }
        for first in ["egt stats KQ.K", "spg help", "steno help", "perft 1", "bench", "d", "quit"] {
            assert_eq!(piped(&[first]), ["plain"], "{first}");
        }
    }

    #[test]
    fn either_protocol_may_be_tried_until_a_game_has_started() {
        let arena = ["xboard", "protover 2", "uci", "isready"];
        assert_eq!(piped(&arena), ["xboard", "xboard", "uci", "uci"]);
        for stray in ["xboard", "protover 2"] {
            assert_eq!(piped(&["uci", "isready", stray, "isready"]), ["uci"; 4], "{stray}");
        }
        assert_eq!(piped(&["uci", "position startpos", "xboard"]), ["uci"; 3]);
        assert_eq!(piped(&["go depth 1", "xboard"]), ["uci"; 2]);
        for begins in ["variant fischerandom", "go", "e2e4", "setboard 8/8/8/8/8/8/8/8", "analyze"]
        {
            assert_eq!(piped(&["xboard", begins, "uci"]), ["xboard"; 3], "{begins}");
        }
    }
}
