//! Initial networks of a training.

use crate::model::Shape;
use crate::options::TrainOptions;
use crate::quantize::exact;
use std::fmt;
use std::path::{Path, PathBuf};
use umbrail_control::{FILE_BYTES_MAX, Unreadable, read_own};
use umbrail_search::{Network, NetworkError, NetworkWeights};

/// Reason why training cannot start from a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartNetworkError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] Unreadable),
    /// The file is not a network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The number of king buckets cannot be extended to that of the options.
    #[error("expected a network of {} king buckets, got {found}", kings(*expected))]
    KingBuckets {
        /// Number of the options.
        expected: usize,
        /// Number of the network.
        found: usize,
    },
    /// The width is larger than that of the options, or buckets or scale differ.
    #[error(
        "expected a network of width {} at most, {} buckets and scale {}, got {}, {} and {}",
        expected.0, expected.1, expected.2, found.0, found.1, found.2
    )]
    Shape {
        /// Width, buckets and scale of the options.
        expected: (usize, usize, u16),
        /// Those of the network.
        found: (usize, usize, u16),
    },
}

/// Lists the numbers of king buckets from which training can start.
fn kings(expected: usize) -> String {
    if expected == 1 { "1".to_owned() } else { format!("1 or {expected}") }
}

/// One or several networks of the same shape. Training starts with the mean of each weight, rounded
/// to its unit.
///
/// The mean of networks that were trained from a common one, with other orders of the positions or
/// another rate, is often better than each of them: random components cancel out ("stochastic
/// weight averaging", Izmailov and others 2018; "model soups", Wortsman and others 2022). The mean
/// is rounded because passes with rounded weights learn worse from weights halfway between two
/// units: each small step rounds them to the other side (measured in matches, see
/// `docs/measurements/matches.csv`).
#[derive(Debug)]
pub(crate) struct StartNetworks(Vec<Network>);

impl StartNetworks {
    /// Returns the mean weights in this shape. If the networks have a smaller width than the shape, each missing sum has
    /// the weights of `fresh` in the first layer and does not affect the output.
    pub(crate) fn weights(&self, shape: Shape, fresh: impl FnOnce() -> Vec<f32>) -> Vec<f32> {
        let networks: Vec<NetworkWeights> = self.0.iter().map(Network::weights).collect();
        let width = networks.first().map_or(shape.width, |network| network.width);
        let narrow = Shape { width, ..shape };
        let weights = exact(&mean(&networks, narrow), narrow);
        if width == shape.width { weights } else { widened(&weights, narrow, fresh(), shape) }
    }
}

/// Copies weights into the first sums of a wider network, whose other output weights become 0.
fn widened(weights: &[f32], narrow: Shape, mut fresh: Vec<f32>, shape: Shape) -> Vec<f32> {
    fresh[shape.output()..shape.output_bias()].fill(0.0);
    // Rows of the first layer, its biases, then the output weights of each side and bucket.
    let rows = weights[..narrow.output_bias()].chunks_exact(narrow.width);
    for (row, narrow) in fresh.chunks_exact_mut(shape.width).zip(rows) {
        row[..narrow.len()].copy_from_slice(narrow);
    }
    fresh[shape.output_bias()..].copy_from_slice(&weights[narrow.output_bias()..]);
    fresh
}

/// Returns the mean of these networks. A network with a single king bucket counts as one with its
/// weights in each bucket.
fn mean(networks: &[NetworkWeights], shape: Shape) -> NetworkWeights {
    let of = |count: usize, part: &dyn Fn(&NetworkWeights) -> Vec<i32>| -> Vec<f64> {
        let mut sums = vec![0.0; count];
        for network in networks {
            let part = part(network);
            let weights = part.iter().cycle();
            sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum += f64::from(weight));
        }
        let count = networks.len() as f64;
        sums.into_iter().map(|sum| (sum / count).round_ties_even()).collect()
    };
    let wide = |weights: &[i16]| weights.iter().map(|&weight| weight.into()).collect();
    let narrow = |weights: Vec<f64>| weights.into_iter().map(|weight| weight as i16).collect();
    NetworkWeights {
        width: shape.width,
        king_buckets: shape.king_buckets,
        scale: networks.first().map_or(1, |network| network.scale),
        features: narrow(of(shape.bias(), &|network| wide(&network.features))),
        bias: narrow(of(shape.width, &|network| wide(&network.bias))),
        output: narrow(of(shape.output_bias() - shape.output(), &|network| wide(&network.output))),
        output_bias: of(shape.buckets, &|network| network.output_bias.clone())
            .into_iter()
            .map(|bias| bias as i32)
            .collect(),
    }
}

impl fmt::Display for StartNetworks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [network] => write!(f, "{network}"),
            networks => {
                let networks: Vec<String> = networks.iter().map(Network::to_string).collect();
                write!(f, "the mean of {}", networks.join("; "))
            }
        }
    }
}

/// Reads the networks that the options name; none if they name none.
///
/// # Errors
/// Path of the file, and the reason why it cannot be read or used.
pub(crate) fn read_start(
    options: &TrainOptions,
) -> Result<Option<StartNetworks>, (PathBuf, StartNetworkError)> {
    let read = |path: &PathBuf| read_one(path, options).map_err(|why| (path.clone(), why));
    let networks: Vec<Network> = options.start.iter().map(read).collect::<Result<_, _>>()?;
    let shape = |network: &Network| (network.width(), options.buckets, options.scale);
    if let Some(at) = networks.iter().position(|network| shape(network) != shape(&networks[0])) {
        let (expected, found) = (shape(&networks[0]), shape(&networks[at]));
        return Err((options.start[at].clone(), StartNetworkError::Shape { expected, found }));
    }
    Ok(Some(StartNetworks(networks)).filter(|networks| !networks.0.is_empty()))
}

fn read_one(path: &Path, options: &TrainOptions) -> Result<Network, StartNetworkError> {
    let bytes = read_own(path, FILE_BYTES_MAX).map_err(|error| error.reason)?;
    let network = Network::from_bytes(&bytes)?;
    let kings = network.king_buckets();
    if kings != 1 && kings != options.king_buckets {
        let expected = options.king_buckets;
        return Err(StartNetworkError::KingBuckets { expected, found: kings });
    }
    let found = (network.width(), network.buckets(), network.weights().scale);
    let expected = (options.width, options.buckets, options.scale);
    if (found.1, found.2) != (expected.1, expected.2) || found.0 > expected.0 {
        return Err(StartNetworkError::Shape { expected, found });
    }
    Ok(network)
}
