//! Updates of the histories after a node.

use super::super::movepick::{Threats, is_quiet};
use super::super::quiesce::corrected;
use super::super::score::{Bound, DECISIVE, Value};
use super::super::worker::Worker;
use super::Node;
use arrayvec::ArrayVec;
use umbrail_chess::{Move, Position, Role};

impl Worker<'_> {
    /// Updates killers, countermove and histories after a cutoff: a bonus for the move, a malus for
    /// those tried before it.
    pub(super) fn update_histories(&mut self, node: &Node<'_>, mv: Move, searched: &Searched) {
        let &Node { position, depth, ply, .. } = node;
        let (quiets, captures) = (&searched.quiets, &searched.captures);
        let ordering = self.shared.policies.ordering;
        let constants = &self.shared.constants;
        let (bonus, malus) = (ordering.bonus(depth, constants), ordering.malus(depth, constants));
        let context = self.stack.context(position, ply);
        let Some(role) = position.role_at(mv.from()) else { return };
        let quiet = is_quiet(position, mv);
        if quiet {
            let entry = self.stack.at_mut(ply);
            let keeps = ordering.keeps_killer(Some(mv) == node.info.hash_move());
            if keeps && entry.killers[0] != Some(mv) {
                entry.killers = [Some(mv), entry.killers[0]];
            }
            self.histories.set_counter_move(context.earlier[0], mv);
            if ordering.rewards(depth, quiets.len()) {
                self.histories.update_quiet(&context, role, mv, bonus);
            }
            for &(role, other) in quiets.iter().filter(|(_, other)| *other != mv) {
                self.histories.update_quiet(&context, role, other, -malus);
            }
        } else if let Some(victim) = position.captured(mv) {
            self.histories.update_capture(role, mv, victim, bonus);
        }
        for &(role, other) in captures.iter().filter(|(_, other)| *other != mv) {
            if let Some(victim) = position.captured(other) {
                self.histories.update_capture(role, other, victim, -malus);
            }
        }
    }

    /// Teaches the correction history the result of a node without a capture as its best move.
    /// Decisive results and bounds that agree with the corrected evaluation teach nothing.
    pub(super) fn learn_correction(&mut self, node: &Node<'_>, best: Value, bound: Bound) {
        let &Node { position, depth, ply, .. } = node;
        let Some(raw) = node.info.raw.filter(|_| best.abs() < DECISIVE) else { return };
        let base = corrected(position, raw, self.correction(position, ply));
        let informs = match bound {
            Bound::Exact => true,
            Bound::Lower => best > base,
            Bound::Upper => best < base,
        };
        if informs {
            let last = self.stack.last_moves(ply);
            self.histories.update_correction(position, last, depth, best - base);
        }
    }

    /// Gives a bonus, in 1/128 of the usual one, to a quiet move at this ply whose table entry cuts
    /// the node.
    pub(super) fn reward_table_move(&mut self, node: &Node<'_>, mv: Move) {
        let &Node { position, depth, ply, .. } = node;
        let share = self.shared.constants.table_bonus;
        let quiet = is_quiet(position, mv);
        if share == 0 || !quiet || !position.is_legal(mv) {
            return;
        }
        let Some(role) = position.role_at(mv.from()) else { return };
        let bonus = self.shared.policies.ordering.bonus(depth, &self.shared.constants);
        self.stack.at_mut(ply).attacked = Threats::new(position).all;
        let context = self.stack.context(position, ply);
        self.histories.update_quiet(&context, role, mv, bonus * share / 128);
    }

    /// Gives a bonus to the quiet move that led here, after every reply to it failed.
    pub(super) fn reward_prior_move(&mut self, node: &Node<'_>) {
        let &Node { position, depth, ply, .. } = node;
        let share = self.shared.constants.prior_bonus;
        if share == 0 || ply == 0 {
            return;
        }
        let Some((role, mv)) = self.stack.at(ply - 1).quiet else { return };
        let bonus = self.shared.policies.ordering.bonus(depth, &self.shared.constants);
        let mut context = self.stack.context(position, ply - 1);
        context.color = !context.color;
        self.histories.update_quiet(&context, role, mv, bonus * share / 128);
    }

    /// Gives a bonus to the quiet move that led here, in proportion to its change of the static
    /// evaluation.
    pub(super) fn reward_by_evaluation(&mut self, position: &Position, ply: usize) {
        let weight = self.shared.constants.eval_bonus;
        if weight == 0 || ply == 0 {
            return;
        }
        let (Some(eval), Some(before)) = (self.stack.at(ply).eval, self.stack.before(ply, 1).eval)
        else {
            return;
        };
        let Some((_, mv)) = self.stack.at(ply - 1).quiet else { return };
        let bonus = (-weight * (eval + before)).clamp(-1_500, 1_500);
        let mut context = self.stack.context(position, ply - 1);
        context.color = !context.color;
        self.histories.update_butterfly(&context, mv, bonus);
    }
}

/// Returns true if no quiet move except the table move was searched before.
pub(super) fn is_first_quiet(quiets: &[(Role, Move)], hash_move: Option<Move>) -> bool {
    quiets.iter().all(|&(_, earlier)| Some(earlier) == hash_move)
}

/// Moves searched at a node, with the result so far.
pub(super) struct Searched {
    pub(super) alpha: Value,
    pub(super) best: Value,
    /// The last move that raised alpha.
    pub(super) best_move: Option<Move>,
    /// Number of moves.
    pub(super) tried: usize,
    /// The first quiet moves, in order.
    pub(super) quiets: ArrayVec<(Role, Move), 64>,
    /// The first captures and promotions, in order.
    pub(super) captures: ArrayVec<(Role, Move), 32>,
}

impl Searched {
    /// Returns the state before the first move.
    pub(super) fn new(alpha: Value, best: Value) -> Self {
        let (quiets, captures) = (ArrayVec::new(), ArrayVec::new());
        Self { alpha, best, best_move: None, tried: 0, quiets, captures }
    }

    /// Adds the value of a move; returns true if it raised alpha.
    #[inline]
    pub(super) fn add(&mut self, role: Role, mv: Move, quiet: bool, value: Value) -> bool {
        match quiet {
            true => drop(self.quiets.try_push((role, mv))),
            false => drop(self.captures.try_push((role, mv))),
        }
        let raises = value > self.best && value > self.alpha;
        self.best = self.best.max(value);
        if raises {
            (self.alpha, self.best_move) = (value, Some(mv));
        }
        raises
    }
}
