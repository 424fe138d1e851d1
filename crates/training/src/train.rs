//! Training of a network: gradient descent over the positions of game files.
//!
//! Data and options determine the network bit for bit, independent of the number of threads and of
//! interruptions. The positions of a batch are divided into a fixed number of parts, each part sums
//! its own gradient, and the parts are added in order.

use crate::checkpoint::{Checkpoint, TrainingStateError};
use crate::dataset::{DataFileRecord, Dataset, LabelledPosition};
use crate::losses::{EpochLoss, HandLoss};
use crate::model::{Part, Shape, learn, value};
use crate::network_log::NetworkLog;
use crate::optimizer::Optimizer;
use crate::options::{TrainOptionError, TrainOptions};
use crate::quantize::{quantized, round};
use crate::random::RandomNumbers;
use crate::start::{StartNetworkError, StartNetworks, read_start};
use crate::target::{Target, sigmoid};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use std::io;
use std::path::{Path, PathBuf};
use umbrail_chess::Position;
use umbrail_control::{Cancel, Pool, WriteError, write_whole};
use umbrail_search::{Network, NetworkError, evaluate};

/// Number of parts of a batch; more would need more memory, fewer would leave threads idle.
const PARTS: usize = 16;
/// Progress report of a training.
#[derive(Clone, Debug)]
pub enum TrainFact<'a> {
    /// The data were read.
    Data {
        /// Files of the data.
        files: &'a [DataFileRecord],
        /// Number of positions to learn, and number held out.
        positions: (usize, usize),
        /// Losses of the hand-written evaluation on the positions held out.
        by_hand: HandLoss,
    },
    /// Training continues after this many epochs, which an earlier call completed.
    Resumed(u32),
    /// Number of positions learned and their total, over all epochs of this call.
    Positions(u64, u64),
    /// An epoch is complete.
    Epoch(EpochLoss),
}

/// Trained network.
#[derive(Debug)]
pub struct Trained {
    /// Network, as written to the file.
    pub network: Network,
    /// Mean squared error of the network on the positions held out.
    pub held_out: f64,
}

/// Reason why the training has no result.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// An option is outside its range.
    #[error("{0}")]
    Option(TrainOptionError),
    /// The data cannot be read.
    #[error("{0}")]
    Data(io::Error),
    /// The data have too few positions: the numbers to learn and held out.
    #[error("the data have {0} positions to learn and {1} held out; expected at least one of each")]
    TooFew(usize, usize),
    /// The initial network cannot be read or has another shape.
    #[error("{0}: {1}")]
    Start(PathBuf, StartNetworkError),
    /// The state of an earlier training cannot be read or belongs to other data or options.
    #[error("{0}: {1}; remove the file to start over")]
    Checkpoint(PathBuf, TrainingStateError),
    /// A file cannot be written.
    #[error("{0}")]
    Write(WriteError),
    /// No thread can be started.
    #[error("no thread for the training: {0}")]
    Thread(String),
    /// The weights do not fit into the quantized network.
    #[error("the weights do not fit into a network: {0}")]
    Network(NetworkError),
    /// The training was cancelled; the last complete epoch was written, and an identical call
    /// continues from there.
    #[error("stopped; the same command resumes the training")]
    Cancelled,
}

