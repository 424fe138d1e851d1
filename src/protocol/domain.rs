//! Hearing tasks (`spg solve moves 23.0 max 2 text 1. e4 e5`): one grammar in every dialect.
//!
//! ```text
//! DOMAIN VERB [SUBJECT...] [KEY VALUE]... [text REST-OF-LINE | <<WORD]
//! ```
//! A FEN reaches over six words, moves up to the next key, `text` over the rest of the line as it
//! stands, and `<<WORD` over the following lines up to one that is `WORD`. The value of any other key is the next
//! word, also one that is a key elsewhere (`vocab pgn`).
//!
//! Words of the command line are understood, too: `--KEY VALUE`, `--KEY=VALUE`, and `--` for `text`. A word that is
//! neither a key nor part of the subject is refused.

use super::words::word;
use super::{Mishearing, quote};
use crate::session::domain::{Domain, Key, Reach, Task};
use crate::session::module::{SolverModule, Verb, module};
use crate::session::{Command, Message, Show};

/// Words that every domain understands, also one that is not built in.
const STOP: &str = "stop";
const SKIP: &str = "skip";
const HELP: &str = "help";
/// Introduces the rest of the line.
const TEXT: &str = "text";
/// Introduces a here-document.
const HERE: &str = "<<";
/// Introduces a key as on the command line; alone, the rest of the line.
const DASHES: &str = "--";
/// A here-document may not grow beyond this.
const HERE_MAX_BYTES: usize = 16 << 20;

/// Hears tasks, some of them over several lines.
pub(super) struct Tasks {
    modules: &'static [SolverModule],
    /// A task whose here-document is being read, with the word that ends it.
    open: Option<(Task, String)>,
}

impl Tasks {
    pub(super) fn new(modules: &'static [SolverModule]) -> Self {
        Self { modules, open: None }
    }

    /// Takes a line of a here-document; `None` when none is open.
    pub(super) fn continue_with(&mut self, line: &str) -> Option<Result<Vec<Command>, Mishearing>> {
        let (mut task, end) = self.open.take()?;
        if line.trim() == end {
            return Some(Ok(vec![Command::Task(task)]));
        }
        let text = task.text.get_or_insert_default();
        if text.len() + line.len() > HERE_MAX_BYTES {
            let why = format!("the text before {end} is longer than {} MiB", HERE_MAX_BYTES >> 20);
            return Some(Err(Mishearing::Task(Message::error(task.domain, why))));
        }
        text.push_str(line);
        text.push('\n');
        self.open = Some((task, end));
        Some(Ok(vec![]))
    }

    /// Hears a line that begins with a domain's word; `None` when it does not.
    pub(super) fn hear(&mut self, line: &str) -> Option<Result<Vec<Command>, Mishearing>> {
        let (first, rest) = word(line);
        let domain = Domain::from_word(first)?;
        Some(
            self.hear_domain(domain, rest)
                .map_err(|why| Mishearing::Task(Message::error(domain, why))),
        )
    }

    fn hear_domain(&mut self, domain: Domain, rest: &str) -> Result<Vec<Command>, String> {
        let (verb, rest) = word(rest);
        match verb {
            STOP => return Ok(vec![Command::Stop]),
            SKIP => return Ok(vec![Command::Skip(domain)]),
            HELP => return Ok(vec![Command::Show(Show::Help(Some(domain)))]),
            _ => {}
        }
        let Some(module) = module(self.modules, domain) else {
            let about = domain.about();
            return Err(format!(
                "{first} ({about}) is not built into this version yet",
                first = domain.word()
            ));
        };
        let Some(verb) = module.verb(verb) else {
            let known: Vec<_> = module.verbs.iter().map(|verb| verb.name).collect();
            return Err(format!("expected one of {}, got \"{}\"", known.join(", "), quote(verb)));
        };
        let (task, here) = parse(domain, verb, rest)?;
        match here {
            None => Ok(vec![Command::Task(task)]),
            Some(end) => {
                self.open = Some((task, end));
                Ok(vec![])
            }
        }
    }
}

/// Reads what stands behind the verb; with the word that ends a here-document, if one follows.
fn parse(
    domain: Domain,
    verb: &'static Verb,
    rest: &str,
) -> Result<(Task, Option<String>), String> {
    let mut task = Task { domain, verb: verb.name, subject: vec![], keys: vec![], text: None };
    let mut rest = rest;
    let is_text = |next: &str| next == TEXT || next == DASHES;
    let ends_line = |next: &str| next.is_empty() || is_text(next) || next.starts_with(HERE);
    let ends_moves = |next: &str| ends_line(next) || key_of(verb, next).is_some();
    loop {
        let (next, behind) = word(rest);
        rest = behind;
        if next.is_empty() {
            return Ok((task, None));
        } else if is_text(next) && verb.text.is_some() {
            task.text = Some(rest.strip_prefix(char::is_whitespace).unwrap_or(rest).to_owned());
            return Ok((task, None));
        } else if let Some(end) = next.strip_prefix(HERE).filter(|_| verb.text.is_some()) {
            if end.is_empty() {
                return Err("expected a word behind <<".to_owned());
            }
            return Ok((task, Some(end.to_owned())));
        } else if let Some((key, said)) = key_of(verb, next) {
            let ends_value: &dyn Fn(&str) -> bool = match key.reach {
                Reach::Word => &|next| ends_line(next) || next.starts_with(DASHES),
                _ => &ends_moves,
            };
            let most = match key.reach {
                Reach::Flag => 0,
                Reach::Word => 1,
                Reach::Fen => 6,
                Reach::Words => usize::MAX,
            };
            if most == 0 && said.is_some() {
                return Err(format!("{} takes no value", key.name));
            }
            let mut value: Vec<&str> = said.into_iter().filter(|said| !said.is_empty()).collect();
            while value.len() < most {
                let (next, behind) = word(rest);
                if ends_value(next) {
                    break;
                }
                value.push(next);
                rest = behind;
            }
            if most > 0 && value.is_empty() {
                return Err(format!("{} wants a value", key.name));
            }
            task.keys.push((key.name, value.join(" ")));
        } else if task.subject.len() < verb.subject_max()
            && task.keys.is_empty()
            && !next.starts_with(DASHES)
        {
            task.subject.push(next.to_owned());
        } else {
            let known: Vec<_> = verb.all_keys().map(|key| key.name).collect();
            let known = known.join(", ");
            return Err(format!("{} knows {known}, got \"{}\"", verb.name, quote(next)));
        }
    }
}

