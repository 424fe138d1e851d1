//! Endgame tables at the shell and in the older program's dialogue: exit status, files, and output.

mod common;

use common::{complained, printed};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

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
fn an_unusual_royal_piece_is_named() {
    let here = folder("t1c");
    let output = run(&["egt", "stats", "QK.KR"], &here, "");
    assert!(complained(&output).contains("Q is white's royal piece"), "{}", complained(&output));
    assert!(!printed(&output).contains("royal piece"), "{}", printed(&output));
    let output = run(&["egt", "stats", "KK.K"], &here, "");
    assert!(complained(&output).contains("another K is an ordinary"), "{}", complained(&output));
}

/// A name of a table does not tell how its pieces move.
#[test]
fn a_table_of_other_pieces_is_never_overwritten() {
    let here = folder("kept");
    std::fs::write(here.join("piecedef.ini"), "Y = DF").expect("a file");
    assert_eq!(run(&["egt", "save", "KY.K", "t"], &here, "").status.code(), Some(0));
    let path = here.join("t/KY.K.dtc.egt");
    let saved = std::fs::read(&path).expect("the table");
    std::fs::write(here.join("piecedef.ini"), "Y = DFW").expect("a file");
    let place = "8/8/8/3k4/8/8/8/KY6 w - - 0 1";
    let set = ["--set", "EGT Folder=t", "--metric", "dtc"];
    let probed = run(&[&["egt", "probe", "--fen", place][..], &set].concat(), &here, "");
    assert_eq!(probed.status.code(), Some(0), "{}", complained(&probed));
    assert!(complained(&probed).contains("is not overwritten"), "{}", complained(&probed));
    let refused = run(&["egt", "save", "KY.K", "t"], &here, "");
    assert_ne!(refused.status.code(), Some(0));
    assert!(std::fs::read(&path).expect("the table") == saved);
}

