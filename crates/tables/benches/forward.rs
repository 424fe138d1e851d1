//! How long a builder takes that goes forward, the slow twin of the fast one; four men, compared as well. Some minutes.
//!
//!     cargo bench -p umbrail-tables --bench forward

#[path = "../tests/forward/position.rs"]
mod position;
#[path = "../tests/forward/solver.rs"]
#[allow(dead_code, reason = "only the tests search for mates")]
mod solver;
#[path = "../tests/forward/twins.rs"]
mod twins;

use solver::ForwardTables;
use std::time::Instant;
use twins::{agrees, table};

/// Seconds of the processor that this process has had, as Linux reports it; elsewhere the elapsed time.
fn seconds(since: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or("").split(' ');
    let ticks: Vec<f64> = fields.skip(12).take(2).filter_map(|field| field.parse().ok()).collect();
    if ticks.len() == 2 { (ticks[0] + ticks[1]) / 100.0 } else { since.elapsed().as_secs_f64() }
}

/// The time of both builders, on one thread each; the slow one stores no mirrors of four men.
fn main() {
    const ROUNDS: u32 = 20;
    let start = Instant::now();
    let mut tables = ForwardTables::default();
    let mut compare = |names: &[&str], folded: bool| {
        let started = seconds(start);
        names.iter().for_each(|name| tables.solve(name, folded));
        let slow = seconds(start) - started;
        let started = seconds(start);
        for _ in 0..ROUNDS {
            names.iter().for_each(|name| drop(table(name)));
        }
        let quick = (seconds(start) - started) / f64::from(ROUNDS);
        for name in names {
            agrees(&tables, name, &table(name), if folded { 101 } else { 1 });
        }
        let (names, times) = (names.join(" "), slow / quick);
        println!("{names}: forward {slow:.2} s, retrograde {quick:.4} s, {times:.0} times");
    };
    compare(&["KN.K", "KB.K", "KR.K", "KQ.K", "KP.K"], false);
    compare(&["KQQ.K"], true);
    compare(&["KBN.K"], true);
}
