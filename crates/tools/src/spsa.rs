//! `umbrail spsa`: the numbers of the search, tuned by games.

use super::records::ToolRecord;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_control::{Cancel, lock};
use umbrail_search::{CONSTANTS, Constant, ConstantsError, SearchParams};
use umbrail_server::{complain, print_record};
use umbrail_training::{
    Factor, PlayLimit, ScreenOptions, ScreenState, SpsaOptions, SpsaState, screen, spsa,
};

/// Interval between progress reports.
const REPORTED: Duration = Duration::from_secs(10);

/// Size of the table of each engine, MiB.
const HASH_MIB: usize = 4;

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
    /// A clock in place of the limit of nodes, on which nodes stand for time: 8+0.08@60 counts 60 for a millisecond
    #[arg(long, value_name = "CLOCK", conflicts_with = "nodes")]
    clock: Option<PlayLimit>,
    /// Step of the last pair per point of its score, as a share of each value's step
    #[arg(long, default_value_t = 0.002)]
    rate: f64,
    /// Names of the numbers to tune, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Seed of the openings and directions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Do not tune: estimate the effects of these values, such as lmr_base=77:85,null_margin=15:12, all at once
    #[arg(long, value_name = "NAME=A:B,...", value_delimiter = ',', conflicts_with_all = ["only", "rate"])]
    screen: Vec<String>,
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
    let Some(file) = wish.out.clone().filter(|_| wish.list.is_none()) else {
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
    if !wish.screen.is_empty() {
        return run_screen(file, &wish, threads, params);
    }
    let constants: Result<Vec<&Constant>, NameError> = match wish.only.is_empty() {
        true => Ok(CONSTANTS.iter().filter(|it| wish.clock.is_some() || !is_of_time(it)).collect()),
        false => wish.only.iter().map(|name| wish.find(name)).collect(),
    };
    let constants = match constants {
        Ok(constants) => constants,
        Err(error) => return complain(&error.to_string()),
    };
    if !(wish.rate > 0.0 && wish.rate.is_finite()) {
        return complain(&format!("--rate is {}, expected a number above 0", wish.rate));
    }
    let params = SearchParams { own_book: false, ..params.clone() };
    let options = SpsaOptions {
        file,
        pairs: wish.pairs,
        limit: wish.clock.unwrap_or(PlayLimit::Nodes(wish.nodes)),
        rate: wish.rate,
        seed: wish.seed,
        constants,
        threads,
        hash_mib: HASH_MIB,
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

/// Returns true if a constant divides the time of a game, so that it has no effect at fixed nodes.
fn is_of_time(constant: &Constant) -> bool {
    constant.name.starts_with("time_")
}

/// Reason why an argument names no constant to tune, or no two values of one.
#[derive(Debug, thiserror::Error)]
enum NameError {
    /// Not of the form `name=a:b`.
    #[error("--screen has \"{0}\", expected NAME=A:B, such as lmr_base=77:85")]
    Form(String),
    /// No such constant, or a value outside its range.
    #[error("{0}")]
    Constant(#[from] ConstantsError),
    /// Games at fixed nodes do not use this constant.
    #[error("{0} divides the time of a game: expected --clock, such as --clock 8+0.08@60")]
    Time(&'static str),
}

impl Spsa {
    /// Returns the constant of this name if the games use it.
    fn find(&self, name: &str) -> Result<&'static Constant, NameError> {
        let named = CONSTANTS.iter().find(|it| it.name == name);
        let constant = named.ok_or_else(|| ConstantsError::Unknown(name.into()))?;
        match self.clock.is_none() && is_of_time(constant) {
            true => Err(NameError::Time(constant.name)),
            false => Ok(constant),
        }
    }

    /// Parses `name=a:b`.
    fn factor(&self, text: &str) -> Result<Factor, NameError> {
        let wrong = || NameError::Form(text.into());
        let (name, values) = text.split_once('=').ok_or_else(wrong)?;
        let (first, second) = values.split_once(':').ok_or_else(wrong)?;
        let constant = self.find(name)?;
        let read = |value: &str| {
            let Constant { min, max, .. } = *constant;
            (value.parse().ok().filter(|value| (min..=max).contains(value)))
                .ok_or_else(|| ConstantsError::Range(constant.name, min, max, value.into()))
        };
        Ok(Factor { constant, values: [read(first)?, read(second)?] })
    }
}

/// Estimates effects; a signal ends the process, and at most five seconds of games are lost.
fn run_screen(file: PathBuf, wish: &Spsa, threads: usize, params: &SearchParams) -> u8 {
    let factors: Result<Vec<Factor>, NameError> =
        wish.screen.iter().map(|it| wish.factor(it)).collect();
    let factors = match factors {
        Ok(factors) => factors,
        Err(error) => return complain(&error.to_string()),
    };
    let params = SearchParams { own_book: false, ..params.clone() };
    let options = ScreenOptions {
        file,
        pairs: wish.pairs,
        limit: wish.clock.unwrap_or(PlayLimit::Nodes(wish.nodes)),
        seed: wish.seed,
        factors,
        threads,
        hash_mib: HASH_MIB,
        params,
    };
    let reported = Mutex::new(Instant::now());
    let notify = |state: &ScreenState| {
        let mut reported = lock(&reported);
        if reported.elapsed() >= REPORTED {
            *reported = Instant::now();
            let half = state.effects().first().map_or(0.0, |&(_, half)| half);
            umbrail_control::print_error!(
                "{} of {} pairs, effects within {half:.1} Elo",
                state.pairs_done,
                options.pairs
            );
        }
    };
    let state = match screen(&options, &Cancel::default(), &notify) {
        Ok(state) => state,
        Err(error) => return complain(&error.to_string()),
    };
    let mut effects: Vec<_> = options.factors.iter().zip(state.effects()).collect();
    effects.sort_by(|one, other| other.1.0.total_cmp(&one.1.0));
    let pairs = state.pairs_done;
    let show = |&(factor, (elo, half)): &(&Factor, (f64, f64))| {
        let (name, values) = (factor.constant.name, factor.values);
        let [first, second] = values;
        let text = format!("{elo:+6.1} \u{b1} {half:.1} {name} {second} instead of {first}\n");
        print_record(&ToolRecord::Effect { name, values, elo, half, pairs }, &text)
    };
    effects.iter().map(show).max().unwrap_or(0)
}