/// A stopped build has time to finish its ply and to write its state.
#[cfg(unix)]
#[test]
fn a_stopped_build_keeps_its_work() {
    use std::io::{BufRead, BufReader};
    let here = folder("stopped");
    let arguments = [
        "egt",
        "build",
        "KQN.KR",
        "--metric",
        "dtm",
        "--set",
        "EGT Folder=t",
        "--set",
        "Threads=1",
    ];
    let mut child = common::command(arguments, &here).spawn().expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let begun = lines.by_ref().map_while(Result::ok).any(|line| line.contains(": ply "));
    assert!(begun, "no progress was reported");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(3), "{rest:?}");
    let names: Vec<String> = std::fs::read_dir(here.join("t"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert!(names.iter().any(|name| name.ends_with(".part")), "{names:?} {rest:?}");
    assert!(!names.iter().any(|name| name.contains(".tmp")), "{names:?}");
}

#[test]
fn every_command_uses_and_reports_the_same_piece_file() {
    let here = folder("t2");
    // Instead of the built-in X, a man that mates.
    std::fs::write(here.join("piecedef.ini"), "X: 1,0,s*\n").expect("a file");
    let reported = "pieces are read from piecedef.ini: X is W0, not the built-in bede DF0";
    let dialogue = run(&["3men", "-m", "KX.K"], &here, "quit\n");
    assert!(printed(&dialogue).contains(reported), "{}", printed(&dialogue));
    assert!(printed(&dialogue).contains("longest win 31 plies"), "{}", printed(&dialogue));
    let stats = ["egt", "stats", "KX.K", "--metric", "dtm"];
    let counted = run(&stats, &here, "");
    assert!(printed(&counted).contains("longest 31 plies"), "{}", printed(&counted));
    assert!(complained(&counted).contains(reported), "{}", complained(&counted));
    let session = run(&["uci"], &here, "egt stats KX.K metric dtm\n");
    assert!(printed(&session).contains("wtm_win 31") && printed(&session).contains(reported));
    // A file that is named has the last word, and so has none at all.
    std::fs::write(here.join("other.ini"), "X: 1,0,s* 1,1,s*\n").expect("a file");
    let counted = run(&[&stats[..], &["--pieces", "other.ini"]].concat(), &here, "");
    assert!(printed(&counted).contains("longest 19 plies"), "{}", printed(&counted));
    assert!(complained(&counted).contains("from other.ini: X is F0W0"), "{}", complained(&counted));
    let counted = run(&[&["--set", "EGT Piece File="], &stats[..]].concat(), &here, "");
    assert!(printed(&counted).contains("white never wins;"), "{}", printed(&counted));
    assert!(!complained(&counted).contains("piecedef"), "{}", complained(&counted));
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let here = folder("t5");
    // A folder of that name cannot be replaced, not even by root.
    std::fs::create_dir_all(here.join("rep2.txt/inside")).expect("a folder");
    let output = run(&["3men", "KR.K"], &here, "");
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    assert!(printed(&output).contains("rep2.txt"), "{}", printed(&output));
    assert_eq!(printed(&output).matches("cannot write").count(), 1, "{}", printed(&output));
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

const QUEEN_AND_ROOK: &str = "8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1";

#[test]
fn a_damaged_block_is_named_and_its_table_built_again() {
    let here = folder("t3");
    assert_eq!(run(&["egt", "save", "KQ.KR", "tb"], &here, "").status.code(), Some(0));
    let file = here.join("tb/KQ.KR.dtc.egt");
    let good = std::fs::read(&file).expect("a table");
    // Every block of the second half, while the header stays as it is.
    let mut bad = good.clone();
    let half = bad.len() / 2;
    for at in (half..bad.len()).step_by(100) {
        bad[at] ^= 0xff;
    }
    let fen = ["--fen", QUEEN_AND_ROOK];
    let probe = [&["--set", "EGT Folder=tb", "egt", "probe"][..], &fen].concat();
    let wanted = printed(&run(&probe, &here, ""));
    let verdict =
        |printed: &str| printed.lines().find(|line| line.contains("to move")).map(str::to_owned);
    assert!(verdict(&wanted).is_some(), "{wanted}");
    std::fs::write(&file, &bad).expect("written");
    let probed = run(&probe, &here, "");
    let why = complained(&probed);
    assert!(why.contains("KQ.KR.dtc.egt is damaged: the checksum of block "), "{why}");
    assert!(!why.contains("is not built"), "{why}");
    assert_eq!(verdict(&printed(&probed)), verdict(&wanted));
    // It was written again, so nothing is damaged any more.
    let again = run(&probe, &here, "");
    assert!(!complained(&again).contains("damaged"), "{}", complained(&again));
    // Many positions, and a game, go on as well.
    std::fs::write(&file, &bad).expect("written");
    let batch = run(&["--set", "EGT Folder=tb", "egt", "probe", "--json"], &here, QUEEN_AND_ROOK);
    assert!(complained(&batch).contains("damaged"), "{}", complained(&batch));
    assert!(
        printed(&batch).contains("\"dtc\":57") && !printed(&batch).contains("error"),
        "{}",
        printed(&batch)
    );
    std::fs::write(&file, &bad).expect("written");
    let game = "setoption name EGT Folder value tb\nsetoption name Endgame value KQ.KR\n";
    let game = format!(
        "{game}isready\nposition fen {QUEEN_AND_ROOK}\ngo depth 1\nposition fen {QUEEN_AND_ROOK}\ngo depth 1\n"
    );
    let played = printed(&run(&["uci"], &here, &game));
    assert_eq!(played.matches("bestmove ").count(), 2, "{played}");
    assert!(played.contains("score mate 29"), "{played}");
}

#[test]
fn an_unusable_folder_is_reported_with_the_reason() {
    let here = folder("t4");
    std::fs::write(here.join("file"), "").expect("a file");
    let build = |folder: &str| {
        let set = format!("EGT Folder={folder}");
        run(&["--set", &set, "egt", "build", "KR.K"], &here, "")
    };
    let output = build("file");
    assert_eq!(output.status.code(), Some(2));
    assert!(complained(&output).contains("cannot create the folder"), "{}", complained(&output));
    // The table's file cannot be written, because a folder has its name.
    std::fs::create_dir_all(here.join("tb/KR.K.dtc.egt/inside")).expect("a folder");
    let output = build("tb");
    let why = complained(&output);
    assert_eq!(output.status.code(), Some(2), "{why}");
    assert!(why.contains("cannot keep KR.K in tb: cannot write tb/KR.K.dtc.egt: "), "{why}");
    assert!(!why.contains("No such file"), "{why}");
    // A folder as a table is one, and no device.
    let output = run(&["egt", "load", "KR.K", "tb"], &here, "");
    assert!(complained(&output).contains("this is a folder"), "{}", complained(&output));
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
fn a_file_of_positions_is_read() {
    let here = folder("t10");
    std::fs::write(here.join("positions.txt"), format!("{QUEEN_AND_ROOK}\n")).expect("a file");
    let output = run(&["egt", "probe", "positions.txt"], &here, "");
    assert!(printed(&output).contains("wins in 65 plies to mate"), "{}", printed(&output));
    let output = run(&["egt", "probe", "absent.txt"], &here, "");
    let why = complained(&output);
    assert_eq!(output.status.code(), Some(2), "{why}");
    assert!(
        why.contains("\"absent.txt\" is neither a position") && why.contains("does not exist"),
        "{why}"
    );
}

/// Files of positions that the tables write: each line has its distance in a comment, and the probe finds it again.
#[test]
fn what_the_tables_write_is_read_by_the_probe() {
    let here = folder("epd");
    for (verb, endgame, metric) in
        [("maximin", "KQ.K", "dtc"), ("maximin", "KP.K", "dtm"), ("report", "KR.KN", "dtm")]
    {
        let written =
            run(&["egt", verb, endgame, "--metric", metric, "--epd", "all.epd"], &here, "");
        assert_eq!(written.status.code(), Some(0), "{}", complained(&written));
        let probed = run(&["egt", "probe", "all.epd", "--json"], &here, "");
        assert_eq!(probed.status.code(), Some(0), "{}", printed(&probed));
        let (probed, epd) = (printed(&probed), std::fs::read_to_string(here.join("all.epd")));
        let epd = epd.expect("a file");
        assert!(epd.lines().count() > 1, "{epd}");
        for (line, answer) in epd.lines().zip(probed.lines()) {
            let (position, comment) = line.split_once(" c0 ").expect("a comment");
            assert!(answer.contains(&format!("\"fen\":\"{position} 0 1\"")), "{line}: {answer}");
            let plies = comment.rsplit(' ').nth(1).expect("a distance");
            let lost = answer.contains("\"wdl\":-") && plies != "0";
            let sign = if lost { "-" } else { "" };
            assert!(answer.contains(&format!("\"{metric}\":{sign}{plies}")), "{line}: {answer}");
        }
        assert_eq!(epd.lines().count(), probed.lines().count());
    }
    let wrong = run(&["egt", "probe", "wrong.epd"], &here, "");
    assert_eq!(wrong.status.code(), Some(2));
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
fn seeds_and_promotions_out_of_range_are_refused() {
    let here = folder("t12");
    std::fs::write(here.join("seeds"), "b3e3d2a1 999\n").expect("a file");
    let output = run(&["egt", "stats", "KQ.KR", "--seed", "seeds"], &here, "");
    assert_eq!(output.status.code(), Some(2));
    assert!(complained(&output).contains("line 1: value 999"), "{}", complained(&output));
    // The manual's own file.
    std::fs::write(here.join("seeds"), "b3e3d2a1 127\nb3e3d2b1 10\nb3b2**b1 10\n").expect("a file");
    let output = run(&["egt", "stats", "KQ.KR", "-f", "seeds"], &here, "");
    assert_eq!(output.status.code(), Some(0), "{}", complained(&output));
    let output = run(&["egt", "stats", "KP.K", "--promote", ""], &here, "");
    assert_eq!(output.status.code(), Some(2));
    assert!(complained(&output).contains("promote expects letters"), "{}", complained(&output));
}

#[test]
fn a_defined_pawn_promotes_and_promote_is_never_ignored() {
    let here = folder("pawns");
    let counted = |definition: &str, promote: &[&str]| {
        std::fs::write(here.join("piecedef.ini"), format!("{definition}\nF = F\n"))
            .expect("a file");
        run(&[&["egt", "stats", "KP.K", "--metric", "dtm"], promote].concat(), &here, "")
    };
    // The pawn of Shatranj: no double step.
    let queens = counted("P: 1,0,n 1,1,c 1,-1,c", &[]);
    assert!(printed(&queens).contains("white to move wins"), "{}", printed(&queens));
    let reported = "P is fcFfmW (a pawn without double step), not the built-in pawn fmWfceFifmnD";
    assert!(complained(&queens).contains(reported), "{}", complained(&queens));
    let ferzes = counted("P = fmWfcF", &["--promote", "F"]);
    assert!(printed(&ferzes).contains("white never wins"), "{}", printed(&ferzes));
    // A rook that is called P.
    let rook = counted("P = R", &[]);
    assert!(printed(&rook).contains("longest 31 plies"), "{}", printed(&rook));
    let reported = "P is W0 (no pawn: it does not promote), not the built-in pawn";
    assert!(complained(&rook).contains(reported), "{}", complained(&rook));
    let refused = counted("P = R", &["--promote", "Q"]);
    assert_eq!(refused.status.code(), Some(2));
    let why = "promote has no effect: KP.K has no pawn; P is W0, no pawn";
    assert!(complained(&refused).contains(why), "{}", complained(&refused));
    std::fs::remove_file(here.join("piecedef.ini")).expect("it is there");
    for (verb, what, why) in [
        ("stats", "KQ.KR", "KQ.KR has no pawn"),
        ("survey", "K?.K", "none of the endgames has a pawn"),
        ("probe", QUEEN_AND_ROOK, "KQ.KR has no pawn"),
    ] {
        let key: &[&str] = if verb == "probe" { &["--fen"] } else { &[] };
        let refused = run(&[&["egt", verb], key, &[what, "--promote", "QN"]].concat(), &here, "");
        assert_eq!(refused.status.code(), Some(2), "{verb}");
        let why = format!("promote has no effect: {why}");
        assert!(complained(&refused).contains(&why), "{}", complained(&refused));
    }
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
fn only_the_forms_of_egtgen_leave_a_report() {
    let lines = "xboard\nprotover 2\nsetboard 8/8/8/3k4/8/8/8/KR6 w - - 0 1\ngo\n";
    let here = folder("rep2-xboard");
    let output = printed(&run(&["xboard", "KR.K"], &here, lines));
    assert!(output.lines().any(|line| line.starts_with("move ")), "{output}");
    assert!(!here.join("rep2.txt").exists());
    // The report is written while the program waits for commands.
    let here = folder("rep2-historic");
    let mut child = common::command(["-xboard", "KR.K"], &here).spawn().expect("it starts");
    let began = Instant::now();
    while !here.join("rep2.txt").exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "no report");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(child.stdin.take());
    child.wait().expect("it ends");
}

#[test]
fn a_gui_plays_hoppers_and_captures_on_the_way() {
    let here = folder("bent-xboard");
    let definitions = "G = gQ\nX = KNADcaKmcabK\nM = fmW\n";
    std::fs::write(here.join("piecedef.ini"), definitions).expect("a file");
    let play = |endgame: &str, commands: &str| {
        let lines = format!("xboard\nprotover 2\nvariant fairy\n{commands}\n");
        printed(&run(&["xboard", endgame], &here, &lines))
    };
    let place = "setboard 8/8/8/3k4/8/8/6g1/1K5R w - - 0 1\nlevel 0 0:10 0\n";
    let output = play("KR.KG", &format!("{place}go"));
    assert!(output.contains("\npiece G& gQ\n"), "{output}");
    assert!(output.lines().any(|line| line.starts_with("move ")), "{output}");
    // The grasshopper has no hurdle on the file, and one on the rank.
    let place = "setboard 8/8/8/3k4/8/8/R5g1/1K6 w - - 0 1\nforce\n";
    let moves = "usermove b1b2\nusermove g2g4\nusermove g2a2";
    let output = play("KR.KG", &format!("{place}{moves}"));
    assert!(output.contains("Illegal move (the G on g2 cannot go there): g2g4"), "{output}");
    assert!(!output.contains("): g2a2"), "{output}");
    let place = "setboard k7/8/8/8/8/8/2m5/1X2K3 w - - 0 1\nforce\n";
    let moves = "usermove b1c2,c2d3\nusermove a8a7\nusermove d3d3";
    let output = play("KX.KM", &format!("{place}{moves}"));
    assert!(!output.contains("c2d3"), "{output}");
    assert!(output.contains("): d3d3"), "{output}");
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

#[test]
fn a_piece_is_drawn_or_refused_by_column() {
    let here = folder("piece");
    let drawn = printed(&run(&["egt", "piece", "X", "=", "gQ", "--from", "a1"], &here, ""));
    assert!(drawn.contains("a1 to c1: piece on b1"), "{drawn}");
    let record = printed(&run(&["egt", "piece", "mRcpR", "--json"], &here, ""));
    assert!(record.contains("\"t\":\"piece_moves\""), "{record}");
    let refused = run(&["egt", "piece", "WiN"], &here, "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(complained(&refused).contains("\"i\" at column 2"), "{}", complained(&refused));
    std::fs::write(here.join("piecedef.ini"), "G = gQ").expect("a file");
    // A letter is a piece of the file, then a movement, then a built-in piece.
    for (word, betza) in [("G", "G = gQ"), ("N", "X = N"), ("Y", "Y = ZN")] {
        let drawn = printed(&run(&["egt", "piece", word], &here, ""));
        assert!(drawn.starts_with(betza), "{drawn}");
    }
    let steps = printed(&run(&["egt", "piece", "2,0,*", "1,1,*"], &here, ""));
    assert!(steps.starts_with("X = "), "{steps}");
    let report = run(&["egt", "rep2", "KG.K"], &here, "");
    assert!(complained(&report).contains("no piece like G (gQ)"), "{}", complained(&report));
}

#[test]
fn pieces_of_a_file_are_named_on_every_board() {
    let here = folder("named-pieces");
    std::fs::write(here.join("own.ini"), "E = gQ\n").expect("a file");
    for board in [&[][..], &["--board", "5x5"]] {
        let words = [&["egt", "stats", "KE.K", "--pieces", "own.ini"], board].concat();
        let why = complained(&run(&words, &here, ""));
        assert!(why.contains("pieces are read from own.ini: E is gQ, not the built-in"), "{why}");
    }
}
