//! AdamW: gradient descent with a separate step size for each weight (Loshchilov and Hutter, 2019).

use crate::model::{Part, Shape};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

/// Weight of the past in the mean of the gradients, and in the mean of their squares.
const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
/// Addend that keeps the step finite.
const EPSILON: f32 = 1e-8;
/// Share of a weight that is subtracted per step at rate 1.
const DECAY: f32 = 0.01;
/// Largest absolute weight, so that weights fit into the quantized network: 1.98 · 64 is just below
/// 127.
pub(crate) const WEIGHT_MAX: f32 = 1.98;

/// Weights with the moments of their gradients.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Optimizer {
    pub(crate) weights: Vec<f32>,
    pub(crate) first: Vec<f32>,
    pub(crate) second: Vec<f32>,
    /// Running mean of the weights; empty if it is not used.
    pub(crate) mean: Vec<f32>,
    /// Number of steps taken.
    pub(crate) steps: u64,
}

/// Number of weights that one worker changes at a time.
const CHUNK: usize = 4_096;

impl Optimizer {
    /// Starts with these weights. `with_mean` also keeps their running mean.
    pub(crate) fn new(weights: Vec<f32>, with_mean: bool) -> Self {
        let zero = vec![0.0; weights.len()];
        let mean = if with_mean { weights.clone() } else { vec![] };
        Self { first: zero.clone(), second: zero, mean, weights, steps: 0 }
    }

    /// Returns the weights that the network gets: their running mean, or those of the last step.
    pub(crate) fn best(&self) -> &[f32] {
        if self.mean.is_empty() { &self.weights } else { &self.mean }
    }

    /// Moves the running mean, if there is one, towards the weights; `factor` is the part of the mean that remains.
    pub(crate) fn move_mean(&mut self, factor: f32) {
        let means = self.mean.par_chunks_mut(CHUNK).zip(self.weights.par_chunks(CHUNK));
        means.for_each(|(means, weights)| {
            for (mean, weight) in means.iter_mut().zip(weights) {
                *mean += (1.0 - factor) * (weight - *mean);
            }
        });
    }

    /// Takes one step against the mean gradient; `parts` contains sums over `count` positions.
    ///
    /// Each weight is changed independently and the parts are added in order, so the result does
    /// not depend on the distribution among threads.
    pub(crate) fn step(&mut self, shape: Shape, parts: &[Part], count: usize, rate: f32) {
        self.steps += 1;
        let power = |base: f32| (0..self.steps.min(20_000)).fold(1.0_f32, |it, _| it * base);
        let (warm_first, warm_second) = (1.0 - power(FIRST), 1.0 - power(SECOND));
        let share = 1.0 / count.max(1) as f32;
        let unbounded = shape.output_bias();
        let weights = self.weights.par_chunks_mut(CHUNK);
        let moments = self.first.par_chunks_mut(CHUNK).zip(self.second.par_chunks_mut(CHUNK));
        weights.zip(moments).enumerate().for_each(|(chunk, (weights, (first, second)))| {
            let begin = chunk * CHUNK;
            let mut sums = [0.0_f32; CHUNK];
            let sums = &mut sums[..weights.len()];
            for part in parts {
                let part = &part.gradient[begin..begin + weights.len()];
                sums.iter_mut().zip(part).for_each(|(sum, gradient)| *sum += gradient);
            }
            for at in 0..weights.len() {
                let gradient = sums[at] * share;
                first[at] = FIRST * first[at] + (1.0 - FIRST) * gradient;
                second[at] = SECOND * second[at] + (1.0 - SECOND) * gradient * gradient;
                let change =
                    (first[at] / warm_first) / ((second[at] / warm_second).sqrt() + EPSILON);
                let weight = weights[at] - rate * (change + DECAY * weights[at]);
                let bounded = begin + at < unbounded;
                weights[at] = if bounded { weight.clamp(-WEIGHT_MAX, WEIGHT_MAX) } else { weight };
            }
        });
    }
}
