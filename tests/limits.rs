//! The program at the limits of the system: output that cannot be written, few files, few threads, a small stack, limits
//! of file sizes and of processor time. It reports the cause and ends with an exit status other than 0, or works with
//! less. `tests/memory.rs` covers limits of memory.

#![cfg(target_os = "linux")]

mod common;

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

const DIAGRAM: &str = "rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R";
const GAME: [&str; 6] = ["spg", "solve", "--moves", "1.5", "--fen", DIAGRAM];
/// Runs for minutes.
const LONG: [&str; 4] = ["steno", "solve", "--", "~~~~~~~#"];
/// Exit status when the system refuses threads or files.
const REFUSED: i32 = 71;

/// What a run printed, and its exit status: none after a signal.
struct Run {
    printed: String,
    complained: String,
    status: Option<i32>,
}

impl Run {
    /// Checks that the run ended by itself, without a panic.
    fn orderly(self, what: &str) -> Self {
        let (printed, complained) = (&self.printed, &self.complained);
        let crashed = matches!(self.status, None | Some(70 | 101 | 134 | 139));
        assert!(
            !crashed && !complained.contains("panicked"),
            "{what}: {:?} {printed} {complained}",
            self.status
        );
        self
    }
}

/// A shell command in which `"$@"` is the program with these arguments.
fn shell(line: &str, arguments: &[&str], folder: &Path) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", line, "bash", common::PROGRAM]).args(arguments);
    command.current_dir(folder).env_remove("UMBRAIL_LOG").env_remove("RUST_BACKTRACE");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(mut command: Command, input: &str) -> Run {
    let mut child = command.spawn().expect("a shell");
    // Commands do not read their input.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    Run {
        printed: common::printed(&output),
        complained: common::complained(&output),
        status: output.status.code(),
    }
}

fn runs(line: &str, arguments: &[&str], input: &str, name: &str) -> Run {
    run(shell(line, arguments, &common::folder("limits", name)), input)
}

/// Commands that print by each of the ways to do so.
const PRINTING: &[&[&str]] = &[
    &GAME,
    &["perft", "2"],
    &["bench", "2"],
    &["steno", "solve", "36~#"],
    &["egt", "stats", "KQ.K"],
    &["go", "depth", "2"],
    &["options", "--markdown"],
    &["completions", "bash"],
    &["version"],
    &["--version"],
    &["--help"],
    &["spg", "solve", "--help"],
    &["man", "--markdown"],
    &["uci"],
];

#[test]
fn output_to_a_full_disk_is_reported() {
    for arguments in PRINTING {
        let run = runs("exec \"$@\" >/dev/full", arguments, "uci\n", "full");
        let run = run.orderly(arguments[0]);
        let cause = "umbrail: cannot write to standard output: No space left on device";
        assert!(run.complained.contains(cause), "{arguments:?}: {}", run.complained);
        assert_eq!(run.status, Some(3), "{arguments:?}");
    }
}

#[test]
fn a_closed_output_is_reported_before_the_work() {
    for arguments in PRINTING.iter().chain(&[&LONG[..]]) {
        let run = runs("exec \"$@\" >&-", arguments, "uci\n", "closed");
        let run = run.orderly(arguments[0]);
        let cause = "umbrail: standard output is closed";
        assert!(run.complained.starts_with(cause), "{arguments:?}: {}", run.complained);
        assert_eq!(run.status, Some(3), "{arguments:?}");
    }
    let run = runs("exec \"$@\" >/dev/null", &["perft", "2"], "", "null");
    assert_eq!((run.status, &*run.complained), (Some(0), ""));
}

#[test]
fn a_reader_that_has_enough_ends_the_program_quietly() {
    for arguments in PRINTING {
        let run = runs("\"$@\" | head -c 1 >/dev/null", arguments, "uci\n", "head");
        assert_eq!(run.orderly(arguments[0]).complained, "", "{arguments:?}");
    }
}

#[test]
fn an_error_that_cannot_be_written_is_no_crash() {
    for target in ["/dev/full", "&-"] {
        let line = format!("exec \"$@\" 2>{target}");
        for (arguments, status) in [(&["spg", "merge", "missing"][..], 2), (&["perft", "2"], 0)] {
            let run = runs(&line, arguments, "", "error").orderly(target);
            assert_eq!(run.status, Some(status), "{target} {arguments:?}");
        }
    }
}

#[test]
fn too_few_files_are_named() {
    for files in 3..=14 {
        for arguments in [&GAME[..], &["perft", "2"], &["egt", "stats", "KQ.K"], &["uci"]] {
            let line = format!("ulimit -n {files}; exec \"$@\"");
            let what = format!("{files} files, {arguments:?}");
            let run = runs(&line, arguments, "go depth 2\n", "files").orderly(&what);
            match run.status {
                // The loader of shared libraries needs a file, too.
                Some(127) => assert!(files < 5, "{what}: {}", run.complained),
                Some(0) => assert_eq!(run.complained, "", "{what}"),
                Some(status) => {
                    assert!(matches!(status, 2 | REFUSED), "{what}: {status}");
                    let cause = "Too many open files";
                    assert!(run.complained.contains(cause), "{what}: {}", run.complained);
                }
                None => unreachable!("checked above"),
            }
        }
    }
}

