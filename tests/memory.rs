//! The program under memory limits (`ulimit -v`): it takes less and says so, or refuses with the figure; it never
//! crashes. `scripts/tool memory-limits` tries many more limits, and control groups.

#![cfg(target_os = "linux")]

use std::io::Write;
use std::process::{Command, Stdio};

/// Exit statuses of a panic and of an abort.
const CRASHES: [i32; 3] = [70, 101, 134];

/// Runs the program with this limit of address space, in KiB; what it said, and its exit status.
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
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    let status = output.status.code().unwrap_or(134);
    assert!(!CRASHES.contains(&status), "{kib} {arguments:?}: {status} {said}");
    (said, status)
}

fn search(hash: u32, threads: u32) -> String {
    format!(
        "uci\nsetoption name Hash value {hash}\nsetoption name Threads value {threads}\nisready\ngo depth 6\n"
    )
}

#[test]
fn a_search_plays_with_less_memory_and_says_so() {
    for kib in [100_000, 300_000] {
        let (said, status) = limited(kib, &["uci"], &search(16, 1));
        assert!(status == 0 && said.contains("bestmove"), "{said}");
        assert!(!said.contains("does not fit"), "{said}");
        let (said, status) = limited(kib, &["uci"], &search(4096, 1));
        assert!(status == 0 && said.contains("bestmove"), "{said}");
        let line = said.lines().find(|line| line.contains("Hash 4096 MiB does not fit: "));
        let line = line.unwrap_or_else(|| panic!("{said}"));
        assert!(line.contains("(ulimit -v); ") && line.ends_with(" MiB are used"), "{line}");
    }
}

#[test]
fn a_search_has_fewer_threads_where_their_stacks_do_not_fit() {
    let (said, status) = limited(300_000, &["uci"], &search(16, 512));
    assert!(status == 0 && said.contains("bestmove"), "{said}");
    assert!(said.contains("info string 512 threads do not fit ("), "{said}");
}

#[test]
fn bench_and_perft_need_little() {
    let (said, status) = limited(100_000, &["bench", "4"], "");
    assert!(status == 0 && said.contains("nodes"), "{said}");
    let (said, status) = limited(80_000, &["perft", "3"], "");
    assert!(status == 0 && said.contains("8902"), "{said}");
}

#[test]
fn tables_are_refused_with_the_figure() {
    let (said, status) = limited(300_000, &["egt", "stats", "KQ.K"], "");
    assert_eq!(status, 0, "{said}");
    let (said, status) = limited(150_000, &["egt", "build", "KRN.KR"], "");
    assert_eq!(status, 2, "{said}");
    assert!(said.contains("KRN.KR needs about "), "{said}");
    assert!(said.contains("MiB are left of the limit of address space (ulimit -v)"), "{said}");
}

#[test]
fn proof_games_take_a_smaller_table() {
    let short = "rnbqkb1r/ppBppppp/8/3n4/3P4/8/PPP1PPPP/RN1QKBNR";
    let (said, status) = limited(300_000, &["spg", "solve", "--moves", "2.5", "--fen", short], "");
    assert!(status == 0 && said.contains("warning: a table of 256 MiB does not fit: "), "{said}");
    // More than the rest of the search may have, too: it ends with what it knows.
    let large = "2RR4/8/rnbqkbnr/pppppppp/B5NB/Q2P4/1PP2PPP/1N1K4";
    let words = ["spg", "solve", "--moves", "23.0", "--time", "1500", "--fen", large];
    for kib in [80_000, 150_000] {
        let (said, status) = limited(kib, &words, "");
        assert_eq!(status, 3, "{said}");
    }
}

#[test]
fn stenos_are_followed_in_parts() {
    let solve = ["steno", "solve", "--vocabulary", "extended", "--", "36~#"];
    let (said, status) = limited(200_000, &solve, "");
    assert!(status == 0 && said.contains("unique"), "{said}");
    let large = ["steno", "solve", "--nodes", "4000000", "--memory", "2g", "--", "~~~~~~~#"];
    let (said, status) = limited(150_000, &large, "");
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("2048 MiB do not fit: ") && said.contains("in parts"), "{said}");
}
