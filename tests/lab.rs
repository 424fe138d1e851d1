//! The laboratory, as a process: with a stand-in for fastchess that plays instantly and writes down how it was called.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_umbrail");

/// Prints and saves what fastchess does: DEV wins both games of an opening whose number divides by three, loses those
/// of the next, draws the rest. A sequential test accepts H0 after 20 pairs.
const STAND_IN: &str = r#"#!/bin/sh
if [ "$1" = "-version" ]; then echo "fastchess stand-in"; exit 0; fi
here="$(dirname "$0")"
echo "$@" >> "$here/calls"
rounds=0 sprt=0 pairs=0 state="" from="" previous=""
for word in "$@"; do
  case "$word" in outname=*) state="${word#outname=}" ;; file=part-*) from="${word#file=}" ;; -sprt) sprt=1 ;; esac
  case "$previous" in -rounds) rounds="$word" ;; esac
  previous="$word"
done
saved() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$from"; }
if [ -n "$from" ]; then
  rounds=$(saved rounds) sprt=$(saved sprt)
  pairs=$((($(saved wins) + $(saved losses) + $(saved draws)) / 2))
fi
if [ -f "$here/orphan" ]; then sleep 20 & exit 3; fi
won() { echo $((pairs / 3)); }
lost() { echo $(((pairs + 2) / 3)); }
drawn() { echo $(((pairs + 1) / 3)); }
save() {
  printf '{"engines":[{"cmd":"-"},{"cmd":"-"}],"opening":{"file":"-"},"rounds":%d,"sprt":%d,"stats":{"DEV vs BASE":{"wins":%d,"losses":%d,"draws":%d}}}' \
    $rounds $sprt $((2 * $(won))) $((2 * $(lost))) $((2 * $(drawn))) > "$state"
}
trap 'save; echo "Tournament was interrupted."; exit 1' INT
while [ $pairs -lt $rounds ]; do
  case $(((pairs + 1) % 3)) in 0) first=1-0 second=0-1 ;; 1) first=0-1 second=1-0 ;; *) first=1/2-1/2 second=$first ;; esac
  for game in 1 2; do
    number=$((2 * pairs + game))
    if [ $game = 1 ]; then players="DEV vs BASE" result=$first; else players="BASE vs DEV" result=$second; fi
    echo "Started game $number of $((2 * rounds)) ($players)" || exit 1
    sleep 0.02
    if [ $number = 4 ] && [ -f "$here/fault" ]; then cat "$here/fault"; sleep 1; exit 1; fi
    echo "Finished game $number ($players): $result {White mates}" || exit 1
  done
  pairs=$((pairs + 1))
  save
  echo "-----"
  echo "Elo: -10.00 +/- 5.00, nElo: -12.00 +/- 6.00"
  echo "LOS: 1.00 %, DrawRatio: 33.33 %, PairsRatio: 1.00"
  echo "Games: $((2 * pairs)), Wins: $((2 * $(won))), Losses: $((2 * $(lost))), Draws: $((2 * $(drawn))), Points: 0.0 (0.00 %)"
  echo "Ptnml(0-2): [$(lost), 0, $(drawn), 0, $(won)], WL/DD Ratio: 0.00"
  if [ $sprt = 1 ] && [ $pairs -ge 20 ]; then
    printf 'LLR: -2.95 (-100.1%%) (-2.94, 2.94) [0.00, 10.00]\n-----\nSPRT ([0.00, 10.00]) completed - H0 was accepted\n'
    exit 0
  elif [ $sprt = 1 ]; then
    echo "LLR: -1.00 (-34.0%) (-2.94, 2.94) [0.00, 10.00]"
  fi
  echo "-----" || exit 1
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

    /// Output of fastchess in the folder of a match, one text for each part.
    fn logs(&self, folder: &Path) -> Vec<String> {
        let logs =
            (1..).map(|part| std::fs::read_to_string(folder.join(format!("part-{part}.txt"))));
        logs.map_while(Result::ok).collect()
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

/// Killed at any moment, a match continues from the games that fastchess saved, and ends with the result of a match
/// that nobody killed. The path of the runner is relative.
#[test]
fn a_killed_match_continues_and_ends_as_if_nothing_had_been() {
    let lab = Laboratory::new("lab-kill");
    let saved = || {
        lab.matches()
            .iter()
            .map(|folder| lab.logs(folder).concat().matches("Elo:").count())
            .sum::<usize>()
    };
    for _ in 0..6 {
        let before = saved();
        let mut child = lab.command(MATCH).stderr(Stdio::null()).spawn().unwrap();
        let plays = (0..400).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            saved() > before + 2
        });
        assert!(plays, "{before} pairs");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = lab.run(MATCH);
    assert!(output.status.success(), "{}", errors(&output));
    let calls = std::fs::read_to_string(lab.folder.join("calls")).unwrap();
    assert!(calls.contains("-config file=part-2.json outname=part-2.json"), "{calls}");
    let rows = lab.rows();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows.iter().all(|row| row.contains(",60,20,20,20,")), "{rows:?}");
    for folder in lab.matches() {
        let parts = lab.logs(&folder);
        let played = parts.iter().map(|log| log.matches("Finished game").count()).sum::<usize>();
        // A kill costs the pair that is being played, and one whose state is being saved; or the lines
        // of a pair whose state is saved.
        let cut = 4 * parts.len();
        assert!((60 - cut..=60 + cut).contains(&played), "{played} {}", parts.len());
    }
    // Both are in the table: nothing is played again.
    assert!(lab.run(MATCH).status.success());
    assert_eq!(lines(&lab.folder.join("calls")), calls.lines().count());
    // A result that was not booked is read from the log.
    std::fs::remove_file(lab.folder.join("lab/lab.csv")).unwrap();
    assert!(lab.run(MATCH).status.success());
    // The columns after the pairs are measured anew.
    let result = |row: &String| row.split(',').take(12).collect::<Vec<_>>().join(",");
    assert!(lab.rows().iter().map(result).eq(rows.iter().map(result)), "{:?} {rows:?}", lab.rows());
    assert_eq!(lines(&lab.folder.join("calls")), calls.lines().count());
}

