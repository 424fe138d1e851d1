//! Stenos at the shell and in UCI: what `$` saves, limits of `go`, and the output.

mod common;

use common::{command, complained, printed};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Output};
use std::time::{Duration, Instant};

/// Wide enough for minutes: 822,518 positions after five turns.
const WIDE: &str = "~~~~~~~~~~~~~#";

fn folder(name: &str) -> PathBuf {
    common::folder("steno", name)
}

fn run(arguments: &[&str], folder: &Path) -> Output {
    command(arguments, folder).output().expect("it ends")
}

/// The last line but the time.
fn verdict_of(output: &Output) -> Option<String> {
    let printed = printed(output);
    printed.lines().rfind(|line| !line.starts_with("time ")).map(str::to_owned)
}

/// Reads lines until one has this in it.
fn wait_for(child: &mut Child, part: &str) -> Vec<String> {
    let mut lines = BufReader::new(child.stdout.as_mut().expect("a pipe")).lines();
    let mut received = vec![];
    for line in lines.by_ref().map_while(Result::ok) {
        received.push(line);
        if received.last().is_some_and(|line| line.contains(part)) {
            return received;
        }
    }
    panic!("no {part} in {received:?}");
}

#[test]
fn a_table_reported_as_saved_survives_a_kill() {
    let here = folder("n1");
    let steno = "~~~~$~~~~~~~~~#";
    let mut child = command(["steno", "solve", "--checkpoint", "work", "--", steno], &here)
        .spawn()
        .expect("the program starts");
    wait_for(&mut child, "saved the work up to turn 4");
    child.kill().expect("killed");
    child.wait().expect("it ends");
    assert_eq!(std::fs::read_dir(&here).expect("a folder").count(), 1, "no temporary file is left");
    let output = run(&["steno", "solve", "--checkpoint", "work", "--", "$e"], &here);
    assert_eq!(output.status.code(), Some(0), "{}", complained(&output));
    let whole = run(&["steno", "solve", "--", "~~~~e"], &here);
    let verdict = verdict_of;
    assert_eq!(verdict(&output), verdict(&whole));
}

#[test]
fn unfinished_work_is_kept_and_taken_up() {
    let here = folder("n1-unfinished");
    let solve = ["steno", "solve", "--checkpoint", "work"];
    let stopped = run(&[&solve[..], &["--nodes", "300000", "--", "~~~~~#"]].concat(), &here);
    assert_eq!(stopped.status.code(), Some(3));
    let reported = "saved unfinished work up to turn 4 in work";
    assert!(printed(&stopped).contains(reported), "{}", printed(&stopped));
    let again = run(&[&solve[..], &["--", "~~~~~#"]].concat(), &here);
    assert!(complained(&again).contains("unfinished work up to turn 4"), "{}", complained(&again));
    assert!(
        !printed(&again).contains("  4  ~"),
        "turn 4 is not searched again: {}",
        printed(&again)
    );
    let fresh = run(&["steno", "solve", "--", "~~~~~#"], &here);
    let last = verdict_of;
    assert_eq!(last(&again), last(&fresh));
    // Another steno takes what is the same, and another file is not overwritten.
    let other = run(&[&solve[..], &["--", "44x#"]].concat(), &here);
    assert_eq!(last(&other), last(&run(&["steno", "solve", "--", "44x#"], &here)));
    std::fs::write(here.join("game.pgn"), "1. e4 *").expect("a file");
    let refused = run(&["steno", "solve", "--checkpoint", "game.pgn", "--", "e4"], &here);
    assert_eq!(refused.status.code(), Some(2));
    assert!(complained(&refused).contains("not overwritten"), "{}", complained(&refused));
    assert_eq!(std::fs::read_to_string(here.join("game.pgn")).expect("a file"), "1. e4 *");
}

