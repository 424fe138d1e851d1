//! Shards of a proof game as a batch system runs them: exit status, what is missing, archives of machines that stopped.

mod common;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

/// A cook with many claims and strategies, in 7.0 moves.
const COOKED: &str = "rnbq1rk1/ppp3pp/5n2/8/1b6/5N2/PPPPBPPP/RNBQ1RK1";

fn folder(name: &str) -> PathBuf {
    common::folder("shards", name)
}

fn run(folder: &Path, arguments: &[&str]) -> (String, Option<i32>) {
    let mut command = common::command(arguments, folder);
    let Output { stdout, stderr, status } = command.stdin(Stdio::null()).output().expect("it runs");
    let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (text, status.code())
}

/// `umbrail spg solve` with the problem, and an archive named after the shard.
fn shard(folder: &Path, shard: &str, more: &[&str]) -> (String, Option<i32>) {
    let archive = format!("part-{}.spga", shard.replace('/', "-"));
    let words = ["spg", "solve", "--threads", "2", "--moves", "7.0", "--fen", COOKED];
    let kept = ["--shard", shard, "--archive", &archive];
    run(folder, &[&words[..], &kept, more].concat())
}

fn merge(folder: &Path, archives: &[&str]) -> (String, Option<i32>) {
    run(folder, &[&["spg", "merge"][..], archives].concat())
}

fn path(shard: usize) -> String {
    format!("part-{shard}-3.spga")
}

