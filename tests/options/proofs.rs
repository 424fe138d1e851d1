//! The options of proof games: each changes the work, the answer, or what is shown.

use super::{Inline, last};
use umbrail::protocol::{Dialect, Json, ParseError, Uci};
use umbrail::session::{Command, Event};
use umbrail::tasks::MODULES;

/// The number of games that `go` finds for the diagram of 1.f4 f5 2.Nf3 in this number of moves.
fn proof_games(moves: &str, memory: &str) -> usize {
    let mut talk = Inline::uci();
    let printed = talk.prints(&[
        "setoption name Solver value spg",
        &format!("setoption name SPG Moves value {moves}"),
        &format!("setoption name SPG Memory value {memory}"),
        "position fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R b KQkq - 0 2",
        "go",
    ]);
    assert_eq!(
        printed.iter().filter(|line| line.starts_with("bestmove")).count(),
        1,
        "{printed:?}"
    );
    printed.iter().filter(|line| line.starts_with("info string spg result")).count()
}

#[test]
fn the_length_of_a_proof_game_decides_what_go_finds() {
    assert_eq!(proof_games("1.5", "16"), 1);
    assert_eq!(proof_games("1.0", "16"), 0);
    assert!(proof_games("2.5", "16") > 1, "cooked: the game can be played in several ways");
}

#[test]
fn go_continues_from_the_archive_whichever_solver_works() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("spg-archive");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let archive = folder.join("night.spga");
    let go = |solver: &str| {
        Inline::uci().prints(&[
            "setoption name Solver value spg",
            "setoption name SPG Moves value 1.5",
            &format!("setoption name SPG Solver value {solver}"),
            &format!("setoption name SPG Archive value {}", archive.display()),
            "position fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R b KQkq - 0 2",
            "go",
        ])
    };
    for (solver, file, numbers) in
        [("strategies", "night.spga", false), ("positions", "night.spga.positions", true)]
    {
        let first = go(solver);
        assert!(folder.join(file).exists(), "{first:?}");
        assert!(!first.iter().any(|line| line.contains(" numbers ")), "{first:?}");
        let again = go(solver);
        let resumed = again.iter().find(|line| line.contains(" numbers ")).expect("a message");
        let word = if numbers { "claims 0 numbers" } else { "claims 1 numbers 0" };
        assert!(resumed.contains(word), "{resumed}");
        let games = again.iter().filter(|line| line.starts_with("info string spg result"));
        assert_eq!(games.count(), 1, "{again:?}");
    }
}

#[test]
fn a_side_to_move_that_contradicts_the_length_is_named() {
    for (turn, warns) in [("w", true), ("b", false)] {
        let diagram = "rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R";
        let printed =
            Inline::uci().prints(&[&format!("spg solve plies 3 fen {diagram} {turn} - - 0 1")]);
        let warning = "the FEN says that white is to move, but after 3 half-moves it is black";
        assert_eq!(printed.iter().any(|line| line.contains(warning)), warns, "{printed:?}");
    }
}

/// A problem whose positions do not fit into the smallest table.
const HARD: &str = "spg solve moves 11.5 rules -B3,-B4 fen \
                    r1bkqr2/pp1pnppp/2B1pB2/2p5/1P1n4/b4PP1/P1PPP2P/RN1KQ1NR";

#[test]
fn memory_for_proof_games_saves_moves() {
    // P1000648 of the Problem Database: one game, and without rules B3 and B4 many ways to lose it.
    let nodes = |mib: &str| {
        let mut talk = Inline::uci();
        let printed = talk.prints(&[&format!("setoption name SPG Memory value {mib}"), HARD]);
        last(&printed, "nodes")
    };
    assert!(nodes("1") > nodes("64"));
}

/// Hears as in UCI, and says what JSON says.
struct Reporting(Uci, Json);

impl Dialect for Reporting {
    fn parse(&mut self, line: &str) -> Result<Vec<Command>, ParseError> {
        self.0.parse(line)
    }

    fn write(&mut self, event: &Event, out: &mut String) {
        self.1.write(event, out);
    }

    fn complain(&mut self, line: &str, why: &ParseError, out: &mut String) {
        self.0.complain(line, why, out);
    }
}

