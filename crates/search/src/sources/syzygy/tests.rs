//! Tests of opening and probing, on the tables of three pieces in `tests/golden/syzygy`.

use super::{TableVerdict, Tables, rank};
use std::collections::BTreeSet;
use umbrail_chess::geometry::Setup;
use umbrail_chess::{Position, to_uci};

fn position(fen: &str) -> Position {
    Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap()
}

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/syzygy");

fn tables() -> Tables {
    Tables::open(FOLDER).tables.unwrap()
}

#[test]
fn verdicts_are_those_of_the_tables() {
    for (fen, verdict) in [
        ("8/8/8/8/8/2k5/4P3/K7 b - - 0 1", TableVerdict::Draw),
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", TableVerdict::Draw),
        ("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1", TableVerdict::Loss),
        ("8/8/8/8/8/2k5/8/K6R w - - 0 1", TableVerdict::Win),
    ] {
        assert_eq!(tables().verdict(&position(fen)), Some(verdict), "{fen}");
    }
    let later = position("8/8/8/8/8/2k5/8/K6R w - - 3 9");
    assert_eq!(tables().verdict(&later), None, "the counter runs");
}

/// Every legal move in the order of its rank, with the rank and the result.
fn ranked(tables: &Tables, fen: &str) -> Vec<(String, i32, TableVerdict)> {
    let position = position(fen);
    let moves: Vec<_> = position.legal_moves().into_iter().collect();
    let mut ranked = tables.rank_moves(&position, &moves, true).unwrap();
    ranked.sort_by_key(|&(_, rank, _)| std::cmp::Reverse(rank));
    ranked.into_iter().map(|(mv, rank, of)| (to_uci(&position, mv, false), rank, of)).collect()
}

#[test]
fn root_moves_are_ranked_by_distance() {
    // Wins of several lengths, and draws.
    let moves = ranked(&tables(), "4k3/8/4K3/8/4P3/8/8/8 w - - 0 1");
    assert_eq!(moves[0].2, TableVerdict::Win, "{moves:?}");
    assert!(moves.is_sorted_by(|a, b| a.2 >= b.2), "{moves:?}");
    let wins = moves.iter().filter(|(.., verdict)| *verdict == TableVerdict::Win);
    assert!(wins.map(|(_, rank, _)| rank).collect::<BTreeSet<_>>().len() > 1, "{moves:?}");
}

#[test]
fn results_alone_rank_root_moves() {
    let folder = std::env::temp_dir().join(format!("umbrail wdl {}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let copy = |name: &str| {
        std::fs::copy(format!("{FOLDER}/{name}"), folder.join(name)).unwrap();
    };
    copy("KQvK.rtbw");
    let fen = "8/8/8/3k4/8/8/8/KQ6 w - - 5 1";
    let opened = Tables::open(folder.to_str().unwrap());
    let summary = opened.summary.unwrap();
    assert!(summary.contains("1 WDL and 0 DTZ tables, up to 3 pieces"), "{summary}");
    let moves = ranked(opened.tables.as_ref().unwrap(), fen);
    let (first, last) = (&moves[0], &moves[moves.len() - 1]);
    assert_eq!((first.2, last.2), (TableVerdict::Win, TableVerdict::Draw), "{moves:?}");
    assert_eq!(moves.iter().map(|(_, rank, _)| rank).collect::<BTreeSet<_>>().len(), 2);

    // A distance table that turns out to be damaged in a search is reported once.
    let damaged = std::fs::read(format!("{FOLDER}/KQvK.rtbz")).unwrap();
    std::fs::write(folder.join("KQvK.rtbz"), &damaged[..80]).unwrap();
    let opened = Tables::open(folder.to_str().unwrap());
    let tables = opened.tables.unwrap();
    assert_eq!(ranked(&tables, fen), moves);
    // The same words with and without `RUST_BACKTRACE`.
    let fault = "SyzygyPath: cannot probe dtz table KQvK: the file is damaged";
    assert_eq!(tables.take_faults(), [fault]);
    assert_eq!(ranked(&tables, fen), moves);
    assert!(tables.take_faults().is_empty());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn ranks_go_from_short_wins_to_short_losses() {
    let order = [(1, 0), (9, 0), (80, 40), (101, 0), (0, 9), (-90, 40), (-101, 0), (-9, 0)];
    let ranks = order.map(|(distance, halfmoves)| rank(distance, halfmoves, true));
    assert!(ranks[0] > ranks[1] && ranks[1] > ranks[2] && ranks[2] > ranks[4]);
    assert!(ranks[3] > ranks[4] && ranks[4] > ranks[5] && ranks[5] > ranks[7]);
    assert!(rank(80, 40, false) > rank(80, 40, true), "without the rule it is a win");
}

// The separator of the lists is that of Unix.
#[cfg(unix)]
#[test]
fn bad_entries_are_named_and_the_rest_is_used() {
    let damaged = std::env::temp_dir().join(format!("umbrail damaged {}", std::process::id()));
    std::fs::create_dir_all(&damaged).unwrap();
    let file = |name: &str, bytes: &[u8]| std::fs::write(damaged.join(name), bytes).unwrap();
    file("KRvK.rtbw", b"");
    file("KRvK.rtbz", &[0; 80]);
    let magic = [0x71, 0xE8, 0x23, 0x5D];
    file("KBvK.rtbw", &magic);
    file("notes.rtbw", b"no table");
    let damaged = damaged.to_str().unwrap();
    let missing = "no/such/folder";
    for (folders, faults) in [
        (format!("{FOLDER}:"), vec!["last entry is empty"]),
        (format!(":{FOLDER}"), vec!["an entry is empty"]),
        (format!("{missing}:{FOLDER}"), vec![missing]),
        (format!("{FOLDER}:{FOLDER}/SOURCES.md"), vec!["SOURCES.md"]),
        (format!("{FOLDER}:{damaged}"), vec!["KBvK.rtbw", "KRvK.rtbw", "KRvK.rtbz", "notes.rtbw"]),
    ] {
        let opened = Tables::open(&folders);
        let summary = opened.summary.unwrap_or_default();
        assert!(summary.ends_with("found 5 WDL and 5 DTZ tables, up to 3 pieces"), "{summary}");
        let given: Vec<String> = opened.faults.iter().map(ToString::to_string).collect();
        assert_eq!(given.len(), faults.len(), "{given:?}");
        for (given, expected) in given.iter().zip(faults) {
            assert!(given.contains(expected), "{given}");
        }
        assert_eq!(ranked(&opened.tables.unwrap(), "8/8/8/3k4/8/8/8/KR6 w - - 0 1").len(), 15);
    }
    std::fs::remove_dir_all(damaged).unwrap();
}

#[test]
fn folders_without_tables_are_named() {
    let given = |folders: &str| {
        let opened = Tables::open(folders);
        assert!(opened.tables.is_none());
        opened.faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    assert!(given("no/such/folder").contains("no/such/folder"));
    assert!(given(env!("CARGO_MANIFEST_DIR")).contains("rtbw"));
}
