//! Tests of the file format and the bounds of the weights. Values are compared in
//! `tests/network.rs`.

use super::{BUCKETS_MAX, INPUTS, KING_BUCKETS, Network, NetworkError, NetworkWeights, WIDTHS};
use crate::bench::position;
use umbrail_chess::Position;
use xxhash_rust::xxh3::xxh3_64;

fn counted(width: usize, king_buckets: usize, buckets: usize) -> NetworkWeights {
    let features = vec![0; king_buckets * INPUTS * width];
    let zero = NetworkWeights::zero(width, buckets, 250);
    let mut weights = NetworkWeights { king_buckets, features, ..zero };
    let mut number = 0_i16;
    let mut next = |bound: i16| {
        number = (number + 7) % 900;
        number % bound
    };
    weights.features.iter_mut().chain(&mut weights.bias).for_each(|w| *w = next(900) - 450);
    weights.output.iter_mut().for_each(|w| *w = next(80) - 40);
    weights.output_bias.iter_mut().for_each(|w| *w = i32::from(next(900)));
    weights
}

#[test]
fn files_are_read_as_they_were_written() {
    for width in WIDTHS {
        for buckets in [1, BUCKETS_MAX] {
            let weights = counted(width, 1, buckets);
            let network = Network::new(&weights).unwrap();
            let bytes = network.to_bytes();
            let plain = first_version(&weights);
            assert_eq!(plain.len(), 40 + 2 * (769 * width + 2 * width * buckets) + 4 * buckets);
            assert!(bytes.len() < plain.len());
            assert_eq!(Network::from_bytes(&plain).unwrap().to_bytes(), bytes);
            let read = Network::from_bytes(&bytes).unwrap();
            assert_eq!(read.weights(), weights);
            assert_eq!((read.to_bytes(), read.to_string()), (bytes, network.to_string()));
            let start = Position::startpos();
            assert_eq!(read.evaluate(&start), network.evaluate(&start));
        }
    }
}

#[test]
fn king_buckets_have_weights_of_their_own_in_files_and_values() {
    for width in WIDTHS {
        let weights = counted(width, 3, 2);
        let network = Network::new(&weights).unwrap();
        let bytes = network.to_bytes();
        assert_eq!((bytes[16], bytes[28]), (3, 3));
        let read = Network::from_bytes(&bytes).unwrap();
        assert_eq!((read.weights(), read.to_bytes()), (weights.clone(), bytes));
        assert!(read.to_string().starts_with(&format!("3 x 768 -> {width} x 2 -> 2, ")), "{read}");
        // Without its other buckets the network returns the same values only where both kings are
        // in the first one.
        let features = weights.features[..INPUTS * width].to_vec();
        let single = NetworkWeights { king_buckets: 1, features, ..weights };
        let single = Network::new(&single).unwrap();
        let values = |fen: &str| {
            let position = position(fen).unwrap();
            [&network, &single].map(|it| it.evaluate(&position))
        };
        let [a, b] = values("r2qk2r/pppp1ppp/8/8/8/8/PPPPP1PP/R2QK2R w KQkq - 0 1");
        assert_eq!(a, b);
        let [a, b] = values("r2q1rk1/pppp1ppp/8/8/8/8/PPPPP1PP/R2QK2R w KQ - 0 1");
        assert_ne!(a, b);
    }
    for (buckets, text) in [(2, "2"), (4, "4"), (0, "0")] {
        let weights = NetworkWeights { king_buckets: buckets, ..counted(16, 1, 1) };
        let error = Network::new(&weights).unwrap_err();
        let given = format!("expected king buckets of {KING_BUCKETS:?}, got {text}");
        assert_eq!((error.to_string(), error), (given, NetworkError::KingBuckets(buckets)));
        let mut bytes = Network::new(&counted(16, 3, 1)).unwrap().to_bytes();
        bytes[28] = buckets as u8;
        assert_eq!(Network::from_bytes(&bytes).unwrap_err(), NetworkError::KingBuckets(buckets));
    }
}

