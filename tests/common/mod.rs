//! What tests of the whole program share: a folder for each test, and the program with pipes.

#![allow(
    dead_code,
    reason = "each file of tests is a crate of its own, and not all use everything"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_umbrail");
/// The variable that names another program to try, with words before it: `wine64 umbrail.exe` (`scripts/tool wine-check`).
const UNDER_TEST: &str = "UMBRAIL_UNDER_TEST";

/// An empty folder for one test; `file` names the file of tests.
pub(crate) fn folder(file: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The program in a folder, with pipes for its input and its output.
pub(crate) fn command<S: AsRef<std::ffi::OsStr>>(
    arguments: impl IntoIterator<Item = S>,
    folder: &Path,
) -> Command {
    let other = std::env::var(UNDER_TEST).unwrap_or_default();
    let mut words = other.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(PROGRAM));
    command.args(words);
    command.args(arguments).current_dir(folder).env_remove("UMBRAIL_LOG");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What it wrote to standard output.
pub(crate) fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What it wrote to standard error.
pub(crate) fn complained(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
