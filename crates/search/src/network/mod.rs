//! A small neural network that judges positions: 768 inputs for each king bucket, one hidden layer for each side, one output.
//!
//! The inputs say which man stands on which square, once as the side to move sees the board and once as the other
//! side does: colors exchanged and ranks turned for Black, files mirrored when the own king stands on files e to h
//! (after Yu Nasu's NNUE, 2018, in the small form that most engines of today have). A network may have a set of weights for
//! each of some *king buckets*, regions of the board in which the own king stands. Both views go through the same
//! weights into `width` sums each, the *accumulators*. Each sum is clamped to 0..=1 and squared (SCReLU); the output
//! is their weighted sum, with one set of weights for each *bucket*, chosen by the number of men.
//!
//! All weights are whole numbers: those of the first layer in units of 1/[`ACTIVATION`], those of the output in units
//! of 1/[`OUTPUT`]. The arithmetic is exact, so every instruction set gives the same value; see [`Kernel`] for why
//! nothing overflows. The file is described at [`Network::to_bytes`].
//!
//! Castling rights, en passant and counters are no inputs: two positions with the same men and the same side to move
//! have the same value.

mod accumulator;
mod built_in;
mod features;
mod format;
mod kernel;
mod small_numbers;

pub use accumulator::Accumulators;
pub use features::{INPUTS, KING_BUCKETS, bucket, inputs};
pub use format::{NetworkError, NetworkWeights};
pub use kernel::Kernel;

use accumulator::Accumulator;
use kernel::{LANE, Lane};
use std::fmt;
use umbrail_chess::Position;
use umbrail_chess::geometry::Color;

/// The value 1 of a clamped sum, and the unit of the first layer.
pub const ACTIVATION: i16 = 255;
/// The value 1 of an output weight.
pub const OUTPUT: i16 = 64;
/// Widths of the hidden layer that a file may have.
pub const WIDTHS: [usize; 5] = [16, 32, 64, 128, 256];
/// Most output buckets.
pub const BUCKETS_MAX: usize = 8;

/// Values are kept within this, centipawns: clear of won tables and mates.
const VALUE_MAX: i64 = 20_000;

/// A network that is ready to judge positions; see the module for what it is.
///
/// ```
/// use umbrail_chess::Position;
/// use umbrail_search::{Network, NetworkWeights};
///
/// // The value of a network without weights is its output bias: 32 of 255 * 64 units of 400 centipawns.
/// let weights = NetworkWeights { output_bias: vec![32 * 51], ..NetworkWeights::zero(16, 1, 400) };
/// let network = Network::new(&weights).unwrap();
/// assert_eq!(network.evaluate(&Position::startpos()), 40);
/// assert_eq!(Network::from_bytes(&network.to_bytes()).unwrap().to_bytes(), network.to_bytes());
/// ```
pub struct Network {
    width: usize,
    king_buckets: usize,
    scale: u16,
    /// Lanes of one row.
    lanes: usize,
    /// The weights of each input, `lanes` each.
    features: Vec<Lane>,
    bias: Vec<Lane>,
    /// For each bucket the weights of the side to move, then those of the other side.
    output: Vec<Lane>,
    output_bias: Vec<i32>,
    checksum: u64,
    kernel: Kernel,
}

impl Network {
    /// Sums of one side.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of sets of weights of the first layer.
    pub fn king_buckets(&self) -> usize {
        self.king_buckets
    }

    /// Number of sets of output weights.
    pub fn buckets(&self) -> usize {
        self.output_bias.len()
    }

    /// The same network computed with other instructions, all of which give the same values.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    /// What a position is worth to the side to move, centipawns, within ±20,000. Everything is computed anew; the search
    /// computes only what a move changes.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let sides = Color::ALL.map(|side| Accumulator::of(self, position, side));
        let turn = position.turn();
        self.output(&sides[turn.index()].sums, &sides[(!turn).index()].sums, position)
    }

    /// The value from the sums of the side to move and of the other side.
    fn output(&self, own: &[Lane], other: &[Lane], position: &Position) -> i32 {
        let bucket = features::bucket(position.occupied().len(), self.buckets());
        let row = 2 * self.lanes;
        let weights = &self.output[bucket * row..(bucket + 1) * row];
        let sum = i64::from(self.kernel.activate(own, other, weights));
        let unit = i64::from(ACTIVATION);
        let sum = sum + i64::from(self.output_bias[bucket]) * unit;
        let value = sum * i64::from(self.scale) / (unit * unit * i64::from(OUTPUT));
        value.clamp(-VALUE_MAX, VALUE_MAX) as i32
    }

    /// The weights of an input.
    fn row(&self, input: usize) -> &[Lane] {
        &self.features[input * self.lanes..(input + 1) * self.lanes]
    }
}

/// Lanes that a row of this width fills.
fn lanes_of(width: usize) -> usize {
    width.div_ceil(LANE)
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, buckets) = (self.width, self.buckets());
        if self.king_buckets > 1 {
            write!(f, "{} x ", self.king_buckets)?;
        }
        write!(f, "{INPUTS} -> {width} x 2 -> {buckets}, checksum {:016x}", self.checksum)
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({self})")
    }
}

#[cfg(test)]
mod tests;
