//! `umbrail spg` as a program for problemists: without arguments it solves the problems that lie in the
//! folder, or the examples; and it reads option files with the names of the program that they come from.

use crate::control::{FILE_BYTES_MAX, available_bytes, text_of};
use crate::session::domain::{Domain, Task};
use crate::session::module::module;
use crate::session::{MODULES, Options};
use std::ffi::OsString;
use std::io::Read;
use std::path::PathBuf;

/// The file of problems that is solved when none is named.
const PROBLEMS: &str = "problems.txt";
/// The result file of [`PROBLEMS`] when that is not in the working folder.
const RESULTS: &str = "problems_out.txt";
/// What is solved when there is no such file: that the program works is seen from these.
const EXAMPLES: &str = include_str!("../../examples/problems.txt");
/// Option files that are read for proof games, after the program's own.
const INI_NAMES: [&str; 2] = ["umbrail-spg.ini", "stelvioUI.ini"];

/// Arguments with the verb right behind `spg`: the first word that is one, or `solve` when there is none.
pub(super) fn spelled_out(mut arguments: Vec<OsString>) -> Vec<OsString> {
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

/// The verbs that want a diagram, which a command line without a position at hand has to name.
const DIAGRAM_VERBS: [&str; 5] = ["solve", "bounds", "explain", "check", "min"];

/// Completes a task of the command line: `-` is standard input, and a task that names no problem gets the file in the
/// working folder or beside the program, or the examples.
///
/// # Errors
/// A diagram is missing, or standard input cannot be read.
pub(super) fn completed(mut task: Task) -> Result<Task, String> {
    if task.domain != Domain::Spg {
        return Ok(task);
    }
    if task.verb == "solve" && task.subject == ["-"] {
        task.subject.clear();
        task.text = Some(standard_input()?);
    }
    let posed = ["fen", "moves", "plies"].iter().any(|key| task.key(key).is_some());
    let named = !task.subject.is_empty() || task.text.is_some();
    if task.verb == "solve" && !named && !posed {
        match found(PROBLEMS) {
            Some(path) => {
                // The results belong into the working folder, not beside the program.
                if path.parent().is_some_and(|folder| !folder.as_os_str().is_empty())
                    && task.key("output").is_none()
                {
                    task.keys.push(("output", RESULTS.to_owned()));
                }
                task.subject.push(path.to_string_lossy().into_owned());
            }
            None => task.text = Some(EXAMPLES.to_owned()),
        }
        return Ok(task);
    }
    let sheet = task.verb == "solve" && named;
    if DIAGRAM_VERBS.contains(&task.verb) && !sheet && task.key("fen").is_none() {
        return Err(format!("spg {} wants a diagram: --fen FEN", task.verb));
    }
    Ok(task)
}

/// What is on standard input, as a file of problems is read.
fn standard_input() -> Result<String, String> {
    let mut bytes = vec![];
    let read = std::io::stdin().lock().take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot read standard input: {error}"))?;
    match bytes.len() as u64 > FILE_BYTES_MAX {
        true => Err(format!("standard input is larger than {} MiB", FILE_BYTES_MAX >> 20)),
        false => Ok(text_of(bytes)),
    }
}

/// The options of a run for proof games or for tables alone: all processors work for it, and tables may take three
/// quarters of the memory that is free, unless options say otherwise.
/// In a conversation the GUI deals processors out, and the machine is not ours alone.
pub(super) fn defaults() -> Options {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut options = Options { threads, ..super::defaults() };
    if let Some(free) = available_bytes() {
        options.tables.memory_mib = ((free / 4 * 3) >> 20).max(1);
    }
    options
}

/// The option files for proof games that there are.
pub(super) fn ini_files() -> Vec<PathBuf> {
    INI_NAMES.into_iter().filter_map(found).collect()
}

/// A file of the working folder, else of the folder where the program is.
pub(super) fn found(name: &str) -> Option<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
    let folders = std::iter::once(PathBuf::new()).chain(beside);
    folders.map(|folder| folder.join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solve_is_understood() {
        let spelled = |line: &str| {
            let words = spelled_out(line.split(' ').map(OsString::from).collect());
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
    fn all_processors_and_most_of_the_memory_are_taken_unless_told_otherwise() {
        use clap::Parser;
        let threads = |words: &[&str]| {
            let args = crate::cli::args::Args::try_parse_from(words).unwrap();
            crate::cli::options_with(defaults(), &args.common, &[]).unwrap().threads
        };
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        assert_eq!(threads(&["umbrail"]), all);
        assert_eq!(threads(&["umbrail", "--threads", "3"]), 3);
        let memory = |words: &[&str]| {
            let args = crate::cli::args::Args::try_parse_from(words).unwrap();
            crate::cli::options_with(defaults(), &args.common, &[]).unwrap().tables.memory_mib
        };
        let all = available_bytes().map_or(4096, |bytes| bytes >> 20);
        // What is free changes while the tests run.
        assert!((all / 4..=all).contains(&memory(&["umbrail"])));
        assert_eq!(memory(&["umbrail", "--set", "Table Memory=700"]), 700);
    }

    /// Copied untouched, they leave every default as it was, those of the command line, too.
    #[test]
    fn the_option_files_that_come_with_the_program_change_nothing() {
        use clap::Parser;
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ini");
        for name in ["umbrail.ini", "umbrail-spg.ini"] {
            let file = folder.join(name).display().to_string();
            let args = ["umbrail", "--ini", &file];
            let args = crate::cli::args::Args::try_parse_from(args).unwrap();
            let mut strange = Options { threads: 77, ..Options::default() };
            strange.tables.memory_mib = 12_345;
            for before in [Options::default(), strange] {
                let after = crate::cli::options_with(before.clone(), &args.common, &[]).unwrap();
                assert_eq!(after, before, "{name}");
            }
        }
    }

    #[test]
    fn p15_a_named_problem_is_left_as_it_is_and_a_diagram_must_be_named() {
        let fen = ("fen", "8/8/8/8/8/8/8/8".to_owned());
        let keys = vec![("moves", "3.0".to_owned()), fen];
        let task = Task { domain: Domain::Spg, verb: "solve", subject: vec![], keys, text: None };
        assert_eq!(completed(task.clone()), Ok(task.clone()));
        let without = completed(Task { keys: vec![], ..task.clone() }).unwrap();
        assert!(!without.subject.is_empty() || without.text.as_deref() == Some(EXAMPLES));
        let keys = vec![("moves", "3.0".to_owned())];
        for verb in DIAGRAM_VERBS {
            let without = Task { verb, keys: keys.clone(), ..task.clone() };
            assert_eq!(completed(without), Err(format!("spg {verb} wants a diagram: --fen FEN")));
        }
        let other = Task { domain: Domain::Egt, verb: "probe", keys, ..task };
        assert_eq!(completed(other.clone()), Ok(other));
    }
}
