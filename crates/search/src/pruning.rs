//! Pruning before any move is tried: reverse futility, razoring, null move, probcut.

use super::history::PieceTo;
use super::movepick::MovePicker;
use super::node::NodeInfo;
use super::policy::null_move::NullMoveNode;
use super::reductions;
use super::score::{Bound, MATE_BOUND, Value};
use super::tt::{self, Entry};
use super::worker::Worker;
use umbrail_chess::{Move, Position};
use umbrail_control::Stopped;

// Margins in centipawns, depths in plies; see `node`.

/// Greatest depth of reverse futility pruning.
const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// Greatest depth of razoring.
const RAZORING_DEPTH: i32 = 3;
/// Razoring margin below alpha at depth 0.
const RAZORING_BASE: Value = 150;
/// Razoring margin added per ply of depth.
const RAZORING_PER_PLY: Value = 200;
/// Least depth of probcut.
const PROBCUT_DEPTH: i32 = 5;
/// By how much probcut raises beta.
const PROBCUT_MARGIN: Value = 180;

impl Worker<'_> {
    /// Pruning before any move is tried, at null-window nodes: reverse futility, razoring, null move, probcut.
    /// Gives the value of the node when it can be cut.
    #[expect(clippy::too_many_arguments, reason = "the node's own arguments, passed on")]
    pub(super) fn pre_move_pruning(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        alpha: Value,
        beta: Value,
        cut: bool,
        view: &NodeInfo,
    ) -> Result<Option<Value>, Stopped> {
        let eval = view.eval;
        if depth <= REVERSE_FUTILITY_DEPTH
            && eval < MATE_BOUND
            && eval - reductions::reverse_margin(depth, view.improving) >= beta
        {
            return Ok(Some((eval + beta) / 2));
        }
        if depth <= RAZORING_DEPTH && eval + RAZORING_BASE + RAZORING_PER_PLY * depth < alpha {
            let value = self.quiesce::<false>(position, ply, alpha, alpha + 1, 0)?;
            if value <= alpha {
                return Ok(Some(value));
            }
        }
        if let Some(value) = self.null_move(position, depth, ply, beta, cut, eval)? {
            return Ok(Some(value));
        }
        let goal = beta + PROBCUT_MARGIN;
        let hopeless =
            view.known.is_some_and(|entry| entry.depth >= depth - 3 && view.known_value < goal);
        if depth >= PROBCUT_DEPTH && beta.abs() < MATE_BOUND && !hopeless {
            return self.probcut(position, depth, ply, goal, cut, view);
        }
        Ok(None)
    }

    /// Null-move pruning: the side to move passes; if that reaches beta at reduced depth, the node is cut. Deep
    /// cutoffs are verified without passing.
    fn null_move(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        beta: Value,
        cut: bool,
        eval: Value,
    ) -> Result<Option<Value>, Stopped> {
        let arm = self.shared.policies.null_move;
        let barred =
            ply < self.null_from && self.null_side.is_none_or(|side| side == position.turn());
        let passed = self.earlier_move(ply, 1).is_none() && ply > 0;
        if barred || passed {
            return Ok(None);
        }
        let Some(reduction) = arm.reduction(&NullMoveNode { position, depth, eval, beta }) else {
            return Ok(None);
        };
        let Some(next) = position.after_null() else { return Ok(None) };
        self.push(position);
        self.stack(ply).piece_to = PieceTo::NONE;
        self.stack(ply).check_extended = false;
        self.stack(ply + 1).doubles = self.stack(ply).doubles;
        let value =
            -self.node::<false>(&next, depth - reduction, ply + 1, -beta, 1 - beta, !cut)?;
        self.pop();
        if value < beta {
            return Ok(None);
        }
        // A mate after passing is no mate.
        let value = if value > MATE_BOUND { beta } else { value };
        if depth < arm.verify_from() || self.null_from > ply {
            return Ok(Some(value));
        }
        let saved = (self.null_from, self.null_side);
        self.null_from = ply + (depth - reduction).max(1) as usize * 3 / 4;
        self.null_side = arm.bars_one_side().then(|| position.turn());
        let verified =
            self.node::<false>(position, depth - reduction, ply, beta - 1, beta, false)?;
        (self.null_from, self.null_side) = saved;
        Ok((verified >= beta).then_some(value))
    }

    /// Probcut: a capture that reaches a raised beta at reduced depth cuts the node.
    fn probcut(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        goal: Value,
        cut: bool,
        view: &NodeInfo,
    ) -> Result<Option<Value>, Stopped> {
        let hash_move = view.known.and_then(|entry| entry.best);
        let noisy = |mv: &Move| mv.promotion().is_some() || position.is_capture(*mv);
        let mut picker = MovePicker::noisy(hash_move.filter(noisy), (goal - view.eval).max(1));
        let context = self.context(position, ply);
        while let Some((role, mv)) = picker.next(position, self.histories, &context) {
            let next = position.after_as(role, mv);
            self.push(position);
            self.stack(ply).piece_to = PieceTo::new(position.turn(), role, mv);
            self.stack(ply).check_extended = false;
            self.stack(ply + 1).doubles = self.stack(ply).doubles;
            let mut value = -self.quiesce::<false>(&next, ply + 1, -goal, 1 - goal, 0)?;
            if value >= goal {
                value = -self.node::<false>(&next, depth - 4, ply + 1, -goal, 1 - goal, !cut)?;
            }
            self.pop();
            if value >= goal {
                let bound = Bound::Lower;
                let entry = Entry {
                    best: Some(mv),
                    value: tt::score_to_tt(value, ply),
                    eval: view.raw,
                    depth: depth - 3,
                    bound,
                    pv: false,
                };
                self.shared.tt.store(position.key(), entry, self.shared.policies.replacement);
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}
