//! Static evaluation of a quiet position for the side to move, in centipawns.
//!
//! The evaluation is a tapered sum of features ([`weights`]). Middlegame and endgame scores are
//! mixed by the remaining pieces (Fruit, 2004), then scaled down where an advantage does not win
//! (`endgame`). Each feature is counted through [`Tally`], so that the tuner sees exactly the
//! features of the player.
//!
//! With the option `Use NNUE` a network ([`Network`](super::Network)) replaces the sum, but not
//! against a bare king. Training games are adjudicated long before, so a network has not learned
//! that a lone queen wins.

mod endgame;
pub use endgame::drive;
mod pawns;
mod pieces;
mod tuned;
pub(crate) mod weights;

use super::network::{Accumulators, Network};
use super::policy::EvalTerms;
use super::score::Value;
use crate::score_pair::Pair;
use std::sync::Arc;
pub use tuned::WEIGHTS;
use umbrail_chess::geometry::{Color, Square};
use umbrail_chess::{Position, Role};
use weights::{COUNT, MATERIAL, PLACEMENT, TEMPO};

/// Receiver of every counted feature.
pub(crate) trait Tally {
    /// Records that `feature` was counted `times` times for this side.
    fn count(&mut self, feature: usize, color: Color, times: i32);
}

/// Ignores all counts; for playing.
impl Tally for () {
    #[inline(always)]
    fn count(&mut self, _: usize, _: Color, _: i32) {}
}

/// Difference of White's and Black's count for every feature; for tuning and explaining.
#[derive(Clone, Debug)]
pub struct Coefficients(pub [i16; COUNT]);

impl Default for Coefficients {
    fn default() -> Self {
        Self([0; COUNT])
    }
}

impl Tally for Coefficients {
    fn count(&mut self, feature: usize, color: Color, times: i32) {
        self.0[feature] += if color.is_white() { times as i16 } else { -times as i16 };
    }
}

/// Sum of the features of both sides, from White's view.
struct Sum<'a, T> {
    pair: Pair,
    tally: &'a mut T,
    terms: EvalTerms,
    phase: i32,
}

impl<T: Tally> Sum<'_, T> {
    #[inline(always)]
    fn add(&mut self, color: Color, feature: usize) {
        self.add_times(color, feature, 1);
    }

    #[inline(always)]
    fn add_times(&mut self, color: Color, feature: usize, times: i32) {
        let signed = if color.is_white() { times } else { -times };
        self.pair = self.pair.plus(WEIGHTS[feature].times(signed));
        self.tally.count(feature, color, times);
    }

    /// Adds a feature with a weight other than its own; the tally counts the feature.
    #[inline(always)]
    fn add_as(&mut self, color: Color, feature: usize, weight: Pair) {
        self.pair = self.pair.plus(weight.times(if color.is_white() { 1 } else { -1 }));
        self.tally.count(feature, color, 1);
    }
}

/// Returns a square as seen by its own side: unchanged for White, flipped for Black.
#[inline]
fn seen_by(color: Color, square: Square) -> Square {
    if color.is_white() { square } else { square.flip_rank() }
}

/// Returns the weight of the remaining pieces: 24 in the initial position, 0 with only pawns and
/// kings.
pub(crate) fn phase(position: &Position) -> i32 {
    let count = |role| position.by_role(role).len() as i32;
    let pieces = count(Role::Knight) + count(Role::Bishop) + 2 * count(Role::Rook);
    (pieces + 4 * count(Role::Queen)).min(24)
}

/// Evaluator of one worker.
#[derive(Debug, Default)]
pub(crate) struct Evaluator {
    pawns: pawns::Cache,
    terms: EvalTerms,
    /// None if the hand-written evaluation is used.
    network: Option<Accumulators>,
}

impl Evaluator {
    /// Prepares for a search with these terms, and with this network in place of the hand-written
    /// evaluation.
    pub(super) fn begin(&mut self, terms: EvalTerms, network: Option<&Arc<Network>>) {
        let present = self.network.as_ref().map(|sums| Arc::as_ptr(sums.network()));
        if present != network.map(Arc::as_ptr) {
            self.network = network.cloned().map(Accumulators::new);
        }
        if terms != self.terms {
            self.pawns = pawns::Cache::default();
            self.terms = terms;
        }
    }

