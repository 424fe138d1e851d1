//! Tuning of search constants by games: simultaneous perturbation stochastic approximation.
//!
//! Each pair of games compares two neighbors of the current values. All values are perturbed at
//! once by steps of random sign, and then moved towards the side that scored more (James Spall,
//! "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", 1992; step sizes as in Stockfish's testing framework since 2013).

mod state;

use crate::pairs::{on_threads, play_pair, random_opening};
use crate::play_limit::PlayLimit;
use crate::random::{RandomNumbers, mixed};
use crate::self_play_engine::SelfPlayEngine;
pub use state::{SpsaError, SpsaState, TunedConstant};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use umbrail_control::{Cancel, Pool, lock};
use umbrail_search::{Constant, SearchConstants, SearchParams};

/// Decay of the gain (Spall's alpha) and of the step (Spall's gamma).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// Share of the pairs that damps the first gains (Spall's A).
const STABILITY: f64 = 0.1;
/// Final step as a share of the constant's range; at least half a unit.
const STEP_SHARE: f64 = 0.05;
/// Interval between two writes of the state.
const WRITTEN: Duration = Duration::from_secs(5);

/// Options of the tuning.
#[derive(Clone, Debug)]
pub struct SpsaOptions {
    /// File of the state, from which an interrupted tuning continues.
    pub file: PathBuf,
    /// Number of pairs of games, at least one.
    pub pairs: u64,
    /// Limit of the moves of each engine.
    pub limit: PlayLimit,
    /// Gain of the last pair for each point of its score, as a share of the step; 0.002 is usual
    /// for 50,000 pairs.
    pub rate: f64,
    /// Seed of openings and directions.
    pub seed: u64,
    /// Constants to tune, at least one.
    pub constants: Vec<&'static Constant>,
    /// Number of threads, each with two engines.
    pub threads: usize,
    /// Size of the transposition table of each engine, MiB.
    pub hash_mib: usize,
    /// Parameters of the search; its constants are the initial values.
    pub params: SearchParams,
}

/// Plays pairs of games until there are enough or `cancel` is raised; reports the state after each
/// pair.
///
/// The state is written every five seconds and at the end. With one thread the options determine
/// the values, even after interruptions; with several threads the values depend on the order in
/// which the pairs end.
///
/// # Errors
/// [`SpsaError`]; the contents of the file are kept.
pub fn spsa(
    options: &SpsaOptions,
    cancel: &Cancel,
    notify: &(dyn Fn(&SpsaState) + Sync),
) -> Result<SpsaState, SpsaError> {
    let state = SpsaState::open(options)?;
    let started = state.pairs_done;
    let shared = Mutex::new((state, started, Instant::now()));
    let played = on_threads(options.threads, |pool: &Pool| -> Result<(), SpsaError> {
        let mut players = [
            SelfPlayEngine::new(pool, &options.params, options.hash_mib, options.limit)?,
            SelfPlayEngine::new(pool, &options.params, options.hash_mib, options.limit)?,
        ];
        loop {
            let (pair, tuned) = {
                let mut shared = lock(&shared);
                if shared.1 >= options.pairs || cancel.is_raised() {
                    return Ok(());
                }
                shared.1 += 1;
                (shared.1 - 1, shared.0.tuned.clone())
            };
            let gains = Gains::new(pair, options);
            let mut random = RandomNumbers::new(options.seed, pair);
            let signs: Vec<f64> =
                tuned.iter().map(|_| if random.below(2) == 0 { -1.0 } else { 1.0 }).collect();
            let rounding: Vec<f64> =
                tuned.iter().map(|_| random.below(1 << 16) as f64 / 65_536.0).collect();
            for (player, side) in players.iter_mut().zip([1.0, -1.0]) {
                let mut constants = options.params.constants;
                for (at, number) in tuned.iter().enumerate() {
                    let value = number.value + side * signs[at] * number.step * gains.step;
                    number.play(&mut constants, value, rounding[at]);
                }
                player.params.constants = constants;
            }
            let start = random_opening(&mut players[0], mixed(options.seed) ^ pair, cancel);
            let Some(score) = start.and_then(|start| play_pair(&mut players, &start, cancel))
            else {
                return Ok(());
            };
            let mut shared = lock(&shared);
            let state = &mut shared.0;
            for (number, sign) in state.tuned.iter_mut().zip(&signs) {
                let moved = gains.rate * gains.step * number.step * f64::from(score.sum()) * sign;
                let range = f64::from(number.constant.min)..=f64::from(number.constant.max);
                number.value = (number.value + moved).clamp(*range.start(), *range.end());
            }
            state.pairs_done += 1;
            state.games[0] += u64::from(score.won);
            state.games[1] += u64::from(2 - score.won - score.lost);
            state.games[2] += u64::from(score.lost);
            notify(state);
            if shared.2.elapsed() >= WRITTEN {
                shared.0.write(options)?;
                shared.2 = Instant::now();
            }
        }
    });
    let state = lock(&shared).0.clone();
    state.write(options)?;
    played?;
    Ok(state)
}

/// Step and gain of one pair.
#[derive(Clone, Copy, Debug)]
struct Gains {
    /// Factor of the final step.
    step: f64,
    /// Gain for each point of the score, as a share of this pair's step.
    rate: f64,
}

impl Gains {
    fn new(pair: u64, options: &SpsaOptions) -> Self {
        let (at, end) = (pair as f64 + 1.0, options.pairs as f64);
        let stability = STABILITY * end;
        let step = (end / at).powf(GAMMA).max(1.0);
        let gain = ((stability + end) / (stability + at)).powf(ALPHA);
        // The gain is multiplied by the square of the step.
        Self { step, rate: options.rate * gain / (step * step) }
    }
}

impl TunedConstant {
    /// Sets the constant for a game: the value within its range, rounded up with the probability of
    /// its fraction.
    fn play(&self, constants: &mut SearchConstants, value: f64, rounding: f64) {
        let value = (value + rounding).floor() as i32;
        (self.constant.set)(constants, value.clamp(self.constant.min, self.constant.max));
    }

    /// Returns the final step of a search constant.
    fn step(constant: &Constant) -> f64 {
        (f64::from(constant.max - constant.min) * STEP_SHARE).max(0.5)
    }
}

#[cfg(test)]
mod tests;
