//! Positions scored by a teacher, another process that speaks UCI; here the program itself.

mod common;

use common::PROGRAM;
use std::path::Path;
use std::process::Output;

/// Plays two games whose positions this teacher scores.
fn taught(folder: &Path, teacher: &str, more: &[&str]) -> Output {
    let arguments = ["datagen", "--games", "2", "--nodes", "60", "--seed", "7", "--threads", "1"];
    let arguments = [&arguments[..], &["--teacher", teacher], more].concat();
    common::command(&arguments, folder).output().expect("the program runs")
}

#[test]
fn a_teacher_scores_positions_of_the_searches_and_a_network_learns_them() {
    let folder = common::folder("teacher", "scores");
    let scored = |out: &str, limit: &str, factor: &str, bonus: &str| {
        let scores = ["--teacher-factor", factor, "--teacher-bonus", bonus];
        let arguments = [&["--out", out, "--teacher-limit", limit], &scores[..]].concat();
        let output = taught(&folder, &format!("{PROGRAM} uci"), &arguments);
        assert!(output.status.success(), "{output:?}");
        std::fs::read(folder.join(out).join("7-0.games")).unwrap()
    };
    let one = scored("one", "nodes 50", "1", "0");
    // A record of one move has 48 bytes, the head of the file 16.
    assert!(one.len() > 16 + 50 * 48 && one.len() % 48 == 16, "{} bytes", one.len());
    assert!(one == scored("same", "nodes 50", "1", "0"), "the same command writes the same file");
    assert!(one != scored("doubled", "nodes 50", "2", "0"), "the factor changes the scores");
    assert!(one != scored("raised", "nodes 50", "1", "9"), "the bonus changes the scores");
    assert!(one != scored("deeper", "depth 4", "1", "0"), "the limit changes the scores");
    let learn = ["train", "one", "--out", "net.nn", "--width", "16", "--wdl", "0", "--epochs", "1"];
    let learned = common::command(learn, &folder).output().expect("the program runs");
    assert!(learned.status.success(), "{learned:?}");
}

#[test]
fn a_program_that_is_no_engine_is_named() {
    let folder = common::folder("teacher", "faults");
    for (teacher, fault) in [
        ("no-such-program", "the teacher \"no-such-program\" does not start"),
        ("", "the teacher \"\" does not start"),
        (&format!("{PROGRAM} --version"), "does not answer uci and isready"),
    ] {
        let output = taught(&folder, teacher, &[]);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && complaint.contains(fault), "{teacher}: {complaint}");
    }
}