    /// Returns the static evaluation for the side to move, `ply` plies from the root.
    pub(crate) fn evaluate(&mut self, position: &Position, ply: usize) -> Value {
        match &mut self.network {
            Some(sums) if !is_left_to_hand(position) => {
                let white = damping(position, self.terms, &mut self.pawns);
                let own = if position.turn().is_white() { white } else { -white };
                sums.evaluate(position, ply) + own + self.terms.network_tempo()
            }
            _ => self.by_hand(position),
        }
    }

    /// Returns the value of the hand-written evaluation.
    fn by_hand(&mut self, position: &Position) -> Value {
        let phase = phase(position);
        let mut sum = Sum { pair: Pair::default(), tally: &mut (), terms: self.terms, phase };
        let structure = self.pawns.look_up(position);
        sum.pair = structure.pair;
        add_pieces(position, &structure.passed, &mut sum);
        mixed(position, sum.pair)
    }
}

/// Returns true if a side with a major piece or two minor ones faces a bare king, so that no
/// network is used.
pub(super) fn is_left_to_hand(position: &Position) -> bool {
    endgame::mating_side(position).is_some()
}

/// Returns the difference between these terms and the tuned ones in the value of passed pawns, from
/// White's view. Passed pawns cannot be damped inside a network, so this is added to its value.
fn damping(position: &Position, terms: EvalTerms, pawns: &mut pawns::Cache) -> Value {
    if !terms.damps_passers() {
        return 0;
    }
    let (phase, passed) = (phase(position), pawns.look_up(position).passed);
    let [damped, tuned] = [terms, EvalTerms::Base].map(|terms| {
        let mut sum = Sum { pair: Pair::default(), tally: &mut (), terms, phase };
        pawns::add_passed(position, &passed, &mut sum);
        (sum.pair.middle() * phase + sum.pair.end() * (24 - phase)) / 24
    });
    damped - tuned
}

fn add_pieces<T: Tally>(
    position: &Position,
    passed: &[umbrail_chess::geometry::Bitboard; 2],
    sum: &mut Sum<'_, T>,
) {
    for color in Color::ALL {
        for role in &Role::ALL[1..] {
            for square in position.pieces(color, *role) {
                sum.add(color, MATERIAL + role.index());
                let seen = seen_by(color, square).index();
                sum.add(color, PLACEMENT + role.index() * 64 + seen);
            }
        }
    }
    pieces::add(position, sum);
    pawns::add_passed(position, passed, sum);
    sum.add_as(position.turn(), TEMPO, sum.terms.tempo(WEIGHTS[TEMPO]));
}

fn mixed(position: &Position, pair: Pair) -> Value {
    let phase = phase(position);
    let end = pair.end() * endgame::scale(position, pair.end()) / endgame::FULL;
    let white = (pair.middle() * phase + end * (24 - phase)) / 24 + endgame::drive(position);
    if position.turn().is_white() { white } else { -white }
}

/// Returns the hand-written evaluation of a position for the side to move, without a cache.
pub fn evaluate(position: &Position) -> Value {
    let (terms, phase) = (EvalTerms::Base, phase(position));
    let mut sum = Sum { pair: Pair::default(), tally: &mut (), terms, phase };
    let passed = pawns::add(position, &mut sum);
    add_pieces(position, &passed, &mut sum);
    mixed(position, sum.pair)
}

/// Returns the count of each feature of a position, and the factors applied to their sum: phase
/// 0..=24 and endgame scale.
pub fn coefficients(position: &Position) -> (Coefficients, i32, i32) {
    let mut coefficients = Coefficients::default();
    let phase = phase(position);
    let mut sum =
        Sum { pair: Pair::default(), tally: &mut coefficients, terms: EvalTerms::Base, phase };
    let passed = pawns::add(position, &mut sum);
    add_pieces(position, &passed, &mut sum);
    let end = sum.pair.end();
    (coefficients, phase, endgame::scale(position, end))
}

