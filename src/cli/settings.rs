//! The options before a conversation or a task begins: defaults, then option files, then `--set` and the other flags.

use super::args::Common;
use super::{STATUS_USAGE, complain};
use std::path::{Path, PathBuf};
use umbrail::control::{available_bytes, read_text};
use umbrail::protocol::ini;
use umbrail::session::{Domain, Options, TableOptions};

/// The option file that is read when it lies in the working folder or beside the program.
const INI_NAME: &str = "umbrail.ini";
/// Option files that are read for proof games, after the program's own.
const INI_NAMES: [&str; 2] = ["umbrail-spg.ini", "stelvioUI.ini"];
/// Definitions of pieces that are read when they lie in the working folder and no option names others.
const PIECES_NAME: &str = "piecedef.ini";

/// The options of a conversation or a subcommand.
pub(super) fn options(common: &Common) -> Result<Options, u8> {
    options_with(defaults(), common, &[])
}

/// The options of one task of a domain.
pub(super) fn options_of_task(domain: Domain, common: &Common) -> Result<Options, u8> {
    match domain {
        Domain::Spg => {
            let more = INI_NAMES.into_iter().filter_map(|name| found(name).transpose());
            let more = more.collect::<Result<Vec<_>, _>>().map_err(|why| complain(&why))?;
            options_with(defaults_alone(), common, &more)
        }
        Domain::Egt => options_with(defaults_alone(), common, &[]),
        Domain::Steno => options(common),
    }
}

/// The defaults in this folder: its definitions of pieces are read by every command and conversation alike.
fn defaults() -> Options {
    let mut options = Options::default();
    options.tables.piece_file = found_pieces();
    options
}

/// The defaults of a run for proof games or for tables alone: all processors work for it, and tables may take three
/// quarters of the memory that is free, unless options say otherwise.
/// In a conversation the GUI deals processors out, and the machine is not ours alone.
fn defaults_alone() -> Options {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut options = Options { threads, ..defaults() };
    if let Some(free) = available_bytes() {
        options.tables.memory_mib = ((free / 4 * 3) >> 20).max(1);
    }
    options
}

/// The file of the working folder that defines pieces; empty for none. Whoever needs it reports that it is a folder or
/// a link to nothing; the pieces of another set would give other answers.
pub(super) fn found_pieces() -> String {
    Some(PIECES_NAME).filter(|path| exists(Path::new(path))).unwrap_or_default().to_owned()
}

/// Refuses definitions of pieces that were found as a pipe or a device, which may not answer. A user may name one.
pub(super) fn check_pieces(options: &TableOptions) -> Result<(), u8> {
    match std::fs::metadata(PIECES_NAME) {
        Ok(data) if options.piece_file == PIECES_NAME && !data.is_file() && !data.is_dir() => {
            Err(complain(&format!(
                "cannot read {PIECES_NAME} of this folder: it is a pipe or a device, not a file; rename it, or name the \
                 file with the option EGT Piece File"
            )))
        }
        _ => Ok(()),
    }
}

/// True for anything with this path, also for a link to nothing.
fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// A file of the working folder, else of the folder where the program is; an error for what is no file there.
pub(super) fn found(name: &str) -> Result<Option<PathBuf>, String> {
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
    let folders = std::iter::once(PathBuf::new()).chain(beside);
    match folders.map(|folder| folder.join(name)).find(|path| exists(path)) {
        Some(path) if !path.is_file() => {
            Err(format!("cannot read {}: it is not a file", path.display()))
        }
        path => Ok(path),
    }
}

/// Defaults, changed by the option files that were found or the one that is named, and by the flags. A named file must be
/// good; in one that was merely found, lines that cannot be used are reported and skipped.
fn options_with(mut options: Options, common: &Common, more: &[PathBuf]) -> Result<Options, u8> {
    match &common.ini {
        Some(named) => {
            if !read_ini(named, &mut options)? {
                return Err(STATUS_USAGE);
            }
        }
        None => {
            let found = found(INI_NAME).map_err(|why| complain(&why))?;
            for path in found.iter().chain(more) {
                read_ini(path, &mut options)?;
            }
        }
    }
    for (name, value) in common.settings() {
        if let Err(error) = options.set(&name, value.as_deref()) {
            return Err(complain(&error.to_string()));
        }
    }
    check_pieces(&options.tables)?;
    Ok(options)
}

/// Reads an option file and reports its faults; false when something is.
fn read_ini(path: &Path, options: &mut Options) -> Result<bool, u8> {
    let shown = path.display();
    let errors = match read_text(path, &|| false) {
        Ok(text) => ini::read(&text, options),
        Err(error) => return Err(complain(&error.to_string())),
    };
    for error in &errors {
        complain(&format!("{shown}:{}: {}", error.line, error.why));
    }
    Ok(errors.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::Args;
    use clap::Parser;

    #[test]
    fn all_processors_and_most_of_the_memory_are_used_by_default() {
        let threads = |words: &[&str]| {
            let args = Args::try_parse_from(words).unwrap();
            options_with(defaults_alone(), &args.common, &[]).unwrap().threads
        };
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        assert_eq!(threads(&["umbrail"]), all);
        assert_eq!(threads(&["umbrail", "--threads", "3"]), 3);
        let memory = |words: &[&str]| {
            let args = Args::try_parse_from(words).unwrap();
            options_with(defaults_alone(), &args.common, &[]).unwrap().tables.memory_mib
        };
        let all = available_bytes().map_or(4096, |bytes| bytes >> 20);
        // What is free changes while the tests run.
        assert!((all / 4..=all).contains(&memory(&["umbrail"])));
        assert_eq!(memory(&["umbrail", "--set", "EGT Memory=700"]), 700);
    }

    /// Copied untouched, they leave every default as it was, those of the command line, too.
    #[test]
    fn the_option_files_that_come_with_the_program_change_nothing() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ini");
        for name in ["umbrail.ini", "umbrail-spg.ini"] {
            let file = folder.join(name).display().to_string();
            let args = Args::try_parse_from(["umbrail", "--ini", &file]).unwrap();
            let mut strange = Options { threads: 77, ..Options::default() };
            strange.tables.memory_mib = 12_345;
            for before in [Options::default(), strange] {
                let after = options_with(before.clone(), &args.common, &[]).unwrap();
                assert_eq!(after, before, "{name}");
            }
        }
    }
}
