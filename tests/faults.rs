//! System calls that fail: each fault is injected by `strace` into one call of a run, one after the other. The run must end
//! by itself, with an error or with its answer; files hold what they held before or all of the new; an archive that it
//! leaves can be resumed. Without `strace`, or where it may not trace, the tests are skipped.

#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const DIAGRAM: &str = "rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R";
const OLD: &str = "an older file\n";

/// A system call, the errors that it may return, and how many calls lie between two that are tried: most calls
/// to open and read files come from the start of the program and are alike.
const FAULTS: [(&str, &[&str], usize); 6] = [
    ("write", &["ENOSPC", "EIO"], 1),
    ("openat", &["EMFILE", "EACCES"], 6),
    ("read", &["EIO"], 40),
    ("fsync", &["EIO"], 1),
    ("rename", &["EACCES"], 1),
    ("clone3", &["EAGAIN"], 1),
];

/// The program under `strace` with these options.
fn traced(options: &[&str], arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq"]).args(options).arg(common::PROGRAM).args(arguments);
    command.current_dir(folder).env_remove("UMBRAIL_LOG").env_remove("RUST_BACKTRACE");
    command.stdin(Stdio::null()).output().expect("strace")
}

fn can_trace() -> bool {
    let found = Command::new("strace").args(["-f", "-o", "/dev/null", "true"]).output();
    let able = found.is_ok_and(|output| output.status.success());
    if !able {
        eprintln!("skipped: strace cannot trace here");
    }
    able
}

/// Runs the arguments once for each fault, in a folder that `prepare` fills, and passes the folder and the output to `check`.
fn sweep(
    name: &str,
    arguments: &[&str],
    prepare: &dyn Fn(&Path),
    check: &dyn Fn(&Path, &Output, &str),
) {
    let mut tried = 0;
    for (call, errors, step) in FAULTS {
        let folder = common::folder("faults", name);
        prepare(&folder);
        let trace = format!("trace={call}");
        let _ = traced(&["-e", &trace, "-o", "calls"], arguments, &folder);
        let calls = fs::read_to_string(folder.join("calls")).expect("the calls");
        let calls = calls.matches(&format!("{call}(")).count();
        for number in (1..=calls).step_by(step) {
            for error in errors {
                let folder = common::folder("faults", name);
                prepare(&folder);
                let fault = format!("inject={call}:error={error}:when={number}");
                let options = ["-e", &trace, "-e", &fault, "-o", "/dev/null"];
                let output = traced(&options, arguments, &folder);
                let (printed, complained) = (common::printed(&output), common::complained(&output));
                // A write that wakes a thread of tokio's cannot fail outside of this test, and before its libraries are
                // loaded the program has not begun.
                let outside = ["failed to wake I/O driver", "error while loading shared libraries"];
                if outside.iter().any(|text| complained.contains(text)) {
                    continue;
                }
                let what = format!("{fault}: {:?}\n{printed}\n{complained}", output.status);
                assert!(matches!(output.status.code(), Some(0 | 2 | 3 | 71)), "{what}");
                assert!(!complained.contains("panicked"), "{what}");
                check(&folder, &output, &what);
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "{tried}");
}

/// A file is as it was, or complete.
fn whole(path: &Path, complete: &dyn Fn(&str) -> bool, what: &str) {
    let text = fs::read_to_string(path).expect("a file");
    assert!(text == OLD || complete(&text), "{}: {text:?} after {what}", path.display());
}

#[test]
fn a_proof_game_keeps_its_files_and_can_be_resumed() {
    if !can_trace() {
        return;
    }
    let game = ["spg", "solve", DIAGRAM, "1.5", "--threads", "2", "--archive", "a.spga"];
    let arguments = [&game[..], &["--pgn", "g.pgn", "--html", "g.html", "--output", "o"]].concat();
    let prepare = |folder: &Path| {
        for name in ["g.pgn", "g.html"] {
            fs::write(folder.join(name), OLD).expect("a file");
        }
    };
    sweep("game", &arguments, &prepare, &|folder, output, what| {
        whole(&folder.join("g.pgn"), &|text| text.contains("1. f4 f5 2. Nf3"), what);
        whole(&folder.join("g.html"), &|text| text.contains("</html>"), what);
        if output.status.success() {
            let printed = common::printed(output);
            assert!(printed.contains("exactly one proof game in 1.5 moves"), "{what}");
        }
        // An archive may be missing or without a header, but never has something false.
        let lines = fs::read_to_string(folder.join("a.spga")).unwrap_or_default();
        if lines.lines().next().is_some_and(|line| line.starts_with("umbrail-spg ")) {
            let resumed = [&game[..], &["--resume"]].concat();
            let output = common::command(resumed, folder).output().expect("the program");
            let printed = common::printed(&output);
            assert!(
                printed.contains("exactly one proof game in 1.5 moves"),
                "{printed} {} after {what}",
                common::complained(&output)
            );
        }
    });
}

#[test]
fn saved_tables_are_complete_or_absent() {
    if !can_trace() {
        return;
    }
    sweep("tables", &["egt", "save", "KQ.K", "tables"], &|_| {}, &|folder, output, what| {
        let saved = output.status.success();
        let check = common::command(["egt", "load", "KQ.K", "tables"], folder).output();
        let check = check.expect("the program");
        let printed = common::printed(&check) + &common::complained(&check);
        assert!(!saved || check.status.success(), "{printed} after {what}");
        assert!(!printed.contains("damaged"), "{printed} after {what}");
    });
}

#[test]
fn a_checkpoint_is_whole() {
    if !can_trace() {
        return;
    }
    let arguments = ["steno", "solve", "36$~#", "--checkpoint", "c.bin"];
    sweep("steno", &arguments, &|_| {}, &|folder, output, what| {
        let again = common::command(arguments, folder).output().expect("the program");
        let printed = common::printed(&again);
        assert!(again.status.success() && printed.contains("game"), "{printed} after {what}");
        if output.status.success() {
            assert!(common::printed(output).contains("game"), "{what}");
        }
    });
}
