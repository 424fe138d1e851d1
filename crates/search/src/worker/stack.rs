//! Search stack: state of a worker for each ply of the current path, with the principal variations.

use crate::history::{Context, PieceTo};
use crate::score::{PLY_MAX, Value};
use arrayvec::ArrayVec;
use umbrail_chess::geometry::Bitboard;
use umbrail_chess::{Move, Position, Role};

/// State of one ply.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StackEntry {
    /// Corrected static evaluation; none when in check.
    pub(crate) eval: Option<Value>,
    /// Move from here to the next ply, as an index of continuation tables.
    pub(crate) piece_to: PieceTo,
    /// Move from here if it is neither capture nor promotion, with the role of the moving piece.
    pub(crate) quiet: Option<(Role, Move)>,
    /// Current reduction of that move, plies.
    pub(crate) reduction: i32,
    /// Number of replies, at nodes one ply deeper, that reached beta.
    pub(crate) cutoffs: u32,
    /// Move excluded in a test for singularity.
    pub(crate) excluded: Option<Move>,
    pub(crate) killers: [Option<Move>; 2],
    /// Squares that the opponent of the side to move attacks.
    pub(crate) attacked: Bitboard,
    /// Double extensions on the path to this node.
    pub(crate) doubles: u8,
    /// True if the move from here was extended because it gave check.
    pub(crate) check_extended: bool,
}

/// Principal variation.
pub(crate) type Pv = ArrayVec<Move, PLY_MAX>;

/// Entries before the root, so that the root can read earlier plies.
const OFFSET: usize = 4;

/// Memory of a search stack. It is kept between searches, since allocation would dominate the time
/// of a short search.
#[derive(Debug)]
pub(crate) struct StackMemory {
    entries: Vec<StackEntry>,
    pvs: Vec<Pv>,
}

impl Default for StackMemory {
    fn default() -> Self {
        Self {
            entries: vec![StackEntry::default(); PLY_MAX + OFFSET + 4],
            pvs: vec![Pv::new(); PLY_MAX + 4],
        }
    }
}

/// Search stack of one search.
pub(crate) struct SearchStack<'a> {
    /// Indexed by ply + [`OFFSET`].
    entries: &'a mut [StackEntry],
    pvs: &'a mut [Pv],
}

impl<'a> SearchStack<'a> {
    /// Returns an empty stack.
    pub(super) fn new(memory: &'a mut StackMemory) -> Self {
        let StackMemory { entries, pvs } = memory;
        entries.fill(StackEntry::default());
        pvs.iter_mut().for_each(Pv::clear);
        Self { entries, pvs }
    }

    /// Returns the state of a ply.
    pub(crate) fn at(&self, ply: usize) -> &StackEntry {
        &self.entries[ply + OFFSET]
    }

    /// Returns the state of a ply, to be changed.
    pub(crate) fn at_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.entries[ply + OFFSET]
    }

    /// Returns the state `back` plies before this ply, at most [`OFFSET`]; empty before the root.
    pub(crate) fn before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.entries[ply + OFFSET - back]
    }

    /// Sets the move that is searched from a ply.
    pub(crate) fn set_move(&mut self, ply: usize, piece_to: PieceTo, quiet: Option<(Role, Move)>) {
        let entry = self.at_mut(ply);
        (entry.piece_to, entry.quiet) = (piece_to, quiet);
    }

    /// Sets a move that is searched from a ply to test a cutoff: not a quiet move of the node, and
    /// neither reduced nor extended.
    pub(crate) fn set_trial(&mut self, ply: usize, piece_to: PieceTo) {
        self.set_move(ply, piece_to, None);
        let entry = self.at_mut(ply);
        (entry.reduction, entry.check_extended) = (0, false);
        let doubles = entry.doubles;
        self.at_mut(ply + 1).doubles = doubles;
    }

    /// Empties what the replies to the moves of a ply share: killers and the number of cutoffs.
    pub(crate) fn clear_replies(&mut self, ply: usize) {
        let replies = self.at_mut(ply + 1);
        (replies.killers, replies.cutoffs) = ([None; 2], 0);
    }

    /// Returns true if one of the last two moves before this ply was extended for giving check.
    pub(crate) fn extended_recently(&self, ply: usize) -> bool {
        (1..=2).any(|back| self.before(ply, back).check_extended)
    }

    /// Returns the last two moves before this ply, the later one first.
    pub(crate) fn last_moves(&self, ply: usize) -> [PieceTo; 2] {
        [1, 2].map(|back| self.before(ply, back).piece_to)
    }

    /// Returns the context of quiet moves at this ply, whose attacked squares must be set.
    pub(crate) fn context(&self, position: &Position, ply: usize) -> Context {
        let earlier = [1, 2, 4].map(|back| self.before(ply, back).piece_to);
        Context { color: position.turn(), earlier, attacked: self.at(ply).attacked }
    }

    /// Returns the variation found at a ply.
    pub(crate) fn pv(&self, ply: usize) -> &Pv {
        &self.pvs[ply]
    }

    /// Empties the variation of a ply.
    pub(crate) fn clear_pv(&mut self, ply: usize) {
        self.pvs[ply].clear();
    }

    /// Sets the variation of a ply to a move and the variation found one ply deeper.
    pub(crate) fn extend_pv(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.pvs.split_at_mut(ply + 1);
        let pv = &mut above[ply];
        pv.clear();
        pv.push(mv);
        let room = pv.remaining_capacity();
        pv.extend(below[0].iter().take(room).copied());
    }
}
