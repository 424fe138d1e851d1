//! Searches of positions that are stopped or killed, and continue from their archive.

use super::{SHORT, command, folder, json, read, run, spg, write};
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

/// N. Geissler and O. Sick, Andernach 2001: exactly one game in 5.5 moves from [`START`].
const DIAGRAM: &str = "8/3k4/8/7K/8/8/8/8";
const START: &str = "8/P1Pk1P2/8/3P3K/8/8/2p4p/8 b - - 0 1";
/// PX-1936: one game in 16.5 moves, a massacre of a minute or two.
const MASSACRE: &str = "5k2/8/8/6B1/8/8/8/5K2";
/// 18.5 moves and 20 captures that neither solver decides quickly: both work in turns.
const TURNS: (&str, &str) = ("20.0", "r1b1k2r/p6p/8/8/8/8/P6P/R1B1K2R");

/// Solves the problem from [`START`]; gives back the records, and what was printed.
fn solve(folder: &Path, more: &[&str]) -> (Vec<Value>, String, Option<i32>) {
    let words = ["--start", START, "--json"];
    let (printed, status) = spg(folder, "solve", "5.5", DIAGRAM, &[&words, more].concat());
    (json(&printed), printed, status)
}

#[test]
fn a_run_that_ends_again_and_again_has_the_verdict_of_one_that_does_not() {
    let folder = folder("resumed");
    let (whole, printed, status) = solve(&folder, &[]);
    assert_eq!(status, Some(0), "{printed}");
    let end = whole.last().expect("an end");
    assert_eq!((&end["verdict"], &end["computer_tested"]), (&"unique".into(), &true.into()));
    let mut limit = (end["elapsed_ms"].as_u64().expect("a time") / 4).max(20);
    let (mut runs, mut nodes) = (0, 0);
    let last = loop {
        let time = limit.to_string();
        let limits = ["--archive", "a.spga", "--resume", "--time", &time];
        let (records, printed, status) = solve(&folder, &limits);
        let resumed = records.iter().find(|record| record["t"] == "resumed");
        if resumed.is_none() && runs > 0 {
            // On a busy machine the limit may pass before the archive is read.
            assert!(status == Some(3) && limit < 60_000, "{printed}");
            limit *= 2;
            continue;
        }
        assert_eq!(resumed.is_some(), runs > 0, "{printed}");
        assert!(resumed.is_none_or(|one| one["earlier_nodes"] == nodes), "{printed}");
        let end = records.last().cloned().expect("an end");
        let more = end["nodes"].as_u64().expect("nodes");
        // On a busy machine the limit may pass before the search begins.
        limit *= if more == 0 { 2 } else { 1 };
        nodes += more;
        runs += 1;
        if end["complete"] == true && records.iter().any(|one| one["t"] == "solution") {
            assert_eq!(status, Some(0), "{printed}");
            break records;
        }
        assert!(runs < 200, "no progress: {printed}");
    };
    assert!(runs > 1, "the limit of {limit} ms ends no run");
    let games = |records: &[Value]| -> Vec<Value> {
        let games = records.iter().filter(|record| record["t"] == "solution");
        games.map(|game| game["text"].clone()).collect()
    };
    assert_eq!(games(&last), games(&whole));
    let again = last.last().expect("an end");
    for field in ["verdict", "count", "solutions", "lengths", "complete", "correct"] {
        assert_eq!(again[field], end[field], "{field}");
    }
    // A number of another process is no evidence of this one.
    assert_eq!(again["computer_tested"], false);
    assert!(again["unverified_numbers"].as_u64() > Some(0), "{again}");
    let (_, printed, _) = solve(&folder, &["--archive", "a.spga"]);
    assert!(printed.contains("a.spga.positions exists already: use resume"), "{printed}");
}

#[test]
fn a_run_that_is_killed_continues_from_what_was_saved_on_the_way() {
    let folder = folder("killed");
    let words = ["spg", "solve", MASSACRE, "16.5", "--archive", "a.spga", "--threads", "2"];
    let path = folder.join("a.spga.positions");
    for kills in 1..=2 {
        let before = std::fs::read(&path).ok();
        let resume: &[&str] = if kills > 1 { &["--resume"] } else { &[] };
        let mut child = command(&folder, &[&words, resume].concat()).spawn().expect("it runs");
        let since = Instant::now();
        // It is written as a whole, so any file that is there is a good one.
        while std::fs::read(&path).ok() == before {
            assert!(since.elapsed() < Duration::from_secs(60), "nothing is saved");
            std::thread::sleep(Duration::from_millis(20));
        }
        child.kill().expect("it is killed");
        child.wait().expect("it has ended");
    }
    let again = ["--resume", "--time", "3000", "--json"];
    let (printed, status) = run(&folder, &[&words, &again[..]].concat());
    assert_eq!(status, Some(3), "{printed}");
    let records = json(&printed);
    let resumed = records.iter().find(|record| record["t"] == "resumed").expect("a message");
    assert!(resumed["numbers"].as_u64() > Some(1000), "{resumed}");
    assert!(resumed["earlier_ms"].as_u64() >= Some(3000), "{resumed}");
    // In words, with how to continue.
    let (printed, _) = run(&folder, &[&words, &["--resume", "--time", "3000"][..]].concat());
    assert!(printed.contains("continuing with "), "{printed}");
    assert!(
        printed.contains("numbers of games were taken from the archive unverified"),
        "{printed}"
    );
    let continues = "the same command with --resume continues from a.spga";
    assert!(printed.contains(continues), "{printed}");
}

