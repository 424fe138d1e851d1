//! Tests with small trainings on games that are played here.

use super::{TrainError, TrainFact, TrainOptions, train};
use crate::Loss;
use crate::generate::{DatagenOptions, generate};
use std::path::PathBuf;
use std::sync::LazyLock;
use umbrail_chess::Position;
use umbrail_control::Cancel;
use umbrail_search::{Network, SearchParams};

/// Returns a separate folder for each test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("umbrail-train-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Games of a few nodes a move, played once. With one thread per file the games are reproducible.
static GAMES: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = folder("games");
    for seed in [3, 4] {
        let params = SearchParams { use_nnue: false, ..SearchParams::default() };
        let options = DatagenOptions {
            folder: folder.clone(),
            games: 120,
            nodes: 100,
            threads: 1,
            seed,
            book: vec![],
            hash_mib: 1,
            params,
            teacher: None,
        };
        generate(&options, &Cancel::default(), &|_| ()).unwrap();
    }
    folder
});

fn options(name: &str) -> TrainOptions {
    TrainOptions {
        data: vec![GAMES.clone()],
        network: folder(name).join("a.nn"),
        ..TrainOptions::sample()
    }
}

fn bytes(options: &TrainOptions) -> Vec<u8> {
    std::fs::read(&options.network).unwrap()
}

#[test]
fn a_network_learns_and_its_log_names_the_data() {
    let options = options("learns");
    let (mut losses, mut known) = (vec![], None);
    let mut notify = |fact: TrainFact<'_>| match fact {
        TrainFact::Epoch(loss) => losses.push(loss),
        TrainFact::Data { positions, by_hand, .. } => known = Some((positions, by_hand)),
        _ => {}
    };
    let trained = train(&options, &Cancel::default(), &mut notify).unwrap();
    assert_eq!(losses.len(), 6);
    assert!(losses[5].learned < 0.8 * losses[0].learned, "{losses:?}");
    assert!(losses[5].held_out < losses[0].held_out, "{losses:?}");
    // Rounding of the weights costs almost nothing.
    assert!((trained.held_out - losses[5].held_out).abs() < 1e-3, "{trained:?} {losses:?}");
    let read = Network::from_bytes(&bytes(&options)).unwrap();
    assert_eq!(read.to_string(), trained.network.to_string());
    let ledger = std::fs::read_to_string(options.network.with_extension("nn.txt")).unwrap();
    let ((learned, held), by_hand) = known.unwrap();
    assert!(by_hand.best <= by_hand.plain && by_hand.best > 0.0);
    for expected in [
        format!("network: {read}\n"),
        "options: width 16 buckets 2 scale 400 wdl 0.3 epochs 6 imitate 0 batch 500 rate 0.003 seed 9\n"
            .to_owned(),
        format!("positions: {learned} learned, {held} held out, "),
        format!("\n{:.6} the network, quantised\n", trained.held_out),
        " 3-0.games\n".to_owned(),
        " 4-0.games\n".to_owned(),
    ] {
        assert!(ledger.contains(&expected), "{expected:?} in {ledger}");
    }
    assert!(!options.network.with_extension("nn.part").exists());
}

#[test]
fn imitation_teaches_the_hand_written_evaluation() {
    let held_out = |imitate: u32| {
        let options =
            TrainOptions { imitate, epochs: 4, wdl: 0.0, batch: 100, ..options("imitates") };
        let mut losses = vec![];
        let mut notify = |fact: TrainFact<'_>| {
            if let TrainFact::Epoch(loss) = fact {
                losses.push(loss.held_out);
            }
        };
        train(&options, &Cancel::default(), &mut notify).unwrap();
        losses
    };
    let (alone, imitating) = (held_out(0), held_out(3));
    assert_ne!(alone[0], imitating[0]);
    // The scores of the search in the games are predicted without having been learned.
    assert!(imitating[2] < alone[0], "{alone:?} {imitating:?}");
}

#[test]
fn passes_with_rounded_weights_lose_less_by_rounding() {
    let lost = |rounded: u32| {
        let options = TrainOptions { rounded, ..options("rounded") };
        let mut last = 0.0;
        let mut notify = |fact: TrainFact<'_>| {
            if let TrainFact::Epoch(loss) = fact {
                last = loss.held_out;
            }
        };
        let trained = train(&options, &Cancel::default(), &mut notify).unwrap();
        let ledger = std::fs::read_to_string(options.network.with_extension("nn.txt")).unwrap();
        assert_eq!(ledger.contains(" imitate 0 rounded 2 batch "), rounded == 2, "{ledger}");
        (trained.held_out - last).abs()
    };
    // The remaining difference is the rounding of a value to whole centipawns.
    let (without, with) = (lost(0), lost(2));
    assert!(with < without / 4.0, "{without} {with}");
    let wrong = TrainOptions { imitate: 1, rounded: 6, ..options("rounded") };
    let error = train(&wrong, &Cancel::default(), &mut |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "rounded epochs must be at most the 5 that learn, got 6");
}