#[test]
fn a_small_stack_suffices() {
    for kib in [64, 256] {
        for arguments in [&GAME[..], &["perft", "2"], &["egt", "stats", "KQ.K"], &["uci"]] {
            let line = format!("ulimit -s {kib}; exec \"$@\"");
            let what = format!("{kib} KiB, {arguments:?}");
            let run = runs(&line, arguments, "go depth 3\n", "stack").orderly(&what);
            assert_eq!(run.status, Some(0), "{what}: {}", run.complained);
        }
    }
}

/// The limit of threads counts those of a user, and does not hold for root: root tries it as a user of its own.
#[test]
fn too_few_threads_are_reported() {
    let folder = std::env::temp_dir().join(format!("umbrail-threads-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let is_root = std::fs::read_to_string("/proc/self/loginuid").is_ok()
        && std::fs::metadata("/proc/self")
            .is_ok_and(|data| std::os::unix::fs::MetadataExt::uid(&data) == 0);
    if !is_root {
        eprintln!("skipped: the limit counts all threads of this user");
        return;
    }
    for threads in 1..=8 {
        for arguments in [&GAME[..], &["perft", "2"], &["egt", "stats", "KQ.K"], &["uci"]] {
            let line = format!("ulimit -u {threads}; exec \"$@\"");
            let mut command = shell(&line, arguments, &folder);
            command.uid(60_000 + std::process::id() % 5000).gid(60_000);
            let what = format!("{threads} threads, {arguments:?}");
            let run = run(command, "go depth 2\n").orderly(&what);
            if run.status == Some(126) {
                eprintln!("skipped: another user cannot start the program");
                return;
            }
            let answers = run.status == Some(0) && !run.printed.is_empty();
            let reports = run.status != Some(0) && run.complained.contains("thread");
            assert!(
                answers || reports,
                "{what}: {:?} {} {}",
                run.status,
                run.printed,
                run.complained
            );
        }
    }
    std::fs::remove_dir_all(&folder).expect("a folder");
}

#[test]
fn a_file_above_the_limit_of_sizes_is_named() {
    for arguments in [
        &["egt", "save", "KQ.KR", "tables"][..],
        &["steno", "solve", "--checkpoint", "work.bin", "--", "~~$~#"],
        &["egt", "stats", "KQ.K", "--csv", "counts.csv"],
    ] {
        // The last file is small.
        let blocks = if arguments.contains(&"--csv") { 0 } else { 2 };
        let line = format!("ulimit -f {blocks}; exec \"$@\" 2>&1 | cat");
        let run = runs(&line, arguments, "", "size").orderly("sizes");
        assert!(
            run.printed.to_lowercase().contains("file too large"),
            "{arguments:?}: {}",
            run.printed
        );
    }
}

#[test]
fn work_ends_with_its_results_at_the_limit_of_processor_time() {
    let run = runs("ulimit -S -t 1; exec \"$@\"", &LONG, "", "time").orderly("time");
    assert_eq!(run.status, Some(3), "{}", run.complained);
    assert!(run.complained.contains("the limit of processor time is reached (ulimit -t)"));
    assert!(run.printed.contains("stopped"), "{}", run.printed);
}

/// Other pieces give other answers, and other options other results.
#[test]
fn found_files_that_are_none_are_named() {
    type Make = fn(&Path);
    let makes: [(&str, Make); 3] = [
        ("folder", |path| std::fs::create_dir(path).expect("a folder")),
        ("link", |path| std::os::unix::fs::symlink("/nowhere/x", path).expect("a link")),
        ("pipe", |path| {
            assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
        }),
    ];
    for (kind, make) in makes {
        let folder = common::folder("limits", kind);
        make(&folder.join("piecedef.ini"));
        for arguments in [&["egt", "stats", "KQ.K"][..], &["4men", "KQ.K"]] {
            let run = run(shell("exec \"$@\"", arguments, &folder), "quit\n").orderly(kind);
            let all = format!("{}{}", run.printed, run.complained);
            assert!(all.contains("cannot read piecedef.ini"), "{kind} {arguments:?}: {all}");
            assert_eq!(run.status, Some(2), "{kind} {arguments:?}: {all}");
        }
        let session = "egt stats KQ.K\n";
        let run = run(shell("exec \"$@\"", &["uci"], &folder), session).orderly(kind);
        let all = format!("{}{}", run.printed, run.complained);
        assert!(all.contains("cannot read piecedef.ini"), "{kind}: {all}");
        let folder = common::folder("limits", kind);
        make(&folder.join("umbrail.ini"));
        let run = self::run(shell("exec \"$@\"", &["perft", "1"], &folder), "").orderly(kind);
        assert!(run.complained.contains("cannot read umbrail.ini"), "{kind}: {}", run.complained);
        assert_eq!(run.status, Some(2), "{kind}");
    }
}
