//! Small neural network for evaluation: 768 inputs per king bucket, one hidden layer per side, one
//! output.
//!
//! The inputs encode the piece on each square, once from the view of the side to move and once from
//! that of the other side. For Black colors are exchanged and ranks flipped; files are mirrored if
//! the own king stands on files e to h (after Yu Nasu's NNUE, 2018, in the small form of most
//! current engines). A network may have separate weights for several *king buckets*, regions of the
//! board that contain the own king. Both views use the same weights for `width` sums each, the
//! *accumulators*. Each sum is clamped to 0..=1 and squared (SCReLU). The output is the weighted
//! sum of the results, with one set of weights for each *bucket*, selected by the number of pieces.
//!
//! All weights are integers: those of the first layer in units of 1/[`ACTIVATION`], those of the
//! output in units of 1/[`OUTPUT`]. The arithmetic is exact, so every instruction set returns the
//! same value; the module `kernel` explains why nothing overflows. The file is described at
//! [`Network::to_bytes`].
//!
//! Castling rights, en passant and counters are not inputs: two positions with the same pieces and
//! the same side to move have the same value.

mod accumulator;
mod built_in;
mod features;
mod format;
mod kernel;
mod replicas;
mod small_numbers;

pub use accumulator::Accumulators;
pub use features::{INPUTS, KING_BUCKETS, bucket, inputs};
pub use format::{NetworkError, NetworkWeights};
pub use kernel::Kernel;
pub(crate) use replicas::Replicas;

use accumulator::Accumulator;
use kernel::{LANE, Lane};
use std::fmt;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{PackedPosition, Position, Role};

/// Integer value of 1 for a clamped sum; unit of the first layer.
pub const ACTIVATION: i16 = 255;
/// Integer value of 1 for an output weight.
pub const OUTPUT: i16 = 64;
/// Allowed widths of the hidden layer.
pub const WIDTHS: [usize; 7] = [16, 32, 64, 128, 256, 512, 768];
/// Largest number of output buckets.
pub const BUCKETS_MAX: usize = 8;

/// Largest absolute value, centipawns; below table wins and mates.
const VALUE_MAX: i64 = 20_000;

/// Network in a form for evaluation, see the module documentation.
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
#[derive(Clone)]
pub struct Network {
    width: usize,
    king_buckets: usize,
    scale: u16,
    /// Lanes per row.
    lanes: usize,
    /// Weights of each input, `lanes` each.
    features: Vec<Lane>,
    bias: Vec<Lane>,
    /// Weights of the side to move, then those of the other side, for each bucket.
    output: Vec<Lane>,
    output_bias: Vec<i32>,
    checksum: u64,
    kernel: Kernel,
}

impl Network {
    /// Returns the number of sums per side.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of weight sets of the first layer.
    pub fn king_buckets(&self) -> usize {
        self.king_buckets
    }

    /// Returns the number of sets of output weights.
    pub fn buckets(&self) -> usize {
        self.output_bias.len()
    }

    /// Returns the network with another kernel; the values do not change.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    /// Returns the value of a position for the side to move, centipawns, within ±20,000. Computes
    /// all sums; the search computes only the changes of a move.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let sides = Color::ALL.map(|side| Accumulator::of(self, position, side));
        let turn = position.turn();
        self.output(&sides[turn.index()].sums, &sides[(!turn).index()].sums, position)
    }

    /// Returns the value by each output bucket for the side to move, centipawns. The bucket for the number of pieces
    /// gives [`Network::evaluate`].
    pub fn bucket_values(&self, position: &Position) -> Vec<i32> {
        let sides = Color::ALL.map(|side| Accumulator::of(self, position, side));
        let turn = position.turn();
        let [own, other] = [turn, !turn].map(|side| &sides[side.index()].sums[..]);
        (0..self.buckets()).map(|bucket| self.output_of(own, other, bucket)).collect()
    }

    /// Returns the value of each piece but the kings, centipawns for White: the value of the position less its value
    /// without the piece, in the same output bucket.
    pub fn piece_values(&self, position: &Position) -> Vec<(Square, i32)> {
        let bucket = features::bucket(position.occupied().len(), self.buckets());
        let sign = if position.turn().is_white() { 1 } else { -1 };
        let value = |position: &Position| sign * self.bucket_values(position)[bucket];
        let (packed, whole) = (position.pack(Bitboard(0), false), value(position));
        let kings = position.by_role(Role::King);
        let squares = position.occupied().squares().filter(|&square| !kings.contains(square));
        let without = |square: Square| {
            let sets = packed.0.map(|set| set & !(1 << square.index()));
            PackedPosition(sets).unpack(position.turn())
        };
        squares.map(|square| (square, whole - value(&without(square)))).collect()
    }

    /// Returns the value from the sums of the side to move and of the other side.
    fn output(&self, own: &[Lane], other: &[Lane], position: &Position) -> i32 {
        self.output_of(own, other, features::bucket(position.occupied().len(), self.buckets()))
    }

    /// Returns the value by an output bucket.
    fn output_of(&self, own: &[Lane], other: &[Lane], bucket: usize) -> i32 {
        let row = 2 * self.lanes;
        let weights = &self.output[bucket * row..(bucket + 1) * row];
        let sum = i64::from(self.kernel.activate(own, other, weights));
        let unit = i64::from(ACTIVATION);
        let sum = sum + i64::from(self.output_bias[bucket]) * unit;
        let value = sum * i64::from(self.scale) / (unit * unit * i64::from(OUTPUT));
        value.clamp(-VALUE_MAX, VALUE_MAX) as i32
    }

    /// Returns the weights of an input.
    fn row(&self, input: usize) -> &[Lane] {
        &self.features[input * self.lanes..(input + 1) * self.lanes]
    }
}

/// Returns the number of lanes of a row of this width.
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
