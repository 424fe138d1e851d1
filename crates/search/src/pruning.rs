//! Pruning before any move is tried: reverse futility, razoring, null move, probcut.

use super::history::PieceTo;
use super::movepick::{MovePicker, is_quiet};
use super::node::{Node, NodeInfo};
use super::policy::null_move::{NullMoveBan, NullMoveNode};
use super::reductions;
use super::score::{Bound, DECISIVE, Value};
use super::tt::Entry;
use super::worker::Worker;
use umbrail_chess::Move;
use umbrail_control::Stopped;

/// Largest depth of razoring, plies.
const RAZORING_DEPTH: i32 = 3;
/// Smallest depth of probcut, plies.
const PROBCUT_DEPTH: i32 = 5;

impl Worker<'_> {
    /// Tries reverse futility, razoring, null move and probcut at a null-window node. Returns the
    /// value of the node if it can be cut.
    ///
    /// Reverse futility returns the mean of `eval` and beta. If beta is a mate against the side to
    /// move, that mean would not be a valid score, so reverse futility is not tried there. `eval`
    /// is never a mate.
    pub(super) fn pre_move_pruning(&mut self, node: &Node<'_>) -> Result<Option<Value>, Stopped> {
        let &Node { position, depth, ply, alpha, beta, info: NodeInfo { eval, .. }, .. } = node;
        let constants = &self.shared.constants;
        if depth <= constants.reverse_depth
            && beta > -DECISIVE
            && eval - reductions::reverse_margin(depth, node.info.improving, constants) >= beta
        {
            return Ok(Some((eval + beta) / 2));
        }
        let margin = constants.razoring_base + constants.razoring_per_ply * depth;
        if depth <= RAZORING_DEPTH && eval + margin < alpha {
            let value = self.quiesce::<false>(position, ply, alpha, alpha + 1, 0)?;
            if value <= alpha {
                return Ok(Some(value));
            }
        }
        if let Some(value) = self.null_move(node)? {
            return Ok(Some(value));
        }
        let goal = beta + self.shared.constants.probcut_margin;
        let hopeless = (node.info.known)
            .is_some_and(|entry| entry.depth >= depth - 3 && node.info.known_value < goal);
        if depth >= PROBCUT_DEPTH && beta.abs() < DECISIVE && !hopeless {
            return self.probcut(node, goal);
        }
        Ok(None)
    }

    /// Tries the null move: if passing reaches beta at reduced depth, the node is cut. Cutoffs at
    /// great depth are verified by a search without null moves.
    fn null_move(&mut self, node: &Node<'_>) -> Result<Option<Value>, Stopped> {
        let &Node { position, depth, ply, beta, cut, info: NodeInfo { eval, .. }, .. } = node;
        let arm = self.shared.policies.null_move;
        let barred = self.null_ban.bars(ply, position.turn());
        let passed = self.stack.before(ply, 1).piece_to.is_none() && ply > 0;
        if barred || passed {
            return Ok(None);
        }
        let constants = &self.shared.constants;
        let pass = NullMoveNode { position, depth, cut, eval, beta, constants };
        let Some(reduction) = arm.reduction(&pass) else {
            return Ok(None);
        };
        let Some(next) = position.after_null() else { return Ok(None) };
        self.path.push(position);
        self.stack.set_trial(ply, PieceTo::NONE);
        let value =
            -self.node::<false>(&next, depth - reduction, ply + 1, -beta, 1 - beta, !cut)?;
        self.path.pop();
        if value < beta {
            return Ok(None);
        }
        // A mate after a null move is not proved.
        let value = if value > DECISIVE { beta } else { value };
        if depth < arm.verify_from() || self.null_ban.covers(ply) {
            return Ok(Some(value));
        }
        let side = arm.bars_one_side().then(|| position.turn());
        let ban = NullMoveBan::during(ply, depth - reduction, side);
        let saved = std::mem::replace(&mut self.null_ban, ban);
        let verified =
            self.node::<false>(position, depth - reduction, ply, beta - 1, beta, false)?;
        self.null_ban = saved;
        Ok((verified >= beta).then_some(value))
    }

    /// Tries probcut: a capture that reaches a raised beta at reduced depth cuts the node.
    fn probcut(&mut self, node: &Node<'_>, goal: Value) -> Result<Option<Value>, Stopped> {
        let &Node { position, depth, ply, cut, .. } = node;
        let hash_move = node.info.hash_move();
        let noisy = |mv: &Move| !is_quiet(position, *mv);
        let threshold = (goal - node.info.eval).max(1);
        let mut picker = MovePicker::noisy(position, hash_move.filter(noisy), threshold);
        let context = self.stack.context(position, ply);
        while let Some((role, mv)) = picker.next(position, self.histories, &context) {
            let next = position.after_as(role, mv);
            self.path.push(position);
            self.stack.set_trial(ply, PieceTo::new(position.turn(), role, mv));
            let mut value = -self.quiesce::<false>(&next, ply + 1, -goal, 1 - goal, 0)?;
            if value >= goal {
                value = -self.node::<false>(&next, depth - 4, ply + 1, -goal, 1 - goal, !cut)?;
            }
            self.path.pop();
            if value >= goal {
                let entry = Entry {
                    best: Some(mv),
                    value,
                    eval: node.info.raw,
                    depth: depth - 3,
                    bound: Bound::Lower,
                    pv: false,
                };
                self.shared.store(position, ply, entry);
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}
