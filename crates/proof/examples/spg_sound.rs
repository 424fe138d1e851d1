//! The long soundness run: purposeful random games that no deduction may lose.
//!
//! `cargo run --release -p umbrail-proof --example spg_sound -- [GAMES] [SEED] [MIN_PLIES]
//! [MAX_PLIES] [STAGES] [RULES]`
//!
//! Defaults: 1000, 0, 14, 34, all, cycle. STAGES is `all` or a comma-separated list of enumerate,
//! follow, play, cases, solve. RULES is a list as for `spg --rules`, or `cycle`: each game with the
//! next of these sets: all, none, all but one, one alone. Every processor works on a game of its
//! own; a game and its checks depend on its seed alone. The exit status is 1 when a game is lost;
//! its shortest failing prefix is printed too.

use std::num::NonZero;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use umbrail_chess::Move;
use umbrail_proof::internals::{
    CheckLimits, CheckOutcome, CheckStage, GameStyle, SplitMix, check, random_game, rule_sets,
};
use umbrail_proof::{Length, Rules, san_of};

struct StrategyPlan {
    first: u64,
    games: u64,
    plies: (usize, usize),
    stages: Vec<CheckStage>,
    rules: Vec<Rules>,
}

fn plan() -> Result<StrategyPlan, String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize, usual: u64| match words.get(n) {
        None => Ok(usual),
        Some(word) => word.parse().map_err(|_| format!("\"{word}\" is not a number")),
    };
    let stage = |word: &str| {
        let found = CheckStage::ALL.into_iter().find(|stage| stage.to_string() == word);
        found.ok_or(format!("\"{word}\" is not a stage"))
    };
    let stages = match words.get(4).map_or("all", String::as_str) {
        "all" => CheckStage::ALL.to_vec(),
        list => list.split(',').map(stage).collect::<Result<_, _>>()?,
    };
    let rules = match words.get(5).map_or("cycle", String::as_str) {
        "cycle" => rule_sets(),
        list => vec![list.parse().map_err(|error| format!("{error}"))?],
    };
    let plies = (number(2, 14)? as usize, number(3, 34)? as usize);
    if plies.0 > plies.1 {
        return Err(format!("{} plies at least and {} at most", plies.0, plies.1));
    }
    Ok(StrategyPlan { first: number(1, 0)?, games: number(0, 1000)?, plies, stages, rules })
}

/// The shortest prefix of a game that is still lost.
fn shrink<'a>(game: &'a [Move], lost: &dyn Fn(&[Move]) -> bool) -> &'a [Move] {
    (1..game.len()).map(|end| &game[..end]).find(|part| lost(part)).unwrap_or(game)
}

fn main() -> ExitCode {
    let plan = match plan() {
        Ok(plan) => plan,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let [next, checks, undecided, lost] = [const { AtomicU64::new(0) }; 4];
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.games {
                break;
            }
            let seed = plan.first + number;
            let mut dice = SplitMix::new(!seed);
            let plies = plan.plies.0 + dice.roll(plan.plies.1 - plan.plies.0 + 1);
            let style =
                if dice.roll(8) == 0 { GameStyle::Tight(1) } else { GameStyle::Purposeful(1) };
            let game = random_game(style, plies, seed);
            let rules = plan.rules[seed as usize % plan.rules.len()];
            let length = if dice.roll(4) == 0 { Length::Parity } else { Length::Exact };
            for &stage in &plan.stages {
                let limits = CheckLimits::default();
                checks.fetch_add(1, Ordering::Relaxed);
                match check(&game, length, stage, rules, limits) {
                    CheckOutcome::WorkerCache => {}
                    CheckOutcome::Undecided => drop(undecided.fetch_add(1, Ordering::Relaxed)),
                    CheckOutcome::Lost(why) => {
                        lost.fetch_add(1, Ordering::Relaxed);
                        let is_lost = |part: &[Move]| {
                            matches!(
                                check(part, length, stage, rules, limits),
                                CheckOutcome::Lost(_)
                            )
                        };
                        let short = shrink(&game, &is_lost);
                        println!(
                            "LOST {style:?} seed {seed}, {length:?}, {stage}, rules {rules}: {why}\n  {}\n  {} plies \
                             suffice: {}",
                            san_of(&game).join(" "),
                            short.len(),
                            san_of(short).join(" ")
                        );
                    }
                }
            }
            if (number + 1).is_multiple_of(10_000) {
                eprintln!("{} games, {} lost", number + 1, lost.load(Ordering::Relaxed));
            }
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| (0..processors).for_each(|_| drop(scope.spawn(work))));
    let [checks, undecided, lost] = [checks, undecided, lost].map(AtomicU64::into_inner);
    println!("{} games, {checks} checks, {undecided} undecided, {lost} lost", plan.games);
    if lost == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