fn records(text: &str) -> Vec<Value> {
    let lines = text.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn a_finished_shard_is_no_failure_and_missing_ones_are_listed() {
    let folder = folder("list");
    for number in 0..3 {
        let (printed, status) = shard(&folder, &format!("{number}/3"), &[]);
        assert_eq!(status, Some(0), "{printed}");
        assert!(printed.contains(&format!("shard {number}/3 is finished; spg merge")), "{printed}");
    }
    let all = [path(0), path(1), path(2)];
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let (printed, status) = merge(&folder, &all);
    assert!(
        status == Some(0) && printed.contains("cooked: ") && !printed.contains("missing"),
        "{printed}"
    );

    // One shard alone: the others are missing, in words and as data.
    let (printed, status) = merge(&folder, &all[1..2]);
    assert_eq!(status, Some(3), "{printed}");
    assert!(
        printed
            .contains("missing shards, of 3 numbered from 0: 0,2\neach is finished by --shard I/3"),
        "{printed}"
    );
    assert!(printed.contains("sbatch --array=0,2\n"), "{printed}");
    let (printed, _) = run(&folder, &["--json", "spg", "verify", all[1]]);
    let records = records(&printed);
    let missing = records.iter().find(|line| line["t"] == "missing_shards").expect("a record");
    assert_eq!(missing["shards"], serde_json::json!([0, 2]), "{missing}");
    assert_eq!((&missing["of"], &missing["text"]), (&3.into(), &"0,2".into()));

    // A shard that was killed: its archive ends early, and the others know how many claims there are.
    let text = std::fs::read_to_string(folder.join(all[2])).expect("an archive");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    std::fs::write(folder.join(all[2]), lines[..lines.len() / 2].concat()).expect("written");
    let (printed, status) = merge(&folder, &all);
    assert!(status == Some(3) && printed.contains("of 3 numbered from 0: 2\n"), "{printed}");
    // Alone it does not know, so it misses all shards.
    let (printed, _) = merge(&folder, &all[2..]);
    assert!(printed.contains("of 3 numbered from 0: 0-2\n"), "{printed}");
    let (printed, status) = shard(&folder, "2/3", &["--resume"]);
    assert!(status == Some(0) && printed.contains("continuing after"), "{printed}");
    assert_eq!(merge(&folder, &all).1, Some(0));
}

#[test]
fn shards_of_one_sheet_write_no_result_file() {
    let folder = folder("sheet");
    std::fs::write(folder.join("problem.txt"), format!("{COOKED}\nPG in 7.0\n")).expect("written");
    let solve = ["spg", "solve", "problem.txt", "--threads", "2"];
    let (printed, status) =
        run(&folder, &[&solve[..], &["--shard", "0/2", "--archive", "part-0.spga"]].concat());
    assert!(status == Some(0) && !printed.contains("wrote "), "{printed}");
    let written: Vec<_> = std::fs::read_dir(&folder).expect("a folder").flatten().collect();
    assert_eq!(written.len(), 2, "{written:?}");
    let (printed, _) =
        run(&folder, &[&solve[..], &["--shard", "1/2", "--output", "1.txt"]].concat());
    assert!(printed.contains("wrote 1.txt"), "{printed}");
}

#[test]
fn what_is_not_finished_is_a_failure() {
    let folder = folder("open");
    let (printed, status) = shard(&folder, "0/3", &["--from-strategy", "2"]);
    assert!(status == Some(3) && printed.contains("shard 0/3 is not finished"), "{printed}");
    // Strategies that a condition excludes belong to finished claims, so `merge` misses nothing.
    let condition = ["--conditions", "Pe2xPd7 d4"];
    for number in 0..3 {
        let (archive, number) = (format!("condition-{number}.spga"), format!("{number}/3"));
        let words = ["spg", "solve", "--moves", "7.0", "--fen", COOKED, "--archive", &archive];
        let (printed, status) =
            run(&folder, &[&words[..], &["--shard", &number], &condition].concat());
        assert_eq!(status, Some(0), "{printed}");
    }
    let (printed, status) =
        merge(&folder, &["condition-0.spga", "condition-1.spga", "condition-2.spga"]);
    assert!(
        status == Some(0) && printed.contains("only strategies with Pe2xPd7 d4 were searched"),
        "{printed}"
    );
}

#[test]
fn an_archive_without_results_is_started_again() {
    let folder = folder("begun");
    shard(&folder, "0/3", &[]);
    let whole = std::fs::read_to_string(folder.join(path(0))).expect("an archive");
    let first = whole.lines().next().expect("a header").to_owned();
    for started in ["", "umbrail-spg 2 quest", &first, &format!("{first}\n")] {
        std::fs::write(folder.join(path(0)), started).expect("written");
        let (printed, status) = shard(&folder, "0/3", &["--resume"]);
        assert_eq!(status, Some(0), "{started:?}: {printed}");
        assert!(!printed.contains("continuing after"), "{printed}");
        let again = std::fs::read_to_string(folder.join(path(0))).expect("an archive");
        assert_eq!(again.lines().count(), whole.lines().count(), "{started:?}");
    }
    // Another text is not written over.
    std::fs::write(folder.join(path(0)), "umbrail-spg 2 questions").expect("written");
    let (printed, status) = shard(&folder, "0/3", &["--resume"]);
    assert!(
        status == Some(2) && printed.contains("line 1 is not the undamaged header"),
        "{printed}"
    );
    // An empty file among others does not hide what is missing.
    std::fs::write(folder.join(path(0)), "").expect("written");
    shard(&folder, "1/3", &[]);
    let (printed, status) = merge(&folder, &[&path(0), &path(1)]);
    assert!(printed.contains("part-0-3.spga: the file is empty"), "{printed}");
    assert!(status == Some(3) && printed.contains("of 3 numbered from 0: 0,2\n"), "{printed}");
}

#[cfg(unix)]
#[test]
fn an_archive_has_one_writer() {
    let folder = folder("writer");
    assert_eq!(shard(&folder, "0/3", &[]).1, Some(0));
    let file = std::fs::File::open(folder.join(path(0))).expect("an archive");
    file.lock().expect("the lock");
    let (printed, status) = shard(&folder, "0/3", &["--resume"]);
    assert!(
        status == Some(2) && printed.contains("part-0-3.spga is being written by another process"),
        "{printed}"
    );
    // It can be read meanwhile.
    let (printed, _) = merge(&folder, &[&path(0)]);
    assert!(printed.contains("of 3 numbered from 0: 1-2\n"), "{printed}");
    drop(file);
    assert_eq!(shard(&folder, "0/3", &["--resume"]).1, Some(0));
}
