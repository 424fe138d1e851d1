//! All ways to compute a network agree; and the search plays with one.

#[path = "../examples/network_check.rs"]
mod network_check;

use network_check::{Random, run, weights};
use std::path::PathBuf;
use umbrail_chess::{Position, SplitMix64};
use umbrail_control::read_file;
use umbrail_search::bench::{position, request, signature};
use umbrail_search::{Engine, Kernel, Network, SearchParams, evaluate};

#[test]
fn kept_sums_instruction_sets_and_reflections_agree() {
    let kinds = run(6_000, 7);
    for kind in ["castling", "en passant", "promotion", "king across the middle", "capture"] {
        assert!(kinds.get(kind).is_some_and(|&count| count > 20), "{kinds:?}");
    }
}

/// A network in a file, with parameters that use it.
fn in_file(name: &str, seed: u64) -> (PathBuf, SearchParams) {
    let network =
        Network::new(&weights(&mut Random(SplitMix64::new(seed)), 32, 3, 2, false)).unwrap();
    let path = std::env::temp_dir().join(format!("umbrail-{name}-{}.nn", std::process::id()));
    std::fs::write(&path, network.to_bytes()).unwrap();
    let eval_file = path.to_string_lossy().into_owned();
    (path, SearchParams { hash_mib: 1, use_nnue: true, eval_file, ..SearchParams::default() })
}

fn faults(engine: &Engine, params: &SearchParams) -> Vec<String> {
    let faults = engine.configure(params, &|path| read_file(path, &|| false));
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn the_search_uses_the_network_of_a_file_and_goes_back_to_the_hand_written_evaluation() {
    let (path, params) = in_file("used", 3);
    let engine = Engine::new(1);
    assert_eq!(faults(&engine, &params), [""; 0]);
    let network = engine.network().unwrap();
    let start = Position::startpos();
    assert_eq!(engine.evaluate(&start, &params), network.evaluate(&start));
    let nodes = |params: &SearchParams| signature(6, params).unwrap();
    let by_hand = SearchParams { use_nnue: false, ..params.clone() };
    assert_ne!(nodes(&params), nodes(&by_hand), "the bench opens the network");
    assert_eq!(nodes(&params), nodes(&params), "and is a signature");
    let no_file = SearchParams { eval_file: String::new(), ..params.clone() };
    assert_ne!(nodes(&no_file), nodes(&params), "without a file it is the network of the program");
    assert_ne!(nodes(&no_file), nodes(&by_hand));
    assert_eq!(nodes(&by_hand), nodes(&SearchParams { use_nnue: false, ..no_file }));
    assert!(faults(&engine, &by_hand).is_empty() && engine.network().is_none());
    assert_eq!(engine.evaluate(&start, &by_hand), evaluate(&start));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn bare_kings_are_judged_by_hand_and_the_terms_of_an_experiment_count_beside_a_network() {
    let (path, mut params) = in_file("beside", 4);
    let engine = Engine::new(1);
    assert_eq!(faults(&engine, &params), [""; 0]);
    let network = engine.network().unwrap();
    let surplus = |fen: &str, params: &SearchParams| {
        let position = position(fen).unwrap();
        engine.evaluate(&position, params) - network.evaluate(&position)
    };
    let values = ["7k/8/8/8/8/8/8/R3K3 w - - 0 1", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"].map(|fen| {
        let position = position(fen).unwrap();
        assert!(engine.network_for(&position).is_none());
        assert_eq!(engine.evaluate(&position, &params), evaluate(&position), "{fen}");
        evaluate(&position)
    });
    assert!(values[0] > values[1], "a king in the corner is nearer to mate");
    // A passed pawn without support that a knight blocks, and one that a king's pawn supports.
    let blocked = "4k3/8/3n4/3P4/8/8/8/4K3 w - - 0 1";
    assert_eq!(surplus(blocked, &params), 0);
    params.experiments.eval_safe = true;
    assert_eq!(surplus("4k3/p7/8/8/8/8/P7/4K3 b - - 0 1", &params), 16, "no passed pawn");
    assert!(surplus(blocked, &params) < 16, "{}", surplus(blocked, &params));
    let turned = "4k3/8/8/8/3p4/3N4/8/4K3 b - - 0 1";
    assert_eq!(surplus(blocked, &params), surplus(turned, &params));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn what_is_no_network_is_named_and_played_without() {
    let (path, params) = in_file("damaged", 5);
    let engine = Engine::new(1);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[1000] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let given = faults(&engine, &params);
    assert_eq!(given, [format!("EvalFile {}: the checksum does not match", path.display())]);
    let params = SearchParams { eval_file: "no/such.nn".to_owned(), ..params };
    assert_eq!(faults(&engine, &params), ["EvalFile: cannot read no/such.nn: it does not exist"]);
    let params = SearchParams { eval_file: String::new(), ..params };
    assert!(faults(&engine, &params).is_empty());
    let built_in = engine.network().expect("it is part of the program");
    let params = SearchParams { use_nnue: false, ..params };
    assert!(faults(&engine, &params).is_empty());
    assert!(engine.network().is_none(), "{built_in}");
    assert!(!request(Position::startpos(), 1).position.in_check());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn the_plain_kernel_is_always_there() {
    assert_eq!(Kernel::available()[0], Kernel::PLAIN);
    assert!(Kernel::available().contains(&Kernel::best()));
}
