//! Subcommands for the modules: `umbrail spg solve --moves 23.0 --fen F`. They are made from the same
//! table of verbs and keys that sessions parse, so neither can know a word that the other does not.

use super::egt;
use super::help_layout::{capitalized, under_heading, value_name};
use super::pages::Showing;
use super::standard_input::standard_input;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::io::IsTerminal;
use umbrail::session::domain::{Domain, Key, Reach, Task};
use umbrail::session::examples;
use umbrail::session::module::{SolverModule, Verb, module};

/// What stands before the example at the end of a help page.
pub(super) const EXAMPLE: &str = "Example: ";
const SUBJECT: &str = "SUBJECT";
const TEXT: &str = "TEXT";
/// Takes any words for a domain that is not built in.
const ANYTHING: &str = "ANYTHING";

/// The subcommand that is `spg work`.
pub(super) const WORKER: &str = "worker";
const WORK: &str = "work";

/// Adds a subcommand for each domain, and [`WORKER`].
pub(super) fn add(command: Command, modules: &'static [SolverModule]) -> Command {
    let work = module(modules, Domain::Spg).and_then(|module| module.verb(WORK));
    let command = command.subcommands(work.map(|verb| {
        let example = examples::of(Domain::Spg, WORK).join(" ");
        subcommand(Domain::Spg, verb)
            .name(WORKER)
            .after_help(format!("{EXAMPLE}umbrail {WORKER} {example}"))
    }));
    Domain::ALL.into_iter().fold(command, |command, domain| {
        let sub = Command::new(domain.word());
        command.subcommand(match module(modules, domain) {
            Some(module) => {
                let sub = sub.about(capitalized(domain.about())).subcommand_required(true);
                module.verbs.iter().fold(sub, |sub, verb| sub.subcommand(subcommand(domain, verb)))
            }
            None => {
                let anything = Arg::new(ANYTHING).num_args(0..).trailing_var_arg(true);
                sub.hide(true).arg(anything.allow_hyphen_values(true))
            }
        })
    })
}

fn subcommand(domain: Domain, verb: &'static Verb) -> Command {
    let example = format!("{}umbrail {}", EXAMPLE, examples::line(domain, verb.name));
    let mut command = Command::new(verb.name).about(capitalized(verb.help)).after_help(example);
    if let Some(subject) = verb.subject {
        let help = format!("Such as {}", examples::subject(domain, verb.name));
        // A name with dots is repeated, which clap writes on its own.
        let arg = Arg::new(SUBJECT).value_name(subject.trim_end_matches('.')).help(help);
        // What is named like a file is one.
        let single = subject.contains('.') && !subject.ends_with("...");
        command = command.arg(if single { arg } else { arg.num_args(0..) });
    } else if let Some(text) = verb.text {
        let arg = Arg::new(TEXT).value_name(text);
        command = command.arg(match (domain, verb.input) {
            (_, true) => {
                arg.help("Positions, one per line, or a file of them; - reads standard input")
            }
            // Moves may stand in words of their own; the marks of a steno may not.
            (Domain::Spg, _) => arg.num_args(1..).help("In quotes or not"),
            _ => arg.help("In quotes; write -- before a text that begins with a dash"),
        });
    }
    let mut command = verb.own_keys().fold(command, |command, key| command.arg(flag(key)));
    if has_pages(domain, verb.name) {
        command = command.arg(Showing::argument());
    }
    egt::add(command, domain, verb)
        .args([Arg::new("time").long("time").value_name("MS").help("Stop after this many ms")])
        .mut_args(under_heading)
}

/// Work that is shown on pages in the terminal.
fn has_pages(domain: Domain, verb: &str) -> bool {
    domain == Domain::Spg && matches!(verb, "solve" | "bounds")
}

fn flag(key: &'static Key) -> Arg {
    let plain = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let (shown, hidden): (Vec<&str>, Vec<&str>) =
        key.aliases.iter().copied().partition(|alias| plain(alias));
    let arg = Arg::new(key.name).long(key.name).help(capitalized(key.help));
    let arg = arg.visible_aliases(shown).aliases(hidden);
    let named = |arg: Arg| arg.value_name(value_name(key.name));
    match key.reach {
        Reach::Flag => arg.action(ArgAction::SetTrue),
        Reach::Word | Reach::Fen => named(arg),
        Reach::Each => named(arg).action(ArgAction::Append),
        Reach::Words => named(arg).num_args(1..),
    }
}

/// The task that parsed arguments mean.
///
/// # Errors
/// What is wrong with them, in words.
pub(super) fn task(matches: &ArgMatches, modules: &'static [SolverModule]) -> Result<Task, String> {
    let (word, matches) = matches.subcommand().ok_or("expected a subcommand")?;
    let worker = word == WORKER;
    let domain = Domain::from_word(word).or(worker.then_some(Domain::Spg));
    let domain = domain.ok_or("expected egt, spg or steno")?;
    let Some(module) = module(modules, domain) else {
        return Err(format!("{word} ({}) is not built into this version yet", domain.about()));
    };
    let (verb, matches) = match worker {
        true => (WORK, matches),
        false => matches.subcommand().ok_or("expected a verb")?,
    };
    let verb = module.verb(verb).ok_or("expected a verb")?;
    let many = |id: &str| -> Vec<String> {
        let values = matches.try_get_many::<String>(id).ok().flatten();
        values.map(|values| values.cloned().collect()).unwrap_or_default()
    };
    let mut keys = vec![];
    for key in verb.own_keys() {
        match key.reach {
            Reach::Flag if matches.get_flag(key.name) => keys.push((key.name, String::new())),
            Reach::Flag => {}
            Reach::Each => keys.extend(many(key.name).into_iter().map(|value| (key.name, value))),
            _ => {
                let values = many(key.name);
                if !values.is_empty() {
                    keys.push((key.name, values.join(" ")));
                }
            }
        }
    }
    keys.extend(egt::keys(matches, domain, verb));
    keys.extend(many("time").pop().map(|time| ("time", time)));
    let words = many(TEXT);
    let text = match (!words.is_empty()).then(|| words.join(" ")) {
        // Where no input is read, `-` is a text like any other (a steno of one mark).
        Some(text) if text != "-" || !verb.input => Some(text),
        Some(_) => Some(standard_input()?),
        // A position on the command line is all there is to look at.
        None if verb.input
            && !keys.iter().any(|(key, _)| *key == "fen")
            && !std::io::stdin().is_terminal() =>
        {
            Some(standard_input()?)
        }
        None => None,
    };
    Ok(Task { domain, verb: verb.name, subject: many(SUBJECT), keys, text })
}

#[cfg(test)]
mod tests {
    use crate::cli::args;
    use umbrail::session::examples;
    use umbrail::tasks::MODULES;

    #[test]
    fn every_verb_has_an_example_that_is_understood() {
        for module in MODULES {
            for verb in module.verbs {
                let words = examples::of(module.domain, verb.name);
                assert!(!words.is_empty(), "{} {}", module.domain.word(), verb.name);
                let start = ["umbrail", module.domain.word(), verb.name];
                let all = start.iter().chain(words).copied();
                let parsed = args::command(MODULES).try_get_matches_from(all);
                let line = examples::line(module.domain, verb.name);
                assert!(parsed.is_ok(), "{line}: {:?}", parsed.err());
                let has_subject = !examples::subject(module.domain, verb.name).is_empty();
                assert!(has_subject <= verb.subject.is_some(), "{}", verb.name);
            }
        }
    }
}