/// A session with these options with a command to solve: all records of JSON, and the session.
fn solved(options: &[&str], line: &str) -> (Vec<serde_json::Value>, Inline) {
    let mut talk = Inline::new(Box::new(Reporting(Uci::new(MODULES), Json::new(MODULES))));
    talk.session.want_snapshots();
    for option in options {
        let (name, value) = option.split_once('=').expect("an option with its value");
        let printed = talk.prints(&[&format!("setoption name {name} value {value}")]);
        assert!(printed.is_empty(), "{printed:?}");
    }
    let printed = talk.prints(&[line]);
    let records = printed.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    (records, talk)
}

fn end_of(options: &[&str], line: &str) -> serde_json::Value {
    let (mut records, _) = solved(options, line);
    let end = records.pop().expect("an end");
    assert_eq!(end["t"], "end", "{end}");
    end
}

/// P0008164 of the Problem Database, seven moves: captures of both sides.
const SEVEN: &str = "spg solve plies 14 fen rn1qkbnr/ppp2ppp/1Q2b3/4P3/8/P1K5/1PP1PPPP/RNBn1BNR";

#[test]
fn seekers_and_players_count_as_workers_when_both_are_set() {
    let (_, talk) = solved(&["SPG Seekers=2", "SPG Players=3"], SEVEN);
    assert_eq!(talk.threads, [5]);
    let last = talk.snapshots.last().expect("a picture");
    assert_eq!(last.players.len(), 3, "three of the five play");
    let (records, talk) = solved(&["SPG Seekers=1", "Threads=2"], SEVEN);
    assert_eq!(talk.threads, [2]);
    assert_eq!(records.last().expect("an end")["verdict"], "unique");
}

#[test]
fn the_solver_searches_strategies_or_positions() {
    let line = "spg solve plies 5 fen rnb1kbnr/pppp1ppp/5q2/4p3/4P3/8/PPPPQPPP/RNB1KBNR";
    let end = |solver: &str| end_of(&[&format!("SPG Solver={solver}")], line);
    let [strategies, positions, both] = ["strategies", "positions", "both"].map(end);
    assert_eq!(strategies["solver"], serde_json::Value::Null);
    // Two games of the only strategy are enough for its verdict.
    assert_eq!((&strategies["solutions"], &strategies["complete"]), (&2.into(), &false.into()));
    assert_eq!((&positions["solutions"], &positions["complete"]), (&5.into(), &true.into()));
    assert_eq!(positions["solver"], "positions");
    assert_eq!((&both["solvers_agree"], &both["positions_solutions"]), (&true.into(), &5.into()));
}

#[test]
fn games_of_positions_start_anywhere() {
    let line = "spg solve solver positions plies 2 fen 4k3/8/8/8/4P3/8/8/4K2R \
                start 4k3/8/8/8/8/8/4P2r/4K2R b K - 0 1";
    let end = end_of(&[], line);
    // White cannot both take the rook and move the pawn.
    assert_eq!((&end["verdict"], &end["complete"]), (&"none".into(), &true.into()));
    let castles = "spg solve solver positions plies 2 fen 3k4/8/8/8/8/8/8/5RK1 \
                   start 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let (records, _) = solved(&[], castles);
    let games: Vec<_> = records.iter().filter(|record| record["t"] == "solution").collect();
    assert_eq!((games.len(), &games[0]["uci"]), (1, &serde_json::json!(["e1g1", "e8d8"])));
    let refused = solved(&[], &castles.replace("positions", "strategies")).0;
    let text = refused.last().expect("an error").to_string();
    assert!(text.contains("strategies start from the initial position"), "{text}");
}