/// The key that a word names, with the value in it (`--metric=dtm`).
fn key_of<'a>(verb: &Verb, word: &'a str) -> Option<(&'static Key, Option<&'a str>)> {
    let Some(word) = word.strip_prefix(DASHES) else {
        return verb.key(word).map(|key| (key, None));
    };
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, None),
    };
    verb.key(name).map(|key| (key, value))
}

#[cfg(test)]
mod tests {
    use super::{Tasks, parse};
    use crate::session::domain::{Domain, Key, Reach};
    use crate::session::module::Verb;
    use crate::session::{Command, MODULES};

    const fn key(name: &'static str, aliases: &'static [&'static str], reach: Reach) -> Key {
        Key { name, aliases, reach, help: "" }
    }

    const SOLVE: Verb = Verb {
        name: "solve",
        help: "",
        subject: Some("MATERIAL"),
        text: Some("REST"),
        input: false,
        background: false,
        keys: &[&[
            key("fen", &[], Reach::Fen),
            key("max", &["max-solutions"], Reach::Word),
            key("moves", &[], Reach::Words),
            key("all", &[], Reach::Flag),
        ]],
        prepare: |_, _| Err("".into()),
    };

    fn reads(rest: &str, expected: &str) {
        let shown = match parse(Domain::Spg, &SOLVE, rest) {
            Ok((task, here)) => {
                format!("{:?} {:?} {:?} {:?}", task.subject, task.keys, task.text, here)
            }
            Err(why) => why,
        };
        assert_eq!(shown, expected, "{rest}");
    }

    #[test]
    fn values_reach_as_far_as_their_key_says() {
        reads(
            " KQ.KR fen 8/8/8/8/8/8/8/8 w - - 0 1 max 2",
            r#"["KQ.KR"] [("fen", "8/8/8/8/8/8/8/8 w - - 0 1"), ("max", "2")] None None"#,
        );
        reads(
            " fen 8/8/8/8/8/8/8/8 all",
            r#"[] [("fen", "8/8/8/8/8/8/8/8"), ("all", "")] None None"#,
        );
        reads(" moves e4 e5 max-solutions 3", r#"[] [("moves", "e4 e5"), ("max", "3")] None None"#);
    }

    #[test]
    fn text_is_taken_as_it_stands() {
        reads(" max 2 text  a \"b\"  max #", r#"[] [("max", "2")] Some(" a \"b\"  max #") None"#);
        reads(" <<END", r#"[] [] None Some("END")"#);
    }

    #[test]
    fn what_is_wrong_is_named() {
        reads(" max", "max wants a value");
        reads(" max --all", "max wants a value");
        reads(" --max", "max wants a value");
        reads(" --all=1", "all takes no value");
        reads(" max 2 foo", "solve knows fen, max, moves, all, time, threads, got \"foo\"");
        reads(" <<", "expected a word behind <<");
    }

    #[test]
    fn t14_words_that_are_not_known_are_refused_and_named() {
        for (line, word) in [
            (" KQ.KR metrik dtm", "metrik"),
            (" KQ.KR --metrik dtm", "--metrik"),
            (" KQ.KR --metrik=dtm", "--metrik=dtm"),
            (" --metrik", "--metrik"),
            (" KQ.KR KR.K", "KR.K"),
        ] {
            let known = "solve knows fen, max, moves, all, time, threads";
            reads(line, &format!("{known}, got \"{word}\""));
        }
    }

    #[test]
    fn words_of_the_command_line_are_understood() {
        let expected = r#"["KQ.KR"] [("max", "2"), ("all", "")] Some("max 3") None"#;
        reads(" KQ.KR --max 2 --all -- max 3", expected);
        reads(" KQ.KR --max=2 --all text max 3", expected);
    }

    #[test]
    fn n3_the_value_of_a_key_may_be_the_name_of_another() {
        reads(" max all text x", r#"[] [("max", "all")] Some("x") None"#);
        reads(" max moves moves e4", r#"[] [("max", "moves"), ("moves", "e4")] None None"#);
    }

    #[test]
    fn a_domain_without_a_module_is_heard() {
        let mut tasks = Tasks::new(MODULES);
        assert!(tasks.hear("position startpos").is_none());
        assert_eq!(tasks.hear("spg stop"), Some(Ok(vec![Command::Stop])));
        assert!(tasks.continue_with("x").is_none());
    }
}
