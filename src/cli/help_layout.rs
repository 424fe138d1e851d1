//! Layout of help pages: subcommands in groups, options under headings, names of their values.

use clap::builder::StyledStr;
use clap::{Arg, Command};
use std::fmt::Write;

/// Subcommands by what they are for.
const GROUPS: &[(&str, &[&str])] = &[
    ("Play and analyze", &["uci", "xboard", "go", "position", "d", "eval", "serve"]),
    ("Problems and tables", &["egt", "spg", "steno", "worker"]),
    (
        "Engine development",
        &[
            "bench",
            "speedtest",
            "perft",
            "lab",
            "datagen",
            "genfens",
            "train",
            "tune",
            "wdl",
            "spsa",
        ],
    ),
    ("Setup", &["options", "man", "completions", "version", "compiler", "license", "help"]),
];

/// Headings of options of tasks; options of no heading are about the problem.
const HEADINGS: &[(&str, &[&str])] = &[
    (
        "Limits and resources",
        &[
            "time",
            "memory",
            "max-solutions",
            "stop-at",
            "time-each",
            "seekers",
            "players",
            "threads-per-strategy",
            "strategy-sync-depth",
            "sync-depth",
            "cache-splits",
        ],
    ),
    (
        "Output",
        &["output", "notation", "knight", "html", "pgn", "latex", "epd", "csv", "strategies-out"],
    ),
    ("Archives and parts", &["archive", "resume", "shard", "checkpoint", "from-strategy"]),
    ("Cluster", &["cluster", "cluster-credentials", "no-work", "audit", "lease"]),
];

/// Names of values by their kind. The values of other options have the name of the option.
const VALUES: &[(&str, &[&str])] = &[
    (
        "FILE",
        &[
            "archive",
            "checkpoint",
            "cluster-credentials",
            "csv",
            "epd",
            "html",
            "latex",
            "output",
            "pgn",
            "pieces",
            "seed",
            "strategies-in",
            "strategies-out",
        ],
    ),
    (
        "N",
        &[
            "cache-splits",
            "from-strategy",
            "index",
            "intended",
            "max-solutions",
            "players",
            "seekers",
            "stride",
            "strategy-sync-depth",
            "sync-depth",
            "threads-per-strategy",
        ],
    ),
    ("SQUARES", &["board-b", "start-board-b"]),
    ("FEN", &["start"]),
    ("SECONDS", &["lease"]),
    ("TIME", &["time-each"]),
    ("SHARE", &["audit"]),
    ("URL", &["cluster"]),
    ("0|1", &["bare", "null"]),
    ("SIZE", &["memory"]),
];

/// Returns the entry of a table whose list has a name.
fn found(
    table: &'static [(&'static str, &'static [&'static str])],
    name: &str,
) -> Option<&'static str> {
    table.iter().find(|(_, names)| names.contains(&name)).map(|(entry, _)| *entry)
}

/// Puts an option of a task under its heading.
pub(super) fn under_heading(arg: Arg) -> Arg {
    let heading = found(HEADINGS, arg.get_id().as_str());
    match heading {
        Some(heading) => arg.help_heading(heading),
        None => arg,
    }
}

/// Returns the name of the value of an option.
pub(super) fn value_name(option: &str) -> String {
    found(VALUES, option).map_or_else(|| option.to_uppercase(), ToOwned::to_owned)
}

/// Returns a text with a capital letter at its beginning, unless it begins with a value to type, as
/// in `dtc (to conversion), dtm` or `draw, win`.
pub(super) fn capitalized(text: &str) -> String {
    let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
    if first.ends_with(',') || rest.starts_with('(') {
        return text.to_owned();
    }
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Lists the subcommands of the program in groups.
pub(super) fn grouped(command: Command) -> Command {
    let styles = command.get_styles().clone();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut text = String::from("{before-help}{about-with-newline}\n{usage-heading} {usage}\n");
    let about = |name: &str| {
        if name == "help" {
            return Some("Print this page, or the help of a subcommand".to_owned());
        }
        let found = command.find_subcommand(name)?;
        found.get_about().map(ToString::to_string)
    };
    for (group, names) in GROUPS {
        let _ = write!(text, "\n{header}{group}:{header:#}\n");
        for name in *names {
            if let Some(about) = about(name) {
                let _ = writeln!(text, "  {literal}{name:<12}{literal:#}{about}");
            }
        }
    }
    text += "\n{options}{after-help}";
    command.help_template(StyledStr::from(text))
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, HEADINGS, VALUES, capitalized};
    use crate::cli::args;
    use std::collections::BTreeSet;
    use umbrail::tasks::MODULES;

    #[test]
    fn every_subcommand_is_in_one_group() {
        let command = args::command(MODULES);
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        listed.retain(|name| *name != "help");
        for subcommand in command.get_subcommands() {
            let name = subcommand.get_name();
            assert_eq!(listed.iter().filter(|listed| **listed == name).count(), 1, "{name}");
        }
    }

    #[test]
    fn no_table_names_an_option_that_does_not_exist() {
        let command = args::command(MODULES);
        let tasks = command.get_subcommands().flat_map(|domain| domain.get_subcommands());
        let tasks = tasks.chain(command.find_subcommand("worker"));
        let known: BTreeSet<&str> =
            tasks.flat_map(|task| task.get_arguments()).map(|arg| arg.get_id().as_str()).collect();
        for (_, names) in HEADINGS.iter().chain(VALUES) {
            for name in *names {
                assert!(known.contains(name) || cfg!(not(feature = "cluster")), "{name}");
            }
        }
    }

    #[test]
    fn help_begins_with_a_capital_letter() {
        assert_eq!(capitalized("file to write"), "File to write");
        assert_eq!(capitalized(""), "");
        for values in ["dtc (to conversion), dtm", "draw, win (-s)"] {
            assert_eq!(capitalized(values), values);
        }
    }
}