/// Ctrl-C lets fastchess save the match. A state that is torn all the same is passed over for the one before.
#[test]
fn an_interrupted_match_is_resumed() {
    let lab = Laboratory::new("lab-interrupt");
    let finished = || {
        let logs = lab.matches().into_iter().flat_map(|folder| lab.logs(&folder));
        logs.map(|log| log.matches("Finished game").count()).sum::<usize>()
    };
    for _ in 0..2 {
        let before = finished();
        let child = lab.command(MATCH).stderr(Stdio::piped()).spawn().unwrap();
        let plays = (0..400).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            finished() >= before + 6
        });
        assert!(plays, "{before} games");
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let printed = errors(&output);
        assert!(printed.contains("interrupted after"), "{printed}");
        assert!(printed.contains("the same command resumes the match"), "{printed}");
    }
    let status = lab.run("lab status");
    assert!(String::from_utf8_lossy(&status.stdout).contains("open "), "{status:?}");
    let folder = lab.matches().into_iter().find(|folder| folder.join("part-2.json").exists());
    if let Some(folder) = &folder {
        std::fs::write(folder.join("part-2.json"), "{\"stats\":{\"DEV").unwrap();
    }
    let output = lab.run(MATCH);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(errors(&output).contains("continuing after"), "{}", errors(&output));
    assert!(lab.rows().iter().all(|row| row.contains(",60,20,20,20,")), "{:?}", lab.rows());
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
fn a_match_that_a_fault_ended_is_reported_with_its_cause_and_not_booked_later() {
    let faults = [
        (
            "Finished game 4 (BASE vs DEV): 1-0 {Black loses on time (9ms overrun)}",
            "DEV lost on time in game 4",
        ),
        ("Finished game 4 (BASE vs DEV): 0-1 {White disconnects}", "BASE disconnected in game 4"),
        (
            "Warning; Illegal move a1a9 played by DEV\nFinished game 4 (BASE vs DEV): 1-0 {Black makes an illegal move}",
            "DEV made an illegal move in game 4",
        ),
        (
            "Warning; Illegal PV move - move a1a9 from DEV",
            "Illegal PV move - move a1a9 from DEV in game 4",
        ),
    ];
    let command =
        "lab sprt --xp 3 --control nodes=100 --games 40 --fastchess ./fastchess --book book.epd";
    for (printed, cause) in faults {
        let lab = Laboratory::new("lab-fault");
        std::fs::write(lab.folder.join("fault"), format!("{printed}\n")).unwrap();
        let first = lab.run(command);
        let folder = lab.matches().remove(0);
        let folder = folder.strip_prefix(&lab.folder).unwrap().display().to_string();
        let expected =
            format!("{cause} ({folder}/part-1.txt); remove {folder} to play the match again");
        assert_eq!(first.status.code(), Some(2));
        assert!(errors(&first).contains(&expected), "{expected}: {}", errors(&first));
        std::fs::remove_file(lab.folder.join("fault")).unwrap();
        let second = lab.run(command);
        assert_eq!(second.status.code(), Some(2));
        assert!(errors(&second).contains("was ended by a fault"), "{}", errors(&second));
        assert!(errors(&second).contains(&expected), "{}", errors(&second));
        assert!(lab.rows().is_empty());
        let status = lab.run("lab status");
        assert!(String::from_utf8_lossy(&status.stdout).contains("faulted"), "{status:?}");
    }
}

