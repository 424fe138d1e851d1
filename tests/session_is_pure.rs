//! The session is a state machine: the moment of every command is an argument, and only jobs use
//! files, threads and other machines.

use std::path::{Path, PathBuf};

/// Paths that would make the state machine depend on the system, or on the code around it.
const FORBIDDEN: &[&str] = &[
    "std::fs",
    "std::io",
    "std::net",
    "std::env::var",
    "std::process",
    "std::thread",
    "thread::spawn",
    "Instant::now",
    "SystemTime",
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("").to_owned();
        if path.is_dir() && name != "tests" {
            files(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

/// Returns the lines of code that precede the tests of a file, without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let code = lines.take_while(|(_, line)| !line.starts_with("#[cfg(test)]"));
    code.map(|(number, line)| (number, line.split("//").next().unwrap_or("")))
}

fn faults(text: &str) -> Vec<(usize, &'static str)> {
    code(text)
        .flat_map(|(number, line)| {
            FORBIDDEN
                .iter()
                .filter(move |path| line.contains(**path))
                .map(move |&path| (number, path))
        })
        .collect()
}

#[test]
fn no_file_of_the_session_uses_files_threads_or_clocks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/session/src");
    let mut found = vec![];
    files(&folder, &mut found);
    assert!(found.len() > 30, "{found:?}");
    for path in found {
        let faults = faults(&std::fs::read_to_string(&path).expect("a source"));
        assert!(faults.is_empty(), "{}: {faults:?}", path.display());
    }
}

#[test]
fn the_check_finds_what_it_looks_for() {
    let text =
        "use std::fs::read;\n// std::thread\nlet at = Instant::now();\n#[cfg(test)]\nstd::fs";
    assert_eq!(faults(text), [(1, "std::fs"), (3, "Instant::now")]);
}
