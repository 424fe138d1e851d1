//! Quiescence: captures and promotions until no piece hangs, evasions when in check.

use super::history::PieceTo;
use super::movepick::{MovePicker, Threats, is_quiet};
use super::policy::quiescence::QsCapture;
use super::score::{Bound, DECISIVE, MATE, Value};
use super::tt::{self, Entry};
use super::worker::Worker;
use std::ops::ControlFlow;
use umbrail_chess::{Move, Position};
use umbrail_control::Stopped;

/// Node of quiescence before its moves are tried.
struct QuiescenceNode<'p> {
    position: &'p Position,
    /// Distance from the root, plies.
    ply: usize,
    /// Plies since the last inner node.
    qs_ply: usize,
    alpha: Value,
    beta: Value,
    in_check: bool,
    /// Value without a move: the refined evaluation, or a mate when in check.
    stand_pat: Value,
    hash_move: Option<Move>,
}

impl Worker<'_> {
    /// Returns the value of a position after the captures are played out, fail-soft. `qs_ply`
    /// counts the plies since the last inner node.
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        alpha: Value,
        beta: Value,
        qs_ply: usize,
    ) -> Result<Value, Stopped> {
        let mut alpha = match self.enter(position, ply, alpha, beta)? {
            ControlFlow::Break(value) => return Ok(value),
            ControlFlow::Continue(alpha) => alpha,
        };
        let in_check = position.in_check();
        let correction = if in_check { 0 } else { self.correction(position, ply) };
        let known = self.probe(position);
        let known_value = |entry: &Entry| tt::score_from_tt(entry.value, ply, position.halfmoves());
        if let Some(entry) = known.filter(|_| !PV) {
            let value = known_value(&entry);
            if entry.bound.decides(value, alpha, beta) {
                return Ok(value);
            }
        }
        self.shared.prefetch_table_move(position, known);
        let (stand_pat, raw) = if in_check {
            (-MATE + ply as Value, None)
        } else {
            let raw = known.and_then(|entry| entry.eval);
            let raw = raw.unwrap_or_else(|| self.evaluator.evaluate(position, ply));
            let eval = corrected(position, raw, correction);
            let refined = known.map_or(eval, |it| refine_eval(eval, &it, known_value(&it)));
            (refined, Some(raw))
        };
        if raw.is_some() {
            if stand_pat >= beta {
                if known.is_none() {
                    let (value, bound) = (stand_pat, Bound::Lower);
                    let entry = Entry { best: None, value, eval: raw, depth: 0, bound, pv: false };
                    self.shared.store(position, ply, entry);
                }
                return Ok(self.blended(stand_pat, beta));
            }
            alpha = alpha.max(stand_pat);
        }
        let hash_move = known.and_then(|entry| entry.best);
        let node =
            QuiescenceNode { position, ply, qs_ply, alpha, beta, in_check, stand_pat, hash_move };
        let (value, best) = self.quiesce_moves::<PV>(&node)?;
        let bound = Bound::of::<PV>(value, alpha, beta);
        let entry = Entry { best, value, eval: raw, depth: 0, bound, pv: false };
        self.shared.store(position, ply, entry);
        Ok(value)
    }

    /// Searches the moves of a node of quiescence. Returns the best value, which is at least that
    /// without a move, and the last move that raised alpha.
    #[inline]
    fn quiesce_moves<const PV: bool>(
        &mut self,
        node: &QuiescenceNode<'_>,
    ) -> Result<(Value, Option<Move>), Stopped> {
        let &QuiescenceNode { position, ply, in_check, stand_pat, .. } = node;
        let policy = self.shared.policies.quiescence;
        let mut picker = if in_check {
            MovePicker::all(position, node.hash_move, [None; 3])
        } else {
            let noisy = |mv: &Move| !is_quiet(position, *mv);
            let noisy = MovePicker::noisy(position, node.hash_move.filter(noisy), 0);
            match policy.tries_checks(node.qs_ply) {
                true => noisy.with_checks(),
                false => noisy,
            }
        };
        if in_check {
            self.stack.at_mut(ply).attacked = Threats::new(position).all;
        }
        let context = self.stack.context(position, ply);
        let (mut alpha, mut best, mut best_move, mut tried) = (node.alpha, stand_pat, None, 0);
        self.path.push(position);
        while let Some((role, mv)) = picker.next(position, self.histories, &context) {
            let quiet = is_quiet(position, mv);
            if !in_check && !quiet && tried > 0 && best > -DECISIVE {
                let margin = self.shared.constants.quiescence_margin;
                let capture = QsCapture { position, role, mv, eval: stand_pat, alpha, margin };
                if let Some(hope) = policy.futile(&capture) {
                    best = best.max(hope);
                    continue;
                }
            }
            if in_check && quiet && tried > 2 && best > -DECISIVE {
                // More than two evasions were searched, one of which does not lose: skip quiet
                // ones.
                picker.skip_quiets();
                continue;
            }
            self.shared.tt.prefetch(tt::likely_table_key(position, role, mv));
            let piece_to = PieceTo::new(position.turn(), role, mv);
            self.histories.prefetch_correction([piece_to, context.earlier[0]]);
            tried += 1;
            let next = position.after_as(role, mv);
            self.histories.prefetch_structures(&next);
            self.stack.set_move(ply, piece_to, quiet.then_some((role, mv)));
            let value = -self.quiesce::<PV>(&next, ply + 1, -node.beta, -alpha, node.qs_ply + 1)?;
            if value > best {
                best = value;
                if value > alpha {
                    (alpha, best_move) = (value, Some(mv));
                    if PV {
                        self.stack.extend_pv(ply, mv);
                    }
                    if value >= node.beta {
                        break;
                    }
                }
            }
        }
        self.path.pop();
        Ok((best, best_move))
    }

    /// Returns a static evaluation that reaches beta, moved towards beta unless one of both is
    /// decisive.
    #[inline]
    fn blended(&self, value: Value, beta: Value) -> Value {
        if value.abs() >= DECISIVE || beta.abs() >= DECISIVE {
            return value;
        }
        let share = self.shared.constants.quiescence_blend;
        (value * (100 - share) + beta * share) / 100
    }
}

/// Returns the corrected static evaluation, kept clear of mates.
pub(super) fn corrected(position: &Position, raw: Value, correction: Value) -> Value {
    // Advantages fade towards a fifty-move draw.
    let faded = raw * (220 - Value::from(position.halfmoves().min(100))) / 220;
    (faded + correction).clamp(1 - DECISIVE, DECISIVE - 1)
}

/// Returns the score of a table entry if its bound makes it a better estimate than `eval`.
pub(super) fn refine_eval(eval: Value, entry: &Entry, value: Value) -> Value {
    let believed = value.abs() < DECISIVE
        && match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value > eval,
            Bound::Upper => value < eval,
        };
    if believed { value } else { eval }
}
