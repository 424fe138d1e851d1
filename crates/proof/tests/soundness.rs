//! Purposeful random games must survive every deduction; the long run is `cargo run --release -p umbrail-proof --example spg_sound`.

use rayon::prelude::*;
use umbrail_chess::Move;
use umbrail_proof::internals::{
    CheckLimits, CheckOutcome, CheckStage, GameStyle, check, random_game, rule_sets,
};
use umbrail_proof::{Length, Rules, game_of, san_of};

fn lost(game: &[Move], length: Length, stage: CheckStage, rules: Rules) -> Option<String> {
    // Debug builds are slow; a check that is given up decides nothing.
    let limits = CheckLimits { moves: 5_000, ..CheckLimits::default() };
    match check(game, length, stage, rules, limits) {
        CheckOutcome::Lost(why) => {
            let moves = san_of(game).join(" ");
            Some(format!("{stage}, {length:?}, rules {rules}: {why}: {moves}"))
        }
        CheckOutcome::WorkerCache | CheckOutcome::Undecided => None,
    }
}

/// The games of these seeds at one stage, each with the next set of rules.
fn none_is_lost(seeds: std::ops::Range<u64>, stage: CheckStage, rules: &[Rules]) {
    let faults: Vec<String> = seeds
        .into_par_iter()
        .filter_map(|seed| {
            let game = random_game(GameStyle::Purposeful(1), 14 + (seed % 21) as usize, seed);
            let length = if seed % 4 == 0 { Length::Parity } else { Length::Exact };
            lost(&game, length, stage, rules[seed as usize % rules.len()])
        })
        .collect();
    assert!(faults.is_empty(), "{} lost, such as {}", faults.len(), faults[0]);
}

/// Games that a rule once lost, with what the rule had missed.
const ONCE_LOST: [(&str, &str); 6] = [
    (
        "B. Graefrath, Orbit 2012: a castled rook is taken where castling put it (B3, P0)",
        "d4 Nc6 Be3 Nxd4 Qxd4 c6 Nd2 Qa5 O-O-O b6 Ndf3 Qe1 Nh3 Qxf1 Kd2 Qxd1+ Rxd1 Ba6 Ke1 Bb5 \
         Kf1 Ba4 Kg1 b5 Rf1",
    ),
    (
        "a castled rook is taken on d8, and the king takes back (B4)",
        "f4 d6 f5 Nf6 h3 Bd7 b4 Nc6 d3 e5 fxe6 Nd5 Qd2 Nc3 Qxc3 g5 Bxg5 Qxg5 Qxh8 O-O-O Qxf8 Nxb4 \
         exd7+ Kxd7 Qxd8+ Kxd8",
    ),
    (
        "a castled rook is taken on f8, and the queen takes back (B4)",
        "Nf3 e6 b4 Bxb4 Ng5 b5 e3 Bd6 h4 Nh6 Nxe6 Qxh4 Nf4 Qd8 Bb2 O-O Bxg7 Na6 Bxf8 Qxf8",
    ),
    (
        "both sides castle, and a rook takes on f8 with check",
        "f4 g5 c3 gxf4 a3 f5 Qc2 Nh6 e3 e5 g4 fxe3 Bg2 Bxa3 Nh3 O-O Rxa3 Nxg4 O-O d6 Ng5 Qxg5 Qxf5 \
         Qxf5 Ra4 Nh6 Rh4 Qe4 Rxf8+ Kxf8",
    ),
    (
        "a knight takes on f8 a rook that has castled, and the king takes back",
        "h3 c5 Nf3 Nh6 Rg1 Nf5 b4 Ng3 fxg3 cxb4 e4 f6 Na3 a5 Nd4 b3 Qf3 e5 cxb3 Bd6 Bb2 O-O Ne6 \
         Qc7 Nxf8 b5 Bxb5 Kxf8",
    ),
    (
        "White's castled rook is taken on f1 after a bishop left that square",
        "Nf3 Nh6 e3 d6 Nd4 Bh3 Qg4 Bxg2 Qf5 Bxf1 Ne6 Bh3 b3 Bxf5 O-O Na6 a3 Bh3 Nxf8 Rxf8 c3 Bxf1 \
         Kxf1",
    ),
];

#[test]
fn games_that_rules_once_lost_are_kept() {
    for (name, moves) in ONCE_LOST {
        let game = game_of(moves).unwrap();
        for stage in
            [CheckStage::Enumerate, CheckStage::Follow, CheckStage::Play, CheckStage::Cases]
        {
            for length in [Length::Exact, Length::Parity] {
                for rules in rule_sets() {
                    assert_eq!(lost(&game, length, stage, rules), None, "{name}");
                }
            }
        }
    }
}

#[test]
fn the_whole_solver_finds_graefraths_game() {
    let game = game_of(ONCE_LOST[0].1).unwrap();
    assert_eq!(lost(&game, Length::Exact, CheckStage::Solve, Rules::default()), None);
}

#[test]
fn no_strategy_of_a_purposeful_game_is_left_out() {
    none_is_lost(0..3000, CheckStage::Enumerate, &rule_sets());
}

#[test]
fn no_purposeful_game_is_lost_by_all_rules_together() {
    none_is_lost(0..1500, CheckStage::Follow, &[Rules::default()]);
    none_is_lost(1500..3000, CheckStage::Play, &[Rules::default()]);
}

#[test]
fn no_purposeful_game_is_lost_by_a_rule_alone_or_by_all_but_one() {
    none_is_lost(3000..3900, CheckStage::Follow, &rule_sets());
    none_is_lost(4000..4300, CheckStage::Play, &rule_sets());
}

#[test]
fn no_purposeful_game_is_lost_in_cases() {
    none_is_lost(5000..5060, CheckStage::Cases, &rule_sets());
}
