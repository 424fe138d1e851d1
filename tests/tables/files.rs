//! Files of tables: what is kept, refused, repaired and read.

use super::*;

/// The file name is the same for other definitions of a piece, so the program compares the definitions.
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
    let progress_seen = lines.by_ref().map_while(Result::ok).any(|line| line.contains(": ply "));
    assert!(progress_seen, "no progress was reported");
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
