//! The laboratory, as a process: with a stand-in for fastchess that plays instantly and writes down how it was called.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_umbrail");

/// Answers as fastchess does: DEV wins an opening whose number divides by three, loses the next, draws the rest.
const STAND_IN: &str = r#"#!/bin/sh
if [ "$1" = "-version" ]; then echo "fastchess stand-in"; exit 0; fi
here="$(dirname "$0")"
echo "$@" >> "$here/calls"
first=1 rounds=0 games=2 order="" previous=""
for word in "$@"; do
  case "$word" in
    start=*) first="${word#start=}" ;;
    name=*) order="$order ${word#name=}" ;;
  esac
  case "$previous" in -rounds) rounds="$word" ;; -games) games="$word" ;; esac
  previous="$word"
done
set -- $order
if [ -f "$here/fault" ]; then
  echo "Finished game 1 ($1 vs $2): 1-0 {White mates}"
  echo "Warning; Illegal PV move - move a1a9 from DEV"
  exit 1
fi
if [ -f "$here/orphan" ]; then yes "Unknown command: ''" >&2 & exit 3; fi
number=0 round=0
while [ $round -lt $rounds ]; do
  opening=$((first + round)) game=0
  while [ $game -lt $games ]; do
    number=$((number + 1))
    if [ $game -eq 0 ]; then white=$1 black=$2; else white=$2 black=$1; fi
    case $((opening % 3)) in
      0) if [ $white = DEV ]; then result=1-0; else result=0-1; fi ;;
      1) if [ $white = DEV ]; then result=0-1; else result=1-0; fi ;;
      *) result=1/2-1/2 ;;
    esac
    echo "Finished game $number ($white vs $black): $result {White mates}" || exit 1
    sleep 0.02
    game=$((game + 1))
  done
  round=$((round + 1))
done
"#;

struct Laboratory {
    folder: PathBuf,
}

impl Laboratory {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("umbrail-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let runner = folder.join("fastchess");
        std::fs::write(&runner, STAND_IN).unwrap();
        std::fs::set_permissions(&runner, std::fs::Permissions::from_mode(0o755)).unwrap();
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
        std::fs::write(folder.join("book.epd"), start.repeat(200)).unwrap();
        Self { folder }
    }

    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(&self.folder).stdin(Stdio::null());
        command.args(words.split(' '));
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    fn rows(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.join("lab/lab.csv")).unwrap_or_default();
        text.lines().skip(1).map(str::to_owned).collect()
    }

    fn matches(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.folder.join("lab")).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
    }
}

impl Drop for Laboratory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn lines(path: &Path) -> usize {
    std::fs::read_to_string(path).unwrap_or_default().lines().count()
}

const MATCH: &str =
    "lab xp-matrix --xp 3 --control nodes=100 --games 60 --fastchess ./fastchess --book book.epd";

/// Killed at any moment, a match goes on behind the games that were booked, as strictly as it began, and ends with the
/// result of a match that nobody killed. The path of the runner is relative (`l5`).
#[test]
fn a_killed_match_goes_on_and_ends_as_if_nothing_had_been() {
    let lab = Laboratory::new("lab-kill");
    for _ in 0..6 {
        let mut child = lab.command(MATCH).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = lab.run(MATCH);
    assert!(output.status.success(), "{}", errors(&output));
    let calls = std::fs::read_to_string(lab.folder.join("calls")).unwrap();
    assert!(calls.lines().count() > 2, "{calls}");
    assert!(calls.lines().all(|call| call.contains(" -strict ")), "{calls}");
    let rows = lab.rows();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows.iter().all(|row| row.contains(",60,20,20,20,")), "{rows:?}");
    for folder in lab.matches() {
        assert_eq!(lines(&folder.join("games.txt")), 60, "{}", folder.display());
    }
    // Both are in the table: nothing is played again.
    let calls = calls.lines().count();
    assert!(lab.run(MATCH).status.success());
    assert_eq!(lines(&lab.folder.join("calls")), calls);
}

#[test]
fn a_wrong_first_try_leaves_nothing_behind() {
    let lab = Laboratory::new("lab-wrong");
    std::fs::write(lab.folder.join("garbage.epd"), "garbage\n").unwrap();
    let wrong = [
        ("--option Nonsense=1", "has no option Nonsense"),
        ("--option Move_Overhead=1", "has no option Move_Overhead"),
        ("--hash 0", "0 is not in"),
        ("--hash 999999999", "option Hash takes"),
        ("--games 0", "0 is not in"),
        ("--games 7", "must be even"),
        ("--concurrency 0", "0 is not in"),
        ("--dev ./book.epd", "does not start"),
        ("--dev ./absent", "absent"),
        ("--dev ./fastchess", "does not speak UCI"),
    ];
    for (words, why) in wrong {
        let base = "lab sprt --xp 3 --control nodes=100 --fastchess ./fastchess";
        let output = lab.run(&format!("{base} {words}"));
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(errors(&output).contains(why), "{words}: {}", errors(&output));
        assert!(lab.matches().is_empty(), "{words}");
    }
    let output = lab.run("lab sprt --xp 3 --fastchess ./fastchess --book garbage.epd");
    assert!(errors(&output).contains("garbage.epd:1"), "{}", errors(&output));
    assert!(lab.matches().is_empty() && lab.rows().is_empty());
}