/// Returns the path with `ending` appended.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Trains a network and writes it, with a ledger of its data and options.
///
/// The state is written after each epoch, from which an identical call continues.
///
/// # Errors
/// [`TrainError`].
pub fn train(
    options: &TrainOptions,
    cancel: &Cancel,
    notify: &mut (dyn FnMut(TrainFact<'_>) + Send),
) -> Result<Trained, TrainError> {
    options.check().map_err(TrainError::Option)?;
    let start = read_start(options).map_err(|(path, why)| TrainError::Start(path, why))?;
    let data = Dataset::read(&options.data, options.target()).map_err(TrainError::Data)?;
    if data.learned.is_empty() || data.held_out.is_empty() {
        return Err(TrainError::TooFew(data.learned.len(), data.held_out.len()));
    }
    let pool = Pool::new(options.threads).map_err(|error| TrainError::Thread(error.to_string()))?;
    pool.install(|| Training { options, start: start.as_ref(), data: &data, cancel }.run(notify))
}

/// Training run.
struct Training<'a> {
    options: &'a TrainOptions,
    /// Initial networks; none for random weights.
    start: Option<&'a StartNetworks>,
    data: &'a Dataset,
    cancel: &'a Cancel,
}

impl Training<'_> {
    fn run(&self, notify: &mut (dyn FnMut(TrainFact<'_>) + Send)) -> Result<Trained, TrainError> {
        let (options, shape) = (self.options, self.options.shape());
        let by_hand = self.by_hand();
        let positions = (self.data.learned.len(), self.data.held_out.len());
        notify(TrainFact::Data { files: &self.data.files, positions, by_hand });
        let path = beside(&options.network, ".part");
        let started = self.start.map(|networks| format!(" from ({networks})")).unwrap_or_default();
        let recipe = format!("{}{started} data {:016x}", options.recipe(), self.data.hash());
        let mut state = match Checkpoint::read(&path, &recipe, shape.len(), options.mean > 0.0) {
            Ok(Some(state)) => {
                notify(TrainFact::Resumed(state.losses.len() as u32));
                state
            }
            Ok(None) => {
                let weights = match self.start {
                    Some(networks) => {
                        networks.weights(shape, || first_weights(shape, options.seed))
                    }
                    None => first_weights(shape, options.seed),
                };
                let optimizer = Optimizer::new(weights, options.mean > 0.0);
                Checkpoint { recipe, optimizer, losses: vec![] }
            }
            Err(why) => return Err(TrainError::Checkpoint(path, why)),
        };
        let mut parts: Vec<Part> = (0..PARTS).map(|_| Part::new(shape)).collect();
        let first = state.losses.len() as u32;
        for epoch in first..options.epochs {
            let learned = self.epoch(epoch, first, &mut state.optimizer, &mut parts, notify)?;
            let mut weights = state.optimizer.best().to_vec();
            if options.rounds(epoch) {
                round(state.optimizer.best(), shape, &mut weights);
            }
            let held_out = self.loss(|position| value(&weights, shape, position));
            let loss = EpochLoss { epoch: epoch + 1, learned, held_out };
            state.losses.push(loss);
            state.write(&path).map_err(TrainError::Write)?;
            notify(TrainFact::Epoch(loss));
        }
        let network = quantized(state.optimizer.best(), shape, options.written_scale());
        let network = network.map_err(TrainError::Network)?;
        let scale = f32::from(options.written_scale());
        let held_out = self.loss(|position| network.evaluate(position) as f32 / scale);
        let ledger = NetworkLog {
            options,
            start: self.start,
            data: self.data,
            by_hand,
            losses: &state.losses,
            held_out,
            network: &network,
        };
        write_whole(&beside(&options.network, ".txt"), |out| write!(out, "{ledger}"))
            .and_then(|()| write_whole(&options.network, |out| out.write_all(&network.to_bytes())))
            .map_err(TrainError::Write)?;
        // The network is written; a remaining state file does no harm.
        let _ = std::fs::remove_file(path);
        Ok(Trained { network, held_out })
    }

    /// Runs one pass over all positions in a random order; returns the mean loss.
    fn epoch(
        &self,
        epoch: u32,
        first: u32,
        optimizer: &mut Optimizer,
        parts: &mut [Part],
        notify: &mut (dyn FnMut(TrainFact<'_>) + Send),
    ) -> Result<f64, TrainError> {
        let (options, learned) = (self.options, &self.data.learned);
        let (shape, target, rate) = (options.shape(), options.target(), options.rate_of(epoch));
        let mut order: Vec<u32> = (0..learned.len() as u32).collect();
        RandomNumbers::new(options.seed, u64::from(epoch) + 1).shuffle(&mut order);
        let imitates = epoch < options.imitate;
        let target = if imitates { Target { wdl: 0.0, lambda: 0.0, ..target } } else { target };
        let random = |at: u64| RandomNumbers::new(options.seed, (u64::from(epoch) + 1) << 32 | at);
        let (count, mut done) =
            (learned.len() as u64, u64::from(epoch - first) * learned.len() as u64);
        let rounds = options.rounds(epoch);
        let mut rounded = if rounds { vec![0.0; shape.len()] } else { vec![] };
        let mut loss = 0.0;
        for batch in order.chunks(options.batch) {
            if self.cancel.is_raised() {
                return Err(TrainError::Cancelled);
            }
            let size = batch.len().div_ceil(PARTS);
            if rounds {
                // The gradient at the rounded weights is used for the exact ones, since rounding
                // has no gradient of its own ("straight-through": Bengio, Léonard and Courville,
                // 2013).
                round(&optimizer.weights, shape, &mut rounded);
            }
            let weights = if rounds { &rounded } else { &optimizer.weights };
            each_part(parts, |index, part| {
                let begin = (index * size).min(batch.len());
                let places = &batch[begin..(begin + size).min(batch.len())];
                let positions = places.iter().map(|&at| {
                    let labelled = learned[at as usize];
                    match imitates {
                        true => labelled.neighbor(&mut random(u64::from(at))),
                        false => labelled,
                    }
                });
                learn(weights, shape, positions, target, part);
            });
            loss += parts.iter().map(|part| part.loss).sum::<f64>();
            optimizer.step(shape, parts, batch.len(), rate);
            optimizer.move_mean(options.mean);
            done += batch.len() as u64;
            notify(TrainFact::Positions(done, count * u64::from(options.epochs - first)));
        }
        Ok(loss / count as f64)
    }

    /// Returns the mean squared error on the positions held out for outputs for the side to move.
    fn loss(&self, output: impl Fn(&Position) -> f32 + Sync) -> f64 {
        self.loss_at(|_, labelled| output(&labelled.position()))
    }

    /// Returns the mean squared error for outputs that depend on the index of the position.
    fn loss_at(&self, output: impl Fn(usize, &LabelledPosition) -> f32 + Sync) -> f64 {
        let (held, target) = (&self.data.held_out, self.options.target());
        let error = |(at, labelled): (usize, &LabelledPosition)| {
            let error = sigmoid(output(at, labelled)) - labelled.expected(target);
            f64::from(error) * f64::from(error)
        };
        let size = held.len().div_ceil(PARTS).max(1);
        let mut sums: Vec<(&[LabelledPosition], f64)> =
            held.chunks(size).map(|part| (part, 0.0)).collect();
        each_part(&mut sums, |index, (part, sum)| {
            *sum = (index * size..).zip(part.iter()).map(error).sum();
        });
        sums.iter().map(|(_, sum)| sum).sum::<f64>() / held.len() as f64
    }

    fn by_hand(&self) -> HandLoss {
        let scale = f32::from(self.options.scale);
        let held = &self.data.held_out;
        let mut values: Vec<f32> = vec![0.0; held.len()];
        each_part(&mut values, |at, value| *value = evaluate(&held[at].position()) as f32 / scale);
        let with = |factor: f64| self.loss_at(|at, _| factor as f32 * values[at]);
        let tried = (4..=80).map(|step| f64::from(step) / 20.0);
        let losses = tried.map(|factor| (with(factor), factor));
        let (best, factor) = losses.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, 1.0));
        HandLoss { plain: with(1.0), best, factor }
    }
}

/// Runs `work` on each part in parallel.
fn each_part<T: Send>(parts: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    parts.par_iter_mut().enumerate().for_each(|(index, part)| work(index, part));
}

/// Returns random weights with which about half of the sums lie inside the clamp.
fn first_weights(shape: Shape, seed: u64) -> Vec<f32> {
    let mut random = RandomNumbers::new(seed, 0);
    let output = 1.0 / (2.0 * shape.width as f32).sqrt();
    let mut weights: Vec<f32> = (0..shape.bias()).map(|_| random.within(0.1)).collect();
    weights.resize(shape.output(), 0.25);
    weights.extend((shape.output()..shape.output_bias()).map(|_| random.within(output)));
    weights.resize(shape.len(), 0.0);
    weights
}

#[cfg(test)]
mod tests;
