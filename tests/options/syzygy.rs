//! Syzygy tables named by `SyzygyPath`: bad entries, tables without distances, and several lines at
//! the root.

use super::{Inline, last};
use std::path::{Path, PathBuf};

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/syzygy");
const QUEEN: &str = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1";
const FOUND: &str = "info string SyzygyPath: found 5 WDL and 5 DTZ tables, up to 3 pieces";

/// Lines after `isready` and after a search of the position to depth 4.
fn search(path: &str, options: &[&str], fen: &str, words: &str) -> (Vec<String>, Vec<String>) {
    let mut talk = Inline::uci();
    for option in options {
        talk.prints(&[&format!("setoption name {option}")]);
    }
    let printed = talk.prints(&[&format!("setoption name SyzygyPath value {path}"), "isready"]);
    let go = format!("go depth 4 {words}");
    (printed, talk.prints(&[&format!("position fen {fen}"), go.trim()]))
}

/// Scores and first moves of the lines of depth 4.
fn lines(printed: &[String]) -> Vec<(String, String)> {
    let after = |line: &str, word: &str, count: usize| {
        let rest = line.split_once(&format!(" {word} ")).map_or("", |(_, rest)| rest);
        rest.split(' ').take(count).collect::<Vec<_>>().join(" ")
    };
    let deepest = printed.iter().filter(|line| line.starts_with("info depth 4 "));
    let mut lines: Vec<(String, String, String)> = deepest
        .map(|line| (after(line, "multipv", 1), after(line, "score", 2), after(line, "pv", 1)))
        .collect();
    // Only the final report counts when a line is repeated.
    lines.reverse();
    lines.sort_by_key(|(rank, ..)| rank.parse::<u32>().expect("a rank"));
    lines.dedup_by(|a, b| a.0 == b.0);
    lines.into_iter().map(|(_, score, mv)| (score, mv)).collect()
}

#[test]
fn a_bad_entry_does_not_close_the_other_folders() {
    let separator = if cfg!(windows) { ";" } else { ":" };
    for (path, named) in [
        (format!("{TABLES}{separator}"), "empty"),
        (format!("no/such/folder{separator}{TABLES}"), "no/such/folder"),
        (format!("{TABLES}{separator}no/such/folder"), "no/such/folder"),
    ] {
        let (printed, searched) = search(&path, &[], QUEEN, "");
        assert!(printed[0].contains("SyzygyPath") && printed[0].contains(named), "{printed:?}");
        assert_eq!(printed[1..], [FOUND, "readyok"]);
        assert_eq!(lines(&searched)[0].0, "cp 28000", "{searched:?}");
    }
}

/// A folder with these tables.
fn copied(name: &str, files: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("options syzygy").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for file in files {
        std::fs::copy(Path::new(TABLES).join(file), folder.join(file)).expect("copied");
    }
    folder
}

#[test]
fn a_damaged_file_does_not_close_the_other_tables() {
    let folder = copied("damaged", &["KQvK.rtbw", "KQvK.rtbz"]);
    std::fs::write(folder.join("KRvK.rtbw"), [0; 80]).expect("written");
    let (printed, searched) = search(&folder.display().to_string(), &[], QUEEN, "");
    assert!(printed[0].contains("KRvK.rtbw") && printed[0].contains("damaged"), "{printed:?}");
    assert_eq!(printed[1], FOUND.replace('5', "1"));
    assert_eq!(lines(&searched)[0].0, "cp 28000", "{searched:?}");
}

#[test]
fn results_without_distances_serve_at_the_root() {
    let folder = copied("results only", &["KQvK.rtbw"]);
    let (printed, searched) =
        search(&folder.display().to_string(), &["MultiPV value 30"], QUEEN, "");
    assert_eq!(printed[0], "info string SyzygyPath: found 1 WDL and 0 DTZ tables, up to 3 pieces");
    let lines = lines(&searched);
    assert_eq!(lines.len(), 22, "{searched:?}");
    let drawn = lines.iter().filter(|(score, _)| score == "cp 0").count();
    assert!(drawn > 0 && lines[22 - drawn..].iter().all(|(score, _)| score == "cp 0"));
    assert_eq!(lines.iter().filter(|(score, _)| score == "cp 28000").count(), 22 - drawn);
}

#[test]
fn all_lines_are_shown_in_the_order_of_the_tables() {
    let (_, searched) = search(TABLES, &["MultiPV value 30"], QUEEN, "");
    let all = lines(&searched);
    assert_eq!(all.len(), 22, "{searched:?}");
    let moves: std::collections::BTreeSet<_> = all.iter().map(|(_, mv)| mv).collect();
    assert_eq!(moves.len(), 22);
    let scores: Vec<&str> = all.iter().map(|(score, _)| score.as_str()).collect();
    let drawn = scores.iter().position(|&score| score == "cp 0").expect("some moves draw");
    assert!(scores[..drawn].iter().all(|&score| score == "cp 28000"), "{scores:?}");
    assert!(scores[drawn..].iter().all(|&score| score == "cp 0"), "{scores:?}");
    // With one line the move is the first of all lines.
    let (_, searched) = search(TABLES, &[], QUEEN, "");
    assert_eq!(lines(&searched), all[..1]);

    let (_, searched) = search(TABLES, &["MultiPV value 30"], QUEEN, "searchmoves b1e4 b1b5");
    let two = lines(&searched);
    assert_eq!(two.len(), 2, "{searched:?}");
    assert!(two.iter().all(|(_, mv)| ["b1e4", "b1b5"].contains(&mv.as_str())));
}

#[test]
fn syzygy_tables_are_probed_as_the_options_require() {
    let ask = |options: &[&str], fen: &str| {
        let mut talk = Inline::uci();
        talk.prints(&[&format!("setoption name SyzygyPath value {TABLES}")]);
        for option in options {
            talk.prints(&[&format!("setoption name {option}")]);
        }
        talk.prints(&[&format!("position fen {fen}"), "go depth 8"])
    };
    let four = "8/8/8/4k3/4p3/4K3/4P3/8 w - - 0 1";
    let hits = |options: &[&str]| last(&ask(options, four), "tbhits");
    let all = hits(&[]);
    assert!(all > 0);
    assert_eq!(hits(&["SyzygyPath value <empty>"]), 0);
    assert_eq!(hits(&["SyzygyProbeLimit value 2"]), 0);
    assert!(hits(&["SyzygyProbeDepth value 6"]) < all);
    let late = "8/8/8/8/8/2k5/8/K6R w - - 90 100";
    let wins = |options: &[&str]| {
        let printed = ask(options, late);
        printed.iter().any(|line| line.contains(" score cp 28000 "))
    };
    assert!(!wins(&[]) && wins(&["Syzygy50MoveRule value false"]));
    let mut talk = Inline::uci();
    let printed = talk.prints(&["setoption name SyzygyPath value no/such/folder", "isready"]);
    assert!(printed[0].contains("no/such/folder"), "{printed:?}");
}
