//! Checks that all ways to compute a network agree, on many positions of random games.
//!
//! `network_check [POSITIONS [SEED]]`, 1,000,000 positions and seed 1 without arguments. For each width and
//! number of king buckets there is a network of random weights and one whose weights are all at their bounds. On each
//! position these are compared:
//!
//! - the sums that are kept and changed along a randomly walked tree, with sums computed from nothing;
//! - every instruction set of this processor, with the plain code, and that with the formula in 64-bit numbers;
//! - the position with colors exchanged, and the position with files mirrored, with the position itself.
//!
//! The tests of the crate run the same on fewer positions.

use std::collections::BTreeMap;
use std::sync::Arc;
use umbrail_chess::geometry::{Setup, Square};
use umbrail_chess::{CastlingMode, Move, Position, SplitMix64};
use umbrail_search::features::{
    ACTIVATION, Accumulators, INPUTS, KING_BUCKETS, OUTPUT, WIDTHS, bucket, inputs,
};
use umbrail_search::{Kernel, Network, NetworkWeights};

/// Where games begin: the array, castling on both sides, Chess960, pawns that can be taken en passant, and pawns that
/// promote.
const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "r3k2r/8/p1p1p1p1/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// Deepest ply of a walk.
const DEPTH: usize = 24;

/// Random numbers of the networks and walks.
pub(crate) struct Random(pub(crate) SplitMix64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.draw() >> 33) as usize % bound
    }

    fn within(&mut self, bound: i16) -> i16 {
        (self.below(2 * bound as usize + 1) as i32 - i32::from(bound)) as i16
    }

    fn sign(&mut self, bound: i16) -> i16 {
        if self.below(2) == 0 { bound } else { -bound }
    }
}

/// Random weights, or random signs of the greatest weights that are allowed.
pub(crate) fn weights(
    random: &mut Random,
    width: usize,
    king_buckets: usize,
    buckets: usize,
    extreme: bool,
) -> NetworkWeights {
    let features = vec![0; king_buckets * INPUTS * width];
    let zero = NetworkWeights::zero(width, buckets, 400);
    let mut weights = NetworkWeights { king_buckets, features, ..zero };
    // Sums near the middle of the clamp, or far outside of it.
    let (feature, output) = match extreme {
        false => (40, (30_000 / width).min(100) as i16),
        true => (992, (33_025 / (2 * width)).min(128) as i16),
    };
    let mut weight = |bound| if extreme { random.sign(bound) } else { random.within(bound) };
    weights.features.iter_mut().chain(&mut weights.bias).for_each(|w| *w = weight(feature));
    weights.output.iter_mut().for_each(|w| *w = weight(output));
    weights.output_bias.iter_mut().for_each(|w| *w = i32::from(weight(30_000)));
    weights
}

/// The value by the formula, in numbers that cannot overflow.
fn by_formula(weights: &NetworkWeights, position: &Position) -> i64 {
    let (width, turn) = (weights.width, position.turn());
    let at = bucket(position.occupied().len(), weights.output_bias.len());
    let output = &weights.output[at * 2 * width..][..2 * width];
    let mut sum = i64::from(weights.output_bias[at]) * i64::from(ACTIVATION);
    for (side, output) in [turn, !turn].into_iter().zip(output.chunks(width)) {
        let mut hidden: Vec<i64> = weights.bias.iter().map(|&bias| bias.into()).collect();
        for input in inputs(position, side, weights.king_buckets) {
            let row = &weights.features[input * width..][..width];
            hidden.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += i64::from(weight));
        }
        for (&hidden, &weight) in hidden.iter().zip(output) {
            sum += hidden.clamp(0, ACTIVATION.into()).pow(2) * i64::from(weight);
        }
    }
    let unit = i64::from(ACTIVATION).pow(2) * i64::from(OUTPUT);
    (sum * i64::from(weights.scale) / unit).clamp(-20_000, 20_000)
}

/// The same men with colors exchanged and the board turned, or with files mirrored.
fn reflected(position: &Position, colors: bool) -> Option<Position> {
    let (setup, mut other) = (position.to_setup(), Setup::default());
    for (square, color, letter) in setup.pieces() {
        match colors {
            true => other.put(square.flip_rank(), !color, letter),
            false => other.put(Square::at(7 - square.file(), square.rank()), color, letter),
        }
    }
    other.turn = if colors { !setup.turn } else { setup.turn };
    Position::try_from(&other).ok()
}

/// A network with what it is checked by.
struct Subject {
    weights: NetworkWeights,
    kernels: Vec<Network>,
    kept: Accumulators,
}

