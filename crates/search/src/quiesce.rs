//! Quiescence: captures and promotions until no piece hangs, evasions when in check.

use super::history::PieceTo;
use super::movepick::MovePicker;
use super::policy::quiescence::QsCapture;
use super::score::{Bound, DECISIVE, MATE, PLY_MAX, Value};
use super::tt::{self, Entry};
use super::worker::Worker;
use umbrail_chess::{Move, Position};
use umbrail_control::Stopped;

impl Worker<'_> {
    /// Returns the value of a position after the captures are played out, fail-soft. `qs_ply`
    /// counts the plies since the last inner node.
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        mut alpha: Value,
        beta: Value,
        qs_ply: usize,
    ) -> Result<Value, Stopped> {
        self.counter.enter(ply)?;
        self.stack.clear_pv(ply);
        let draw = self.shared.draw(position);
        if self.path.is_draw(position) {
            return Ok(draw);
        }
        if alpha < draw && self.path.can_repeat(position) {
            alpha = draw;
            if alpha >= beta {
                return Ok(alpha);
            }
        }
        let in_check = position.in_check();
        if ply >= PLY_MAX - 1 {
            return Ok(if in_check { 0 } else { self.evaluator.evaluate(position, ply) });
        }
        let correction = if in_check { 0 } else { self.correction(position, ply) };
        let known = self.shared.tt.probe(tt::table_key(position));
        self.statistics.probes += 1;
        self.statistics.hits += u64::from(known.is_some());
        if let Some(entry) = known.filter(|_| !PV)
            && is_cutoff(
                &entry,
                tt::score_from_tt(entry.value, ply, position.halfmoves()),
                alpha,
                beta,
            )
        {
            return Ok(tt::score_from_tt(entry.value, ply, position.halfmoves()));
        }
        self.shared.prefetch_table_move(position, known);
        let (mut best, raw) = if in_check {
            (-MATE + ply as Value, None)
        } else {
            let raw = known.and_then(|entry| entry.eval);
            let raw = raw.unwrap_or_else(|| self.evaluator.evaluate(position, ply));
            let mut eval = corrected(position, raw, correction);
            if let Some(entry) = known {
                eval = refine_eval(
                    eval,
                    &entry,
                    tt::score_from_tt(entry.value, ply, position.halfmoves()),
                );
            }
            (eval, Some(raw))
        };
        let stand_pat = best;
        if raw.is_some() {
            if best >= beta {
                if known.is_none() {
                    self.remember(position, ply, None, best, raw, Bound::Lower);
                }
                if best.abs() < DECISIVE && beta.abs() < DECISIVE {
                    let share = self.shared.constants.quiescence_blend;
                    best = (best * (100 - share) + beta * share) / 100;
                }
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        let window = alpha;
        let policies = self.shared.policies;
        let hash_move = known.and_then(|entry| entry.best);
        let mut picker = if in_check {
            MovePicker::all(hash_move, [None; 3])
        } else {
            let noisy = |mv: &Move| mv.promotion().is_some() || position.is_capture(*mv);
            let noisy = MovePicker::noisy(hash_move.filter(noisy), 0);
            match policies.quiescence.tries_checks(qs_ply) {
                true => noisy.with_checks(),
                false => noisy,
            }
        };
        let context = self.stack.context(position, ply);
        let (mut best_move, mut tried) = (None, 0);
        self.path.push(position);
        let mut result = Ok(());
        while let Some((role, mv)) = picker.next(position, self.histories, &context) {
            let quiet = mv.promotion().is_none() && !position.is_capture(mv);
            if !in_check && !quiet && tried > 0 && best > -DECISIVE {
                let margin = self.shared.constants.quiescence_margin;
                let capture = QsCapture { position, role, mv, eval: stand_pat, alpha, margin };
                if let Some(hope) = policies.quiescence.futile(&capture) {
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
            self.stack.set_move(ply, piece_to, quiet.then_some((role, mv)));
            let value = match self.quiesce::<PV>(&next, ply + 1, -beta, -alpha, qs_ply + 1) {
                Ok(value) => -value,
                Err(stopped) => {
                    result = Err(stopped);
                    break;
                }
            };
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    alpha = value;
                    if PV {
                        self.stack.extend_pv(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.path.pop();
        result?;
        let bound = if best >= beta {
            Bound::Lower
        } else if PV && best > window {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.remember(position, ply, best_move, best, raw, bound);
        Ok(best)
    }

    fn remember(
        &self,
        position: &Position,
        ply: usize,
        best: Option<Move>,
        value: Value,
        eval: Option<Value>,
        bound: Bound,
    ) {
        let value = tt::score_to_tt(value, ply);
        let entry = Entry { best, value, eval, depth: 0, bound, pv: false };
        self.shared.store(position, entry);
    }
}

/// Returns the corrected static evaluation, kept clear of mates.
pub(super) fn corrected(position: &Position, raw: Value, correction: Value) -> Value {
    // Advantages fade towards a fifty-move draw.
    let faded = raw * (220 - Value::from(position.halfmoves().min(100))) / 220;
    (faded + correction).clamp(1 - DECISIVE, DECISIVE - 1)
}

/// Returns true if a table entry decides the window.
pub(super) fn is_cutoff(entry: &Entry, value: Value, alpha: Value, beta: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    }
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
