//! Estimation of the effects of many search constants at once, by a random factorial design.
//!
//! Each pair of games sets every constant to one of its two values at random for the first engine,
//! and to the other value for the second one. The mean result of the pairs, each counted for the
//! side that had the second value, estimates the effect of that value. Every pair contributes to the
//! estimate of every constant: fifty constants need no more games than one. Effects are averages
//! over the other constants: two values that help only together are not found.

use crate::pairs::{on_threads, play_pair, random_opening};
use crate::play_limit::PlayLimit;
use crate::random::{RandomNumbers, mixed};
use crate::self_play_engine::{SelfPlayEngine, SelfPlayError};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_control::{
    Cancel, FILE_BYTES_MAX, Pool, ReadError, Unreadable, WriteError, lock, read_own, text_of,
    write_whole,
};
use umbrail_search::{Constant, SearchParams};

/// First line of the state file.
const TITLE: &str = "umbrail screen 1";
/// Interval between two writes of the state.
const WRITTEN: Duration = Duration::from_secs(5);
/// Standard deviations of a 95 % interval.
const DEVIATIONS: f64 = 1.96;

/// Constant with the two values that are compared.
#[derive(Clone, Copy, Debug)]
pub struct Factor {
    /// The constant.
    pub constant: &'static Constant,
    /// Values within its range.
    pub values: [i32; 2],
}

/// Options of an estimation.
#[derive(Clone, Debug)]
pub struct ScreenOptions {
    /// File of the state, from which an interrupted estimation continues.
    pub file: PathBuf,
    /// Number of pairs of games, at least one.
    pub pairs: u64,
    /// Limit of the moves of each engine.
    pub limit: PlayLimit,
    /// Seed of openings and values.
    pub seed: u64,
    /// Constants to compare, at least one.
    pub factors: Vec<Factor>,
    /// Number of threads, each with two engines.
    pub threads: usize,
    /// Size of the transposition table of each engine, MiB.
    pub hash_mib: usize,
    /// Parameters of the search; other constants keep their values.
    pub params: SearchParams,
}

/// Results so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenState {
    /// Number of pairs played.
    pub pairs_done: u64,
    /// Sum over the pairs of the squared difference between wins and losses.
    squares: u64,
    /// For each constant, wins less losses of the side with the second value.
    sums: Vec<i64>,
}

/// Reason why an estimation ended early.
#[derive(Debug, thiserror::Error)]
pub enum ScreenError {
    /// The file cannot be read.
    #[error("{0}")]
    Read(ReadError),
    /// The file cannot be written.
    #[error("{0}")]
    Write(WriteError),
    /// The file does not continue an estimation with these options.
    #[error("{0} is not a state of this estimation; give the same options, or another --out")]
    Other(PathBuf),
    /// An engine cannot be created.
    #[error("{0}")]
    SelfPlayEngine(#[from] SelfPlayError),
}

impl ScreenState {
    /// Returns the difference in Elo that the second value of each constant makes, and half of its
    /// 95 % interval.
    pub fn effects(&self) -> Vec<(f64, f64)> {
        let pairs = self.pairs_done.max(1) as f64;
        // A pair of two games has a difference of wins and losses of -2 to 2.
        let elo =
            |mean: f64| -400.0 * (1.0 / (0.5 + mean / 4.0).clamp(1e-6, 1.0 - 1e-6) - 1.0).log10();
        let half = elo(DEVIATIONS * (self.squares as f64).sqrt() / pairs);
        self.sums.iter().map(|&sum| (elo(sum as f64 / pairs), half)).collect()
    }

    fn head(options: &ScreenOptions) -> String {
        let mut head = format!("{TITLE}\nnodes {}\nseed {}\n", options.limit, options.seed);
        head += &format!("start {}\n", options.params.constants);
        for Factor { constant, values: [first, second] } in &options.factors {
            head += &format!("{}={first}:{second}\n", constant.name);
        }
        head
    }

    /// Reads the state from the file of the options, or returns a new one if there is no file.
    fn open(options: &ScreenOptions) -> Result<Self, ScreenError> {
        let path = &options.file;
        let text = match read_own(path, FILE_BYTES_MAX) {
            Ok(bytes) => text_of(bytes),
            Err(error) if error.reason == Unreadable::Absent => {
                return Ok(Self {
                    pairs_done: 0,
                    squares: 0,
                    sums: vec![0; options.factors.len()],
                });
            }
            Err(error) => return Err(ScreenError::Read(error)),
        };
        let other = || ScreenError::Other(path.clone());
        let rest = text.strip_prefix(&Self::head(options)).ok_or_else(other)?;
        let numbers: Result<Vec<i64>, _> = rest.split_whitespace().map(str::parse).collect();
        match numbers.as_deref() {
            Ok([pairs, squares, sums @ ..])
                if *pairs >= 0 && *squares >= 0 && sums.len() == options.factors.len() =>
            {
                Ok(Self {
                    pairs_done: *pairs as u64,
                    squares: *squares as u64,
                    sums: sums.to_vec(),
                })
            }
            _ => Err(other()),
        }
    }

