//! Conversion between floating-point weights and the integers of the network in use.

use crate::model::Shape;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use umbrail_search::features::{ACTIVATION, OUTPUT};
use umbrail_search::{Network, NetworkError, NetworkWeights};

/// Returns the network with each weight rounded to its unit.
///
/// # Errors
/// [`NetworkError`] if the weights exceed a bound of the quantized network.
pub(crate) fn quantized(
    weights: &[f32],
    shape: Shape,
    scale: u16,
) -> Result<Network, NetworkError> {
    let rounded = |from: usize, to: usize, unit: i16| -> Vec<i16> {
        let part = weights[from..to].iter();
        part.map(|weight| (weight * f32::from(unit)).round() as i16).collect()
    };
    let unit = f32::from(ACTIVATION) * f32::from(OUTPUT);
    let biases = weights[shape.output_bias()..].iter();
    Network::new(&NetworkWeights {
        width: shape.width,
        king_buckets: shape.king_buckets,
        scale,
        features: rounded(0, shape.bias(), ACTIVATION),
        bias: rounded(shape.bias(), shape.output(), ACTIVATION),
        output: rounded(shape.output(), shape.output_bias(), OUTPUT),
        output_bias: biases.map(|bias| (bias * unit).round() as i32).collect(),
    })
}

/// Writes the weights into `rounded`, each rounded as in the quantized network.
pub(crate) fn round(weights: &[f32], shape: Shape, rounded: &mut [f32]) {
    let (first, last) = (f32::from(ACTIVATION), f32::from(OUTPUT));
    let mut part = |from: usize, to: usize, unit: f32| {
        let pairs = rounded[from..to].par_iter_mut().with_min_len(4_096);
        let pairs = pairs.zip(&weights[from..to]);
        pairs.for_each(|(rounded, weight)| *rounded = (weight * unit).round() / unit);
    };
    part(0, shape.output(), first);
    part(shape.output(), shape.output_bias(), last);
    part(shape.output_bias(), shape.len(), first * last);
}

/// Returns the floating-point weights of quantized weights in this shape. Weights of a single king
/// bucket are repeated for each bucket of the shape.
pub(crate) fn exact(network: &NetworkWeights, shape: Shape) -> Vec<f32> {
    let NetworkWeights { features, bias, output, output_bias, .. } = network;
    let in_units = |unit: f32| move |&weight: &i16| f32::from(weight) / unit;
    let features = features.iter().cycle().take(shape.bias());
    let hidden = features.chain(bias).map(in_units(f32::from(ACTIVATION)));
    let output = output.iter().map(in_units(f32::from(OUTPUT)));
    let unit = f32::from(ACTIVATION) * f32::from(OUTPUT);
    hidden.chain(output).chain(output_bias.iter().map(|&bias| bias as f32 / unit)).collect()
}

#[cfg(test)]
mod tests {
    use super::{exact, quantized, round};
    use crate::model::{Shape, value};
    use crate::random::RandomNumbers;
    use umbrail_search::bench::{POSITIONS, position};

    /// Returns the largest difference in centipawns between a network and its quantized form, on
    /// the positions of the bench.
    fn difference(weights: &[f32], shape: Shape) -> f32 {
        let network = quantized(weights, shape, 400).unwrap();
        let positions = POSITIONS.iter().filter_map(|fen| position(fen));
        let each = positions.map(|position| {
            let exact = 400.0 * value(weights, shape, &position);
            assert!(exact.abs() < 19_000.0, "{exact}");
            (network.evaluate(&position) as f32 - exact).abs()
        });
        each.fold(0.0, f32::max)
    }

    #[test]
    fn weights_that_are_whole_units_lose_nothing() {
        for (width, king_buckets, buckets) in
            [(16, 1, 1), (32, 3, 8), (64, 1, 2), (128, 3, 1), (256, 1, 3)]
        {
            let shape = Shape { width, king_buckets, buckets };
            let mut random = RandomNumbers::new(width as u64, 1);
            let mut whole = |bound: f32, unit: f32| random.within(bound).round() / unit;
            let first = (0..shape.output()).map(|_| whole(90.0, 255.0)).collect::<Vec<_>>();
            let last = (shape.output()..shape.len()).map(|_| whole(20.0, 64.0)).collect::<Vec<_>>();
            // The value is in whole centipawns; single precision adds its rounding.
            let found = difference(&[first, last].concat(), shape);
            assert!(found < 1.02, "width {width}: {found} centipawns");
        }
    }

    #[test]
    fn the_weights_of_a_network_give_that_network() {
        let shape = Shape { width: 32, king_buckets: 3, buckets: 3 };
        let mut random = RandomNumbers::new(7, 7);
        let weights: Vec<f32> = (0..shape.len()).map(|_| random.within(0.3)).collect();
        let network = quantized(&weights, shape, 400).unwrap();
        let again = exact(&network.weights(), shape);
        assert_eq!(quantized(&again, shape, 400).unwrap().weights(), network.weights());
        let near = weights.iter().zip(&again).all(|(a, b)| (a - b).abs() < 0.51 / 64.0);
        assert!(near && again != weights);
    }

    #[test]
    fn rounded_weights_are_those_of_the_network() {
        let shape = Shape { width: 16, king_buckets: 3, buckets: 2 };
        let mut random = RandomNumbers::new(3, 3);
        let weights: Vec<f32> = (0..shape.len()).map(|_| random.within(0.7)).collect();
        let mut rounded = vec![9.0; shape.len()];
        round(&weights, shape, &mut rounded);
        let network = quantized(&weights, shape, 400).unwrap();
        assert_eq!(rounded, exact(&network.weights(), shape));
        assert_ne!(rounded, weights);
    }

    #[test]
    fn rounding_of_other_weights_changes_little() {
        let shape = Shape { width: 32, king_buckets: 1, buckets: 2 };
        let mut random = RandomNumbers::new(5, 5);
        let weights: Vec<f32> = (0..shape.len()).map(|_| random.within(0.3)).collect();
        let found = difference(&weights, shape);
        assert!((0.1..40.0).contains(&found), "{found} centipawns");
    }

    #[test]
    fn weights_at_the_bound_of_training_fit() {
        for width in [16, 32, 64, 128] {
            let shape = Shape { width, king_buckets: 1, buckets: 1 };
            let weights = vec![crate::optimizer::WEIGHT_MAX; shape.len()];
            assert!(quantized(&weights, shape, 400).is_ok(), "width {width}");
        }
        let shape = Shape { width: 256, king_buckets: 1, buckets: 1 };
        let weights = vec![crate::optimizer::WEIGHT_MAX; shape.len()];
        let error = quantized(&weights, shape, 400).unwrap_err();
        assert!(error.to_string().contains("33025"), "{error}");
    }
}