#[test]
fn threads_and_interruptions_change_no_bit() {
    let imitate = 1;
    let whole = TrainOptions { imitate, rounded: 2, ..options("whole") };
    train(&whole, &Cancel::default(), &mut |_| ()).unwrap();
    let threads = TrainOptions { imitate, rounded: 2, threads: 3, ..options("threads") };
    train(&threads, &Cancel::default(), &mut |_| ()).unwrap();
    assert_eq!(bytes(&threads), bytes(&whole));
    let parts = TrainOptions { imitate, rounded: 2, ..options("parts") };
    let mut resumed = vec![];
    for stop_after in [2, 3, 9] {
        let cancel = Cancel::default();
        let mut notify = |fact: TrainFact<'_>| match fact {
            TrainFact::Epoch(loss) if loss.epoch >= stop_after => cancel.raise(),
            TrainFact::Resumed(epochs) => resumed.push(epochs),
            _ => {}
        };
        let result = train(&parts, &cancel, &mut notify);
        assert_eq!(matches!(result, Err(TrainError::Cancelled)), stop_after < 9);
    }
    assert_eq!(resumed, [2, 3]);
    assert_eq!(bytes(&parts), bytes(&whole));
    let ledger = |options: &TrainOptions| {
        std::fs::read_to_string(options.network.with_extension("nn.txt")).unwrap()
    };
    assert_eq!(ledger(&parts), ledger(&whole));
    let seed = TrainOptions { imitate, seed: 10, ..options("seed") };
    train(&seed, &Cancel::default(), &mut |_| ()).unwrap();
    assert_ne!(bytes(&seed), bytes(&whole));
}

#[test]
fn training_goes_on_from_a_network() {
    let first = options("first");
    let trained = train(&first, &Cancel::default(), &mut |_| ()).unwrap();
    let next = TrainOptions {
        start: vec![first.network.clone()],
        epochs: 1,
        rate: 1e-4,
        ..options("next")
    };
    let mut losses = vec![];
    let mut notify = |fact: TrainFact<'_>| {
        if let TrainFact::Epoch(loss) = fact {
            losses.push(loss.held_out);
        }
    };
    let better = train(&next, &Cancel::default(), &mut notify).unwrap();
    // Small steps from the initial weights: nothing is forgotten, and something has changed.
    assert!((losses[0] - trained.held_out).abs() < 1e-3, "{losses:?} {}", trained.held_out);
    assert_ne!(bytes(&next), bytes(&first));
    let ledger = std::fs::read_to_string(next.network.with_extension("nn.txt")).unwrap();
    assert!(ledger.contains(&format!("begun with: {}\n", trained.network)), "{ledger}");
    assert!(ledger.contains(&format!("network: {}\n", better.network)), "{ledger}");
    let refused = |options: &TrainOptions| {
        train(options, &Cancel::default(), &mut |_| ()).unwrap_err().to_string()
    };
    let given = refused(&TrainOptions { buckets: 4, ..next.clone() });
    let why = "expected a network of width 16 at most, 4 buckets and scale 400, got 16, 2 and 400";
    assert!(given.ends_with(why), "{given}");
    let missing = TrainOptions { start: vec!["no/such.nn".into()], ..next };
    assert!(refused(&missing).starts_with("no/such.nn: "));
}

#[test]
fn training_begins_with_the_mean_of_several_networks() {
    let one = TrainOptions { epochs: 1, ..options("mean-one") };
    train(&one, &Cancel::default(), &mut |_| ()).unwrap();
    let other = TrainOptions { seed: 10, epochs: 1, ..options("mean-other") };
    train(&other, &Cancel::default(), &mut |_| ()).unwrap();
    let start = vec![one.network.clone(), other.network.clone()];
    // Almost no step.
    let mean = TrainOptions { start, epochs: 1, rate: 1e-9, ..options("mean") };
    let trained = train(&mean, &Cancel::default(), &mut |_| ()).unwrap();
    let weights =
        |options: &TrainOptions| Network::from_bytes(&bytes(options)).unwrap().weights().features;
    let (a, b) = (weights(&one), weights(&other));
    let near = |(mean, (a, b)): (&i16, (&i16, &i16))| (2 * mean - a - b).abs() <= 1;
    assert!(weights(&mean).iter().zip(a.iter().zip(&b)).all(near));
    assert!(a != b && trained.held_out > 0.0);
    let ledger = std::fs::read_to_string(mean.network.with_extension("nn.txt")).unwrap();
    let network = |options: &TrainOptions| Network::from_bytes(&bytes(options)).unwrap();
    let started = format!("begun with: the mean of {}; {}\n", network(&one), network(&other));
    assert!(ledger.contains(&started), "{started} in {ledger}");
}

