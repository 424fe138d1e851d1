//! Extensions: singular moves, and depth restored after reduced moves.

use super::super::score::{Bound, DECISIVE, Value};
use super::super::worker::{StackEntry, Worker};
use super::Node;
use umbrail_chess::Move;
use umbrail_chess::exchange::see_at_least;
use umbrail_control::Stopped;

/// Largest number of double extensions on one path.
const DOUBLES_MAX: u8 = 6;

/// Result of the extension of a move.
pub(super) enum Extension {
    /// Change of the depth of the move, plies.
    Plies(i32),
    /// Value of the node, which reaches beta even without the hash move (multi-cut).
    Cut(Value),
}

impl Worker<'_> {
    /// Returns the extension of a move: that of the hash move, or that of a move which gives check.
    #[inline]
    pub(super) fn extension(
        &mut self,
        node: &Node<'_>,
        mv: Move,
        checks: bool,
    ) -> Result<Extension, Stopped> {
        let plies = match self.singular_extension(node, mv)? {
            Extension::Plies(plies) => plies,
            cut @ Extension::Cut(_) => return Ok(cut),
        };
        let lately = self.stack.extended_recently(node.ply);
        let safe = || see_at_least(node.position, mv, 0);
        let (plies, check_extended) =
            self.shared.policies.quiescence.extension(plies, checks, lately, safe);
        self.stack.at_mut(node.ply).check_extended = check_extended;
        Ok(Extension::Plies(plies))
    }

    /// Tests the hash move for a singular extension. The move is searched deeper if all others are
    /// worse by a margin, and less deep if several moves reach beta (or the node is cut:
    /// multi-cut).
    fn singular_extension(&mut self, node: &Node<'_>, mv: Move) -> Result<Extension, Stopped> {
        let &Node { position, depth, ply, beta, .. } = node;
        let constants = &self.shared.constants;
        let in_time = ply < 2 * self.counter.iteration().max(1) as usize;
        let Some(entry) = node.info.known.filter(|entry| entry.best == Some(mv)) else {
            return Ok(Extension::Plies(0));
        };
        let trusted = entry.depth >= depth - 3
            && entry.bound != Bound::Upper
            && node.info.known_value.abs() < DECISIVE;
        if !in_time || depth < constants.singular_depth || !trusted {
            return Ok(Extension::Plies(0));
        }
        let goal = node.info.known_value - constants.singular_margin * depth / 16;
        // The other moves are searched without this one; the key of this node is already on the
        // path.
        self.path.pop();
        let saved = *self.stack.at(ply);
        self.stack.at_mut(ply).excluded = Some(mv);
        let value = self.node::<false>(position, (depth - 1) / 2, ply, goal - 1, goal, node.cut);
        let killers = self.stack.at(ply).killers;
        *self.stack.at_mut(ply) = StackEntry { excluded: None, killers, ..saved };
        self.path.push(position);
        let value = value?;
        Ok(if value < goal {
            let more = self.stack.at(ply).doubles < DOUBLES_MAX;
            let twice = more && value < goal - constants.double_margin;
            let thrice = twice
                && constants.triple_margin > 0
                && !position.is_capture(mv)
                && value < goal - constants.triple_margin;
            Extension::Plies(1 + i32::from(twice) + i32::from(thrice))
        } else if goal >= beta {
            Extension::Cut(goal)
        } else if node.info.known_value >= beta {
            Extension::Plies(-constants.negative_extension)
        } else {
            Extension::Plies(0)
        })
    }

    /// Returns the change in depth of a node after a reduced move, in plies: more if the node
    /// stands better than expected from the reduction, less if the evaluations before and after the
    /// move agree that the node is good for the side to move.
    pub(super) fn hindsight(&self, depth: i32, ply: usize) -> i32 {
        let constants = &self.shared.constants;
        let reduced = if ply > 0 { self.stack.at(ply - 1).reduction } else { 0 };
        let (Some(eval), Some(before)) = (self.stack.at(ply).eval, self.stack.before(ply, 1).eval)
        else {
            return 0;
        };
        let (from, margin) = (constants.hindsight_deeper, constants.hindsight_margin);
        if from > 0 && reduced >= from && eval <= -before {
            1
        } else if margin > 0 && reduced >= 2 && depth >= 2 && eval + before > margin {
            -1
        } else {
            0
        }
    }
}
