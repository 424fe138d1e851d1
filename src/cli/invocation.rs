//! What a command line asks for: one step from the arguments to a value, the historic forms included.
//!
//! | form | meaning | read by |
//! |---|---|---|
//! | `[-xboard] [-m] [-0] [-s] [-f FILE] ENDGAME`, `4men …` | the line of the older endgame program | [`EndgameLine`] |
//! | `egt VERB … -m -0 -s -f FILE --bare-royal-loses --forced-pass` | its switches, as keys | [`super::egt`], with clap |
//! | `egt ENDGAME` | refused, with the verb to write | [`hint`] |
//! | `worker …` | `spg work …` | clap ([`super::domains`]) |
//! | `spg`, `spg --threads 2 check …` | `spg solve`, `spg check --threads 2 …` | [`with_verb_first`] |
//! | `bench 16 1 13 FILE depth` | the values of Stockfish's bench | clap ([`super::args`]) |
//! | `xboard ENDGAME` | a table played under XBoard | clap |
//!
//! Everything else is clap's.

use super::args::{self, Args, Common, Sub};
use super::domains::WORKER;
use super::endgame_line::{self, EndgameLine};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, FromArgMatches, Subcommand};
use std::ffi::OsString;
use umbrail::protocol::{PROTOCOLS, Protocol};
use umbrail::session::Domain;
use umbrail::session::module::module;
use umbrail::tasks::MODULES;

