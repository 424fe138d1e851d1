//! Manual pages (`umbrail man`) and completions for shells (`umbrail completions`), from the definition of the command
//! line, so that packages cannot document an argument that does not exist. Help lists neither subcommand.

use super::domains::EXAMPLE;
use super::{args, complain, print};
use clap::{Arg, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};
use std::io;
use std::path::Path;
use umbrail::control::write_whole;
use umbrail::tasks::MODULES;

/// Sections of the program's own page: a heading, and terms with what they mean.
const SECTIONS: &[(&str, &[(&str, &str)])] = &[
    (
        "EXAMPLES",
        &[
            ("umbrail go depth 15", "Search the initial position."),
            ("umbrail egt stats KQ.KR --metric dtm", "Count how often a queen beats a rook."),
            (
                "umbrail egt piece-report gQ --html report.html",
                "Examine a piece of your own, here the grasshopper, in endgames.",
            ),
            (
                "umbrail spg solve rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR 2.5",
                "Find all proof games of a diagram in exactly two and a half moves.",
            ),
            ("umbrail steno solve --vocabulary extended -- '36~#'", "Solve a Steno-Chess problem."),
            ("umbrail serve", "Open the local page in the browser."),
        ],
    ),
    (
        "EXIT STATUS",
        &[
            ("0", "The work is complete."),
            ("2", "The arguments or the input are invalid."),
            ("3", "The work was stopped, or a limit was reached."),
            ("4", "The work is complete, but the result is not what was required."),
            ("70", "A fault of the program."),
            ("71", "There was not enough memory to continue."),
        ],
    ),
    (
        "FILES",
        &[
            (
                "umbrail.ini",
                "Options, in the working folder or else beside the program; --ini names another file.",
            ),
            ("umbrail-spg.ini", "Options for proof games, read after umbrail.ini."),
            ("piecedef.ini", "Definitions of pieces for endgame tables, in the working folder."),
            (
                "problems.txt",
                "The diagrams that \"umbrail spg\" solves when neither a file nor a position is given.",
            ),
        ],
    ),
    (
        "ENVIRONMENT",
        &[
            (
                "UMBRAIL_LOG",
                "Log to standard error, or to the file of --log: a level such as info or debug.",
            ),
            ("NO_COLOR", "Show pages in the terminal without colors."),
            ("TERM", "No pages are shown when it is dumb."),
        ],
    ),
];

/// A page: the name of its file, and its source for `man`.
struct ManualPage {
    name: String,
    source: Vec<u8>,
}

/// Writes all pages into a folder, or the program's own to standard output.
pub(super) fn man(folder: Option<&Path>) -> u8 {
    let pages = match pages() {
        Ok(pages) => pages,
        Err(error) => return complain(&format!("cannot write the manual: {error}")),
    };
    let Some(folder) = folder else {
        return pages.first().map_or(0, |page| print(&String::from_utf8_lossy(&page.source)));
    };
    if let Err(error) = std::fs::create_dir_all(folder) {
        return complain(&format!("cannot create the folder {}: {error}", folder.display()));
    }
    for page in &pages {
        let written = write_whole(&folder.join(&page.name), |out| out.write_all(&page.source));
        if let Err(error) = written {
            return complain(&error.to_string());
        }
    }
    print(&format!("{} pages in {}\n", pages.len(), folder.display()))
}

/// Prints the completions for a shell.
pub(super) fn completions(shell: Shell) -> u8 {
    let mut script = vec![];
    clap_complete::generate(shell, &mut args::command(MODULES), "umbrail", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// The pages of the program and of all its subcommands, the program's own first.
fn pages() -> io::Result<Vec<ManualPage>> {
    let mut command = args::command(MODULES).disable_help_subcommand(true);
    command.build();
    let mut pages = vec![];
    add(&command, None, &mut pages)?;
    Ok(pages)
}

/// Adds the page of a command, and those of its subcommands.
fn add(command: &Command, above: Option<&str>, pages: &mut Vec<ManualPage>) -> io::Result<()> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let source = source(command, &name, above)?;
    pages.push(ManualPage { name: format!("{name}.1"), source });
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        add(below, Some(&name), pages)?;
    }
    Ok(())
}

