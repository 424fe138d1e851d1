//! `umbrail train`: a network for the search from the games of `umbrail datagen`.

use super::records::ToolRecord;
use clap::Args;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use umbrail_control::Cancel;
use umbrail_server::{complain, print_record};
use umbrail_training::{Loss, TrainFact, TrainOptions, import, train};

/// Interval between progress reports within an epoch.
const REPORTED: Duration = Duration::from_secs(10);

/// What to train on, and how.
#[derive(Args)]
#[command(after_help = "Example: umbrail train games --out net.nn --epochs 3")]
pub struct Train {
    /// Game files and folders of them
    #[arg(value_name = "FILE", default_value = "games")]
    data: Vec<PathBuf>,
    /// File of the network; the same command resumes a killed training
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Initial network, of the same buckets and scale, instead of random weights; it has as many king buckets, or one.
    /// Its width may be smaller. If repeated, the mean of these networks
    #[arg(long, value_name = "FILE")]
    from: Vec<PathBuf>,
    /// Do not train: convert `quantised.bin` of bullet, of the given width, king buckets, buckets and scale, into a
    /// network
    #[arg(long, value_name = "FILE", conflicts_with_all = ["data", "from"])]
    import: Option<PathBuf>,
    /// Sums of one side: 16, 32, 64, 128, 256, 512 or 768
    #[arg(long, default_value_t = 32)]
    width: usize,
    /// King buckets: sets of first-layer weights, chosen by the own king's square: 1 or 3
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    king_buckets: usize,
    /// Output buckets by number of pieces, 1 to 8
    #[arg(long, default_value_t = 1)]
    buckets: usize,
    /// Centipawns for an output of 1
    #[arg(long, default_value_t = 400, value_name = "CP")]
    scale: u16,
    /// Centipawns for an output of 1 of the written network, if not --scale: multiplies all scores that the search sees
    #[arg(long, value_name = "CP", conflicts_with = "import")]
    output_scale: Option<u16>,
    /// Share of the game's result in the target; the rest is the score of the search
    #[arg(long, default_value_t = 0.3, value_name = "SHARE")]
    wdl: f32,
    /// Share of the later scores of the game in that of the scores, and the factor from each of them to the next
    #[arg(long, default_value_t = 0.0, value_name = "FACTOR")]
    lambda: f32,
    /// Passes over all positions
    #[arg(long, default_value_t = 40)]
    epochs: u32,
    /// Number of first passes that learn the hand-written evaluation, on random neighbors of the positions
    #[arg(long, default_value_t = 0, value_name = "EPOCHS")]
    imitate: u32,
    /// Number of last passes with weights rounded as in the network
    #[arg(long, default_value_t = 0, value_name = "EPOCHS")]
    rounded: u32,
    /// Factor of the past in a running mean of the weights, which the network gets (try 0.999); 0: the last weights
    #[arg(long, default_value_t = 0.0, value_name = "FACTOR")]
    mean: f32,
    /// Power of the error that training minimizes: 2 or 2.5
    #[arg(long, default_value = "2", value_name = "POWER", value_parser = loss)]
    loss: Loss,
    /// Positions of one step
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// Initial learning rate, multiplied by 0.3 after 50, 70 and 85 % of the epochs that follow --imitate
    #[arg(long, default_value_t = 0.001)]
    rate: f32,
    /// Seed of the first weights and of the order of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Reads the value of `--loss`.
fn loss(text: &str) -> Result<Loss, &'static str> {
    match text {
        "2" => Ok(Loss::Squared),
        "2.5" => Ok(Loss::TwoAndAHalf),
        _ => Err("expected 2 or 2.5"),
    }
}

/// Trains until the network is written; a signal ends the process, and every complete epoch is kept.
pub fn run(wish: Train, threads: usize) -> u8 {
    let options = TrainOptions {
        data: wish.data,
        network: wish.out,
        start: wish.from,
        width: wish.width,
        king_buckets: wish.king_buckets,
        buckets: wish.buckets,
        scale: wish.scale,
        output_scale: wish.output_scale,
        wdl: wish.wdl,
        lambda: wish.lambda,
        epochs: wish.epochs,
        imitate: wish.imitate,
        rounded: wish.rounded,
        mean: wish.mean,
        loss: wish.loss,
        batch: wish.batch,
        rate: wish.rate,
        seed: wish.seed,
        threads,
    };
    if let Some(file) = wish.import {
        return match import(&file, &options) {
            Ok(network) => {
                let (file, network) = (options.network.display().to_string(), network.to_string());
                let text = format!("{file}: {network}\n");
                print_record(&ToolRecord::Trained { file, network, held_out: None }, &text)
            }
            Err(error) => complain(&error.to_string()),
        };
    }
    let (mut started, mut reported) = (Instant::now(), Instant::now());
    let epochs = options.epochs;
    let mut left = String::new();
    let mut notify = |fact: TrainFact<'_>| match fact {
        TrainFact::Data { files, positions: (learned, held), by_hand } => {
            umbrail_control::print_error!(
                "{learned} positions to learn and {held} held out, from {} files; held out, the hand-written \
                 evaluation has {:.6}, and {:.6} when multiplied by {:.2}",
                files.len(),
                by_hand.plain,
                by_hand.best,
                by_hand.factor
            );
            (started, reported) = (Instant::now(), Instant::now());
        }
        TrainFact::Resumed(done) => {
            umbrail_control::print_error!("continues after epoch {done} of {epochs}")
        }
        TrainFact::Positions(done, all) => {
            let seconds = started.elapsed().as_secs_f64();
            let speed = done as f64 / seconds;
            let minutes = (all - done) as f64 / speed / 60.0;
            left = format!("{speed:.0} positions/s, {minutes:.1} min left");
            if reported.elapsed() >= REPORTED {
                reported = Instant::now();
                umbrail_control::print_error!("{:.1} %, {left}", 100.0 * done as f64 / all as f64);
            }
        }
        TrainFact::Epoch(loss) => {
            reported = Instant::now();
            umbrail_control::print_error!(
                "epoch {} of {epochs}: learned {:.6}, held out {:.6}; {left}",
                loss.epoch,
                loss.learned,
                loss.held_out
            );
        }
    };
    let path = options.network.display();
    match train(&options, &Cancel::default(), &mut notify) {
        Ok(trained) => {
            let (network, held_out) = (trained.network.to_string(), trained.held_out);
            let text = format!("{path}: {network}; held out {held_out:.6}\n");
            let file = path.to_string();
            print_record(&ToolRecord::Trained { file, network, held_out: Some(held_out) }, &text)
        }
        Err(error) => complain(&error.to_string()),
    }
}
