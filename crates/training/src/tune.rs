//! Tuning of the hand-written evaluation by games: Peter Österlund's method ("Texel's tuning
//! method", 2014) with gradients instead of local search (Andrew Grant's tuner of Ethereal, 2020).
//!
//! For each position the evaluation is a sparse linear form in the weights, once the phase and the
//! scale of the endgame are known, so one evaluation is one dot product. All weights are fitted at
//! once by Adam on the squared error of the expected score.

use crate::dataset::{Dataset, LabelledPosition};
use crate::losses::EpochLoss;
use crate::random::RandomNumbers;
use crate::target::Target;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use std::io;
use std::path::PathBuf;
use umbrail_control::{Cancel, Pool, WriteError, write_whole};
use umbrail_search::features::{COUNT, PLACEMENT, WEIGHTS, coefficients, drive};

/// Number of positions per step.
const BATCH: usize = 16_384;
/// Number of parts of a batch, each with its own gradient; independent of the number of threads.
const PARTS: usize = 16;
/// Full phase of the middlegame, and full scale of the endgame, in the units of the evaluation.
const PHASE: f32 = 24.0;
const END_SCALE: f32 = 64.0;

/// Middlegame and endgame half of each weight.
type Numbers = Vec<[f32; 2]>;

/// Options of the tuning.
#[derive(Clone, Debug)]
pub struct TuneOptions {
    /// Game files, and folders of them.
    pub data: Vec<PathBuf>,
    /// Text file of the weights, with rows for `tuned.rs`.
    pub out: PathBuf,
    /// Centipawns at which the expected score is 0.73; the search's margins are made for 160.
    pub scale: f32,
    /// Share of the game's result in the target, 0 to 1; the rest is the score of the search.
    pub wdl: f32,
    /// Number of passes over the positions, at least one.
    pub epochs: u32,
    /// Largest number of positions that are used.
    pub positions: usize,
    /// Seed of the order of the positions.
    pub seed: u64,
    /// Number of threads; the result does not depend on it.
    pub threads: usize,
}

/// Progress report of a tuning.
#[derive(Clone, Copy, Debug)]
pub enum TuneFact {
    /// Number of positions to fit to, number held out, and the loss of the current weights on those
    /// held out.
    Data(usize, usize, f64),
    /// Number of positions done and their total, over all epochs.
    Positions(u64, u64),
    /// An epoch is complete.
    Epoch(EpochLoss),
}

/// Result of a tuning.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// Weights, (middlegame, endgame) in centipawns.
    pub numbers: Vec<(i16, i16)>,
    /// Loss on the positions held out: of the previous weights, and of the new ones, rounded.
    pub losses: (f64, f64),
}

/// Reason why a tuning has no result.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// An option is outside its range.
    #[error("{0}")]
    Option(String),
    /// The data cannot be read.
    #[error("{0}")]
    Data(io::Error),
    /// The data have too few positions: the numbers to fit to and held out.
    #[error(
        "the data have {0} positions to fit to and {1} held out; expected at least one of each"
    )]
    TooFew(usize, usize),
    /// The file cannot be written.
    #[error("{0}")]
    Write(WriteError),
    /// No thread can be started.
    #[error("no thread for the fitting: {0}")]
    Thread(String),
    /// The tuning was cancelled; nothing was written.
    #[error("stopped; nothing was written")]
    Cancelled,
}

impl TuneOptions {
    fn check(&self) -> Result<(), TuneError> {
        let wrong = |why: String| Err(TuneError::Option(why));
        if !(0.0..=1.0).contains(&self.wdl) {
            return wrong(format!("the share of results must be 0 to 1, got {}", self.wdl));
        }
        if !(self.scale >= 1.0 && self.scale.is_finite()) {
            return wrong(format!("the scale must be at least 1, got {}", self.scale));
        }
        if self.epochs == 0 || self.positions == 0 {
            return wrong("epochs and positions must be at least 1".to_owned());
        }
        Ok(())
    }
}

