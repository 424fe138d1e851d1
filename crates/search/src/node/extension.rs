//! Extensions: check, and moves that are better than all others (singular).

use super::super::score::{Bound, MATE_BOUND, Value};
use super::super::worker::Worker;
use super::NodeInfo;
use umbrail_chess::{Move, Position};
use umbrail_control::Stopped;

/// Least depth of the singularity test.
const SINGULAR_DEPTH: i32 = 7;
/// How far below the table's score all other moves must be, times the depth.
const SINGULAR_MARGIN_PER_PLY: Value = 2;
/// A singular move is extended twice when the others are worse by this much more.
const DOUBLE_EXTENSION_MARGIN: Value = 20;
/// Most double extensions on one path.
const DOUBLES_MAX: u8 = 6;

/// What the singularity test of the hash move says.
pub(super) enum Extension {
    /// Search it this much deeper.
    Plies(i32),
    /// The node reaches beta even without it: cut with this value (multi-cut).
    Cut(Value),
}

impl Worker<'_> {
    /// Singular extension: the hash move is searched deeper when all others are worse by a margin, and less
    /// deep when several moves reach beta (or the node is cut: multi-cut).
    #[expect(clippy::too_many_arguments, reason = "the node's own arguments, passed on")]
    pub(super) fn extension(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        beta: Value,
        cut: bool,
        mv: Move,
        view: &NodeInfo,
    ) -> Result<Extension, Stopped> {
        let in_time = ply < 2 * self.root_depth.max(1) as usize;
        let Some(entry) = view.known.filter(|entry| entry.best == Some(mv)) else {
            return Ok(Extension::Plies(0));
        };
        let trusted = entry.depth >= depth - 3
            && entry.bound != Bound::Upper
            && view.known_value.abs() < MATE_BOUND;
        if !in_time || depth < SINGULAR_DEPTH || !trusted {
            return Ok(Extension::Plies(0));
        }
        let goal = view.known_value - SINGULAR_MARGIN_PER_PLY * depth;
        // The move is left out and the rest searched; the key of this node is on the path already.
        self.pop();
        self.stack(ply).excluded = Some(mv);
        let (eval, piece_to) = (self.stack(ply).eval, self.stack(ply).piece_to);
        let value = self.node::<false>(position, (depth - 1) / 2, ply, goal - 1, goal, cut);
        let entry = self.stack(ply);
        (entry.excluded, entry.eval, entry.piece_to) = (None, eval, piece_to);
        self.push(position);
        let value = value?;
        Ok(if value < goal {
            let twice =
                value < goal - DOUBLE_EXTENSION_MARGIN && self.stack(ply).doubles < DOUBLES_MAX;
            Extension::Plies(1 + i32::from(twice))
        } else if goal >= beta {
            Extension::Cut(goal)
        } else if view.known_value >= beta {
            Extension::Plies(-1)
        } else {
            Extension::Plies(0)
        })
    }
}
