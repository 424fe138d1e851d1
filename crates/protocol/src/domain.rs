//! Parsing of tasks (`spg solve moves 23.0 max 2 text 1. e4 e5`): one grammar in every dialect.
//!
//! ```text
//! DOMAIN VERB [SUBJECT...] [KEY VALUE]... [text REST-OF-LINE | <<WORD]
//! ```
//! A FEN takes six words, moves extend to the next key, `text` takes the rest of the line
//! unchanged, and `<<WORD` takes the following lines up to one that is `WORD`. The value of any
//! other key is the next word, even if that word is a key elsewhere (`vocab pgn`).
//!
//! Forms of the command line are accepted too: `--KEY VALUE`, `--KEY=VALUE`, `--` for `text`,
//! values in quotes, and a text without a keyword where a verb has no subject (`steno solve 36~#`).
//! A word that is neither a key nor part of the subject or text is refused.

use super::words::{Quotable, quotable, word};
use super::{ParseError, quote};
use umbrail_session::domain::{Domain, Key, Reach, Task};
use umbrail_session::help::Topic;
use umbrail_session::module::{SolverModule, Verb, module};
use umbrail_session::{Command, Message, Show, TaskError};

/// Verb that every domain accepts, even one that is not built in.
const STOP: &str = "stop";
const SKIP: &str = "skip";
const HELP: &str = "help";
/// Keyword before the rest of the line.
const TEXT: &str = "text";
/// Prefix of a here-document.
const HERE: &str = "<<";
/// Prefix of a key, as on the command line; alone, it precedes the rest of the line.
const DASHES: &str = "--";
/// Maximum size of a here-document, in bytes.
const HERE_MAX_BYTES: usize = 16 << 20;

/// Parser of tasks, some of which take several lines.
pub(super) struct Tasks {
    modules: &'static [SolverModule],
    /// Task whose here-document is being read, and the word that ends the document.
    open: Option<(Task, String)>,
}

impl Tasks {
    pub(super) fn new(modules: &'static [SolverModule]) -> Self {
        Self { modules, open: None }
    }

    /// True while a here-document is being read.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Takes a line of a here-document; `None` when no document is open.
    pub(super) fn continue_with(&mut self, line: &str) -> Option<Result<Vec<Command>, ParseError>> {
        let (mut task, end) = self.open.take()?;
        if line.trim() == end {
            return Some(Ok(vec![Command::Task(task)]));
        }
        let text = task.text.get_or_insert_default();
        if text.len() + line.len() > HERE_MAX_BYTES {
            let why = format!("the text before {end} is longer than {} MiB", HERE_MAX_BYTES >> 20);
            return Some(Err(ParseError::Task(Message::error(task.domain, why))));
        }
        text.push_str(line);
        text.push('\n');
        self.open = Some((task, end));
        Some(Ok(vec![]))
    }

    /// Parses a line that starts with the word of a domain; `None` for any other line.
    pub(super) fn parse(&mut self, line: &str) -> Option<Result<Vec<Command>, ParseError>> {
        let (first, rest) = word(line);
        let domain = Domain::from_word(first)?;
        Some(
            self.parse_domain(domain, rest)
                .map_err(|why| ParseError::Task(Message::error(domain, why.to_string()))),
        )
    }