#[test]
fn an_archive_that_is_damaged_or_of_another_problem_is_refused() {
    let folder = folder("positions-archive");
    let positions = ["--solver", "positions", "--archive", "a.spga"];
    let solve = |moves: &str, more: &[&str]| {
        spg(&folder, "solve", moves, SHORT, &[&positions, more].concat())
    };
    let (printed, _) = solve("1.5", &[]);
    assert!(printed.contains("C+: exactly one proof game in 1.5 moves"), "{printed}");
    let (printed, status) = solve("2.5", &["--resume"]);
    assert!(printed.contains("a.spga.positions: the archive has plies 3, expected 5"), "{printed}");
    assert_eq!(status, Some(2));
    let path = folder.join("a.spga.positions");
    let whole = std::fs::read(&path).expect("an archive");
    for at in [3, 100, whole.len() - 20] {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        write(&folder, "a.spga.positions", &bytes);
        let (printed, status) = solve("1.5", &["--resume"]);
        assert!(printed.contains("a.spga.positions: th"), "{at}: {printed}");
        assert!(!printed.contains("exactly") && status == Some(2), "{at}: {printed}");
        assert_eq!(std::fs::read(&path).expect("an archive"), bytes, "it stays as it was");
    }
    for verb in ["verify", "merge"] {
        let (printed, status) = run(&folder, &["spg", verb, "a.spga"]);
        assert!(printed.contains("only one of the search of positions"), "{printed}");
        assert_ne!(status, Some(0));
    }
}

#[test]
fn both_solvers_in_turns_keep_an_archive_each() {
    let folder = folder("turns-archive");
    let solve = |more: &[&str]| {
        let words = ["--archive", "a.spga", "--time", "2500", "--memory", "64m"];
        spg(&folder, "solve", TURNS.0, TURNS.1, &[&words, more].concat())
    };
    let (printed, status) = solve(&[]);
    assert!(printed.contains("solver: ") && status == Some(3), "{printed}");
    assert!(!printed.contains("belongs to them"), "{printed}");
    assert!(read(&folder, "a.spga").starts_with("umbrail-spg 2 "));
    assert!(folder.join("a.spga.positions").exists());
    let (printed, _) = solve(&["--resume"]);
    assert!(
        printed.contains("continuing after ") && printed.contains("continuing with "),
        "{printed}"
    );
}

#[test]
fn a_sheet_and_a_file_of_popeye_keep_an_archive_for_each_problem() {
    let folder = folder("sheet-positions");
    write(&folder, "a.txt", format!("{SHORT}\n1.5\n\n{DIAGRAM}\n5.5\nStart: {START}\n"));
    let words = ["spg", "solve", "a.txt", "--archive", "kept"];
    let (printed, status) = run(&folder, &words);
    assert_eq!(status, Some(0), "{printed}");
    assert!(folder.join("kept/1.spga").exists() && folder.join("kept/2.spga.positions").exists());
    let (printed, _) = run(&folder, &[&words[..], &["--resume"]].concat());
    assert!(printed.contains("1 claim was taken from the archive unverified"), "{printed}");
    assert!(printed.contains("numbers of games were taken from the archive"), "{printed}");
    let twins = "BeginProblem\nforsyth rsbqkbsr/ppppp1pp/8/5p2/5P2/5S2/PPPPP1PP/RSBQKB1R\n\
                 stipulation dia1.5\ncondition circe\ntwin condition madrasi\nEndProblem\n";
    write(&folder, "b.inp", twins);
    let words = ["spg", "solve", "b.inp", "--archive", "twins", "--resume"];
    let (printed, _) = run(&folder, &words);
    let verdict = "exactly one proof game in 1.5 moves under ";
    assert_eq!(printed.matches(verdict).count(), 2, "{printed}");
    let (printed, _) = run(&folder, &words);
    let kept = "taken from the archive unverified";
    assert_eq!(
        (printed.matches(verdict).count(), printed.matches(kept).count()),
        (2, 2),
        "{printed}"
    );
}
