//! Accumulators: sums of the hidden layer for each ply of the searched path.
//!
//! Sums are updated lazily, when a value is needed, not when a move is made. The changes are found
//! by comparing the sets of pieces with those of earlier sums. Sums of any position are therefore a
//! correct starting point, and those of one or two plies before are close. A king that crosses
//! between files d and e mirrors the view of its side, and one that enters another king bucket uses
//! other weights. That side starts from the last sums computed for the view, which are kept for all
//! views (the *refresh cache*, Luecx's "Finny tables", 2023).

use super::Network;
use super::features::{PieceMasks, View};
use super::kernel::Lane;
use crate::score::PLY_MAX;
use arrayvec::ArrayVec;
use std::sync::Arc;
use umbrail_chess::geometry::{Bitboard, Color, Square};
use umbrail_chess::{Position, Role};

/// Sums of one view of a board.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    pieces: PieceMasks,
    pub(super) sums: Box<[Lane]>,
}

impl Accumulator {
    /// Returns the sums of the empty board: the biases.
    fn empty(network: &Network) -> Self {
        Self { pieces: PieceMasks::default(), sums: network.bias.clone().into() }
    }

    /// Computes the sums of a position from one side's view, starting from the empty board.
    pub(super) fn of(network: &Network, position: &Position, side: Color) -> Self {
        let (empty, pieces) = (Self::empty(network), PieceMasks::of(position));
        let view = View::of(side, position.king(side), network.king_buckets);
        let mut sums = empty.sums.clone();
        Changes::between(&empty.pieces, &pieces).apply(network, view, &empty.sums, &mut sums);
        Self { pieces, sums }
    }
}

/// Piece and its square.
type Standing = (Color, Role, Square);

/// Added and removed pieces; each square has at most one of each.
#[derive(Debug, Default)]
struct Changes {
    added: ArrayVec<Standing, 64>,
    removed: ArrayVec<Standing, 64>,
}

impl Changes {
    // Inlined, the lists are built in place instead of being copied.
    #[inline(always)]
    fn between(before: &PieceMasks, now: &PieceMasks) -> Self {
        let mut changes = Self::default();
        for square in before.difference(now).squares() {
            if let Some((color, role)) = now.piece(square) {
                changes.added.push((color, role, square));
            }
            if let Some((color, role)) = before.piece(square) {
                changes.removed.push((color, role, square));
            }
        }
        changes
    }

    /// Computes the sums `target` of the current pieces from the sums `source` of the earlier
    /// pieces, both in this view.
    #[inline]
    fn apply(&self, network: &Network, view: View, source: &[Lane], target: &mut [Lane]) {
        let row = |&(color, role, square): &Standing| network.row(view.input(color, role, square));
        let kernel = network.kernel;
        match (&*self.added, &*self.removed) {
            // Numbers of rows of a quiet move or promotion, of a capture and of castling. The
            // compiler unrolls loops over arrays.
            ([a], [b]) => kernel.accumulate(target, source, &[row(a)], &[row(b)]),
            ([a], [b, c]) => kernel.accumulate(target, source, &[row(a)], &[row(b), row(c)]),
            ([a, b], [c, d]) => {
                kernel.accumulate(target, source, &[row(a), row(b)], &[row(c), row(d)]);
            }
            (more, less) => {
                let (mut added, mut removed) = (ArrayVec::<_, 64>::new(), ArrayVec::<_, 64>::new());
                more.iter().for_each(|piece| added.push(row(piece)));
                less.iter().for_each(|piece| removed.push(row(piece)));
                kernel.accumulate(target, source, &added, &removed);
            }
        }
    }
}

/// Pieces of a position, and the sums of White's and of Black's view.
#[derive(Clone, Debug)]
struct BothSums {
    pieces: PieceMasks,
    sums: [Box<[Lane]>; 2],
}

impl BothSums {
    fn empty(network: &Network) -> Self {
        let sums = || Accumulator::empty(network).sums;
        Self { pieces: PieceMasks::default(), sums: [sums(), sums()] }
    }
}

/// Sums of one worker with their network.
#[derive(Debug)]
pub struct Accumulators {
    network: Arc<Network>,
    plies: Vec<BothSums>,
    /// Buffer for sums that are computed from those they replace.
    spare: Box<[Lane]>,
    /// Last sums of each view of each side, see [`View::index`].
    refresh: [Vec<Accumulator>; 2],
}

/// Largest number of squares that a move changes.
const MOVE_SQUARES: u32 = 4;

impl Accumulators {
    /// Creates sums of the empty board for every ply.
    pub fn new(network: Arc<Network>) -> Self {
        let plies = (0..PLY_MAX).map(|_| BothSums::empty(&network)).collect();
        let spare = Accumulator::empty(&network).sums;
        let views = || vec![Accumulator::empty(&network); 2 * network.king_buckets];
        Self { plies, spare, refresh: [views(), views()], network }
    }

    /// Returns the network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Returns the value of a position at a ply of the searched path, for the side to move.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        let ply = ply.min(PLY_MAX - 1);
        self.update(position, ply);
        let (sums, turn) = (&self.plies[ply].sums, position.turn());
        let [own, other] = [turn, !turn].map(|side| &*sums[side.index()]);
        self.network.output(own, other, position)
    }

    fn update(&mut self, position: &Position, ply: usize) {
        let (network, pieces) = (&*self.network, PieceMasks::of(position));
        let (before, here) = self.plies.split_at_mut(ply);
        let here = &mut here[0];
        let own = here.pieces.difference(&pieces);
        if own == Bitboard::EMPTY {
            return;
        }
        let earlier = nearest(before, &pieces, own.len());
        let stood = earlier.map_or(here.pieces, |from| from.pieces);
        let changes = Changes::between(&stood, &pieces);
        for side in Color::ALL {
            let (king, at) = (position.king(side), side.index());
            let view = View::of(side, king, network.king_buckets);
            let moved = changes.added.iter().any(|&(_, _, square)| square == king);
            if moved && !stood.fit(view, network.king_buckets) {
                let kept = &mut self.refresh[at][view.index()];
                let target = &mut here.sums[at];
                Changes::between(&kept.pieces, &pieces).apply(network, view, &kept.sums, target);
                kept.pieces = pieces;
                kept.sums.copy_from_slice(target);
            } else if let Some(from) = earlier {
                changes.apply(network, view, &from.sums[at], &mut here.sums[at]);
            } else {
                changes.apply(network, view, &here.sums[at], &mut self.spare);
                std::mem::swap(&mut here.sums[at], &mut self.spare);
            }
        }
        here.pieces = pieces;
    }
}

/// Returns the one of the last two plies whose pieces differ on the fewest squares, if these are
/// fewer than `own`.
fn nearest<'a>(before: &'a [BothSums], pieces: &PieceMasks, own: u32) -> Option<&'a BothSums> {
    let (last, rest) = before.split_last()?;
    let squares = last.pieces.difference(pieces).len();
    if squares <= MOVE_SQUARES {
        return Some(last);
    }
    let further = rest.last().map(|from| (from.pieces.difference(pieces).len(), from));
    let near = further.into_iter().chain([(squares, last)]).min_by_key(|(squares, _)| *squares);
    near.filter(|(squares, _)| *squares < own).map(|(_, from)| from)
}
