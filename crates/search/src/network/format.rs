//! File format of a network, and its plain weights.

use super::features::{INPUTS, KING_BUCKETS};
use super::kernel::{FEATURE_MAX, Kernel, LANE, Lane, OUTPUT_MAX, OUTPUT_SUM_MAX};
use super::{ACTIVATION, BUCKETS_MAX, Network, OUTPUT, WIDTHS, lanes_of, small_numbers};
use xxhash_rust::xxh3::xxh3_64;

/// First bytes of a file.
const MAGIC: &[u8; 16] = b"umbrail network\n";
/// Version written with one king bucket. Version 1, with two bytes for each weight, can also be
/// read.
const VERSION: u16 = 2;
/// Version written with several king buckets.
const KING_VERSION: u16 = 3;
/// Length of the header before the weights, bytes.
const HEAD: usize = 32;
/// Length of the checksum, bytes.
const CHECK: usize = 8;

/// Quantized weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkWeights {
    /// Number of sums per side: one of [`WIDTHS`].
    pub width: usize,
    /// Number of weight sets of the first layer: one of [`KING_BUCKETS`].
    pub king_buckets: usize,
    /// Centipawns for an output of 1.
    pub scale: u16,
    /// Weights of the first layer: for each king bucket `width` weights for each of the [`INPUTS`],
    /// in units of 1/[`ACTIVATION`].
    pub features: Vec<i16>,
    /// Sums of the empty board, in units of 1/[`ACTIVATION`].
    pub bias: Vec<i16>,
    /// Output weights: for each bucket `width` weights for the side to move and `width` for the
    /// other, in units of 1/[`OUTPUT`].
    pub output: Vec<i16>,
    /// Output biases of the buckets, in units of 1/([`ACTIVATION`] · [`OUTPUT`]).
    pub output_bias: Vec<i32>,
}

impl NetworkWeights {
    /// Returns weights of zero, with one king bucket.
    pub fn zero(width: usize, buckets: usize, scale: u16) -> Self {
        Self {
            width,
            king_buckets: 1,
            scale,
            features: vec![0; INPUTS * width],
            bias: vec![0; width],
            output: vec![0; 2 * width * buckets],
            output_bias: vec![0; buckets],
        }
    }
}

/// Reason why a file or a set of weights is not a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The file starts with other bytes.
    #[error("expected a network of umbrail")]
    Kind,
    /// The version is unknown to this program.
    #[error("expected version 1 to {KING_VERSION}, got {0}")]
    Version(u16),
    /// The width is not one of [`WIDTHS`].
    #[error("expected a width of {WIDTHS:?}, got {0}")]
    Width(usize),
    /// The number of output buckets is not 1 to [`BUCKETS_MAX`].
    #[error("expected 1 to {BUCKETS_MAX} output buckets, got {0}")]
    Buckets(usize),
    /// The number of king buckets is not one of [`KING_BUCKETS`].
    #[error("expected king buckets of {KING_BUCKETS:?}, got {0}")]
    KingBuckets(usize),
    /// The units of the weights, or the scale, differ from those of this program.
    #[error("expected units {ACTIVATION} and {OUTPUT} and a scale above 0, got {0:?}")]
    Units([u16; 3]),
    /// The number of bytes or weights differs from the header.
    #[error("expected {expected} of its bytes or weights, got {found}")]
    Length {
        /// Expected number.
        expected: usize,
        /// Number found.
        found: usize,
    },
    /// The checksum does not match.
    #[error("the checksum does not match")]
    Damaged,
    /// A weight of the first layer is out of bounds.
    #[error("expected feature weights within ±{FEATURE_MAX}, got {0}")]
    Feature(i16),
    /// An output weight is out of bounds.
    #[error("expected output weights within ±{OUTPUT_MAX}, got {0}")]
    Output(i16),
    /// The sum of the absolute output weights of a bucket is out of bounds.
    #[error(
        "expected output weights whose absolute values have a sum of {OUTPUT_SUM_MAX} at most, got {0}"
    )]
    OutputSum(i32),
}

