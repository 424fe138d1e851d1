//! Inner node of the search: principal variation search, fail-soft, with selective pruning,
//! reductions and extensions.

mod extension;
mod moves;
mod update;

use super::quiesce::{corrected, refine_eval};
use super::score::{Bound, INFINITE, MATE, PLY_MAX, Value};
use super::tt::{self, Entry};
use super::worker::Worker;
use std::ops::ControlFlow;
use umbrail_chess::{Move, Position};
use umbrail_control::Stopped;
use update::Searched;

/// Fifty-move counter, half-moves, from which a table score may be outdated and cuts no node.
const TT_CUTOFF_HALFMOVES: u16 = 90;

/// Node before its moves are tried.
pub(super) struct Node<'p> {
    pub(super) position: &'p Position,
    /// Remaining depth, plies.
    pub(super) depth: i32,
    /// Distance from the root, plies.
    pub(super) ply: usize,
    pub(super) alpha: Value,
    pub(super) beta: Value,
    /// True if some move is expected to reach beta.
    pub(super) cut: bool,
    /// Move excluded in a test for singularity.
    pub(super) excluded: Option<Move>,
    pub(super) info: NodeInfo,
}

/// Table entry and static evaluation of a node.
#[derive(Clone, Copy)]
pub(super) struct NodeInfo {
    pub(super) known: Option<Entry>,
    /// Score of `known` counted from the root.
    pub(super) known_value: Value,
    pub(super) in_check: bool,
    /// Corrected static evaluation, refined by `known`.
    pub(super) eval: Value,
    /// Uncorrected static evaluation; none when in check.
    pub(super) raw: Option<Value>,
    /// True if the static evaluation is better than two plies ago.
    pub(super) improving: bool,
}

impl NodeInfo {
    /// Returns the move of the table entry.
    pub(super) fn hash_move(&self) -> Option<Move> {
        self.known.and_then(|entry| entry.best)
    }
}