/// An engine still runs when the runner has ended, and holds its output open: the laboratory ends all the same.
#[test]
fn an_engine_that_is_left_behind_does_not_hold_the_laboratory() {
    let lab = Laboratory::new("lab-orphan");
    std::fs::write(lab.folder.join("orphan"), "").unwrap();
    let started = std::time::Instant::now();
    let output = lab.run(MATCH);
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    let printed = errors(&output);
    assert!(printed.contains("fastchess ended with exit status: 3"), "{printed}");
    assert!(lab.matches().is_empty(), "no game was over");
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

#[test]
fn a_match_that_decides_ends_with_the_test() {
    let base = "lab xp-matrix --xp 3 --control nodes=100 --games 60 --fastchess ./fastchess \
                --book book.epd --elo0 50 --elo1 100";
    for (more, games, decision) in [("", "60", ",,"), (" --decide", "40", ",H0,")] {
        let lab = Laboratory::new("lab-decide");
        let output = lab.run(&format!("{base}{more}"));
        assert!(output.status.success(), "{}", errors(&output));
        assert!(!errors(&output).contains("no key statistics"), "{}", errors(&output));
        let rows = lab.rows();
        // The control match of equals plays all games in either case.
        assert!(rows[0].contains(",60,20,20,20,-10.0,5.0,1.0,,10/0/10/0/10,"), "{rows:?}");
        assert!(rows[1].contains(&format!(",{games},")) && rows[1].contains(decision), "{rows:?}");
        let calls = std::fs::read_to_string(lab.folder.join("calls")).unwrap();
        let sprt = calls.matches("-sprt elo0=50 elo1=100 alpha=0.05 beta=0.05 model=normalized");
        assert_eq!(sprt.count(), usize::from(!more.is_empty()), "{calls}");
        assert_eq!(rows[1].contains(",-2.95,"), !more.is_empty(), "{rows:?}");
        assert!(lab.folder.join("lab/lab.html").exists());
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

#[test]
fn options_are_tested_within_the_program() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lab-inside");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let lab = |words: &[&str]| {
        let command = [&["lab", "sprt", "--inside"], words].concat();
        Command::new(PROGRAM).args(command).current_dir(&folder).output().unwrap()
    };
    let test = ["--control", "nodes=60", "--hash", "1", "--games", "8", "--xp", "3"];
    let played = lab(&test);
    assert!(played.status.success(), "{}", errors(&played));
    let table = std::fs::read_to_string(folder.join("lab/lab.csv")).unwrap();
    let row: Vec<&str> = table.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(row[..4], ["XP3 LMRCons", "on", "inside nodes=60", "8"], "{table}");
    assert!(errors(&lab(&test)).contains("in the table already"));
    let counted = ["--control", "0.1+0.01@5", "--hash", "1", "--games", "2"];
    let played = lab(&[&counted[..], &["--dev-option", "Slow Mover=50"]].concat());
    assert!(played.status.success(), "{}", errors(&played));
    let table = std::fs::read_to_string(folder.join("lab/lab.csv")).unwrap();
    assert!(table.contains("Slow Mover=50,off,inside 0.1+0.01@5,2,"), "{table}");
    for (wrong, reason) in [
        (&["--control", "nodes=60"][..], "both sides are equal"),
        (&["--control", "0.1+0.01@0", "--xp", "3"], "0.1+0.01@0"),
        (&["--xp", "3"], "--control must be nodes=N"),
        (&["--control", "nodes=60", "--dev-option", "Threads=2"], "only options of the search"),
        (&["--control", "nodes=60", "--dev-option", "Hush=2"], "Hush"),
    ] {
        let refused = lab(wrong);
        assert!(errors(&refused).contains(reason) && !refused.status.success(), "{reason}");
    }
}