impl Network {
    /// Creates a network with these weights.
    ///
    /// # Errors
    /// [`NetworkError`] if the number of weights does not match the width and the number of output
    /// biases, or if sums of the weights could overflow.
    pub fn new(weights: &NetworkWeights) -> Result<Self, NetworkError> {
        let NetworkWeights { features, bias, output, output_bias, .. } = weights;
        let NetworkWeights { width, king_buckets, scale, .. } = *weights;
        let buckets = output_bias.len();
        check_shape(width, king_buckets, buckets, scale)?;
        let counts = [
            (king_buckets * INPUTS * width, features.len()),
            (width, bias.len()),
            (2 * width * buckets, output.len()),
        ];
        for (expected, found) in counts {
            if expected != found {
                return Err(NetworkError::Length { expected, found });
            }
        }
        let is_outside = |bound: i16| move |weight: &i16| !(-bound..=bound).contains(weight);
        if let Some(&weight) = features.iter().chain(bias).find(|w| is_outside(FEATURE_MAX)(w)) {
            return Err(NetworkError::Feature(weight));
        }
        if let Some(&weight) = output.iter().find(|w| is_outside(OUTPUT_MAX)(w)) {
            return Err(NetworkError::Output(weight));
        }
        let sums = output.chunks_exact(2 * width);
        let sums = sums.map(|bucket| bucket.iter().map(|&w| i32::from(w).abs()).sum());
        if let Some(sum) = sums.into_iter().find(|&sum: &i32| sum > OUTPUT_SUM_MAX) {
            return Err(NetworkError::OutputSum(sum));
        }
        Ok(Self {
            width,
            king_buckets,
            scale,
            lanes: lanes_of(width),
            features: lanes(features, width),
            bias: lanes(bias, width),
            output: lanes(output, width),
            output_bias: output_bias.clone(),
            checksum: xxh3_64(&encode(weights)),
            kernel: Kernel::best(),
        })
    }

    /// Returns the weights of the network.
    pub fn weights(&self) -> NetworkWeights {
        let plain = |rows: &[Lane]| -> Vec<i16> {
            let rows = rows.chunks_exact(self.lanes);
            let row = |row: &[Lane]| row.iter().flat_map(|lane| lane.0).take(self.width).collect();
            rows.flat_map::<Vec<i16>, _>(row).collect()
        };
        NetworkWeights {
            width: self.width,
            king_buckets: self.king_buckets,
            scale: self.scale,
            features: plain(&self.features),
            bias: plain(&self.bias),
            output: plain(&self.output),
            output_bias: self.output_bias.clone(),
        }
    }

    /// Encodes the network as a file.
    ///
    /// All numbers are little-endian.
    ///
    /// | bytes | contents |
    /// |---|---|
    /// | 16 | `umbrail network`, line feed |
    /// | 2 | version: 2, or 3 with more than one king bucket |
    /// | 2 | width `w` of the hidden layer, one of [`WIDTHS`] |
    /// | 2 | number `b` of output buckets, 1 to 8 |
    /// | 2 | centipawns for an output of 1 |
    /// | 2 | unit of the first layer: 255 |
    /// | 2 | unit of the output weights: 64 |
    /// | 2 | zero, or in version 3 the number `k` of king buckets |
    /// | 2 | zero |
    /// | 1 to 3 each | 768 · `w` weights of the first layer, input by input, see `small_numbers` |
    /// | 1 to 3 each | version 3: (`k` - 1) · 768 · `w` differences of the other king buckets |
    /// | 1 to 3 each | `w` biases of the first layer |
    /// | 1 to 3 each | 2 · `w` · `b` output weights, bucket by bucket, first those of the side to move |
    /// | 4 · `b` | output biases, in units of 1/(255 · 64) |
    /// | 8 | XXH3 hash (64 bits) of all bytes before |
    ///
    /// Input `384 e + 64 r + s` is a piece of role `r` (pawn, knight, bishop, rook, queen, king) on
    /// square `s` (a1 is 0, b1 is 1, h8 is 63) as a side sees the board; `e` is 1 for the enemy's
    /// pieces. With one bucket, that of the king is always 0. With three buckets it is 1 on files a and
    /// b (or g and h) of the side's first two ranks, 0 on the other squares of these ranks, 2 elsewhere. The
    /// differences are those of the weights to the first king bucket. In version 1 each weight has
    /// two bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = encode(&self.weights());
        bytes.extend(self.checksum.to_le_bytes());
        bytes
    }

    /// Decodes the file of a network.
    ///
    /// # Errors
    /// [`NetworkError`] if the bytes are not exactly one network that this program can evaluate.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        if !bytes.starts_with(MAGIC) {
            return Err(NetworkError::Kind);
        }
        let short = NetworkError::Length { expected: HEAD + CHECK, found: bytes.len() };
        if bytes.len() < HEAD + CHECK {
            return Err(short);
        }
        let number = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let version = number(16);
        if !(1..=KING_VERSION).contains(&version) {
            return Err(NetworkError::Version(version));
        }
        let (width, buckets, scale) =
            (usize::from(number(18)), usize::from(number(20)), number(22));
        let king_buckets = if version == KING_VERSION { usize::from(number(28)) } else { 1 };
        check_shape(width, king_buckets, buckets, scale)?;
        let units = [number(24), number(26), scale];
        if units[..2] != [ACTIVATION as u16, OUTPUT as u16] {
            return Err(NetworkError::Units(units));
        }
        let small = king_buckets * INPUTS * width + width + 2 * width * buckets;
        // Smallest length; in version 1 the exact length.
        let each = if version == 1 { 2 } else { 1 };
        let expected = HEAD + each * small + 4 * buckets + CHECK;
        if bytes.len() < expected || version == 1 && bytes.len() > expected {
            return Err(NetworkError::Length { expected, found: bytes.len() });
        }
        let (body, check) = bytes.split_at(bytes.len() - CHECK);
        if check != xxh3_64(body).to_le_bytes() {
            return Err(NetworkError::Damaged);
        }
        let (mut numbers, biases) = body[HEAD..].split_at(body.len() - HEAD - 4 * buckets);
        let weights: Vec<i16> = match version {
            1 => numbers.as_chunks::<2>().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect(),
            _ => std::iter::from_fn(|| small_numbers::read(&mut numbers)).take(small).collect(),
        };
        if weights.len() != small || version > 1 && !numbers.is_empty() {
            let found = weights.len() + numbers.len();
            return Err(NetworkError::Length { expected: small, found });
        }
        let mut weights = weights.into_iter();
        let mut take = |count: usize| weights.by_ref().take(count).collect::<Vec<i16>>();
        let mut features = take(king_buckets * INPUTS * width);
        let (first, others) = features.split_at_mut(INPUTS * width);
        for (weight, first) in others.iter_mut().zip(first.iter().cycle()) {
            *weight = weight.wrapping_add(*first);
        }
        Self::new(&NetworkWeights {
            width,
            king_buckets,
            scale,
            features,
            bias: take(width),
            output: take(2 * width * buckets),
            output_bias: biases
                .as_chunks()
                .0
                .iter()
                .map(|&four| i32::from_le_bytes(four))
                .collect(),
        })
    }
}