    fn parse_domain(&mut self, domain: Domain, rest: &str) -> Result<Vec<Command>, TaskError> {
        let (verb, rest) = word(rest);
        match verb {
            STOP => return Ok(vec![Command::Stop]),
            SKIP => return Ok(vec![Command::Skip(domain)]),
            HELP => {
                let topic = Topic::of(domain.word(), word(rest).0);
                return Ok(vec![Command::Show(Show::Help(topic))]);
            }
            _ => {}
        }
        let Some(module) = module(self.modules, domain) else {
            let about = domain.about();
            let first = domain.word();
            return Err(format!("{first} ({about}) is not built into this version yet").into());
        };
        let Some(verb) = module.verb(verb) else {
            let known: Vec<_> = module.verbs.iter().map(|verb| verb.name).collect();
            let expected = format!("one of {}", known.join(", "));
            return Err(TaskError::expected(expected).got_quoted(quote(verb)));
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

/// Parses the words after the verb; returns the word that ends a here-document, if one follows.
fn parse(
    domain: Domain,
    verb: &'static Verb,
    rest: &str,
) -> Result<(Task, Option<String>), TaskError> {
    let mut task = Task { domain, verb: verb.name, subject: vec![], keys: vec![], text: None };
    let mut rest = rest;
    loop {
        let (next, behind) = quotable(rest);
        let key = if next.quoted { None } else { key_of(verb, next.text) };
        if next == NOTHING {
            return Ok((task, None));
        } else if is_text(next) && verb.text.is_some() {
            task.text = Some(last_text(next.text, behind));
            return Ok((task, None));
        } else if let Some(end) = here(next).filter(|_| verb.text.is_some()) {
            if end.is_empty() {
                return Err(TaskError::expected("a word behind <<"));
            }
            return Ok((task, Some(end.to_owned())));
        } else if let Some((key, given)) = key {
            let (value, behind) = value(verb, key, given, behind)?;
            task.keys.push((key.name, value));
            rest = behind;
        } else if task.subject.len() < verb.subject_max()
            && task.keys.is_empty()
            && !is_dashed(next)
        {
            task.subject.push(next.text.to_owned());
            rest = behind;
        } else if verb.text.is_some()
            && verb.subject.is_none()
            && task.text.is_none()
            && !is_dashed(next)
        {
            let (text, behind) = words_up_to_key(verb, rest, usize::MAX);
            task.text = Some(text);
            rest = behind;
        } else {
            let known: Vec<_> = verb.all_keys().map(|key| key.name).collect();
            let (known, domain, next) = (known.join(", "), domain.word(), quote(next.text));
            let verb = verb.name;
            return Err(format!(
                "{domain} {verb} does not know the word \"{next}\"; its keys are {known}"
            )
            .into());
        }
    }
}

/// The end of a line.
const NOTHING: Quotable<'static> = Quotable { text: "", quoted: false };

/// Returns true if the rest of the line is text.
fn is_text(next: Quotable<'_>) -> bool {
    !next.quoted && (next.text == TEXT || next.text == DASHES)
}

fn is_dashed(next: Quotable<'_>) -> bool {
    !next.quoted && next.text.starts_with(DASHES)
}

/// Returns the word that ends a here-document, if this word opens one.
fn here(next: Quotable<'_>) -> Option<&str> {
    if next.quoted { None } else { next.text.strip_prefix(HERE) }
}

/// Returns the text after its keyword: unchanged after `text`, without the quotes that a shell
/// removes after `--`.
fn last_text(introduction: &str, rest: &str) -> String {
    let text = rest.strip_prefix(char::is_whitespace).unwrap_or(rest);
    match quotable(text) {
        (Quotable { text, quoted: true }, "") if introduction == DASHES => text.to_owned(),
        _ => text.to_owned(),
    }
}

/// Parses the value of a key, including a value after `=`; returns the value and the rest of the
/// line.
fn value<'a>(
    verb: &Verb,
    key: &Key,
    given: Option<&str>,
    rest: &'a str,
) -> Result<(String, &'a str), TaskError> {
    let given = given.filter(|given| !given.is_empty());
    let (value, rest) = match (key.reach, given) {
        (Reach::Flag, Some(_)) => return Err(format!("{} takes no value", key.name).into()),
        (Reach::Flag, None) => return Ok((String::new(), rest)),
        (Reach::Word | Reach::Each, Some(given)) => (given.to_owned(), rest),
        (Reach::Word | Reach::Each, None) => match quotable(rest) {
            (next, _) if is_text(next) || is_dashed(next) || here(next).is_some() => {
                (String::new(), rest)
            }
            (next, behind) => (next.text.to_owned(), behind),
        },
        (Reach::Fen | Reach::Words, given) => {
            let most = if key.reach == Reach::Fen { 6 } else { usize::MAX };
            let most = most - usize::from(given.is_some());
            let (more, behind) = words_up_to_key(verb, rest, most);
            let both = [given.unwrap_or_default(), &more].join(" ");
            (both.trim().to_owned(), behind)
        }
    };
    match value.is_empty() {
        true => Err(TaskError::expects(key.name, "a value")),
        false => Ok((value, rest)),
    }
}

/// Takes at most `most` words up to the next key or the text, or one quoted string; returns them
/// and the rest of the line.
fn words_up_to_key<'a>(verb: &Verb, rest: &'a str, most: usize) -> (String, &'a str) {
    let (mut words, mut rest) = (vec![], rest);
    while words.len() < most {
        let (next, behind) = quotable(rest);
        let ends = next == NOTHING || is_text(next) || here(next).is_some();
        let is_key = !next.quoted && key_of(verb, next.text).is_some();
        if ends || is_key || is_dashed(next) || (next.quoted && !words.is_empty()) {
            break;
        }
        words.push(next.text);
        rest = behind;
        if next.quoted {
            break;
        }
    }
    (words.join(" "), rest)
}

/// Returns the key that a word names, with the value in the word (`--metric=dtm`).
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
    use umbrail_session::Command;
    use umbrail_session::domain::{Domain, Key, Reach};
    use umbrail_session::module::Verb;
    use umbrail_tasks::MODULES;

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
            Err(why) => why.to_string(),
        };
        assert_eq!(shown, expected, "{rest}");
    }

    #[test]
    fn a_value_ends_where_its_key_allows() {
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
        reads(" max", "max expects a value");
        reads(" max --all", "max expects a value");
        reads(" --max", "max expects a value");
        reads(" --all=1", "all takes no value");
        let keys = "its keys are fen, max, moves, all, time, threads";
        reads(" max 2 foo", &format!("spg solve does not know the word \"foo\"; {keys}"));
        reads(" <<", "expected a word behind <<");
    }

    #[test]
    fn words_that_are_not_known_are_refused_and_named() {
        for (line, word) in [
            (" KQ.KR metrik dtm", "metrik"),
            (" KQ.KR --metrik dtm", "--metrik"),
            (" KQ.KR --metrik=dtm", "--metrik=dtm"),
            (" --metrik", "--metrik"),
            (" KQ.KR KR.K", "KR.K"),
        ] {
            let keys = "its keys are fen, max, moves, all, time, threads";
            reads(line, &format!("spg solve does not know the word \"{word}\"; {keys}"));
        }
    }

    #[test]
    fn words_of_the_command_line_are_understood() {
        let expected = r#"["KQ.KR"] [("max", "2"), ("all", "")] Some("max 3") None"#;
        reads(" KQ.KR --max 2 --all -- max 3", expected);
        reads(" KQ.KR --max=2 --all text max 3", expected);
    }

    #[test]
    fn quotes_and_a_text_alone_are_understood_as_at_the_shell() {
        reads(
            " \"my file\" --fen \"8/8/8/8/8/8/8/8 w - - 0 1\" --max '2'",
            r#"["my file"] [("fen", "8/8/8/8/8/8/8/8 w - - 0 1"), ("max", "2")] None None"#,
        );
        reads(" --moves 'e4 e5' --all", r#"[] [("moves", "e4 e5"), ("all", "")] None None"#);
        reads(" -- '36~#'", r#"[] [] Some("36~#") None"#);
        reads(" text '36~#'", r#"[] [] Some("'36~#'") None"#);
        const SUBJECTLESS: Verb = Verb { subject: None, ..SOLVE };
        let read = |rest| parse(Domain::Steno, &SUBJECTLESS, rest);
        let texts = |rest| read(rest).map(|(task, _)| (task.text, task.keys.len()));
        assert_eq!(texts(" 36~#").unwrap(), (Some("36~#".to_owned()), 0));
        assert_eq!(texts(" '36~#' --max 2").unwrap(), (Some("36~#".to_owned()), 1));
        assert_eq!(texts(" --max 2 1.e4 e5 all").unwrap(), (Some("1.e4 e5".to_owned()), 2));
        assert!(texts(" 36~# --metrik").is_err());
        assert!(texts(" 36~# --max 2 37").is_err());
    }

    #[test]
    fn the_value_of_a_key_may_be_the_name_of_another() {
        reads(" max all text x", r#"[] [("max", "all")] Some("x") None"#);
        reads(" max moves moves e4", r#"[] [("max", "moves"), ("moves", "e4")] None None"#);
    }

    #[test]
    fn a_domain_without_a_module_is_parsed() {
        let mut tasks = Tasks::new(MODULES);
        assert!(tasks.parse("position startpos").is_none());
        assert_eq!(tasks.parse("spg stop"), Some(Ok(vec![Command::Stop])));
        assert!(tasks.continue_with("x").is_none());
    }
}
