//! Options that name files: books, experience, networks, the log.

use super::*;

#[test]
fn the_log_file_is_asked_for_and_let_go() {
    let mut talk = Inline::uci();
    talk.prints(&[
        "setoption name Log File value a b.log",
        "setoption name Log File value <empty>",
    ]);
    assert_eq!(talk.logs, ["Some(\"a b.log\")", "None"]);
}

fn scratch(name: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    folder.join(name).to_string_lossy().into_owned()
}

/// A Polyglot book with one move for the game array: a2a3.
fn tiny_book() -> String {
    let path = scratch("options-book.bin");
    let mut entry = 0x463B_9618_1691_FC9C_u64.to_be_bytes().to_vec();
    entry.extend([0x02, 0x10, 0, 1, 0, 0, 0, 0]);
    std::fs::write(&path, entry).expect("written");
    path
}

#[test]
fn book_moves_are_played_as_long_as_the_book_may_speak() {
    let path = tiny_book();
    let best = |options: &[&str]| {
        let mut talk = Inline::uci();
        talk.prints(&[&format!("setoption name Book File value {path}")]);
        for option in options {
            talk.prints(&[&format!("setoption name {option}")]);
        }
        talk.prints(&["position startpos", "go depth 5"]).pop().expect("a move")
    };
    assert_eq!(best(&["OwnBook value true"]), "bestmove a2a3");
    assert_ne!(best(&["OwnBook value false"]), "bestmove a2a3");
    assert_ne!(best(&["OwnBook value true", "Book Depth value 0"]), "bestmove a2a3");
    assert_ne!(best(&["OwnBook value true", "UCI_AnalyseMode value true"]), "bestmove a2a3");
    assert_ne!(best(&["OwnBook value true", "Book File value <empty>"]), "bestmove a2a3");
    let mut talk = Inline::uci();
    let printed = talk.prints(&["setoption name Book File value no/such.bin", "isready"]);
    let fault = "info string Book File: cannot read no/such.bin: it does not exist";
    assert_eq!(printed, [fault, "readyok"], "the file is opened before the answer");
}

#[test]
fn experience_is_written_read_again_and_biases_the_next_search() {
    let path = scratch("options-experience");
    let _ = std::fs::remove_file(&path);
    let nodes = |root_bias: bool| {
        let mut talk = Inline::uci();
        talk.prints(&[
            &format!("setoption name Experience File value {path}"),
            &format!("setoption name XP10 RootBias value {root_bias}"),
        ]);
        let printed =
            ["startpos moves e2e4", "startpos moves e2e4 e7e5", "startpos"].map(|position| {
                last(&talk.prints(&[&format!("position {position}"), "go depth 9"]), "nodes")
            });
        printed.iter().sum::<u64>()
    };
    let fresh = nodes(false);
    let length = std::fs::metadata(&path).expect("a file").len();
    assert_eq!(length, 4 * 16, "a head and a record for each search");
    let kept = std::fs::read(&path).expect("a file");
    let known = nodes(false);
    assert_ne!(known, fresh);
    std::fs::write(&path, kept).expect("written");
    assert_ne!(nodes(true), known, "below the root a hint counts less with XP10");
}

#[test]
fn a_network_takes_the_place_of_the_hand_written_evaluation() {
    let path = scratch("options-network.nn");
    // Every position is worth its output bias: 100 of 400 centipawns.
    let weights = NetworkWeights { output_bias: vec![4_080], ..NetworkWeights::zero(16, 1, 400) };
    let network = Network::new(&weights).expect("weights within their bounds");
    std::fs::write(&path, network.to_bytes()).expect("written");
    let nodes = |talk: &mut Inline| {
        talk.prints(&["ucinewgame", "position startpos moves e2e4"]);
        last(&talk.prints(&["go depth 7"]), "nodes")
    };
    let bench = |talk: &mut Inline| talk.prints(&["bench depth 4"]).pop();
    let mut talk = Inline::uci();
    talk.prints(&["setoption name Use NNUE value false"]);
    let (searched, signature) = (nodes(&mut talk), bench(&mut talk));
    let by_hand = talk.prints(&["eval"]);
    assert!(by_hand[0].ends_with(", without searching, written by hand"), "{by_hand:?}");
    talk.prints(&[&format!("setoption name EvalFile value {path}")]);
    assert_eq!(talk.prints(&["eval"]), by_hand, "the file alone changes nothing");
    assert_eq!(nodes(&mut talk), searched);
    let printed = talk.prints(&["setoption name Use NNUE value true", "eval"]);
    // White is worth -100 because Black is to move.
    let by_network = format!("(-100 search centipawns), without searching, network {network}");
    assert!(printed[0].ends_with(&by_network), "{printed:?}");
    assert!(printed[1].starts_with("Written by hand: "), "{printed:?}");
    assert_ne!(nodes(&mut talk), searched, "the search uses it");
    let first_word = |line: Option<String>| line?.split(' ').next().map(str::to_owned);
    assert_ne!(first_word(bench(&mut talk)), first_word(signature), "and the benchmark");
    let printed = talk.prints(&["setoption name EvalFile value <empty>", "isready"]);
    assert_eq!(printed, ["readyok"]);
    let built_in = talk.prints(&["eval"]);
    assert!(built_in[0].contains(" 768 -> 256 x 2 -> 8"), "{built_in:?}");
    assert!(!built_in[0].ends_with(&by_network), "{built_in:?}");
    talk.prints(&["setoption name Use NNUE value false"]);
    assert_eq!(nodes(&mut talk), searched, "the hand-written evaluation is back");
    std::fs::remove_file(path).expect("removed");
}