/// Encodes the file in version 1: two bytes for each weight.
fn first_version(weights: &NetworkWeights) -> Vec<u8> {
    let mut bytes = b"umbrail network\n".to_vec();
    let (width, buckets) = (weights.width as u16, weights.output_bias.len() as u16);
    let head = [1, width, buckets, weights.scale, 255, 64, 0, 0];
    bytes.extend(head.iter().flat_map(|number| number.to_le_bytes()));
    let small = weights.features.iter().chain(&weights.bias).chain(&weights.output);
    bytes.extend(small.flat_map(|number| number.to_le_bytes()));
    bytes.extend(weights.output_bias.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes
}

/// Returns the bytes with another end and a matching checksum.
fn with_end(bytes: &[u8], end: &[u8]) -> Vec<u8> {
    let mut bytes = [&bytes[..bytes.len() - 8], end].concat();
    bytes.extend(xxh3_64(&bytes).to_le_bytes());
    bytes
}

#[test]
fn a_file_with_another_number_of_weights_is_refused_although_its_checksum_is_right() {
    let weights = counted(16, 1, 1);
    let bytes = Network::new(&weights).unwrap().to_bytes();
    for more in [1, 4, 100] {
        let error = Network::from_bytes(&with_end(&bytes, &vec![0; more])).unwrap_err();
        let found = 769 * 16 + 32 + more;
        assert_eq!(error, NetworkError::Length { expected: 769 * 16 + 32, found });
    }
    // The last weight of two bytes is cut in the middle.
    let short = [&bytes[..1000], &vec![0x80; 20_000]].concat();
    assert!(matches!(
        Network::from_bytes(&with_end(&short, &[])),
        Err(NetworkError::Length { .. })
    ));
    let plain = first_version(&weights);
    let error = Network::from_bytes(&with_end(&plain, &[0, 0])).unwrap_err();
    assert!(matches!(error, NetworkError::Length { .. }));
}

#[test]
fn every_damage_is_noticed() {
    let bytes = Network::new(&counted(16, 1, 1)).unwrap().to_bytes();
    for at in (0..64).chain((64..bytes.len()).step_by(97)).chain(bytes.len() - 12..bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 16;
        let error = Network::from_bytes(&damaged).unwrap_err();
        let expected = match at {
            0..16 => matches!(error, NetworkError::Kind),
            16..18 => matches!(error, NetworkError::Version(_)),
            // Another known width has another length.
            18..20 => matches!(error, NetworkError::Width(_) | NetworkError::Length { .. }),
            20..22 => matches!(error, NetworkError::Buckets(_)),
            24..28 => matches!(error, NetworkError::Units(_)),
            _ => matches!(error, NetworkError::Damaged),
        };
        assert!(expected, "byte {at}: {error}");
    }
    for end in 0..bytes.len() {
        assert!(Network::from_bytes(&bytes[..end]).is_err(), "{end} bytes");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(Network::from_bytes(&longer), Err(NetworkError::Damaged)));
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let refused = |change: &dyn Fn(&mut NetworkWeights)| {
        let mut weights = counted(256, 1, 2);
        change(&mut weights);
        Network::new(&weights).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(refused(&|_| ()), Ok(()));
    assert_eq!(refused(&|w| w.features[5] = -992), Ok(()));
    let error = "expected feature weights within ±992, got -993";
    assert_eq!(refused(&|w| w.features[5] = -993), Err(error.to_owned()));
    assert!(refused(&|w| w.bias[0] = i16::MIN).is_err());
    let error = "expected output weights within ±128, got 129";
    assert_eq!(refused(&|w| w.output[511] = 129), Err(error.to_owned()));
    // A bucket has 512 weights: 64 each are allowed, 65 each are not.
    assert_eq!(refused(&|w| w.output[512..].fill(-64)), Ok(()));
    assert!(refused(&|w| w.output[512..].fill(-65)).unwrap_err().ends_with("got 33280"));
    assert!(refused(&|w| w.bias.truncate(255)).unwrap_err().contains("got 255"));
    assert!(refused(&|w| w.scale = 0).is_err());
    assert!(refused(&|w| w.output_bias.clear()).is_err());
}

#[test]
fn values_of_buckets_and_pieces_are_those_of_the_evaluation() {
    let network = Network::built_in().unwrap();
    let whole =
        position("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3").unwrap();
    let buckets = network.bucket_values(&whole);
    assert_eq!((buckets.len(), buckets[7]), (8, network.evaluate(&whole)));
    let values = network.piece_values(&whole);
    assert_eq!(values.len(), 30);
    for (square, fen) in [
        ("c4", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"),
        ("d8", "r1b1kbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"),
    ] {
        let without = position(fen).unwrap();
        let (_, value) = values.iter().find(|(at, _)| at.to_string() == square).unwrap();
        // Black is to move, so values for White have the other sign.
        let expected = network.evaluate(&without) - network.evaluate(&whole);
        assert_eq!(*value, expected, "{square}");
        assert_eq!(*value > 0, square == "c4");
    }
}
