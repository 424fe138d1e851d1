//! Legality of positions of random games: none may be found illegal; the share of those with a game, and the time.
//!
//! `cargo run --release -p umbrail-proof --example legality -- [POSITIONS] [SEED] [SECONDS] [MIN_PLIES] [MAX_PLIES]`
//!
//! Defaults: 1000, 0, 2, 10, 120. SECONDS limits each position. The exit status is 1 if a position is found illegal.

use std::process::ExitCode;
use std::time::{Duration, Instant};
use umbrail_chess::{Position, SplitMix64};
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_proof::legality::{Legality, examine};

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let number = |at: usize, usual| numbers.get(at).copied().unwrap_or(usual);
    let (count, seed, seconds) = (number(0, 1000), number(1, 0), number(2, 2));
    let (least, most) = (number(3, 10), number(4, 120).max(number(3, 10)));
    let Ok(pool) = Pool::new(1) else { return ExitCode::FAILURE };
    let [mut legal, mut undecided, mut illegal] = [0_u64; 3];
    // Positions and legal ones by the tenth ply of their games.
    let mut by_length = std::collections::BTreeMap::<u64, [u64; 2]>::new();
    let begun = Instant::now();
    for at in 0..count {
        let mut random = SplitMix64::new(seed + at);
        let plies = least + random.below(most - least + 1);
        let mut position = Position::startpos();
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[random.below(moves.len() as u64) as usize]);
        }
        let setup = position.to_setup();
        let (clock, progress) = (Clock::started(Instant::now()), Progress::default());
        clock.limit(Duration::from_secs(seconds));
        let control = Control::new(Cancel::default(), &clock, &progress, &pool, &|()| {});
        let row = by_length.entry(plies / 10 * 10).or_default();
        row[0] += 1;
        match examine(&setup, &control).0 {
            Legality::Legal(_) => {
                row[1] += 1;
                legal += 1;
            }
            Legality::Undecided { .. } => undecided += 1,
            Legality::Illegal(arguments) => {
                illegal += 1;
                println!("ILLEGAL {setup}: {arguments:?}");
            }
        }
    }
    for (plies, [all, found]) in by_length {
        println!("from {plies} plies: {found} of {all} legal");
    }
    let time = begun.elapsed().as_secs_f64();
    println!(
        "{count} positions: {legal} legal, {undecided} undecided, {illegal} illegal; {time:.1} s"
    );
    if illegal == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
