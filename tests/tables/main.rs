//! Endgame tables at the shell and in the older program's dialogue: exit status, files, and output.

#[path = "../common/mod.rs"]
mod common;
mod files;
mod pieces;

use common::{complained, printed};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const QUEEN_AND_ROOK: &str = "8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1";

fn folder(name: &str) -> PathBuf {
    common::folder("tables", name)
}

/// Runs the program in a folder with this input.
fn run(arguments: &[&str], folder: &Path, input: &str) -> Output {
    use std::io::Write;
    let mut child = common::command(arguments, folder).spawn().expect("the program starts");
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

#[test]
fn black_pawns_are_counted_for_rep2() {
    let here = folder("t1");
    let output = run(&["4men", "KB.KP"], &here, "");
    assert_eq!(output.status.code(), Some(0), "{}", complained(&output));
    let text = std::fs::read_to_string(here.join("rep2.txt")).expect("rep2.txt");
    assert!(text.starts_with("\nKB_KP\n") && text.contains("W check"), "{text}");
    let output = run(&["egt", "rep2", "KP.KP"], &here, "");
    assert_eq!(output.status.code(), Some(0));
    let text = printed(&output);
    assert!(text.starts_with("\nKP_KP\n"), "{text}");
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    assert!(last.starts_with("TOTAL "), "the report ends the output: {text}");
}

#[test]
fn a_batch_prints_the_metric_that_is_asked_for() {
    let here = folder("t1b");
    let probe = |more: &[&str]| {
        let arguments = [&["egt", "probe", "--json"][..], more].concat();
        printed(&run(&arguments, &here, "8/8/8/3k4/8/8/8/KQ6 w - - 0 1\n"))
    };
    let both = probe(&[]);
    assert!(both.contains("\"dtm\"") && both.contains("\"dtc\""), "{both}");
    let one = probe(&["--metric", "dtm"]);
    assert!(one.contains("\"dtm\"") && !one.contains("\"dtc\""), "{one}");
    let zeroing = probe(&["--metric", "dtz"]);
    assert!(zeroing.contains("\"dtz\"") && zeroing.contains("\"wdl50\""), "{zeroing}");
}

#[test]
fn the_fifty_move_rule_counts_from_the_counter_of_the_position() {
    let here = folder("t1f");
    // Mate in 17 plies; the counter leaves 17 and 16 half-moves.
    let fens = "8/8/8/3k4/8/8/8/KQ6 w - - 83 90\n8/8/8/3k4/8/8/8/KQ6 w - - 84 90\n";
    let batch = printed(&run(&["egt", "probe", "--dtm50", "--json"], &here, fens));
    let lines: Vec<&str> = batch.lines().filter(|line| line.contains("dtm50")).collect();
    assert!(lines[0].contains("\"dtm50\":17") && lines[1].contains("\"dtm50\":null"), "{batch}");
    let fen = "8/8/8/3k4/8/8/8/KQ6 w - - 83 90";
    let one = printed(&run(&["egt", "probe", fen, "--dtm50"], &here, ""));
    assert!(one.contains("after 83 half-moves, white mates in 17 plies: "), "{one}");
    let board = run(&["egt", "probe", fen, "--dtm50", "--board", "8x8"], &here, "");
    assert!(complained(&board).contains("dtm50 exists only"), "{}", complained(&board));
}

#[test]
fn words_that_are_not_known_are_refused_and_named() {
    let here = folder("t14");
    for (arguments, word) in [
        (&["egt", "stats", "KQ.KR", "metric", "dtm"][..], "metric"),
        (&["egt", "build", "KR.K", "now"], "now"),
        (&["egt", "drop", "KR.K", "KQ.K"], "KQ.K"),
        (&["egt", "compare", "KR.K", "KQ.K", "KB.K"], "KB.K"),
        (&["egt", "list", "one", "two"], "two"),
        (&["spg", "verify", "one.spga", "length"], "length"),
        (&["steno", "marks", "one.pgn", "three.pgn"], "three.pgn"),
        (&["steno", "compose", "one.pgn", "two.pgn"], "two.pgn"),
    ] {
        let output = run(arguments, &here, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", printed(&output));
        let why = complained(&output);
        let named = [format!("\"{word}\""), format!("'{word}'")];
        assert!(named.iter().any(|word| why.contains(word)), "{arguments:?}: {why}");
        // In a session, too, where keys stand without dashes.
        let line = arguments.join(" ");
        let output = run(&["uci"], &here, &format!("{line} {word}\n"));
        let why = printed(&output);
        let refused = why.contains(&format!("\"{word}\"")) || why.contains("expects a value");
        assert!(refused && why.contains("error") && !why.contains("done"), "{line}: {why}");
    }
    // Spelled as at the shell it is understood in a session; other words are not.
    let output = run(&["uci"], &here, "egt stats KQ.KR --metric dtm\n");
    assert!(
        printed(&output).contains("metric dtm wtm_win 69")
            || printed(&output).contains("wtm_win 69")
    );
    let output = run(&["uci"], &here, "egt stats KQ.KR --metrik dtm\n");
    assert!(printed(&output).contains("the word \"--metrik\""), "{}", printed(&output));
}

#[test]
fn the_building_log_is_shown_once_in_a_game() {
    use std::io::{BufRead, BufReader, Write};
    let here = folder("t6");
    let mut child = Command::new(env!("CARGO_BIN_EXE_umbrail"))
        .args(["-xboard", "KQ.KR"])
        .current_dir(here)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut received = vec![];
    writeln!(stdin, "xboard\nprotover 2\nvariant fairy").expect("it listens");
    for _ in 0..3 {
        writeln!(stdin, "force\nsetboard {QUEEN_AND_ROOK}\ngo").expect("it listens");
        for line in lines.by_ref().map_while(Result::ok) {
            received.push(line);
            if received.last().is_some_and(|line| line.starts_with("move ")) {
                break;
            }
        }
    }
    drop(stdin);
    child.wait().expect("it ends");
    let count = |part: &str| received.iter().filter(|line| line.contains(part)).count();
    assert_eq!(count("move a1a2"), 3, "{received:?}");
    assert_eq!(count("KQ.KR complete: longest win"), 1, "{received:?}");
}

#[test]
fn an_endgame_as_the_first_word_is_the_older_programs_command() {
    let here = folder("t8");
    let output = run(&["KR.K", "-m"], &here, "quit\n");
    assert_eq!(output.status.code(), Some(0), "{}", complained(&output));
    assert!(printed(&output).contains("longest win 31 plies"), "{}", printed(&output));
    let output = run(&["egt", "KR.K", "-m"], &here, "");
    assert_eq!(output.status.code(), Some(2));
    assert!(complained(&output).contains("umbrail egt stats KR.K"), "{}", complained(&output));
}

#[test]
fn a_distance_names_its_unit() {
    let here = folder("t9");
    let maximin = |arguments: &[&str]| {
        let output = run(arguments, &here, "");
        let line =
            printed(&output).lines().find(|line| line.starts_with("maximin")).map(str::to_owned);
        line.unwrap_or_default()
    };
    let level = maximin(&["4men", "KQ.KR"]);
    assert!(level.contains("59 plies (EGTgen's level count"), "{level}");
    let dtm = maximin(&["4men", "-m", "KQ.KR"]);
    assert!(dtm.contains("69 plies\t"), "{dtm}");
    // White takes the rook.
    let listing = ["egt", "listing", "KQ.KR", "--fen", "7k/8/8/8/8/8/3r4/1K1Q4 w - - 0 1"];
    let output = printed(&run(&listing, &here, ""));
    assert!(output.contains("wins by a conversion") && !output.contains("mate in -"), "{output}");
}

#[test]
fn all_longest_wins_and_zugzwangs_are_listed_and_exported() {
    let here = folder("t11");
    let output = run(&["egt", "maximin", "KR.K", "--metric", "dtm", "--epd", "all.epd"], &here, "");
    let listed = printed(&output).matches("white wins, white to move: 31 plies").count();
    let epd = std::fs::read_to_string(here.join("all.epd")).expect("a file");
    assert!(listed > 1, "{}", printed(&output));
    // White's king on the long diagonal: a position and its mirror image are one.
    assert!(epd.contains("8/8/8/8/4k3/8/1R6/K7 w"), "{epd}");
    assert!(!epd.contains("8/8/8/3k4/8/8/1R6/K7 w"), "{epd}");
    assert!(
        epd.lines().count() >= listed && epd.contains("c0 \"white wins, dtm 31 plies\";"),
        "{epd}"
    );
    let report = ["egt", "report", "KR.KN", "--metric", "dtm"];
    let files = ["--html", "page.html", "--epd", "report.epd"];
    let output = run(&[&report[..], &files].concat(), &here, "");
    assert_eq!(output.status.code(), Some(0), "{}", complained(&output));
    let page = std::fs::read_to_string(here.join("page.html")).expect("a page");
    assert!(page.contains("<svg viewBox=\"0 0 8 8\"") && page.contains("\u{265c}"), "no board");
    assert!(page.contains("Mutual zugzwangs: black to move loses, white to move would draw: "));
    let epd = std::fs::read_to_string(here.join("report.epd")).expect("a file");
    let zugzwangs = epd.lines().filter(|line| line.contains("mutual zugzwang")).count();
    let counts = printed(&run(&["egt", "stats", "KR.KN", "--metric", "dtm", "--json"], &here, ""));
    let unique = counts
        .split("\"wtm_draw_btm_loss\":")
        .nth(1)
        .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok());
    assert_eq!((unique, zugzwangs), (Some(18), 18));
    let text = printed(&run(&report, &here, ""));
    assert!(
        text.contains("wins of white with the move, by plies:") && text.contains(" ####"),
        "{text}"
    );
}

#[test]
fn answers_and_help_are_sentences() {
    let here = folder("t13");
    let compared = printed(&run(&["egt", "compare", "KQ.KR", "--null", "1"], &here, ""));
    assert!(compared.contains("in KQ.KR by these rules, "), "{compared}");
    assert!(compared.contains("figures differ") && compared.contains("white to move wins "));
    let counted = run(&["egt", "stats", "KQKR", "--metric", "dtm"], &here, "");
    assert!(printed(&counted).starts_with("KQ.KR (dtm)\n"), "{}", printed(&counted));
    assert!(!printed(&counted).contains("move not"), "{}", printed(&counted));
    assert!(printed(&counted).lines().last().is_some_and(|line| line.starts_with("time ")));
    // Each error is reported once, on standard error.
    let refused = run(&["egt", "stats", "KQ.kr"], &here, "");
    assert_eq!(printed(&refused), "");
    assert_eq!(complained(&refused).lines().count(), 1, "{}", complained(&refused));
    let help = printed(&run(&["egt", "stats", "--help"], &here, ""));
    for part in ["Such as KQ.KR", "Example: umbrail egt stats KQ.KR", "--forced-pass", "-m"] {
        assert!(help.contains(part), "no {part} in {help}");
    }
    std::fs::write(here.join("binary.ini"), [0x7f, b'E', b'L', b'F', 0, 1, 0xff]).expect("a file");
    let refused = run(&["egt", "stats", "KR.K", "--pieces", "binary.ini"], &here, "");
    assert!(complained(&refused).contains("line 1: this is not text"), "{}", complained(&refused));
    assert!(!complained(&refused).contains('\u{7f}'));
}

#[test]
fn a_table_as_solver_gives_its_best_move() {
    let here = folder("t13-uci");
    let session = format!(
        "setoption name Solver value egt\nposition fen {QUEEN_AND_ROOK}\ngo depth 1\n\
         position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\ngo\n"
    );
    let output = printed(&run(&["uci"], &here, &session));
    assert!(output.contains("bestmove a1a2\n"), "{output}");
    assert!(output.contains("there is no move\nbestmove (none)\n"), "{output}");
}

#[test]
fn a_long_check_reports_progress() {
    let here = folder("t13-progress");
    let output = run(&["egt", "verify", "KR.KP", "--threads", "1", "--time", "6000"], &here, "");
    let reported = complained(&output);
    // A fast machine may be ready before anything is due.
    if output.status.code() == Some(3) {
        assert!(reported.contains(" % done, about "), "{reported}");
    } else {
        assert!(printed(&output).contains("all are right"), "{}", printed(&output));
    }
}

#[test]
fn an_endgame_for_xboard_takes_options() {
    let here = folder("xboard-set");
    std::fs::write(here.join("k.ini"), "X = WF").expect("a file");
    let set = ["xboard", "KX.K", "--set", "EGT Piece File=k.ini", "--set", "Hash=64"];
    let lines =
        "protover 2\nsetboard 8/8/8/3k4/8/8/8/KX6 w - - 0 1\nforce\nusermove b1b3\nusermove b1b2\n";
    let output = printed(&run(&set, &here, lines));
    assert!(output.contains("Hash -spin 64 "), "{output}");
    assert!(output.contains("): b1b3") && !output.contains("): b1b2"), "{output}");
}