/// What the arguments ask for.
pub(super) enum Invocation {
    /// A conversation about an endgame.
    Endgame(EndgameLine),
    /// One task of a domain; its words are in the matches.
    Task(Domain, ArgMatches),
    /// A conversation in a protocol that takes no arguments of its own.
    Conversation(&'static Protocol, Box<Common>),
    /// A conversation, or another subcommand.
    Command(Box<Args>),
}

/// Why there is nothing to do, or nothing more.
pub(super) enum UsageError {
    /// Help, the version, or a fault, with its own exit status.
    Clap(clap::Error),
    /// A fault in words.
    Words(String),
}

impl Invocation {
    /// Reads the arguments, the program's name first.
    pub(super) fn parse(arguments: Vec<OsString>) -> Result<Self, UsageError> {
        if let Some(line) = endgame_line::recognise(&arguments) {
            return Ok(Self::Endgame(line));
        }
        let arguments = with_verb_first(words_of_openbench(arguments));
        let matches =
            args::command(MODULES).try_get_matches_from(&arguments).map_err(|error| match hint(
                &arguments, &error,
            ) {
                Some(hint) => UsageError::Words(hint),
                None => UsageError::Clap(error),
            })?;
        let word = matches.subcommand_name().unwrap_or_default();
        let worker = (word == WORKER).then_some(Domain::Spg);
        if let Some(domain) = Domain::from_word(word).or(worker) {
            return Ok(Self::Task(domain, matches));
        }
        let words = |error: clap::Error| UsageError::Words(error.to_string());
        let protocol = PROTOCOLS.iter().find(|protocol| protocol.words[0] == word);
        if let Some(protocol) = protocol.filter(|_| !Sub::has_subcommand(word)) {
            let common = Common::of_conversation(&matches).map_err(words)?;
            return Ok(Self::Conversation(protocol, Box::new(common)));
        }
        let mut args = Args::from_arg_matches(&matches).map_err(words)?;
        args.common.all_options = Common::of_conversation(&matches).map_err(words)?.all_options;
        Ok(Self::Command(Box::new(args)))
    }
}

/// OpenBench's clients give a command of the engine as one argument, and `quit` after it: `"genfens 100 seed 1" quit`.
fn words_of_openbench(arguments: Vec<OsString>) -> Vec<OsString> {
    let command = arguments.get(1).map(|word| word.to_string_lossy().into_owned());
    let Some(command) = command.filter(|word| word.starts_with("genfens ")) else {
        return arguments;
    };
    let rest = arguments.iter().skip(2).filter(|word| *word != "quit").cloned();
    let words = command.split_whitespace().map(OsString::from);
    arguments.iter().take(1).cloned().chain(words).chain(rest).collect()
}

/// Arguments with the verb directly after `spg`: the first word that is one, or `solve` when there is none. Not clap's:
/// keys of the verb may stand before it.
fn with_verb_first(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let word = |at: usize| arguments.get(at).map(|word| word.to_string_lossy().into_owned());
    let help = ["--help", "-h", "--version", "-V"];
    let bare = match word(2) {
        None => true,
        Some(next) => next.starts_with("--") && !help.contains(&next.as_str()),
    };
    if word(1).as_deref() == Some(Domain::Spg.word()) && bare {
        let is_verb = |word: &OsString| {
            let module = module(MODULES, Domain::Spg);
            module
                .is_some_and(|module| word.to_str().is_some_and(|word| module.verb(word).is_some()))
        };
        let verb = arguments.iter().skip(2).position(is_verb).map(|at| arguments.remove(at + 2));
        arguments.insert(2, verb.unwrap_or_else(|| "solve".into()));
    }
    arguments
}

/// A sentence that is better than clap's: it names an argument that is not UTF-8, or states what to write instead of an
/// endgame where a verb belongs (`egt KQ.KR`).
fn hint(arguments: &[OsString], error: &clap::Error) -> Option<String> {
    if error.kind() == ErrorKind::InvalidUtf8 {
        let word = arguments.iter().find(|word| word.to_str().is_none())?;
        return Some(format!(
            "{word:?} is not valid UTF-8: rename the file, or make a symbolic link with another name"
        ));
    }
    let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    else {
        return None;
    };
    let behind_egt = arguments.windows(2).any(|pair| pair[0] == "egt" && pair[1] == word.as_str());
    (behind_egt && endgame_line::is_endgame(word)).then(|| {
        format!(
            "egt requires a verb before {word}, such as: umbrail egt stats {word} (umbrail egt --help lists them)"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[cfg(unix)]
    #[test]
    fn an_argument_that_is_no_utf_8_is_named() {
        use std::os::unix::ffi::OsStringExt;
        let name = OsString::from_vec(b"caf\xe9.txt".to_vec());
        let arguments = [words("umbrail spg solve"), vec![name]].concat();
        let Err(UsageError::Words(why)) = Invocation::parse(arguments) else {
            panic!("a fault in words");
        };
        assert!(why.starts_with("\"caf\\xE9.txt\" is not valid UTF-8"), "{why}");
    }

    #[test]
    fn the_verb_of_proof_games_is_solve_when_none_is_given() {
        let spelled = |line: &str| {
            let words = with_verb_first(words(line));
            words.join(std::ffi::OsStr::new(" ")).to_string_lossy().into_owned()
        };
        assert_eq!(spelled("umbrail spg"), "umbrail spg solve");
        assert_eq!(spelled("umbrail spg --threads 2"), "umbrail spg solve --threads 2");
        let late = "umbrail spg --threads 2 check --fen F";
        assert_eq!(spelled(late), "umbrail spg check --threads 2 --fen F");
        assert_eq!(spelled("umbrail spg --threads 2 a.txt"), "umbrail spg solve --threads 2 a.txt");
        assert_eq!(spelled("umbrail spg --help"), "umbrail spg --help");
        assert_eq!(spelled("umbrail spg check"), "umbrail spg check");
        assert_eq!(spelled("umbrail egt"), "umbrail egt");
    }

    #[test]
    fn an_endgame_without_a_verb_gets_a_hint() {
        let hint = |line: &str| match Invocation::parse(words(line)) {
            Err(UsageError::Words(hint)) => Some(hint),
            _ => None,
        };
        assert!(hint("umbrail egt KQ.KR -m").is_some_and(|hint| hint.contains("stats KQ.KR")));
        assert!(hint("umbrail --json egt KQ.KR").is_some());
        assert_eq!(hint("umbrail egt stats KQ.KR"), None);
        assert_eq!(hint("umbrail egt"), None);
        assert_eq!(hint("umbrail spg KQ.KR"), None);
    }

    #[test]
    fn each_form_of_the_table_is_read_as_documented() {
        let kind = |line: &str| match Invocation::parse(words(line)) {
            Ok(Invocation::Endgame(_)) => "endgame",
            Ok(Invocation::Task(..)) => "task",
            Ok(Invocation::Conversation(..)) => "conversation",
            Ok(Invocation::Command(_)) => "command",
            Err(_) => "refused",
        };
        assert_eq!(kind("4men -m KQ.KR"), "endgame");
        assert_eq!(kind("umbrail -xboard KQ.KR"), "endgame");
        assert_eq!(kind("umbrail egt stats KQ.KR -m -0 -s -f seeds"), "task");
        assert_eq!(kind("umbrail spg --threads 2 check --fen F"), "task");
        assert_eq!(kind("umbrail bench 16 1 13 default depth"), "command");
        assert_eq!(kind("umbrail xboard KQ.KR"), "command");
        assert_eq!(kind("umbrail uci --log FILE"), "conversation");
        assert_eq!(kind("umbrail"), "command");
        assert_eq!(kind("umbrail egt KQ.KR"), "refused");
        assert_eq!(kind("umbrail --help"), "refused");
    }
}
