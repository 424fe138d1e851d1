//! The reference of all subcommands as one page of Markdown (`umbrail man --markdown`), from the definition of the command
//! line. The site of the documentation has it as a chapter; the manual pages are made in `manual.rs`.

use super::args;
use super::domains::EXAMPLE;
use super::manual::{as_sentence, with_aliases};
use clap::{Arg, Command};
use std::fmt::Write;
use umbrail::tasks::MODULES;

const HEAD: &str = "# Commands\n\n\
    All subcommands, generated from the table that the program reads. In a session, omit `umbrail` and the \
    dashes: `spg solve moves 2.5 fen …`. `umbrail options` lists the options of all solvers.\n";

/// The page.
pub(super) fn markdown() -> String {
    let mut command = args::command(MODULES).disable_help_subcommand(true);
    command.build();
    let mut page = HEAD.to_owned();
    add(&command, command.get_name(), 2, &mut page);
    page
}

/// Adds the section of a command of this name, and those of its subcommands below it.
fn add(command: &Command, name: &str, level: usize, page: &mut String) {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let described = command.get_long_about().map_or(about, ToString::to_string);
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").trim();
    let marks = "#".repeat(level);
    // Writing to a string cannot fail.
    let _ = write!(page, "\n{marks} {name}\n\n{}\n", as_sentence(&described));
    let _ = write!(page, "\n```text\n{usage}\n```\n");
    let shown = |argument: &&Arg| {
        let id = argument.get_id();
        !argument.is_hide_set() && id != "help" && id != "version"
    };
    // What every subcommand takes stands with the program itself.
    let own = command.get_arguments().filter(shown);
    let own: Vec<&Arg> = own.filter(|argument| level == 2 || !argument.is_global_set()).collect();
    if !own.is_empty() {
        page.push_str("\n| argument | meaning |\n|---|---|\n");
        for argument in own {
            let _ =
                writeln!(page, "| `{}` | {} |", cell(&words(argument)), cell(&meaning(argument)));
        }
    }
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    if let Some((_, example)) = after.split_once(EXAMPLE) {
        let _ = write!(page, "\nExample:\n\n```text\n{}\n```\n", example.trim());
    }
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        add(below, &format!("{name} {}", below.get_name()), level + 1, page);
    }
}

/// How an argument is written: `--moves <MOVES>`, `[PROBLEMS.txt]`.
fn words(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    let takes = argument.get_action().takes_values();
    let value = names.iter().map(|name| format!("<{name}>")).collect::<Vec<_>>().join(" ");
    match (argument.get_long(), argument.get_short()) {
        (Some(long), _) if takes => format!("--{long} {value}"),
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) if takes => format!("-{short} {value}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => value,
    }
}

/// The help of an argument with its values and its default.
fn meaning(argument: &Arg) -> String {
    let argument = with_aliases(argument.clone());
    let mut text = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let takes = argument.get_action().takes_values();
    let values = argument.get_possible_values();
    let values: Vec<&str> =
        values.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name()).collect();
    if takes && !values.is_empty() {
        let _ = write!(text, "; one of {}", values.join(", "));
    }
    let usual = argument.get_default_values().iter().map(|value| value.to_string_lossy());
    let usual = usual.collect::<Vec<_>>().join(" ");
    if takes && !usual.is_empty() {
        let _ = write!(text, "; {usual} by default");
    }
    text
}

/// A text for a cell of a table: on one line, and without what Markdown would read.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_has_every_verb_with_its_keys_and_its_example() {
        let page = markdown();
        for module in MODULES {
            let domain = module.domain.word();
            for verb in module.verbs {
                let heading = format!("\n#### umbrail {domain} {}\n", verb.name);
                let (_, section) = page.split_once(&heading).unwrap_or_else(|| panic!("{heading}"));
                let section = section.split("\n###").next().unwrap_or_default();
                for key in verb.own_keys() {
                    assert!(
                        section.contains(&format!("--{}", key.name)),
                        "{heading}: {}",
                        key.name
                    );
                }
                assert!(section.contains("\nExample:\n"), "{heading}");
            }
        }
        assert!(page.contains("\n### umbrail bench\n"));
        assert!(!page.contains("umbrail completions"), "help does not list it");
    }

    #[test]
    fn a_cell_stays_in_its_row() {
        assert_eq!(cell("a | b\nc"), "a \\| b c");
    }
}