fn source(command: &Command, name: &str, above: Option<&str>) -> io::Result<Vec<u8>> {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let described = command.get_long_about().map_or(about.clone(), ToString::to_string);
    let usage = command.clone().render_usage().to_string();
    let shown = command.clone().about(as_phrase(&about)).long_about(as_sentence(&described));
    // The names of all options would fill the synopsis.
    let shown = shown.override_usage(usage.trim_start_matches("Usage: ").to_owned());
    let version = concat!("umbrail ", env!("CARGO_PKG_VERSION"));
    // An empty date would shift the text after it; a date of building would change the page with every build.
    let man = Man::new(shown.mut_args(with_aliases)).date(" ").source(version);
    let man = man.manual("Umbrail's manual");
    let mut page = vec![];
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    man.render_options_section(&mut page)?;
    let mut rest = Roff::new();
    if let Some(text) = command.get_after_help().map(ToString::to_string) {
        let (before, example) = text.split_once(EXAMPLE).unwrap_or((&text, ""));
        for paragraph in before.lines().filter(|line| !line.trim().is_empty()) {
            rest.control("PP", []).text([roman(paragraph)]);
        }
        if !example.is_empty() {
            rest.control("SH", ["EXAMPLE"]).control("EX", []);
            rest.text([roman(example)]).control("EE", []);
        }
    }
    for (heading, entries) in SECTIONS.iter().filter(|_| above.is_none()) {
        rest.control("SH", [*heading]);
        for (term, meaning) in *entries {
            rest.control("TP", []).text([bold(*term)]).text([roman(*meaning)]);
        }
    }
    let references = references(command, name, above);
    if !references.is_empty() {
        rest.control("SH", ["SEE ALSO"]).text(references);
    }
    rest.to_writer(&mut page)?;
    Ok(page)
}

/// An argument whose help names its other spellings, which pages do not show otherwise.
pub(super) fn with_aliases(argument: Arg) -> Arg {
    let aliases = argument.get_visible_aliases().unwrap_or_default();
    let aliases: Vec<String> = aliases.iter().map(|alias| format!("--{alias}")).collect();
    match argument.get_help().map(ToString::to_string) {
        Some(help) if !aliases.is_empty() => {
            argument.help(format!("{help} (also {})", aliases.join(", ")))
        }
        _ => argument,
    }
}

/// The page above, and for the program itself those below.
fn references(command: &Command, name: &str, above: Option<&str>) -> Vec<Inline> {
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    let below = below.map(|below| format!("{name}-{}", below.get_name()));
    let others: Vec<String> = match above {
        Some("umbrail") => vec!["umbrail".to_owned()],
        Some(above) => vec![above.to_owned(), "umbrail".to_owned()],
        None => below.collect(),
    };
    let mut line = vec![];
    for other in others {
        if !line.is_empty() {
            line.push(roman(", "));
        }
        line.extend([bold(other), roman("(1)")]);
    }
    line
}

/// As the first line of a manual has it: a small letter, unless the first word is a name.
fn as_phrase(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let word = text.split([' ', ',']).next().unwrap_or_default();
    match word.chars().skip(1).any(char::is_uppercase) {
        true => text.to_owned(),
        false => with_first(text, char::to_lowercase),
    }
}

/// A capital letter and a full stop.
pub(super) fn as_sentence(text: &str) -> String {
    let text = with_first(text.trim_end(), char::to_uppercase);
    let ended = text.ends_with(['.', '?', ':']);
    if ended { text } else { text + "." }
}

