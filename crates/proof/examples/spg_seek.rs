//! Counts the strategies of a diagram without searching them, and reports the speed.
//!
//! `cargo run --release -p umbrail-proof --example spg_seek -- PLACEMENT PLIES [MOST [RULES
//! [SHOWN]]]`
//!
//! Stops after MOST strategies (0: no limit), with the listed rules off, and prints every SHOWN-th
//! strategy.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;
use umbrail_control::Cancel;
use umbrail_proof::internals::{AllClaims, EnumerationOptions, enumerate_strategies};
use umbrail_proof::{Diagram, Length, Problem};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize| words.get(n).and_then(|word| word.parse::<u64>().ok()).unwrap_or(0);
    let setup = words.first().and_then(|word| word.replace(['S', 's'], "n").parse().ok());
    let Some(diagram) = setup.and_then(|setup| Diagram::from_setup(&setup).ok()) else {
        println!("expected a placement and a number of plies");
        return ExitCode::FAILURE;
    };
    let problem = Problem { diagram, plies: number(1) as u16, length: Length::Exact };
    let mut options = EnumerationOptions::default();
    if let Some(rules) = words.get(3).and_then(|word| word.parse().ok()) {
        options.rules = rules;
    }
    let (most, shown) = (number(2), number(4));
    let begun = Instant::now();
    let mut seen = 0u64;
    let sought =
        enumerate_strategies(&problem, &options, &AllClaims, &Cancel::default(), &mut |found| {
            seen += 1;
            if shown > 0 && seen.is_multiple_of(shown) {
                println!("{:?} {}", found.free, found.strategy);
            }
            if seen == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    let seconds = begun.elapsed().as_secs_f64();
    println!("{sought:?}");
    println!("{seconds:.2} s, {:.0} leaves a second", sought.found as f64 / seconds);
    ExitCode::SUCCESS
}