#[test]
fn go_keeps_its_limits() {
    let here = folder("n2");
    // Milliseconds at least and at most, with a second for a busy machine; a clock of ten seconds has to last for more than one answer.
    for (go, least, most) in [
        ("go movetime 500", 400, 1_500),
        ("go wtime 10000 btime 10000", 100, 5_000),
        ("go wtime 2000 btime 2000 movestogo 1", 500, 3_000),
        ("go nodes 100000", 0, 2_000),
        ("go depth 3 movetime 300", 200, 1_300),
    ] {
        let mut child = command(["uci"], &here).spawn().expect("the program starts");
        let write = |child: &mut Child, text: &str| {
            let stdin = child.stdin.as_mut().expect("a pipe");
            writeln!(stdin, "{text}").expect("it listens");
        };
        write(&mut child, "setoption name Solver value steno");
        write(&mut child, &format!("setoption name Steno Text value {WIDE}\nisready"));
        wait_for(&mut child, "readyok");
        let started = Instant::now();
        write(&mut child, go);
        let received = wait_for(&mut child, "bestmove");
        let took = started.elapsed();
        let (least, most) = (Duration::from_millis(least), Duration::from_millis(most));
        assert!((least..most).contains(&took), "{go}: {took:?}");
        assert!(received.iter().any(|line| line.contains("status limit")), "{go}: {received:?}");
        write(&mut child, "quit");
        child.wait().expect("it ends");
    }
}