/// Fits the weights and writes them; data and options determine the result.
///
/// # Errors
/// [`TuneError`].
pub fn tune(
    options: &TuneOptions,
    cancel: &Cancel,
    notify: &mut (dyn FnMut(TuneFact) + Send),
) -> Result<Tuned, TuneError> {
    options.check()?;
    let mut data = Dataset::read(&options.data, Target::default()).map_err(TuneError::Data)?;
    if data.learned.is_empty() || data.held_out.is_empty() {
        return Err(TuneError::TooFew(data.learned.len(), data.held_out.len()));
    }
    RandomNumbers::new(options.seed, 0).shuffle(&mut data.learned);
    data.learned.truncate(options.positions);
    let pool = Pool::new(options.threads).map_err(|error| TuneError::Thread(error.to_string()))?;
    let tuned = pool.install(|| Fit { options, data: &data }.run(cancel, notify))?;
    let written = write_whole(&options.out, |out| {
        let [before, after] = [tuned.losses.0, tuned.losses.1];
        writeln!(
            out,
            "// {} positions, held out {before:.6} before and {after:.6} now",
            data.learned.len()
        )?;
        tuned.numbers.chunks(8).try_for_each(|row| {
            let pairs: Vec<String> = row.iter().map(|(m, e)| format!("({m}, {e})")).collect();
            writeln!(out, "    {},", pairs.join(", "))
        })
    });
    written.map_err(TuneError::Write)?;
    Ok(tuned)
}

/// Position as a linear form in the weights.
struct Form {
    /// Features, with White's count less Black's.
    counts: Vec<(usize, f32)>,
    /// Share of the middlegame sum, and of the endgame sum.
    shares: [f32; 2],
    /// Addend that is not fitted.
    fixed: f32,
    /// Target: expected score of White, 0 to 1.
    target: f32,
}

impl Form {
    fn new(labelled: &LabelledPosition, options: &TuneOptions) -> Self {
        let position = labelled.position();
        let (counts, phase, scale) = coefficients(&position);
        let counts = counts.0.iter().enumerate().filter(|(_, count)| **count != 0);
        let middle = phase as f32 / PHASE;
        let own = options.wdl * labelled.result()
            + (1.0 - options.wdl) * logistic(f32::from(labelled.score) / options.scale);
        Self {
            counts: counts.map(|(at, &count)| (at, f32::from(count))).collect(),
            shares: [middle, (1.0 - middle) * scale as f32 / END_SCALE],
            fixed: drive(&position) as f32,
            target: if position.turn().is_white() { own } else { 1.0 - own },
        }
    }

    fn value(&self, numbers: &Numbers) -> f32 {
        let sum = self.counts.iter().fold([0.0; 2], |[m, e], &(at, count)| {
            [m + numbers[at][0] * count, e + numbers[at][1] * count]
        });
        sum[0] * self.shares[0] + sum[1] * self.shares[1] + self.fixed
    }

    /// Returns the error of the expected score, and its slope by the value.
    fn error(&self, numbers: &Numbers, scale: f32) -> (f32, f32) {
        let chance = logistic(self.value(numbers) / scale);
        let error = chance - self.target;
        (error, error * chance * (1.0 - chance))
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

struct Fit<'a> {
    options: &'a TuneOptions,
    data: &'a Dataset,
}

impl Fit<'_> {
    fn run(
        &self,
        cancel: &Cancel,
        notify: &mut (dyn FnMut(TuneFact) + Send),
    ) -> Result<Tuned, TuneError> {
        let (options, learned) = (self.options, &self.data.learned);
        let start: Numbers =
            WEIGHTS.iter().map(|pair| [pair.middle() as f32, pair.end() as f32]).collect();
        let before = self.loss(&start);
        notify(TuneFact::Data(learned.len(), self.data.held_out.len(), before));
        // Weights of features that are rare in the data stay near their initial values: a normal
        // prior of 25 centipawns, where the noise of results is about 0.05.
        let prior = 0.05 * options.scale / (learned.len() as f32 * 625.0);
        let (mut numbers, mut adam) = (start.clone(), Adam::new());
        let mut order: Vec<u32> = (0..learned.len() as u32).collect();
        let all = u64::from(options.epochs) * learned.len() as u64;
        let mut done = 0;
        for epoch in 0..options.epochs {
            RandomNumbers::new(options.seed, 1 + u64::from(epoch)).shuffle(&mut order);
            let rate = [1.0, 0.3, 0.1, 0.03][(epoch * 4 / options.epochs) as usize];
            let mut sum = 0.0;
            for batch in order.chunks(BATCH) {
                if cancel.is_raised() {
                    return Err(TuneError::Cancelled);
                }
                let (mut gradient, errors) = self.gradient(batch, &numbers);
                mirror(&mut gradient);
                sum += errors;
                for (at, own) in gradient.iter_mut().enumerate() {
                    for (half, own) in own.iter_mut().enumerate() {
                        *own = *own / batch.len() as f32
                            + prior * (numbers[at][half] - start[at][half]);
                    }
                }
                adam.step(&mut numbers, &gradient, rate);
                done += batch.len() as u64;
                notify(TuneFact::Positions(done, all));
            }
            let (learned, held_out) = (sum / learned.len() as f64, self.loss(&numbers));
            notify(TuneFact::Epoch(EpochLoss { epoch: epoch + 1, learned, held_out }));
        }
        let numbers: Vec<(i16, i16)> =
            numbers.iter().map(|[m, e]| (m.round() as i16, e.round() as i16)).collect();
        let rounded: Numbers = numbers.iter().map(|&(m, e)| [f32::from(m), f32::from(e)]).collect();
        Ok(Tuned { losses: (before, self.loss(&rounded)), numbers })
    }