impl Subject {
    fn new(weights: NetworkWeights) -> Self {
        let network = || Network::new(&weights).expect("weights within their bounds");
        let kernels = Kernel::available().into_iter().map(|it| network().with_kernel(it)).collect();
        Self { kernels, kept: Accumulators::new(Arc::new(network())), weights }
    }

    fn check(&mut self, position: &Position, ply: usize) {
        let value = self.kernels[0].evaluate(position);
        assert_eq!(i64::from(value), by_formula(&self.weights, position), "formula, {position}");
        for network in &self.kernels {
            assert_eq!(network.evaluate(position), value, "{network:?}, {position}");
        }
        assert_eq!(self.kept.evaluate(position, ply), value, "kept sums, ply {ply}, {position}");
        for colors in [true, false] {
            if let Some(other) = reflected(position, colors) {
                assert_eq!(self.kernels[0].evaluate(&other), value, "{position} and {other}");
            }
        }
    }
}

/// Walks trees of random moves from the starts until this many positions were checked; gives how often each kind of move
/// was made. Not every position is asked for, as in a search.
pub(crate) fn run(positions: usize, seed: u64) -> BTreeMap<&'static str, usize> {
    let mut random = Random(SplitMix64::new(seed));
    let mut subjects: Vec<Subject> = vec![];
    for (width, king_buckets) in WIDTHS.into_iter().flat_map(|it| KING_BUCKETS.map(|k| (it, k))) {
        for extreme in [false, true] {
            let buckets = 1 + random.below(8);
            let weights = weights(&mut random, width, king_buckets, buckets, extreme);
            subjects.push(Subject::new(weights));
        }
    }
    let (mut checked, mut kinds) = (0, BTreeMap::new());
    while checked < positions {
        let start: Setup = STARTS[random.below(STARTS.len())].parse().expect("a setup");
        let mut position =
            Position::from_setup(&start, CastlingMode::Chess960).expect("a position");
        // Walk on, so that all stages of a game occur.
        for _ in 0..random.below(120) {
            position = step(&position, &mut random, &mut kinds).unwrap_or(position);
        }
        let mut path = vec![position];
        for _ in 0..64 {
            let next = step(&path[path.len() - 1], &mut random, &mut kinds);
            match next.filter(|_| path.len() < DEPTH) {
                Some(next) => path.push(next),
                None => path.truncate(1 + random.below(path.len())),
            }
            if random.below(4) > 0 {
                let at = path.len() - 1;
                let count = subjects.len();
                subjects[checked % count].check(&path[at], at);
                checked += 1;
            }
            // Back to an earlier ply, whose other moves follow.
            if random.below(3) == 0 {
                path.truncate(1 + random.below(path.len()));
            }
        }
    }
    kinds
}

/// After a random move or, now and then, a null move.
fn step(
    position: &Position,
    random: &mut Random,
    kinds: &mut BTreeMap<&'static str, usize>,
) -> Option<Position> {
    let moves = position.legal_moves();
    if moves.is_empty() || position.halfmoves() > 100 {
        return None;
    }
    if random.below(16) == 0 {
        return position.after_null();
    }
    // Rare kinds of moves are chosen whenever they are possible, half of the time.
    let rare = |mv: &&Move| {
        position.is_castle(**mv) || position.is_en_passant(**mv) || mv.promotion().is_some()
    };
    let special: Vec<&Move> = moves.iter().filter(rare).collect();
    let mv = match special.is_empty() || random.below(2) == 0 {
        true => moves[random.below(moves.len())],
        false => *special[random.below(special.len())],
    };
    let king = position.king(position.turn());
    let crosses = mv.from() == king && (king.file() < 4) != (mv.to().file() < 4);
    let kind = match () {
        () if position.is_castle(mv) => "castling",
        () if position.is_en_passant(mv) => "en passant",
        () if mv.promotion().is_some() => "promotion",
        () if crosses => "king across the middle",
        () if position.is_capture(mv) => "capture",
        () => "other",
    };
    *kinds.entry(kind).or_default() += 1;
    Some(position.after(mv))
}

#[allow(dead_code, reason = "the tests of the crate use this file as a module")]
fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let positions = numbers.first().map_or(1_000_000, |&count| count as usize);
    let seed = numbers.get(1).copied().unwrap_or(1);
    let names: Vec<&str> = Kernel::available().into_iter().map(Kernel::name).collect();
    let kinds = run(positions, seed);
    println!("{positions} positions, kernels {names:?}: all agree");
    kinds.iter().for_each(|(kind, count)| println!("{count:>10} {kind}"));
}
