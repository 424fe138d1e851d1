//! Networks trained with bullet: its file `quantised.bin`.
//!
//! bullet writes the weights of a network `(768 x k -> n) x 2 -> 1 x b` as 16-bit integers, little-endian: first layer
//! by inputs, its biases, output weights by buckets, output biases; then bytes of its name fill the last 64 bytes
//! (`docs/4-saved-networks.md` in its repository). The file has no header, so the shape is given by the caller.

use crate::options::TrainOptions;
use std::path::{Path, PathBuf};
use umbrail_control::{FILE_BYTES_MAX, Unreadable, WriteError, read_own, write_whole};
use umbrail_search::features::INPUTS;
use umbrail_search::{Network, NetworkError, NetworkWeights};

/// Size to whose multiples bullet pads its file, bytes.
const PADDED: usize = 64;
/// Text that fills the padding.
const FILLER: &[u8] = b"bullet";

/// Reason why a file of bullet was not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Read(PathBuf, Unreadable),
    /// The length of the file does not match the shape.
    #[error(
        "{path}: expected {expected} bytes for width {width}, {king_buckets} king buckets and {buckets} buckets, got {found}",
        path = path.display()
    )]
    Length {
        /// The file.
        path: PathBuf,
        /// Length of a file of this shape, bytes.
        expected: usize,
        /// Length of the file, bytes.
        found: usize,
        /// Width of the options.
        width: usize,
        /// King buckets of the options.
        king_buckets: usize,
        /// Output buckets of the options.
        buckets: usize,
    },
    /// The end of the file is not the padding of bullet.
    #[error("{0}: expected the padding of bullet at the end; is the shape right?")]
    Padding(PathBuf),
    /// The weights are not those of a network.
    #[error("{0}: {1}")]
    Network(PathBuf, NetworkError),
    /// The network cannot be written.
    #[error("{0}")]
    Write(WriteError),
}

/// Reads a network of bullet in the shape and with the scale of the options, and writes it to their file.
///
/// # Errors
/// [`ImportError`].
pub fn import(path: &Path, options: &TrainOptions) -> Result<Network, ImportError> {
    let read = read_own(path, FILE_BYTES_MAX);
    let bytes = read.map_err(|error| ImportError::Read(path.to_owned(), error.reason))?;
    let network = decode(&bytes, path, options)?;
    write_whole(&options.network, |out| out.write_all(&network.to_bytes()))
        .map_err(ImportError::Write)?;
    Ok(network)
}

fn decode(bytes: &[u8], path: &Path, options: &TrainOptions) -> Result<Network, ImportError> {
    let TrainOptions { width, king_buckets, buckets, scale, .. } = *options;
    let counts = [king_buckets * INPUTS * width, width, 2 * width * buckets, buckets];
    let used = 2 * counts.iter().sum::<usize>();
    let expected = used.next_multiple_of(PADDED);
    if bytes.len() != expected {
        let (path, found) = (path.to_owned(), bytes.len());
        return Err(ImportError::Length { path, expected, found, width, king_buckets, buckets });
    }
    let (weights, padding) = bytes.split_at(used);
    if !padding.iter().eq(FILLER.iter().cycle().take(padding.len())) {
        return Err(ImportError::Padding(path.to_owned()));
    }
    let mut numbers = weights.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair));
    let [features, bias, output, output_bias] =
        counts.map(|count| numbers.by_ref().take(count).collect::<Vec<i16>>());
    let output_bias = output_bias.into_iter().map(i32::from).collect();
    let weights =
        NetworkWeights { width, king_buckets, scale, features, bias, output, output_bias };
    Network::new(&weights).map_err(|why| ImportError::Network(path.to_owned(), why))
}

#[cfg(test)]
mod tests {
    use super::{FILLER, decode};
    use crate::options::TrainOptions;
    use crate::random::RandomNumbers;
    use std::path::Path;
    use umbrail_chess::Position;
    use umbrail_chess::geometry::Color;
    use umbrail_search::bench::{POSITIONS, position};
    use umbrail_search::features::{bucket, inputs};

    /// Value of bullet's file by its documentation, computed here without a network: squared clamped sums in units
    /// 255 and 64.
    fn expected(numbers: &[i16], options: &TrainOptions, position: &Position) -> i64 {
        let TrainOptions { width, king_buckets, buckets, .. } = *options;
        let (bias, output) = (king_buckets * 768 * width, (king_buckets * 768 + 1) * width);
        let at = bucket(position.occupied().len(), buckets);
        let turn = position.turn();
        let mut sum = 0;
        for (side, color) in [turn, !turn].into_iter().enumerate() {
            for unit in 0..width {
                let weights = inputs(position, color, king_buckets);
                let weights = weights.map(|input| i64::from(numbers[input * width + unit]));
                let value = weights.sum::<i64>() + i64::from(numbers[bias + unit]);
                let weight = numbers[output + (2 * at + side) * width + unit];
                sum += value.clamp(0, 255).pow(2) * i64::from(weight);
            }
        }
        let bias = i64::from(numbers[output + 2 * buckets * width + at]);
        (sum + 255 * bias) * i64::from(options.scale) / (255 * 255 * 64)
    }

    fn options() -> TrainOptions {
        TrainOptions { width: 32, king_buckets: 3, buckets: 8, ..TrainOptions::sample() }
    }

    fn file() -> (Vec<i16>, Vec<u8>) {
        let mut random = RandomNumbers::new(4, 4);
        let count = 3 * 768 * 32 + 32 + 8 * 64 + 8;
        let numbers: Vec<i16> = (0..count).map(|_| random.within(90.0) as i16).collect();
        let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let padding = bytes.len().next_multiple_of(64) - bytes.len();
        bytes.extend(FILLER.iter().cycle().take(padding));
        (numbers, bytes)
    }

    #[test]
    fn values_are_those_of_the_file() {
        let (numbers, bytes) = file();
        let network = decode(&bytes, Path::new("quantised.bin"), &options()).unwrap();
        let mut seen = 0;
        for position in POSITIONS.iter().filter_map(|fen| position(fen)) {
            let expected = expected(&numbers, &options(), &position).clamp(-20_000, 20_000);
            assert_eq!(i64::from(network.evaluate(&position)), expected);
            seen += u32::from(position.turn() == Color::Black);
        }
        assert!(seen > 3);
    }

    #[test]
    fn another_shape_and_other_padding_are_refused() {
        let (_, bytes) = file();
        let refused = |bytes: &[u8], options: &TrainOptions| {
            decode(bytes, Path::new("q.bin"), options).unwrap_err().to_string()
        };
        let error = refused(&bytes, &TrainOptions { width: 16, ..options() });
        assert!(error.starts_with("q.bin: expected ") && error.contains("width 16"), "{error}");
        let mut other = bytes.clone();
        *other.last_mut().unwrap() ^= 1;
        assert!(refused(&other, &options()).contains("padding"));
        let mut large = bytes;
        large[..2].copy_from_slice(&2_000_i16.to_le_bytes());
        assert!(refused(&large, &options()).contains("feature weights"));
    }
}