#[test]
fn the_output_scale_multiplies_the_values_only() {
    let plain = TrainOptions { epochs: 1, ..options("output-plain") };
    let doubled = TrainOptions {
        output_scale: Some(2 * plain.scale),
        network: folder("output-doubled").join("a.nn"),
        ..plain.clone()
    };
    let [one, two] =
        [&plain, &doubled].map(|options| train(options, &Cancel::default(), &mut |_| ()).unwrap());
    assert_eq!(one.network.weights().features, two.network.weights().features);
    assert!((one.held_out - two.held_out).abs() < 1e-4, "{} {}", one.held_out, two.held_out);
    let position = Position::startpos();
    let (one, two) = (one.network.evaluate(&position), two.network.evaluate(&position));
    assert!(one != 0 && (two - 2 * one).abs() <= 1, "{one} {two}");
    let ledger = std::fs::read_to_string(doubled.network.with_extension("nn.txt")).unwrap();
    assert!(ledger.contains(" scale 400 output scale 800 wdl 0.3 "), "{ledger}");
}

#[test]
fn later_scores_change_what_is_learned() {
    let plain = TrainOptions { epochs: 1, ..options("plain") };
    train(&plain, &Cancel::default(), &mut |_| ()).unwrap();
    let ahead =
        TrainOptions { lambda: 0.75, network: folder("ahead").join("a.nn"), ..plain.clone() };
    train(&ahead, &Cancel::default(), &mut |_| ()).unwrap();
    assert_ne!(bytes(&ahead), bytes(&plain));
    let ledger = |options: &TrainOptions| {
        std::fs::read_to_string(options.network.with_extension("nn.txt")).unwrap()
    };
    assert!(ledger(&ahead).contains(" wdl 0.3 lambda 0.75 epochs 1 "), "{}", ledger(&ahead));
    assert!(!ledger(&plain).contains("lambda"));
}

#[test]
fn king_buckets_begin_with_the_weights_of_a_single_one_and_then_differ() {
    let first = options("single");
    let trained = train(&first, &Cancel::default(), &mut |_| ()).unwrap();
    let start = vec![first.network.clone()];
    let next =
        TrainOptions { start, king_buckets: 3, epochs: 1, rate: 1e-9, ..options("three-kings") };
    let held_out = train(&next, &Cancel::default(), &mut |_| ()).unwrap().held_out;
    // Almost no step, so the network is unchanged.
    assert!((held_out - trained.held_out).abs() < 1e-6, "{held_out} {}", trained.held_out);
    let further = TrainOptions {
        start: vec![next.network.clone()],
        rate: 0.003,
        network: folder("three-kings-further").join("a.nn"),
        ..next.clone()
    };
    let trained = train(&further, &Cancel::default(), &mut |_| ()).unwrap();
    let weights = trained.network.weights().features;
    let (a, rest) = weights.split_at(weights.len() / 3);
    let (b, c) = rest.split_at(rest.len() / 2);
    assert!(a != b && b != c && a != c);
    let ledger = std::fs::read_to_string(further.network.with_extension("nn.txt")).unwrap();
    assert!(ledger.contains("options: width 16 king buckets 3 buckets 2 scale"), "{ledger}");
    let back = TrainOptions { king_buckets: 1, ..further };
    let error = train(&back, &Cancel::default(), &mut |_| ()).unwrap_err().to_string();
    assert!(error.ends_with("expected a network of 1 king buckets, got 3"), "{error}");
}

#[test]
fn a_wider_network_begins_with_the_values_of_a_narrow_one() {
    let first = options("narrow");
    let trained = train(&first, &Cancel::default(), &mut |_| ()).unwrap();
    let start = vec![first.network.clone()];
    let wide = TrainOptions { start, width: 64, king_buckets: 3, epochs: 1, ..options("wide") };
    let still =
        TrainOptions { rate: 1e-9, network: folder("wide-still").join("a.nn"), ..wide.clone() };
    let held_out = train(&still, &Cancel::default(), &mut |_| ()).unwrap().held_out;
    assert!((held_out - trained.held_out).abs() < 1e-6, "{held_out} {}", trained.held_out);
    // The new sums learn.
    let network = train(&wide, &Cancel::default(), &mut |_| ()).unwrap().network;
    let output = network.weights().output;
    assert!(output[16..64].iter().any(|&weight| weight != 0), "{output:?}");
    let back = TrainOptions { start: vec![wide.network.clone()], width: 32, ..still.clone() };
    let error = train(&back, &Cancel::default(), &mut |_| ()).unwrap_err().to_string();
    assert!(error.contains("expected a network of width 32 at most"), "{error}");
    let mixed = vec![first.network.clone(), wide.network.clone()];
    let mixed = TrainOptions { start: mixed, ..still };
    let error = train(&mixed, &Cancel::default(), &mut |_| ()).unwrap_err().to_string();
    assert!(error.contains("width 16 at most") && error.contains("got 64"), "{error}");
}

