//! The options of endgame tables, seen in what is answered from a table.

use super::Inline;

/// The last score of a `go` with these options, `mate 10` or `cp 0`.
fn table_score(options: &[&str], fen: &str) -> String {
    let mut talk = Inline::uci();
    for option in options {
        talk.prints(&[&format!("setoption name {option}")]);
    }
    let printed = talk.prints(&[&format!("position fen {fen}"), "go depth 1"]);
    assert!(printed.last().is_some_and(|line| line.starts_with("bestmove ")), "{printed:?}");
    let line = printed.iter().rev().find_map(|line| line.split(" score ").nth(1));
    line.expect("a score").split(' ').take(2).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_endgame_is_played_from_its_table() {
    let fen = "8/8/8/5k2/8/8/1Q6/K7 w - - 0 1";
    assert_eq!(table_score(&["Endgame value KQ.K"], fen), "mate 10");
    assert!(table_score(&[], fen).starts_with("cp "));
}

#[test]
fn the_metric_is_that_of_the_table() {
    let long = |metric: &str| {
        let options = ["Endgame value KQ.KR", &format!("Metric value {metric}")];
        table_score(&options, "8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1")
    };
    assert_eq!((long("DTC").as_str(), long("DTM").as_str()), ("mate 29", "mate 33"));
}

#[test]
fn passing_saves_a_lone_king_and_stalemate_may_win() {
    let fen = "8/8/8/3k4/8/8/8/KR6 w - - 0 1";
    assert!(table_score(&["Endgame value KR.K"], fen).starts_with("mate "));
    assert_eq!(table_score(&["Endgame value KR.K", "Null Move value true"], fen), "cp 0");
    let fen = "k7/P7/2K5/8/8/8/8/8 w - - 0 1";
    assert_eq!(table_score(&["Endgame value KP.K"], fen), "cp 0");
    assert_eq!(table_score(&["Endgame value KP.K", "Stalemate Wins value true"], fen), "mate 1");
}

#[test]
fn a_forced_pass_and_a_bare_royal_decide() {
    let fen = "5k2/5P2/4K3/8/8/8/8/8 w - - 0 1";
    assert_eq!(table_score(&["Endgame value KP.K"], fen), "cp 0");
    let score = table_score(&["Endgame value KP.K", "Forced Pass value true"], fen);
    assert!(score.starts_with("mate "), "{score}");
    let fen = "8/8/8/3k4/3n4/8/8/K2R4 w - - 0 1";
    assert_eq!(table_score(&["Endgame value KR.KN"], fen), "cp 0");
    assert_eq!(table_score(&["Endgame value KR.KN", "Bare Royal Loses value true"], fen), "mate 1");
}

#[test]
fn zeroing_counts_to_the_next_pawn_move() {
    let fen = "8/6k1/1P6/8/8/8/K7/8 w - - 0 1";
    assert_ne!(table_score(&["Endgame value KP.K", "Metric value DTM"], fen), "mate 1");
    assert_eq!(table_score(&["Endgame value KP.K", "Metric value DTZ"], fen), "mate 1");
}

#[test]
fn tables_are_kept_in_their_folder_and_read_from_there() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("option-tables");
    let _ = std::fs::remove_dir_all(&folder);
    let option = format!("Table Folder value {}", folder.display());
    let fen = "8/8/8/5k2/8/8/1Q6/K7 w - - 0 1";
    let file = folder.join("KQ.K.dtc.egt");
    assert_eq!(table_score(&["Endgame value KQ.K", &option], fen), "mate 10");
    let written = std::fs::metadata(&file).and_then(|data| data.modified()).expect("a file");
    assert_eq!(table_score(&["Endgame value KQ.K", &option], fen), "mate 10");
    let still = std::fs::metadata(&file).and_then(|data| data.modified()).expect("a file");
    assert_eq!(written, still);
    // A damaged file is built anew.
    std::fs::write(&file, "no table").expect("written");
    assert_eq!(table_score(&["Endgame value KQ.K", &option], fen), "mate 10");
    assert!(std::fs::metadata(&file).expect("a file").len() > 1000);
}

#[test]
fn memory_limits_what_is_built_and_kept() {
    let fen = "8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1";
    let mut talk = Inline::uci();
    talk.prints(&["setoption name Endgame value KQ.KR", "setoption name Table Memory value 2"]);
    let go = [&format!("position fen {fen}"), "go depth 1"];
    let printed = talk.prints(&go).join("\n");
    assert!(printed.contains("KQ.KR needs about "), "{printed}");
    assert!(printed.contains("the limit is 2 MiB"), "{printed}");
    assert!(!printed.contains("score mate 29"), "{printed}");
    // Both the option and the key of a task raise the limit.
    let small = talk.prints(&["egt stats KQ.KR"]).join("\n");
    assert!(small.contains("the limit is 2 MiB"), "{small}");
    let raised = talk.prints(&["egt stats KQ.KR memory 64m"]).join("\n");
    assert!(raised.contains("status complete"), "{raised}");
    talk.prints(&["setoption name Table Memory value 64"]);
    assert!(talk.prints(&go).join("\n").contains("score mate 29"));
    // What is kept counts, too: older tables go when a new one needs their module.
    let kept = |talk: &mut Inline| {
        let list = talk.prints(&["egt list"]);
        let tables = list
            .iter()
            .filter_map(|line| line.split(" table ").nth(1))
            .map(|table| table.split(' ').next().expect("a name").to_owned());
        tables.collect::<Vec<_>>()
    };
    assert_eq!(kept(&mut talk), ["KQ.KR"]);
    talk.prints(&["egt build KR.KN"]);
    assert_eq!(kept(&mut talk), ["KQ.KR", "KR.KN"]);
    talk.prints(&["setoption name Table Memory value 24", "egt build KQ.KN"]);
    assert_eq!(kept(&mut talk), ["KQ.KN"]);
}

#[test]
fn files_of_seeds_and_pieces_are_read() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (seeds, pieces) = (folder.join("option-seeds.txt"), folder.join("option-pieces.ini"));
    std::fs::write(&seeds, "a1c3h8 10\n").expect("written");
    std::fs::write(&pieces, "Y = Q\n").expect("written");
    let fen = "7k/8/8/8/8/8/8/KN6 w - - 0 1";
    let seeds = format!("Seed File value {}", seeds.display());
    assert_eq!(table_score(&["Endgame value KN.K"], fen), "cp 0");
    assert_eq!(table_score(&["Endgame value KN.K", &seeds], fen), "mate 1");
    let fen = "8/8/8/5k2/8/8/1Y6/K7 w - - 0 1";
    let pieces = format!("Piece File value {}", pieces.display());
    assert_eq!(table_score(&["Endgame value KY.K"], fen), "cp 0");
    assert_eq!(table_score(&["Endgame value KY.K", &pieces], fen), "mate 10");
}
