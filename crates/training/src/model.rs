//! Network in floating-point numbers: its value and the gradient of the loss.
//!
//! The result does not depend on the machine. Sums have a fixed order, and the logistic function,
//! the only one beyond basic arithmetic, is computed here and not by the system's library. The
//! processor's vector instructions do not change the result, since the compiler never reorders
//! floating-point operations.

use crate::dataset::LabelledPosition;
use crate::target::{Target, sigmoid};
use arrayvec::ArrayVec;
use umbrail_chess::Position;
use umbrail_search::features::{INPUTS, bucket, inputs};

/// Number and layout of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) width: usize,
    pub(crate) king_buckets: usize,
    pub(crate) buckets: usize,
}

impl Shape {
    /// Returns the index of the first bias of the hidden layer; the preceding weights are a row for
    /// each input of each king bucket.
    pub(crate) fn bias(self) -> usize {
        self.king_buckets * INPUTS * self.width
    }

    /// Returns the index of the first output weight.
    pub(crate) fn output(self) -> usize {
        self.bias() + self.width
    }

    /// Returns the index of the first output bias.
    pub(crate) fn output_bias(self) -> usize {
        self.output() + 2 * self.width * self.buckets
    }

    /// Returns the number of all weights.
    pub(crate) fn len(self) -> usize {
        self.output_bias() + self.buckets
    }
}

/// Number of partial sums of a dot product, which are then added in order.
const COLUMNS: usize = 16;

/// Number of sums that are kept in registers together.
const BLOCK: usize = 16;

#[inline(always)]
fn dot<const H: usize>(a: &[f32; H], b: &[f32; H]) -> f32 {
    let mut columns = [0.0_f32; COLUMNS];
    for (a, b) in a.chunks_exact(COLUMNS).zip(b.chunks_exact(COLUMNS)) {
        for ((sum, a), b) in columns.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    columns.iter().sum()
}

/// Returns a part of the weights as an array; the caller ensures that the part lies within them.
#[inline(always)]
fn part<const H: usize>(weights: &[f32], at: usize) -> &[f32; H] {
    weights[at..at + H].first_chunk().expect("as long as it was cut")
}

/// Intermediate results of a position's value.
struct Forward<const H: usize> {
    /// Active inputs, for the side to move and the other side.
    inputs: [ArrayVec<u16, 32>; 2],
    /// Clamped sums.
    clamped: [[f32; H]; 2],
    /// Index of the first output weight of the bucket.
    output: usize,
    output_bias: usize,
    value: f32,
}

impl<const H: usize> Forward<H> {
    #[inline(always)]
    fn new(weights: &[f32], shape: Shape, position: &Position) -> Self {
        let turn = position.turn();
        let inputs = [turn, !turn].map(|side| {
            inputs(position, side, shape.king_buckets).map(|input| input as u16).collect()
        });
        let clamped = [0, 1].map(|side: usize| {
            let list: &ArrayVec<u16, 32> = &inputs[side];
            let mut sums = *part::<H>(weights, shape.bias());
            // A block fits into the processor's registers while the rows are added.
            for (at, block) in sums.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
                let mut added = *block;
                for &input in list {
                    let row = part::<BLOCK>(weights, usize::from(input) * H + at * BLOCK);
                    added.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
                }
                *block = added;
            }
            sums.map(|sum| sum.clamp(0.0, 1.0))
        });
        let at = bucket(position.occupied().len(), shape.buckets);
        let (output, output_bias) = (shape.output() + 2 * H * at, shape.output_bias() + at);
        let mut value = weights[output_bias];
        for (side, clamped) in clamped.iter().enumerate() {
            value += dot(&clamped.map(|it| it * it), part(weights, output + side * H));
        }
        Self { inputs, clamped, output, output_bias, value }
    }

    /// Adds the gradient of a loss whose derivative by the value is `slope`.
    #[inline(always)]
    fn back(&self, weights: &[f32], shape: Shape, slope: f32, gradient: &mut [f32]) {
        gradient[self.output_bias] += slope;
        for side in 0..2 {
            let (clamped, at) = (&self.clamped[side], self.output + side * H);
            let output = part::<H>(weights, at);
            for (sum, value) in gradient[at..at + H].iter_mut().zip(clamped) {
                *sum += slope * value * value;
            }
            // At the ends of the clamp the value is constant.
            let mut change = [0.0; H];
            for ((change, &value), weight) in change.iter_mut().zip(clamped).zip(output) {
                let inside = if value > 0.0 && value < 1.0 { 2.0 * value } else { 0.0 };
                *change = slope * weight * inside;
            }
            let rows = self.inputs[side].iter().map(|&input| usize::from(input) * H);
            for row in rows.chain([shape.bias()]) {
                let sums = &mut gradient[row..row + H];
                sums.iter_mut().zip(&change).for_each(|(sum, change)| *sum += change);
            }
        }
    }
}

/// Evaluates an expression with the constant `$H` set to this width.
///
/// # Panics
/// If the width is not one of [`WIDTHS`](umbrail_search::features::WIDTHS), which the options ensure.
macro_rules! with_width {
    ($width:expr, $H:ident => $value:expr) => {
        with_width!($width, $H => $value, 16 32 64 128 256 512 768)
    };
    ($width:expr, $H:ident => $value:expr, $($each:literal)*) => {
        match $width {
            $($each => {
                const $H: usize = $each;
                $value
            })*
            width => unreachable!("the width {width} was checked"),
        }
    };
}

