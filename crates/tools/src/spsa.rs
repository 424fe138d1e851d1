//! `umbrail spsa`: the numbers of the search, tuned by games.

use super::records::ToolRecord;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_control::{Cancel, lock};
use umbrail_search::{CONSTANTS, Constant, SearchParams};
use umbrail_server::{complain, print_record};
use umbrail_training::{SpsaOptions, SpsaState, spsa};

/// Interval between progress reports.
const REPORTED: Duration = Duration::from_secs(10);

/// What to tune.
#[derive(Args)]
#[command(
    after_help = "Example: umbrail spsa --out lmr.spsa --pairs 2 --nodes 50 --only lmr_base,lmr_divisor"
)]
pub struct Spsa {
    /// File of the current values; the same command resumes a killed tuning
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    out: Option<PathBuf>,
    /// Pairs of games
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// Soft node limit of each move: no iteration begins beyond it
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Step of the last pair per point of its score, as a share of each value's step
    #[arg(long, default_value_t = 0.002)]
    rate: f64,
    /// Names of the numbers to tune, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Seed of the openings and directions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only list the numbers, with their defaults and ranges; `openbench` is the form that its pages take
    #[arg(long, value_enum, num_args = 0..=1, default_missing_value = "text")]
    list: Option<List>,
}

/// Form of the list of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum List {
    Text,
    Openbench,
}

/// Final step of a number for OpenBench, as a share of its range, and final gain.
const OPENBENCH: (f64, &str) = (0.05, "0.002");

/// Describes a number as OpenBench reads it: name, type, value, range, final step, final gain.
fn openbench_line(constant: &Constant) -> String {
    let Constant { name, default, min, max, .. } = constant;
    let (share, gain) = OPENBENCH;
    let step = (f64::from(max - min) * share).max(0.5);
    format!("{name}, int, {default}, {min}, {max}, {step}, {gain}\n")
}

/// Plays until there are enough pairs; a signal ends the process, and at most five seconds of games are lost.
pub fn run(wish: Spsa, threads: usize, params: &SearchParams) -> u8 {
    let Some(file) = wish.out.filter(|_| wish.list.is_none()) else {
        let show = |constant: &Constant| {
            let &Constant { name, default, min, max, help, .. } = constant;
            let record = ToolRecord::Constant { name, default, min, max, help };
            let text = match wish.list {
                Some(List::Openbench) => openbench_line(constant),
                _ => format!("{name} = {default} ({min} to {max}): {help}\n"),
            };
            print_record(&record, &text)
        };
        return CONSTANTS.iter().map(show).max().unwrap_or(0);
    };
    let find = |name: &str| CONSTANTS.iter().find(|it| it.name == name);
    let constants: Result<Vec<&Constant>, &String> = match wish.only.is_empty() {
        true => Ok(CONSTANTS.iter().collect()),
        false => wish.only.iter().map(|name| find(name).ok_or(name)).collect(),
    };
    let constants = match constants {
        Ok(constants) => constants,
        Err(name) => {
            return complain(&format!(
                "no constant of the search is named \"{name}\"; `umbrail spsa --list` names them"
            ));
        }
    };
    if !(wish.rate > 0.0 && wish.rate.is_finite()) {
        return complain(&format!("--rate is {}, expected a number above 0", wish.rate));
    }
    let params = SearchParams { own_book: false, ..params.clone() };
    let options = SpsaOptions {
        file,
        pairs: wish.pairs,
        nodes: wish.nodes,
        rate: wish.rate,
        seed: wish.seed,
        constants,
        threads,
        hash_mib: 4,
        params,
    };
    let started = Instant::now();
    let reported = Mutex::new((started, None));
    let notify = |state: &SpsaState| {
        let mut reported = lock(&reported);
        let first = *reported.1.get_or_insert(state.pairs_done - 1);
        if reported.0.elapsed() >= REPORTED {
            reported.0 = Instant::now();
            let pace = started.elapsed().as_secs_f64() / (state.pairs_done - first) as f64;
            let left = options.pairs.saturating_sub(state.pairs_done) as f64 * pace;
            let [won, drawn, lost] = state.games;
            umbrail_control::print_error!(
                "{} of {} pairs, raised values won {won}, drew {drawn}, lost {lost}, {:.1} h left",
                state.pairs_done,
                options.pairs,
                left / 3600.0
            );
        }
    };
    match spsa(&options, &Cancel::default(), &notify) {
        Ok(state) => {
            let [wins, draws, losses] = state.games;
            let (pairs, constants) = (state.pairs_done, state.constants().to_string());
            let text = format!(
                "{pairs} pairs; raised values won {wins}, drew {draws}, lost {losses}\n{constants}\n"
            );
            print_record(&ToolRecord::Tuned { pairs, wins, losses, draws, constants }, &text)
        }
        Err(error) => complain(&error.to_string()),
    }
}