#[cfg(test)]
mod tests {
    use super::WEIGHTS;
    use super::{EvalTerms, Evaluator, coefficients, endgame, evaluate, is_left_to_hand};
    use crate::bench::POSITIONS;
    use crate::network::{Network, NetworkWeights};
    use crate::score_pair::Pair;
    use std::sync::Arc;
    use umbrail_chess::Position;
    use umbrail_chess::geometry::{Color, Setup};

    fn position(fen: &str) -> Position {
        Position::try_from(&fen.parse::<Setup>().unwrap()).unwrap()
    }

    /// Returns the position with colors and ranks exchanged.
    fn mirrored(position: &Position) -> Position {
        let setup = position.to_setup();
        let mut mirror = Setup::default();
        for (square, color, letter) in setup.pieces() {
            mirror.put(square.flip_rank(), !color, letter);
        }
        mirror.turn = !setup.turn;
        Position::try_from(&mirror).unwrap()
    }

    #[test]
    fn both_sides_are_judged_alike_with_either_terms() {
        let mut differing = 0;
        for fen in POSITIONS {
            let (position, mirror) = (position(fen), mirrored(&position(fen)));
            assert_eq!(evaluate(&position), evaluate(&mirror), "{fen}");
            assert_eq!(evaluate(&position), Evaluator::default().evaluate(&position, 0), "{fen}");
            let mut damped = Evaluator::default();
            damped.begin(EvalTerms::Damped, None);
            assert_eq!(damped.evaluate(&position, 0), damped.evaluate(&mirror, 0), "{fen}");
            differing += usize::from(damped.evaluate(&position, 0) != evaluate(&position));
        }
        assert!(differing > POSITIONS.len() / 2, "the terms differ in {differing} positions");
    }

    #[test]
    fn the_tuner_sees_what_the_player_sees() {
        for fen in POSITIONS {
            let position = position(fen);
            let (counts, phase, scale) = coefficients(&position);
            let pair = (counts.0.iter().zip(&WEIGHTS))
                .fold(Pair::default(), |sum, (&n, weight)| sum.plus(weight.times(i32::from(n))));
            let end = pair.end() * scale / endgame::FULL;
            let white =
                (pair.middle() * phase + end * (24 - phase)) / 24 + endgame::drive(&position);
            let own = if position.turn() == Color::White { white } else { -white };
            assert_eq!(evaluate(&position), own, "{fen}");
        }
    }

    #[test]
    fn a_network_does_not_judge_bare_kings_that_can_be_mated() {
        // Evaluates every position as equal for the side to move.
        let weights = NetworkWeights { output_bias: vec![99], ..NetworkWeights::zero(16, 1, 400) };
        let network = Arc::new(Network::new(&weights).unwrap());
        let mut evaluator = Evaluator::default();
        evaluator.begin(EvalTerms::Base, Some(&network));
        let by_hand = ["Q3K3", "R3K3", "BN2K3", "BB2K3", "Q2PK3"];
        for rank in by_hand.into_iter().chain(["B3K3", "3PK3", "4K3"]) {
            let judges = !by_hand.contains(&rank);
            for turn in ["w", "b"] {
                let position = position(&format!("4k3/8/8/8/8/8/{rank}/8 {turn} - - 0 1"));
                let expected =
                    if judges { network.evaluate(&position) } else { evaluate(&position) };
                assert_eq!(evaluator.evaluate(&position, 0), expected, "{rank} {turn}");
                assert_eq!(is_left_to_hand(&position), !judges);
            }
        }
        // A king with a pawn is not bare.
        let position = position("4k3/4p3/8/8/8/8/8/R3K3 w - - 0 1");
        assert_eq!(evaluator.evaluate(&position, 0), network.evaluate(&position));
    }

    #[test]
    fn material_and_bare_kings_are_worth_what_everyone_expects() {
        assert!(evaluate(&position("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")) > 700);
        assert!(evaluate(&position("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1")) < -700);
        let knight = evaluate(&position("4k3/8/8/8/8/8/8/N3K3 w - - 0 1"));
        assert!(knight.abs() < 60, "a lone knight wins nothing: {knight}");
        assert!(evaluate(&Position::startpos()).abs() < 60);
    }
}