#[test]
fn the_mean_of_the_weights_and_the_power_of_the_error_change_the_network() {
    let plain = TrainOptions { epochs: 2, ..options("last-weights") };
    let mean =
        TrainOptions { mean: 0.9, network: folder("running-mean").join("a.nn"), ..plain.clone() };
    let power = TrainOptions {
        loss: Loss::TwoAndAHalf,
        network: folder("power").join("a.nn"),
        ..plain.clone()
    };
    let ledger = |options: &TrainOptions| {
        train(options, &Cancel::default(), &mut |_| ()).unwrap();
        std::fs::read_to_string(options.network.with_extension("nn.txt")).unwrap()
    };
    assert!(!ledger(&plain).contains("mean 0"));
    assert!(ledger(&mean).contains(" imitate 0 mean 0.9 batch 500 "));
    assert!(ledger(&power).contains(" imitate 0 loss 2.5 batch 500 "));
    assert!(bytes(&plain) != bytes(&mean) && bytes(&plain) != bytes(&power));
    // A stopped training continues with the same mean.
    let stopped =
        TrainOptions { network: folder("running-mean-stopped").join("a.nn"), ..mean.clone() };
    let cancel = Cancel::default();
    let mut notify = |fact: TrainFact<'_>| {
        if let TrainFact::Epoch(_) = fact {
            cancel.raise();
        }
    };
    assert!(matches!(train(&stopped, &cancel, &mut notify), Err(TrainError::Cancelled)));
    train(&stopped, &Cancel::default(), &mut |_| ()).unwrap();
    assert_eq!(bytes(&stopped), bytes(&mean));
}

#[test]
fn a_state_of_other_options_or_damaged_is_refused() {
    let started = options("begun");
    let cancel = Cancel::default();
    let mut notify = |fact: TrainFact<'_>| {
        if let TrainFact::Epoch(_) = fact {
            cancel.raise();
        }
    };
    assert!(matches!(train(&started, &cancel, &mut notify), Err(TrainError::Cancelled)));
    let refused = |options: &TrainOptions| {
        train(options, &Cancel::default(), &mut |_| ()).unwrap_err().to_string()
    };
    let other = TrainOptions { wdl: 0.5, ..started.clone() };
    let given = refused(&other);
    assert!(given.contains("another training") && given.contains("wdl 0.3"), "{given}");
    let part = started.network.with_extension("nn.part");
    let mut state = std::fs::read(&part).unwrap();
    state[5_000] ^= 1;
    std::fs::write(&part, state).unwrap();
    assert!(refused(&started).contains("damaged; remove the file"));
}

#[test]
fn options_outside_their_range_and_missing_data_are_named() {
    let refused = |change: &dyn Fn(&mut TrainOptions)| {
        let mut options = options("refused");
        change(&mut options);
        train(&options, &Cancel::default(), &mut |_| ()).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&|o| o.width = 48),
        "the width must be one of [16, 32, 64, 128, 256, 512, 768], got 48"
    );
    assert_eq!(refused(&|o| o.king_buckets = 2), "king buckets must be one of [1, 3], got 2");
    assert_eq!(refused(&|o| o.buckets = 9), "buckets must be 1 to 8, got 9");
    assert_eq!(refused(&|o| o.wdl = 1.5), "the share of results must be 0 to 1, got 1.5");
    assert_eq!(
        refused(&|o| o.lambda = 1.0),
        "the factor lambda must be at least 0 and below 1, got 1"
    );
    assert!(refused(&|o| o.rate = f32::NAN).starts_with("the rate must be above 0"));
    let error = "imitating epochs must be fewer than all 6, got 6";
    assert_eq!(refused(&|o| o.imitate = 6), error);
    assert!(refused(&|o| o.epochs = 0).contains("at least 1"));
    assert!(refused(&|o| o.data = vec!["no/such".into()]).starts_with("cannot read no/such: "));
    assert!(refused(&|o| o.data.clear()).contains("0 positions to learn"));
}