/// Returns the output of a network: its value in centipawns divided by the scale.
pub(crate) fn value(weights: &[f32], shape: Shape, position: &Position) -> f32 {
    with_width!(shape.width, H => Forward::<H>::new(weights, shape, position).value)
}

/// Sums of one part of a batch: the squared errors and the gradient.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) gradient: Vec<f32>,
    pub(crate) loss: f64,
}

impl Part {
    pub(crate) fn new(shape: Shape) -> Self {
        Self { gradient: vec![0.0; shape.len()], loss: 0.0 }
    }
}

/// Computes the sums of these positions. Accesses only the rows of active inputs.
pub(crate) fn learn(
    weights: &[f32],
    shape: Shape,
    positions: impl Iterator<Item = LabelledPosition>,
    target: Target,
    part: &mut Part,
) {
    let Part { gradient, loss } = part;
    gradient.fill(0.0);
    *loss =
        with_width!(shape.width, H => learn_as::<H>(weights, shape, positions, target, gradient));
}

/// Computes the sums for one width, with the processor's vector instructions. They do not change
/// the result: each sum keeps its order.
fn learn_as<const H: usize>(
    weights: &[f32],
    shape: Shape,
    positions: impl Iterator<Item = LabelledPosition>,
    target: Target,
    gradient: &mut [f32],
) -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has the instructions for which the function is compiled.
            return unsafe { learn_by_sixteen::<H>(weights, shape, positions, target, gradient) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions for which the function is compiled.
            return unsafe { learn_by_eight::<H>(weights, shape, positions, target, gradient) };
        }
    }
    learn_plainly::<H>(weights, shape, positions, target, gradient)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2")]
fn learn_by_sixteen<const H: usize>(
    weights: &[f32],
    shape: Shape,
    positions: impl Iterator<Item = LabelledPosition>,
    target: Target,
    gradient: &mut [f32],
) -> f64 {
    learn_plainly::<H>(weights, shape, positions, target, gradient)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn learn_by_eight<const H: usize>(
    weights: &[f32],
    shape: Shape,
    positions: impl Iterator<Item = LabelledPosition>,
    target: Target,
    gradient: &mut [f32],
) -> f64 {
    learn_plainly::<H>(weights, shape, positions, target, gradient)
}

#[inline(always)]
fn learn_plainly<const H: usize>(
    weights: &[f32],
    shape: Shape,
    positions: impl Iterator<Item = LabelledPosition>,
    target: Target,
    gradient: &mut [f32],
) -> f64 {
    let mut loss = 0.0;
    for labelled in positions {
        let forward = Forward::<H>::new(weights, shape, &labelled.position());
        let expected = sigmoid(forward.value);
        let error = expected - labelled.expected(target);
        loss += f64::from(error * error);
        let slope = target.loss_slope(error) * expected * (1.0 - expected);
        forward.back(weights, shape, slope, gradient);
    }
    loss
}

#[cfg(test)]
mod tests {
    use super::{Part, Shape, Target, learn, value};
    use crate::Loss;
    use crate::dataset::LabelledPosition;
    use crate::random::RandomNumbers;
    use crate::record::GameResult;
    use umbrail_search::bench::{POSITIONS, position};

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let shape = Shape { width: 16, king_buckets: 3, buckets: 2 };
        let mut random = RandomNumbers::new(1, 2);
        let weights: Vec<f32> = (0..shape.len()).map(|_| random.within(0.3)).collect();
        let labelled: Vec<_> = (POSITIONS.iter().take(6).filter_map(|fen| position(fen)))
            .map(|position| LabelledPosition::new(&position, 120, GameResult::Win))
            .collect();
        let target = Target { wdl: 0.3, lambda: 0.0, scale: 400.0, loss: Loss::Squared };
        let mut part = Part::new(shape);
        learn(&weights, shape, labelled.iter().copied(), target, &mut part);
        let loss = |weights: &[f32]| -> f64 {
            let error = |it: &LabelledPosition| {
                let value = value(weights, shape, &it.position());
                1.0 / (1.0 + f64::from(-value).exp()) - f64::from(it.expected(target))
            };
            labelled.iter().map(|it| error(it).powi(2)).sum()
        };
        let mut tried = 0;
        let (places, last) = ((0..shape.output()).step_by(37), shape.output()..shape.len());
        for at in places.chain(last) {
            let moved = |by: f32| {
                let mut weights = weights.clone();
                weights[at] += by;
                loss(&weights)
            };
            let slope = (moved(1e-3) - moved(-1e-3)) / 2e-3;
            let found = f64::from(part.gradient[at]);
            // A sum that crosses an end of its clamp within the step has no slope there.
            assert!((slope - found).abs() < 3e-3 + 0.02 * slope.abs(), "{at}: {slope} {found}");
            tried += usize::from(found.abs() > 1e-2);
        }
        assert!(tried > 50, "{tried} weights matter");
    }
}
