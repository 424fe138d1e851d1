//! `umbrail tune`: the numbers of the hand-written evaluation, fitted to games.

use super::records::ToolRecord;
use clap::Args;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use umbrail_control::Cancel;
use umbrail_server::{complain, print_record};
use umbrail_training::{TuneFact, TuneOptions, tune};

/// Interval between progress reports within an epoch.
const REPORTED: Duration = Duration::from_secs(10);

/// What to fit to.
#[derive(Args)]
#[command(after_help = "Example: umbrail tune games --out numbers.txt --epochs 2")]
pub struct Tune {
    /// Game files and folders of them
    #[arg(value_name = "FILE", default_value = "games")]
    data: Vec<PathBuf>,
    /// The text file of the numbers: rows for crates/search/src/evaluate/tuned.rs
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Centipawns at which the expected score is 0.73; the margins of the search are made for 160
    #[arg(long, default_value_t = 160.0, value_name = "CP")]
    scale: f32,
    /// Share of the game's result in the target; the rest is the score of the search
    #[arg(long, default_value_t = 0.65, value_name = "SHARE")]
    wdl: f32,
    /// Passes over the positions
    #[arg(long, default_value_t = 20)]
    epochs: u32,
    /// Maximum number of positions, chosen at random
    #[arg(long, default_value_t = 4_000_000)]
    positions: usize,
    /// Seed of the choice and the order of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Fits until the numbers are written; a signal ends the process, and nothing is written then.
pub fn run(wish: Tune, threads: usize) -> u8 {
    let options = TuneOptions {
        data: wish.data,
        out: wish.out,
        scale: wish.scale,
        wdl: wish.wdl,
        epochs: wish.epochs,
        positions: wish.positions,
        seed: wish.seed,
        threads,
    };
    let (mut started, mut reported) = (Instant::now(), Instant::now());
    let mut notify = |fact: TuneFact| match fact {
        TuneFact::Data(learned, held, before) => {
            umbrail_control::print_error!(
                "{learned} positions to fit to and {held} held out, on which the numbers now have {before:.6}"
            );
            (started, reported) = (Instant::now(), Instant::now());
        }
        TuneFact::Positions(done, all) if reported.elapsed() >= REPORTED => {
            reported = Instant::now();
            let left = started.elapsed().as_secs_f64() * (all - done) as f64 / done as f64;
            umbrail_control::print_error!(
                "{:.1} %, {:.1} min left",
                100.0 * done as f64 / all as f64,
                left / 60.0
            );
        }
        TuneFact::Positions(..) => {}
        TuneFact::Epoch(loss) => umbrail_control::print_error!(
            "epoch {}: fitted {:.6}, held out {:.6}",
            loss.epoch,
            loss.learned,
            loss.held_out
        ),
    };
    match tune(&options, &Cancel::default(), &mut notify) {
        Ok(tuned) => {
            let (held_out_before, held_out) = tuned.losses;
            let file = options.out.display().to_string();
            let text =
                format!("wrote {file}; held out {held_out_before:.6} before, {held_out:.6} now\n");
            print_record(&ToolRecord::Fitted { file, held_out_before, held_out }, &text)
        }
        Err(error) => complain(&error.to_string()),
    }
}