fn with_first<I: Iterator<Item = char>>(text: &str, change: fn(char) -> I) -> String {
    let mut rest = text.chars();
    let first = rest.next();
    first.into_iter().flat_map(change).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All commands, with their names.
    fn all(command: &Command, found: &mut Vec<Command>) {
        found.push(command.clone());
        for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
            all(below, found);
        }
    }

    fn commands() -> Vec<Command> {
        let mut command = args::command(MODULES).disable_help_subcommand(true);
        command.build();
        let mut found = vec![];
        all(&command, &mut found);
        found
    }

    #[test]
    fn every_command_and_every_argument_is_described() {
        for command in commands() {
            let name = command.get_display_name().unwrap_or_default();
            assert!(command.get_about().is_some(), "{name} is not described");
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(help.len() > 3, "{name}: {} is not described", argument.get_id());
            }
        }
    }

    /// What takes no words of its own needs none.
    #[test]
    fn every_command_with_arguments_of_its_own_has_an_example() {
        for command in commands().iter().filter(|command| !command.has_subcommands()) {
            let name = command.get_display_name().unwrap_or_default();
            let own = command.get_arguments().filter(|argument| !argument.is_global_set());
            let own = own.filter(|argument| argument.get_id() != "help").count();
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let example = help.split_once(EXAMPLE).is_some_and(|(_, line)| {
                line.starts_with(&name.replace('-', " ")) || line.starts_with("umbrail ")
            });
            assert!(own == 0 || example, "{name} has no example");
        }
    }

    #[test]
    fn there_is_a_page_for_every_verb_and_it_tells_its_keys() {
        let pages = pages().unwrap();
        let page = |name: &str| {
            let page = pages.iter().find(|page| page.name == name);
            let page = page.unwrap_or_else(|| panic!("no {name}"));
            String::from_utf8(page.source.clone()).unwrap().replace("\\-", "-")
        };
        for module in MODULES {
            let domain = module.domain.word();
            for verb in module.verbs {
                let name = format!("umbrail-{domain}-{}.1", verb.name);
                let text = page(&name);
                for key in verb.own_keys() {
                    assert!(text.contains(&format!("--{}", key.name)), "{name}: {}", key.name);
                }
                assert!(text.contains(".SH EXAMPLE"), "{name}");
                assert!(page(&format!("umbrail-{domain}.1")).contains(&name[..name.len() - 2]));
            }
        }
        let solve = page("umbrail-spg-solve.1");
        assert!(
            solve.contains("umbrail spg solve")
                && solve.contains(" [OPTIONS] [PROBLEMS.txt|PROBLEM.inp|FEN LENGTH]")
        );
        assert!(solve.contains("half-moves (also --halfmoves)"), "an alias");
        let own = page("umbrail.1");
        assert!(own.starts_with(".ie") || own.contains(".TH umbrail 1 \" \" \"umbrail 0"), "{own}");
        assert!(own.contains(".SH \"EXIT STATUS\"") && own.contains("umbrail-bench"));
        assert!(own.contains("umbrail - a chess engine"), "{own}");
        assert!(!own.contains("completions"), "a subcommand that help does not list");
    }

    #[test]
    fn completions_of_every_shell_know_the_verbs_of_the_domains() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
            let mut script = vec![];
            clap_complete::generate(shell, &mut args::command(MODULES), "umbrail", &mut script);
            let script = String::from_utf8(script).unwrap();
            for word in ["whittle", "maximin", "strategies-out", "xp-matrix"] {
                assert!(script.contains(word), "{shell} does not know {word}");
            }
        }
    }

    #[test]
    fn a_phrase_keeps_names_and_a_sentence_ends() {
        assert_eq!(as_phrase("Search a position"), "search a position");
        assert_eq!(as_phrase("Steno-Chess"), "Steno-Chess");
        assert_eq!(as_phrase("A chess engine."), "a chess engine");
        assert_eq!(as_sentence("does a game fit a steno?"), "Does a game fit a steno?");
        assert_eq!(as_sentence("count wins"), "Count wins.");
    }
}
