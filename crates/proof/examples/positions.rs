//! Counts the games of one problem by the search of positions, and prints figures of the run.
//!
//! `cargo run --release -p umbrail-proof --example positions -- TARGET PLIES [THREADS [MIB]]`
//!
//! A problem of Gerd Wilts and Norbert Geissler (Phénix 28, 1994) has exactly one game:
//! `5k2/8/8/6B1/8/8/8/5K2 33`.

use std::error::Error;
use std::time::Instant;
use umbrail_chess::Position;
use umbrail_chess::geometry::Setup;
use umbrail_control::{Cancel, Clock, Control, Pool, Progress};
use umbrail_proof::positions::{
    PositionEvent, PositionProblem, PositionSettings, Turns, count_games,
};
use umbrail_proof::{Diagram, Length};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [target, plies, others @ ..] = words.as_slice() else {
        return Err("expected TARGET PLIES [THREADS [MIB]]".into());
    };
    let number =
        |at: usize, default: usize| others.get(at).map_or(Ok(default), |word| word.parse());
    let (threads, mib) = (number(0, 1)?, number(1, 256)?);
    let problem = PositionProblem {
        start: Position::startpos(),
        diagram: Diagram::from_setup(&target.parse::<Setup>()?)?,
        plies: plies.parse()?,
        length: Length::Exact,
        turns: Turns::Alternating,
    };
    let settings =
        PositionSettings { table_bytes: (mib as u64) << 20, ..PositionSettings::default() };
    let began = Instant::now();
    let (clock, progress, pool) = (Clock::started(began), Progress::default(), Pool::new(threads)?);
    let shown = |event: PositionEvent| println!("{event:?}");
    let control = Control::new(Cancel::default(), &clock, &progress, &pool, &shown);
    let report = count_games(&problem, &settings, None, &control);
    println!(
        "{} games, complete: {}, {} nodes, {:.2} s, faults: {:?}",
        report.count(),
        report.is_complete,
        report.nodes,
        began.elapsed().as_secs_f64(),
        report.faults
    );
    Ok(())
}