    /// Writes the file atomically.
    fn write(&self, options: &ScreenOptions) -> Result<(), ScreenError> {
        let written = write_whole(&options.file, |out| {
            write!(out, "{}{} {}", Self::head(options), self.pairs_done, self.squares)?;
            self.sums.iter().try_for_each(|sum| write!(out, " {sum}"))?;
            writeln!(out)
        });
        written.map_err(ScreenError::Write)
    }
}

/// Plays pairs of games until there are enough or `cancel` is raised; reports the state after each
/// pair.
///
/// The state is written every five seconds and at the end. With one thread the options determine
/// the result, even after interruptions.
///
/// # Errors
/// [`ScreenError`]; the contents of the file are kept.
pub fn screen(
    options: &ScreenOptions,
    cancel: &Cancel,
    notify: &(dyn Fn(&ScreenState) + Sync),
) -> Result<ScreenState, ScreenError> {
    let state = ScreenState::open(options)?;
    let started = state.pairs_done;
    let shared = Mutex::new((state, started, Instant::now()));
    on_threads(options.threads, |pool: &Pool| -> Result<(), ScreenError> {
        let engine = || SelfPlayEngine::new(pool, &options.params, options.hash_mib, options.limit);
        let mut players = [engine()?, engine()?];
        loop {
            let pair = {
                let mut shared = lock(&shared);
                if shared.1 >= options.pairs || cancel.is_raised() {
                    return Ok(());
                }
                shared.1 += 1;
                shared.1 - 1
            };
            let mut random = RandomNumbers::new(options.seed, pair);
            // The index of the first player's value.
            let drawn: Vec<usize> = options.factors.iter().map(|_| random.below(2)).collect();
            for (side, player) in players.iter_mut().enumerate() {
                let mut constants = options.params.constants;
                for (factor, &first) in options.factors.iter().zip(&drawn) {
                    (factor.constant.set)(&mut constants, factor.values[first ^ side]);
                }
                player.params.constants = constants;
            }
            let start = random_opening(&mut players[0], mixed(options.seed) ^ pair, cancel);
            let Some(score) = start.and_then(|start| play_pair(&mut players, &start, cancel))
            else {
                return Ok(());
            };
            let score = i64::from(score.sum());
            let mut shared = lock(&shared);
            let state = &mut shared.0;
            for (sum, &first) in state.sums.iter_mut().zip(&drawn) {
                *sum += if first == 1 { score } else { -score };
            }
            state.squares += (score * score) as u64;
            state.pairs_done += 1;
            notify(state);
            if shared.2.elapsed() >= WRITTEN {
                shared.0.write(options)?;
                shared.2 = Instant::now();
            }
        }
    })?;
    let state = lock(&shared).0.clone();
    state.write(options)?;
    Ok(state)
}

#[cfg(test)]
mod tests {
    use super::{Factor, PlayLimit, ScreenError, ScreenOptions, ScreenState, screen};
    use umbrail_control::Cancel;
    use umbrail_search::{CONSTANTS, SearchParams};

    fn options(name: &str, pairs: u64) -> ScreenOptions {
        let factor = |name: &str, values| {
            let constant = CONSTANTS.iter().find(|it| it.name == name).unwrap();
            Factor { constant, values }
        };
        ScreenOptions {
            file: std::env::temp_dir()
                .join(format!("umbrail-screen-{name}-{}", std::process::id())),
            pairs,
            limit: PlayLimit::Nodes(60),
            seed: 3,
            factors: vec![factor("quiescence_margin", [350, 60]), factor("lmr_base", [70, 80])],
            threads: 1,
            hash_mib: 1,
            params: SearchParams { use_nnue: false, ..SearchParams::default() },
        }
    }

    #[test]
    fn a_stopped_estimation_goes_on_to_the_same_effects() {
        let (whole, parts) = (options("whole", 6), options("parts", 6));
        let all = screen(&whole, &Cancel::default(), &|_| ()).unwrap();
        assert_eq!(all.pairs_done, 6);
        let cancel = Cancel::default();
        let notify = |state: &ScreenState| {
            if state.pairs_done == 2 {
                cancel.raise();
            }
        };
        assert_eq!(screen(&parts, &cancel, &notify).unwrap().pairs_done, 2);
        assert_eq!(screen(&parts, &Cancel::default(), &|_| ()).unwrap(), all);
        let other = ScreenOptions { limit: PlayLimit::Nodes(61), ..parts.clone() };
        let refused = screen(&other, &Cancel::default(), &|_| ());
        assert!(matches!(refused, Err(ScreenError::Other(_))));
        for options in [whole, parts] {
            std::fs::remove_file(&options.file).unwrap();
        }
    }

    #[test]
    fn effects_are_differences_in_elo_with_intervals() {
        // Of 400 pairs the second value won 100 more games than it lost: 56.25 %.
        let state = ScreenState { pairs_done: 400, squares: 400, sums: vec![100, 0] };
        let effects = state.effects();
        assert!((effects[0].0 - 43.66).abs() < 0.01, "{effects:?}");
        assert!((effects[1].0).abs() < 1e-9 && (effects[1].1 - 17.04).abs() < 0.01, "{effects:?}");
    }
}