#[test]
fn values_may_be_names_of_keys() {
    let here = folder("n3");
    let session = "steno solve vocab pgn checkpoint memory text O\n";
    let mut child = command(["uci"], &here).spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(session.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert!(printed(&output).contains("status complete"), "{}", printed(&output));
}

#[test]
fn a_unique_steno_supplies_its_game() {
    let here = folder("n4");
    let output = run(&["steno", "convert", "--to", "pgn", "--", "ghLxLR3xo#"], &here);
    assert_eq!(output.status.code(), Some(0), "{}", complained(&output));
    assert!(printed(&output).contains("ghBxBR3xO#\nunique"), "{}", printed(&output));
    let several = run(&["steno", "convert", "--to", "pgn", "--", "~~"], &here);
    assert_eq!(several.status.code(), Some(4));
    assert!(printed(&several).contains("several games"), "{}", printed(&several));
}

#[test]
fn a_dollar_at_the_shell_saves_what_the_next_command_continues() {
    let here = folder("n5");
    let output = run(&["steno", "solve", "--", "4e$6"], &here);
    assert!(printed(&output).contains("in steno.checkpoint"), "{}", printed(&output));
    let output = run(&["steno", "solve", "--", "$5"], &here);
    assert_eq!(output.status.code(), Some(0), "{}", complained(&output));
    let whole = run(&["steno", "solve", "--", "4e5"], &here);
    let verdict = verdict_of;
    assert_eq!(verdict(&output), verdict(&whole));
    // In a session it is kept, and the output states that.
    let mut child = command(["uci"], &here).spawn().expect("the program starts");
    let session = "steno solve text 4e$6\nsteno solve text $5\n";
    child.stdin.take().expect("a pipe").write_all(session.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(printed(&output).matches("status complete").count(), 2, "{}", printed(&output));
}

#[test]
fn the_verdict_and_the_culprit_are_named_in_uci() {
    let here = folder("n6");
    // After a mate nothing takes; the second half-move cannot castle. A search ends before it comes there.
    for (steno, verdict) in
        [("ghLxLR3xo#", "unique: exactly one game"), ("~~~#x", "turn 5 (x)"), ("4Oq", "turn 2 (O)")]
    {
        let mut child = command(["uci"], &here).spawn().expect("the program starts");
        let session = format!("steno solve text {steno}\n");
        child.stdin.take().expect("a pipe").write_all(session.as_bytes()).expect("it listens");
        let output = child.wait_with_output().expect("it ends");
        let done = printed(&output).lines().find(|line| line.contains("done")).map(str::to_owned);
        assert!(done.as_deref().is_some_and(|done| done.contains(verdict)), "{steno}: {done:?}");
    }
}

#[test]
fn errors_are_short_and_answers_are_sentences() {
    let here = folder("n7");
    let long = format!("{}y{}", "~".repeat(500), "~".repeat(400));
    let output = run(&["steno", "solve", "--", &long], &here);
    let why = complained(&output);
    assert!(why.contains("column 501") && why.len() < 300, "{why}");
    let output = run(&["steno", "solve"], &here);
    assert!(complained(&output).contains("-- 36~#"), "{}", complained(&output));
    let marks = |vocabulary: &str, moves: &str| {
        let last = moves.rsplit(' ').next().unwrap_or_default().to_owned();
        let vocabulary = ["--vocabulary", vocabulary, "--moves"];
        let moves: Vec<_> = moves.split(' ').collect();
        let output = run(&[&["steno", "marks"], &vocabulary[..], &moves].concat(), &here);
        let line = printed(&output).lines().find(|line| line.contains(&last)).map(str::to_owned);
        line.unwrap_or_default()
    };
    assert!(marks("classic", "e4 e5 Bc4").contains("LB"), "{}", marks("classic", "e4 e5 Bc4"));
    let castles = marks("pgn", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O");
    assert!(castles.ends_with("~O-"), "{castles}");
    let output = run(&["steno", "match", "--moves", "e4", "e5", "--", "5e"], &here);
    assert_eq!(output.status.code(), Some(4));
    let reported = "the game does not fit: half-move 1 does not satisfy";
    assert!(printed(&output).contains(reported), "{}", printed(&output));
    let output = run(&["steno", "whittle", "--", "g&4h&5LxLR3xo#"], &here);
    assert!(printed(&output).contains("unique without"), "{}", printed(&output));
    assert!(!printed(&output).contains("result "), "{}", printed(&output));
}

#[test]
fn a_unique_steno_shows_its_last_position() {
    let here = folder("board");
    let output = run(&["steno", "solve", "36~#"], &here);
    let printed = printed(&output);
    assert!(printed.contains("\n8  r n b . k b n r\n7  p p p p . p p p\n"), "{printed}");
    assert!(printed.contains("\n   a b c d e f g h\nunique: exactly one game\n"), "{printed}");
    let several = run(&["steno", "solve", "~~"], &here);
    assert!(!common::printed(&several).contains("a b c d"), "only the one game has a board");
    let output = run(&["steno", "solve", "--vocabulary", "nosuch", "~"], &here);
    assert!(complained(&output).contains("pgn or length, or the genre hap or ccc, got nosuch"));
}

#[test]
fn castling_of_chess960_is_a_move_of_chess960_only() {
    let here = folder("chess960");
    let walked = "4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1";
    let steno = ["--vocabulary", "extended", "--fen", walked, "--", "o"];
    let output = run(&[&["steno", "solve"], &steno[..]].concat(), &here);
    assert!(verdict_of(&output).is_some_and(|verdict| verdict.starts_with("no game")));
    let reported = complained(&output);
    assert_eq!(
        reported.matches("castling rights of the rooks on a1 and h1 dropped").count(),
        1,
        "{reported}"
    );
    let chess960 = ["--set", "UCI_Chess960=true", "steno", "solve", "--pgn", "castles.pgn"];
    let output = run(&[&chess960[..], &steno[..]].concat(), &here);
    assert!(printed(&output).contains("unique: exactly one game"), "{}", printed(&output));
    assert_eq!(complained(&output), "");
    // The game of the file says that it is one of Chess960, so no option is needed to read it.
    let output = run(
        &["steno", "match", "--vocabulary", "extended", "--game", "castles.pgn", "--", "o"],
        &here,
    );
    assert_eq!(output.status.code(), Some(0), "{}{}", printed(&output), complained(&output));
}

#[test]
fn a_synthetic_game_is_solved_from_a_sentence() {
    let here = folder("synthetic");
    let mut verdicts = vec![];
    for sentence in ["2...Qh4#", "Black's second move is Qh4 mate"] {
        let output = run(&["steno", "synthetic", "--json", "--", sentence], &here);
        assert_eq!(output.status.code(), Some(0), "{}", complained(&output));
        let lines: Vec<serde_json::Value> =
            printed(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let end = lines.iter().find(|line| line["t"] == "end").expect("an end").clone();
        let games = lines.iter().filter(|line| line["t"] == "solution");
        assert!(games.clone().all(|game| game["moves"][3] == "Qh4#"));
        verdicts.push((end["count"].clone(), end["plies"].clone(), end["vocabulary"].clone()));
    }
    // Fool's mate: g4 with f3 or f4 in either order, and e6 or e5.
    assert_eq!(verdicts[0], (8.into(), 4.into(), "pgn".into()));
    assert_eq!(verdicts[0], verdicts[1]);
    // A capture of a knight, which the notation does not show.
    let output = run(&["steno", "synthetic", "--", "3.Nxe5"], &here);
    let all = verdict_of(&output).expect("a verdict");
    let output = run(&["steno", "synthetic", "--", "3.NxNe5"], &here);
    assert_ne!(verdict_of(&output).expect("a verdict"), all);
    let output = run(&["steno", "synthetic", "--", "6.gf8"], &here);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        complained(&output).contains("expected a move in short notation"),
        "{}",
        complained(&output)
    );
}