impl Worker<'_> {
    /// Returns the value of a position at this depth, fail-soft. `cut` marks an expected cut node:
    /// some move is expected to reach beta.
    pub(super) fn node<const PV: bool>(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
        alpha: Value,
        beta: Value,
        cut: bool,
    ) -> Result<Value, Stopped> {
        if depth <= 0 {
            return self.quiesce::<PV>(position, ply, alpha, beta, 0);
        }
        let alpha = match self.enter(position, ply, alpha, beta)? {
            ControlFlow::Break(value) => return Ok(value),
            ControlFlow::Continue(alpha) => alpha,
        };
        // Mate distance pruning: a mate found nearer to the root cannot be improved here.
        let alpha = alpha.max(-MATE + ply as Value);
        let beta = beta.min(MATE - ply as Value - 1);
        if alpha >= beta {
            return Ok(alpha);
        }
        let excluded = self.stack.at(ply).excluded;
        let info = self.probe_and_evaluate(position, ply, excluded);
        let mut node = Node { position, depth, ply, alpha, beta, cut, excluded, info };
        let (mut best, mut most) = (-INFINITE, INFINITE);
        if excluded.is_none() {
            if !PV && let Some(value) = self.table_cutoff(&node) {
                return Ok(value);
            }
            if let Some((value, bound)) = self.shared.probe_tables(position, depth, ply) {
                if bound.decides(value, alpha, beta) {
                    let depth = (depth + 6).min(PLY_MAX as i32 - 1);
                    let entry = Entry { best: None, value, eval: info.raw, depth, bound, pv: PV };
                    self.shared.store(position, ply, entry);
                    return Ok(value);
                }
                // On a principal variation the search continues, for moves or a mate, within the
                // bound.
                if PV && bound == Bound::Lower {
                    (best, node.alpha) = (value, alpha.max(value));
                } else if PV {
                    most = value;
                }
            }
            if !info.in_check {
                self.reward_by_evaluation(position, ply);
                node.depth += self.hindsight(depth, ply);
                if !PV && let Some(value) = self.pre_move_pruning(&node)? {
                    return Ok(value);
                }
            }
            if (PV || cut) && self.lacks_table_move(&node) {
                node.depth -= 1;
            }
        }
        let mut searched = Searched::new(node.alpha, best);
        if let Some(value) = self.search_moves::<PV>(&node, &mut searched)? {
            return Ok(value);
        }
        if searched.tried == 0 {
            return Ok(match (excluded, info.in_check) {
                (Some(_), _) => node.alpha,
                (None, true) => -MATE + ply as Value,
                (None, false) => self.shared.draw(position),
            });
        }
        searched.best = searched.best.min(most);
        self.conclude::<PV>(&node, &searched);
        Ok(searched.best)
    }

    /// Enters a node. Returns its value if the game is drawn or the path is too long, or else
    /// alpha, raised to a draw that the side to move can force.
    #[inline]
    pub(super) fn enter(
        &mut self,
        position: &Position,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Result<ControlFlow<Value, Value>, Stopped> {
        self.counter.enter(ply)?;
        self.stack.clear_pv(ply);
        let draw = self.shared.draw(position);
        if self.path.is_draw(position) {
            return Ok(ControlFlow::Break(draw));
        }
        let mut alpha = alpha;
        if alpha < draw && self.path.can_repeat(position) {
            alpha = draw;
            if alpha >= beta {
                return Ok(ControlFlow::Break(alpha));
            }
        }
        if ply >= PLY_MAX - 1 {
            let in_check = position.in_check();
            let value = if in_check { 0 } else { self.evaluator.evaluate(position, ply) };
            return Ok(ControlFlow::Break(value));
        }
        Ok(ControlFlow::Continue(alpha))
    }

    /// Probes the transposition table.
    #[inline]
    pub(super) fn probe(&mut self, position: &Position) -> Option<Entry> {
        let known = self.shared.tt.probe(tt::table_key(position));
        self.statistics.probes += 1;
        self.statistics.hits += u64::from(known.is_some());
        known
    }

    fn probe_and_evaluate(
        &mut self,
        position: &Position,
        ply: usize,
        excluded: Option<Move>,
    ) -> NodeInfo {
        let in_check = position.in_check();
        let correction = if in_check { 0 } else { self.correction(position, ply) };
        let known = if excluded.is_none() { self.probe(position) } else { None };
        let known_value =
            known.map_or(0, |entry| tt::score_from_tt(entry.value, ply, position.halfmoves()));
        self.shared.prefetch_table_move(position, known);
        if in_check {
            self.stack.at_mut(ply).eval = None;
            return NodeInfo { known, known_value, in_check, eval: 0, raw: None, improving: false };
        }
        let raw = known.and_then(|entry| entry.eval);
        let raw = raw.unwrap_or_else(|| self.evaluator.evaluate(position, ply));
        let mut eval = corrected(position, raw, correction);
        self.stack.at_mut(ply).eval = Some(eval);
        let earlier = self.stack.before(ply, 2).eval.or(self.stack.before(ply, 4).eval);
        let improving = earlier.is_some_and(|earlier| eval > earlier);
        if let Some(entry) = known {
            eval = refine_eval(eval, &entry, known_value);
        }
        NodeInfo { known, known_value, in_check, eval, raw: Some(raw), improving }
    }

    /// Returns the score of the table entry if it decides the node.
    #[inline]
    fn table_cutoff(&mut self, node: &Node<'_>) -> Option<Value> {
        let entry = node.info.known?;
        let value = node.info.known_value;
        if entry.depth < node.depth
            || node.position.halfmoves() >= TT_CUTOFF_HALFMOVES
            || !entry.bound.decides(value, node.alpha, node.beta)
        {
            return None;
        }
        if value >= node.beta
            && let Some(best) = entry.best
        {
            self.reward_table_move(node, best);
        }
        Some(value)
    }

    /// Returns true at a deep node without a table move, or with one of a shallow search only
    /// (internal iterative reduction).
    #[inline]
    fn lacks_table_move(&self, node: &Node<'_>) -> bool {
        let constants = &self.shared.constants;
        let shallow = constants.iir_shallow > 0
            && node
                .info
                .known
                .is_some_and(|entry| entry.depth + constants.iir_shallow < node.depth);
        node.depth >= constants.iir_depth && (node.info.hash_move().is_none() || shallow)
    }

    /// Learns from the moves of a node, and stores its result.
    #[inline]
    fn conclude<const PV: bool>(&mut self, node: &Node<'_>, searched: &Searched) {
        let &Searched { best, best_move, tried, .. } = searched;
        self.statistics.expanded += 1;
        if let Some(mv) = best_move.filter(|_| best >= node.beta) {
            self.statistics.fail_high += 1;
            self.stack.at_mut(node.ply).cutoffs += 1;
            self.statistics.first_fail_high += u64::from(tried == 1);
            self.update_histories(node, mv, searched);
        }
        if node.excluded.is_some() {
            return;
        }
        if best <= node.alpha {
            self.reward_prior_move(node);
        }
        let bound = Bound::of::<PV>(best, node.alpha, node.beta);
        if best_move.is_none_or(|mv| !node.position.is_capture(mv)) {
            self.learn_correction(node, best, bound);
        }
        let pv = PV || node.info.known.is_some_and(|entry| entry.pv);
        let best_move = best_move.or(node.info.hash_move().filter(|_| bound == Bound::Upper));
        let (eval, depth) = (node.info.raw, node.depth);
        let entry = Entry { best: best_move, value: best, eval, depth, bound, pv };
        self.shared.store(node.position, node.ply, entry);
    }
}

#[cfg(test)]
mod tests;
