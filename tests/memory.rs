//! The program under memory limits (`ulimit -v`): it takes less and says so, or refuses with the figure; it never
//! crashes. `scripts/tool memory-limits` tries many more limits, and control groups.

#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};

/// Exit statuses of a panic and of an abort.
const CRASHES: [i32; 3] = [70, 101, 134];

/// Runs the program with this limit of address space, in KiB; its output and its exit status.
fn limited(kib: u32, arguments: &[&str], input: &str) -> (String, i32) {
    let mut child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {kib}; exec \"$@\""), "sh"])
        .arg(env!("CARGO_BIN_EXE_umbrail"))
        .args(arguments)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .env_remove("UMBRAIL_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    // Tasks do not read their input.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed).into_owned();
    let status = output.status.code().unwrap_or(134);
    assert!(!CRASHES.contains(&status), "{kib} {arguments:?}: {status} {printed}");
    (printed, status)
}

fn search(hash: u32, threads: u32) -> String {
    format!(
        "uci\nsetoption name Hash value {hash}\nsetoption name Threads value {threads}\nisready\ngo depth 6\n"
    )
}

#[test]
fn a_search_plays_with_less_memory_and_reports_it() {
    for kib in [100_000, 300_000] {
        let (printed, status) = limited(kib, &["uci"], &search(16, 1));
        assert!(status == 0 && printed.contains("bestmove"), "{printed}");
        assert!(!printed.contains("does not fit"), "{printed}");
        let (printed, status) = limited(kib, &["uci"], &search(4096, 1));
        assert!(status == 0 && printed.contains("bestmove"), "{printed}");
        let line = printed.lines().find(|line| line.contains("Hash 4096 MiB does not fit: "));
        let line = line.unwrap_or_else(|| panic!("{printed}"));
        assert!(line.contains("(ulimit -v); ") && line.ends_with(" MiB are used"), "{line}");
    }
}

#[test]
fn a_search_has_fewer_threads_where_their_stacks_do_not_fit() {
    let (printed, status) = limited(300_000, &["uci"], &search(16, 512));
    assert!(status == 0 && printed.contains("bestmove"), "{printed}");
    assert!(printed.contains("info string 512 threads do not fit ("), "{printed}");
}

#[test]
fn bench_and_perft_need_little() {
    let (printed, status) = limited(100_000, &["bench", "4"], "");
    assert!(status == 0 && printed.contains("nodes"), "{printed}");
    let (printed, status) = limited(80_000, &["perft", "3"], "");
    assert!(status == 0 && printed.contains("8902"), "{printed}");
}

#[test]
fn tables_are_refused_with_the_figure() {
    let (printed, status) = limited(300_000, &["egt", "stats", "KQ.K"], "");
    assert_eq!(status, 0, "{printed}");
    let (printed, status) = limited(150_000, &["egt", "build", "KRN.KR"], "");
    assert_eq!(status, 2, "{printed}");
    assert!(printed.contains("KRN.KR needs about "), "{printed}");
    assert!(
        printed.contains("MiB are left of the limit of address space (ulimit -v)"),
        "{printed}"
    );
}

#[test]
fn proof_games_take_a_smaller_table() {
    let short = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR";
    let (printed, status) =
        limited(300_000, &["spg", "solve", "--moves", "2.5", "--fen", short], "");
    assert!(
        status == 0 && printed.contains("warning: a table of 256 MiB does not fit: "),
        "{printed}"
    );
    // More than the rest of the search may have, too: it ends with what it knows.
    let large = "2RR4/8/rnbqkbnr/pppppppp/B5NB/Q2P4/1PP2PPP/1N1K4";
    let words = ["spg", "solve", "--moves", "23.0", "--time", "1500", "--fen", large];
    for kib in [80_000, 150_000] {
        let (printed, status) = limited(kib, &words, "");
        assert_eq!(status, 3, "{printed}");
    }
}

#[test]
fn stenos_are_followed_in_parts() {
    let solve = ["steno", "solve", "--vocabulary", "extended", "--", "36~#"];
    let (printed, status) = limited(200_000, &solve, "");
    assert!(status == 0 && printed.contains("unique"), "{printed}");
    let large = ["steno", "solve", "--nodes", "4000000", "--memory", "2g", "--", "~~~~~~~#"];
    let (printed, status) = limited(150_000, &large, "");
    assert_eq!(status, 3, "{printed}");
    assert!(printed.contains("2048 MiB do not fit: ") && printed.contains("in parts"), "{printed}");
}
