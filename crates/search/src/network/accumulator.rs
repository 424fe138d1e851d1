//! The sums of the hidden layer, kept for each ply of the searched path.
//!
//! Nothing is done when a move is made: the sums of a ply are brought up to date when a value is asked for. What has to
//! be added and removed is found by comparing the sets of men with those that earlier sums stand for, so sums of
//! whatever position are a correct starting point, and those of one or two plies before a near one. A king that has
//! crossed between files d and e sees the mirrored board, and one that has come to another king bucket has other weights;
//! its side starts from the last sums that were computed for that view, which the search keeps for all views (the *refresh cache*, Luecx's "Finny tables", 2023).

use super::Network;
use super::features::{MenSets, View};
use super::kernel::Lane;
use crate::score::PLY_MAX;
use arrayvec::ArrayVec;
use std::sync::Arc;
use umbrail_chess::Position;
use umbrail_chess::geometry::Color;

/// The sums of one view of a board.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    men: MenSets,
    pub(super) sums: Box<[Lane]>,
}

/// Weights of inputs; each square has one at most.
type Rows<'a> = ArrayVec<&'a [Lane], 64>;

impl Accumulator {
    /// The sums of the empty board: the biases.
    fn empty(network: &Network) -> Self {
        Self { men: MenSets::default(), sums: network.bias.clone().into() }
    }

    /// The sums of a position as one side sees it, from nothing.
    pub(super) fn of(network: &Network, position: &Position, side: Color) -> Self {
        let mut sums = Self::empty(network);
        let view = View::of(side, position.king(side), network.king_buckets);
        sums.update(network, &MenSets::of(position), view);
        sums
    }

    /// Becomes the sums of these men; the present sums are of the same view.
    fn update(&mut self, network: &Network, men: &MenSets, view: View) {
        let (mut added, mut removed) = (Rows::new(), Rows::new());
        for square in self.men.difference(men).squares() {
            if let Some((color, role)) = men.man(square) {
                added.push(network.row(view.input(color, role, square)));
            }
            if let Some((color, role)) = self.men.man(square) {
                removed.push(network.row(view.input(color, role, square)));
            }
        }
        network.kernel.accumulate(&mut self.sums, &added, &removed);
        self.men = *men;
    }

    /// Becomes a copy of other sums.
    fn copy(&mut self, from: &Self) {
        self.men = from.men;
        self.sums.copy_from_slice(&from.sums);
    }
}

/// The sums of one worker, and the network that they belong to.
#[derive(Debug)]
pub struct Accumulators {
    network: Arc<Network>,
    /// For each ply the sums of White's and of Black's view.
    plies: Vec<[Accumulator; 2]>,
    /// For each side the last sums of each of its views, see [`View::index`].
    refresh: [Vec<Accumulator>; 2],
}

impl Accumulators {
    /// Sums for no position yet.
    pub fn new(network: Arc<Network>) -> Self {
        let empty = || [Accumulator::empty(&network), Accumulator::empty(&network)];
        let plies = (0..PLY_MAX).map(|_| empty()).collect();
        let views = || vec![Accumulator::empty(&network); 2 * network.king_buckets];
        Self { plies, refresh: [views(), views()], network }
    }

    /// The network that judges.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The value of a position at a ply of the searched path, for the side to move.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let ply = ply.min(PLY_MAX - 1);
        let men = MenSets::of(position);
        for side in Color::ALL {
            self.update(position, &men, side, ply);
        }
        let (sums, turn) = (&self.plies[ply], position.turn());
        let [own, other] = [turn, !turn].map(|side| &*sums[side.index()].sums);
        self.network.output(own, other, position)
    }

    fn update(&mut self, position: &Position, men: &MenSets, side: Color, ply: usize) {
        let king_buckets = self.network.king_buckets;
        let (view, at) = (View::of(side, position.king(side), king_buckets), side.index());
        let (before, here) = self.plies.split_at_mut(ply);
        let here = &mut here[0][at];
        let is_start = |from: &Accumulator| from.men.fit(view, king_buckets);
        let distance = |from: &Accumulator| from.men.difference(men).len();
        // Without a move since, or with a sibling's sums, this ply itself is a starting point.
        let own = is_start(here).then(|| distance(here));
        let earlier = before.iter().rev().take(2).map(|sides| &sides[at]);
        let earlier = earlier.filter(|from| is_start(from)).map(|from| (distance(from), from));
        match earlier.min_by_key(|(distance, _)| *distance) {
            Some((distance, from)) if own.is_none_or(|own| distance < own) => here.copy(from),
            None if own.is_none() => {
                let kept = &mut self.refresh[at][view.index()];
                kept.update(&self.network, men, view);
                return here.copy(kept);
            }
            _ => {}
        }
        here.update(&self.network, men, view);
    }
}