#[test]
fn threads_of_a_strategy_have_pages_of_their_own() {
    let names = |threads: &str| {
        let (records, talk) = solved(&[&format!("SPG Threads Per Strategy={threads}")], SEVEN);
        assert_eq!(records.last().expect("an end")["verdict"], "unique");
        let last = talk.snapshots.last().expect("a picture");
        last.players.iter().map(|player| player.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names("1"), ["1"]);
    assert_eq!(names("3"), ["1.1", "1.2", "1.3"]);
}

#[test]
fn the_sync_depth_decides_how_many_claims_there_are() {
    // Both sides have castled and taken twice.
    let line = "spg solve plies 16 histogram fen rnbq1rk1/ppp3pp/5n2/8/1b6/5N2/PPPPBPPP/RNBQ1RK1";
    let claims = |depth: &str| {
        let end = end_of(&[&format!("SPG Sync Depth={depth}")], line);
        end["counts"]["claims"].as_u64().expect("claims")
    };
    assert!(claims("1") < claims("3"));
    // The model's name says the same.
    let theirs = end_of(&["strategySeekingSyncDepth=1"], line);
    assert_eq!(theirs["counts"]["claims"].as_u64(), Some(claims("1")));
}

#[test]
fn the_strategy_sync_depth_has_limits_and_changes_no_answer() {
    for depth in ["0", "7"] {
        let depth = format!("SPG Strategy Sync Depth={depth}");
        let options = [depth.as_str(), "SPG Threads Per Strategy=2", "SPG Collisions=on"];
        assert_eq!(end_of(&options, SEVEN)["verdict"], "unique");
    }
    let (records, _) = solved(&[], &format!("{SEVEN} strategy-sync-depth 241"));
    let text = records.last().expect("an error").to_string();
    assert!(text.contains("strategy-sync-depth must be 0..240, got 241"), "{text}");
}

#[test]
fn collisions_and_splitting_change_the_work_and_no_answer() {
    let nodes = |options: &[&str]| {
        let end = end_of(options, SEVEN);
        assert_eq!(end["verdict"], "unique", "{options:?}");
        end["nodes"].as_u64().expect("nodes")
    };
    let thought = nodes(&["SPG Collisions=on", "SPG Splitter=none"]);
    let unthought = nodes(&["SPG Collisions=off"]);
    assert_ne!(thought, unthought);
    // The model's names and values; sixteen men against fifteen are more than 28.
    assert_eq!(nodes(&["expensiveCollisionDetectionMode=default", "SPG Splitter=none"]), thought);
    let parted = nodes(&["SPG Collisions=on", "speculativeSplitterMode=always"]);
    assert_ne!(thought, parted, "two cases are played instead of one strategy");
}

#[test]
fn the_length_may_be_exact() {
    let line = "spg solve plies 5 fen rnbqkbnr/ppppp1pp/8/5p2/5P2/5N2/PPPPP1PP/RNBQKB1R";
    let parity = end_of(&[], line);
    let exact = end_of(&["SPG Length=exact"], line);
    assert_eq!(parity["lengths"]["3"], 1);
    assert!(exact["lengths"].get("3").is_none(), "{exact}");
}

#[test]
fn the_last_move_is_retracted_as_reported() {
    let line = "spg solve plies 4 fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR";
    let taken_back = |mode: &str| {
        let (records, talk) = solved(&[&format!("retractionMode={mode}")], line);
        assert_eq!(records.last().expect("an end")["verdict"], "cooked");
        let retracted = talk.snapshots.last().expect("a picture").retracted.clone();
        retracted.map(|(mv, _, of)| (mv, of))
    };
    assert_eq!(taken_back("off"), None);
    let (mv, of) = taken_back("default").expect("a king is in check");
    assert!(mv.contains("h4") && of > 1, "{mv} of {of}");
}

#[test]
fn the_path_of_seekers_can_be_left_out() {
    // Seeking is over in a moment, but the last path stays on the seeker's page.
    let steps = |on: &str| {
        let (_, talk) = solved(&[&format!("SPG Seek Path={on}")], &format!("{SEVEN} histogram"));
        let last = talk.snapshots.last().expect("a picture");
        last.seekers.iter().map(|seeker| seeker.steps.len()).sum::<usize>()
    };
    assert_eq!(steps("false"), 0);
    assert!(steps("true") > 2);
}

#[test]
fn a_table_in_pieces_forgets_other_positions() {
    // P1000648 again: the smallest table is much too small, so what is forgotten shows.
    let nodes = |splits: &str| {
        let splits = format!("positionCacheSplitExponent={splits}");
        let options = [splits.as_str(), "SPG Memory=1"];
        let end = end_of(&options, HARD);
        assert_eq!(end["verdict"], "unique");
        end["nodes"].as_u64().expect("nodes")
    };
    assert_ne!(nodes("0"), nodes("8"));
}