fn check_shape(
    width: usize,
    king_buckets: usize,
    buckets: usize,
    scale: u16,
) -> Result<(), NetworkError> {
    if !WIDTHS.contains(&width) {
        return Err(NetworkError::Width(width));
    }
    if !(1..=BUCKETS_MAX).contains(&buckets) {
        return Err(NetworkError::Buckets(buckets));
    }
    if !KING_BUCKETS.contains(&king_buckets) {
        return Err(NetworkError::KingBuckets(king_buckets));
    }
    if scale == 0 {
        return Err(NetworkError::Units([ACTIVATION as u16, OUTPUT as u16, scale]));
    }
    Ok(())
}

/// Encodes the file without its checksum.
fn encode(weights: &NetworkWeights) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let (width, buckets) = (weights.width as u16, weights.output_bias.len() as u16);
    let (version, kings) = match weights.king_buckets {
        1 => (VERSION, 0),
        kings => (KING_VERSION, kings as u16),
    };
    let units = [ACTIVATION, OUTPUT].map(|unit| unit as u16);
    for number in [version, width, buckets, weights.scale, units[0], units[1], kings, 0] {
        bytes.extend(number.to_le_bytes());
    }
    debug_assert_eq!(bytes.len(), HEAD);
    let (first, others) = weights.features.split_at(INPUTS * weights.width);
    let others = others.iter().zip(first.iter().cycle());
    let others = others.map(|(weight, first)| weight.wrapping_sub(*first));
    let rest = weights.bias.iter().chain(&weights.output).copied();
    for number in first.iter().copied().chain(others).chain(rest) {
        small_numbers::write(number, &mut bytes);
    }
    weights.output_bias.iter().for_each(|bias| bytes.extend(bias.to_le_bytes()));
    bytes
}

/// Pads rows of this width to whole lanes.
fn lanes(numbers: &[i16], width: usize) -> Vec<Lane> {
    let rows = numbers.chunks_exact(width);
    rows.flat_map(|row| row.chunks(LANE))
        .map(|part| {
            let mut lane = Lane([0; LANE]);
            lane.0[..part.len()].copy_from_slice(part);
            lane
        })
        .collect()
}