    /// Returns the sums of the gradients and of the squared errors of some positions; the parts are
    /// added in order.
    fn gradient(&self, batch: &[u32], numbers: &Numbers) -> (Numbers, f64) {
        let part = |part: &[u32]| {
            let (mut gradient, mut errors) = (vec![[0.0; 2]; COUNT], 0.0);
            for &at in part {
                let form = Form::new(&self.data.learned[at as usize], self.options);
                let (error, slope) = form.error(numbers, self.options.scale);
                errors += f64::from(error * error);
                for &(at, count) in &form.counts {
                    gradient[at][0] += slope * count * form.shares[0];
                    gradient[at][1] += slope * count * form.shares[1];
                }
            }
            (gradient, errors)
        };
        let parts: Vec<(Numbers, f64)> =
            batch.par_chunks(batch.len().div_ceil(PARTS)).map(part).collect();
        parts.into_iter().fold((vec![[0.0; 2]; COUNT], 0.0), |(mut sum, errors), (own, more)| {
            for (sum, own) in sum.iter_mut().zip(own) {
                *sum = [sum[0] + own[0], sum[1] + own[1]];
            }
            (sum, errors + more)
        })
    }

    /// Returns the mean squared error on the positions held out.
    fn loss(&self, numbers: &Numbers) -> f64 {
        let held = &self.data.held_out;
        let part = |part: &[LabelledPosition]| -> f64 {
            let error = |it| {
                f64::from(Form::new(it, self.options).error(numbers, self.options.scale).0).powi(2)
            };
            part.iter().map(error).sum()
        };
        let parts: Vec<f64> = held.par_chunks(held.len().div_ceil(PARTS)).map(part).collect();
        parts.iter().sum::<f64>() / held.len() as f64
    }
}

/// Averages the gradients of mirrored squares, since the board is symmetric, except for kings and
/// pawns.
fn mirror(gradient: &mut Numbers) {
    for feature in PLACEMENT + 64..PLACEMENT + 5 * 64 {
        let other = PLACEMENT + ((feature - PLACEMENT) ^ 7);
        if feature < other {
            let ([m1, e1], [m2, e2]) = (gradient[feature], gradient[other]);
            let mean = [(m1 + m2) / 2.0, (e1 + e2) / 2.0];
            (gradient[feature], gradient[other]) = (mean, mean);
        }
    }
}

/// Adam (Diederik Kingma and Jimmy Ba, 2014) with the usual decays.
struct Adam {
    first: Numbers,
    second: Numbers,
    steps: i32,
}

impl Adam {
    fn new() -> Self {
        Self { first: vec![[0.0; 2]; COUNT], second: vec![[0.0; 2]; COUNT], steps: 0 }
    }

    fn step(&mut self, numbers: &mut Numbers, gradient: &Numbers, rate: f32) {
        self.steps += 1;
        let warm = [1.0 - 0.9_f32.powi(self.steps), 1.0 - 0.999_f32.powi(self.steps)];
        for at in 0..COUNT {
            for half in 0..2 {
                let own = gradient[at][half];
                let (first, second) = (&mut self.first[at][half], &mut self.second[at][half]);
                *first = 0.9 * *first + 0.1 * own;
                *second = 0.999 * *second + 0.001 * own * own;
                let change = (*first / warm[0]) / ((*second / warm[1]).sqrt() + 1e-8);
                numbers[at][half] -= rate * change;
            }
        }
    }
}

#[cfg(test)]
mod tests;