#[test]
fn another_command_is_another_match() {
    let lab = Laboratory::new("lab-identity");
    let base = "lab xp-matrix --xp 3 --control nodes=100 --fastchess ./fastchess --book book.epd";
    for words in ["--games 4", "--games 6", "--games 4 --option NoSuch=5"] {
        let output = lab.run(&format!("{base} {words}"));
        // An option that the engine lacks is the third: it is refused, not ignored.
        assert_eq!(output.status.success(), !words.contains("NoSuch"), "{}", errors(&output));
    }
    assert_eq!(lab.rows().len(), 4);
    // Options that are set before `lab` reach both sides.
    let output = lab.run(&format!("--set MultiPV=2 {base} --games 4"));
    assert!(output.status.success(), "{}", errors(&output));
    let calls = std::fs::read_to_string(lab.folder.join("calls")).unwrap();
    assert_eq!(calls.lines().last().unwrap().matches("option.MultiPV=2").count(), 2, "{calls}");
    assert_eq!(lab.rows().len(), 6);
}

#[test]
fn a_match_that_a_fault_ended_is_not_booked_later() {
    let lab = Laboratory::new("lab-fault");
    std::fs::write(lab.folder.join("fault"), "").unwrap();
    let command =
        "lab sprt --xp 3 --control nodes=100 --games 40 --fastchess ./fastchess --book book.epd";
    let first = lab.run(command);
    assert!(errors(&first).contains("Illegal PV move"), "{}", errors(&first));
    std::fs::remove_file(lab.folder.join("fault")).unwrap();
    let second = lab.run(command);
    assert_eq!(second.status.code(), Some(2));
    assert!(errors(&second).contains("was ended by a fault"), "{}", errors(&second));
    assert!(lab.rows().is_empty());
    let status = lab.run("lab status");
    assert!(String::from_utf8_lossy(&status.stdout).contains("faulted"), "{status:?}");
}

/// An engine still runs when the runner has ended, and writes error messages without end: the laboratory ends all the same,
/// and its own messages stay short.
#[test]
fn an_engine_that_is_left_behind_does_not_hold_the_laboratory() {
    let lab = Laboratory::new("lab-orphan");
    std::fs::write(lab.folder.join("orphan"), "").unwrap();
    let mut child = lab.command(MATCH).stderr(Stdio::piped()).spawn().unwrap();
    let ended = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        child.try_wait().unwrap().is_some()
    });
    if !ended {
        child.kill().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    assert!(ended, "{}", errors(&output));
    let printed = errors(&output);
    assert!(printed.contains("fastchess ended with exit status: 3"), "{printed}");
    assert!(printed.len() < 10_000, "{} bytes", printed.len());
}

#[test]
fn two_runs_in_one_folder_are_refused() {
    let lab = Laboratory::new("lab-two");
    let mut first = lab.command(MATCH).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let second = lab.run(MATCH);
    let status = lab.run("lab status");
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(errors(&second).contains("another run"), "{}", errors(&second));
    assert!(String::from_utf8_lossy(&status.stdout).contains("a run works here now"), "{status:?}");
}

#[test]
fn a_dry_run_prints_the_command_and_plays_nothing() {
    let lab = Laboratory::new("lab-dry");
    let base = "lab xp-matrix --xp 3 --control nodes=100 --games 60 --fastchess ./fastchess";
    let output = lab.run(&format!("{base} --book book.epd --hash 7 --dry-run"));
    assert!(output.status.success(), "{}", errors(&output));
    let printed = errors(&output);
    let commands: Vec<&str> = printed.lines().filter(|line| line.contains("-rounds 30")).collect();
    assert_eq!(commands.len(), 2, "the control match and that of XP3: {printed}");
    assert!(commands.iter().all(|line| line.contains("option.Hash=7")), "{printed}");
    assert!(commands.iter().any(|line| line.contains("XP3")), "{printed}");
    assert!(!lab.folder.join("calls").exists() && lab.matches().is_empty());
    assert!(lab.rows().is_empty());
}

/// The stand-in's DEV scores one half, which is below both hypotheses.
#[test]
fn a_match_that_decides_ends_with_the_test() {
    let base = "lab xp-matrix --xp 3 --control nodes=100 --games 160 --fastchess ./fastchess \
                --book book.epd --elo0 50 --elo1 100";
    for (more, decides) in [("", false), (" --decide", true)] {
        let lab = Laboratory::new("lab-decide");
        let output = lab.run(&format!("{base}{more}"));
        assert!(output.status.success(), "{}", errors(&output));
        let games: Vec<_> =
            lab.matches().iter().map(|folder| lines(&folder.join("games.txt"))).collect();
        assert_eq!(lab.rows().len(), 2);
        // The control match of equals plays all games in either case.
        assert!(games.contains(&160), "{games:?}");
        let early = games.iter().any(|games| (30..160).contains(games));
        assert_eq!(early, decides, "{games:?} {:?}", lab.rows());
        assert!(lab.rows().iter().all(|row| row.contains(",H0,")), "{:?}", lab.rows());
    }
}

#[test]
fn hypotheses_are_in_order() {
    let lab = Laboratory::new("lab-elo");
    let base = "lab sprt --xp 3 --control nodes=100 --fastchess ./fastchess --book book.epd";
    for hypotheses in ["--elo0 5 --elo1 0", "--elo0 3 --elo1 3", "--elo1 -50"] {
        let output = lab.run(&format!("{base} {hypotheses}"));
        assert_eq!(output.status.code(), Some(2), "{hypotheses}");
        let printed = errors(&output);
        assert!(printed.contains("--elo0 must be less than --elo1"), "{hypotheses}: {printed}");
    }
    assert!(lab.matches().is_empty() && !lab.folder.join("calls").exists());
}
