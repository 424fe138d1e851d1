//! Inner node of the search: principal variation search, fail-soft, with selective pruning,
//! reductions and extensions.

mod extension;
mod update;

use super::history::PieceTo;
use super::movepick::MovePicker;
use super::policy::futility::{Quiet, Skip};
use super::policy::null_move::has_pieces;
use super::quiesce::{corrected, is_cutoff, refine_eval};
use super::reductions::{self, LateMove};
use super::score::{Bound, DECISIVE, INFINITE, MATE, PLY_MAX, Value};
use super::tt::{self, Entry};
use super::worker::Worker;
use arrayvec::ArrayVec;
use extension::Extension;
use umbrail_chess::exchange::see_at_least;
use umbrail_chess::{Move, Position, Role};
use umbrail_control::Stopped;
use update::{Tried, is_first_quiet};

/// Fifty-move counter, half-moves, from which a table score may be outdated and cuts no node.
const TT_CUTOFF_HALFMOVES: u16 = 90;
/// Largest reduced depth of history pruning, plies.
const HISTORY_PRUNING_DEPTH: i32 = 4;
/// Largest depth at which moves are pruned by static exchange, plies.
const SEE_PRUNING_DEPTH: i32 = 9;
/// Number of cutoffs among the replies that counts as few; more are many.
const CUTOFFS_MANY: u32 = 3;

/// Information about a node before moves are tried.
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

impl Worker<'_> {
    /// Returns the value of a position at this depth, fail-soft. `cut` marks an expected cut node:
    /// some move is expected to reach beta.
    pub(super) fn node<const PV: bool>(
        &mut self,
        position: &Position,
        mut depth: i32,
        ply: usize,
        mut alpha: Value,
        mut beta: Value,
        cut: bool,
    ) -> Result<Value, Stopped> {
        if depth <= 0 {
            return self.quiesce::<PV>(position, ply, alpha, beta, 0);
        }
        self.counter.enter(ply)?;
        self.stack.clear_pv(ply);
        let draw = self.shared.draw(position);
        if self.path.is_draw(position) {
            return Ok(draw);
        }
        // Upcoming repetition: the side to move can force at least a draw.
        if alpha < draw && self.path.can_repeat(position) {
            alpha = draw;
            if alpha >= beta {
                return Ok(alpha);
            }
        }
        if ply >= PLY_MAX - 1 {
            let in_check = position.in_check();
            return Ok(if in_check { 0 } else { self.evaluator.evaluate(position, ply) });
        }
        // Mate distance pruning: a mate found nearer to the root cannot be improved here.
        alpha = alpha.max(-MATE + ply as Value);
        beta = beta.min(MATE - ply as Value - 1);
        if alpha >= beta {
            return Ok(alpha);
        }
        let excluded = self.stack.at(ply).excluded;
        let view = self.probe_and_evaluate::<PV>(position, ply, excluded);
        if let Some(entry) = view.known
            && !PV
            && excluded.is_none()
            && entry.depth >= depth
            && position.halfmoves() < TT_CUTOFF_HALFMOVES
            && is_cutoff(&entry, view.known_value, alpha, beta)
        {
            if view.known_value >= beta
                && let Some(best) = entry.best
            {
                self.reward_table_move(position, depth, ply, best);
            }
            return Ok(view.known_value);
        }
        let (mut best, mut most) = (-INFINITE, INFINITE);
        if excluded.is_none()
            && let Some((value, bound)) = self.shared.probe_tables(position, depth, ply)
        {
            let decides = match bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if decides {
                let depth = (depth + 6).min(PLY_MAX as i32 - 1);
                let stored = tt::score_to_tt(value, ply);
                let entry =
                    Entry { best: None, value: stored, eval: view.raw, depth, bound, pv: PV };
                self.shared.store(position, entry);
                return Ok(value);
            }
            // On a principal variation the search continues, for moves or a mate, within the bound.
            if PV && bound == Bound::Lower {
                (best, alpha) = (value, alpha.max(value));
            } else if PV {
                most = value;
            }
        }
        let constants = self.shared.constants;
        if !view.in_check && excluded.is_none() {
            self.reward_by_evaluation(position, ply);
            depth += self.hindsight(depth, ply);
        }
        if !PV
            && !view.in_check
            && excluded.is_none()
            && let Some(value) =
                self.pre_move_pruning(position, depth, ply, alpha, beta, cut, &view)?
        {
            return Ok(value);
        }
        let hash_move = view.known.and_then(|entry| entry.best);
        let shallow = constants.iir_shallow > 0
            && view.known.is_some_and(|entry| entry.depth + constants.iir_shallow < depth);
        if depth >= constants.iir_depth
            && (hash_move.is_none() || shallow)
            && excluded.is_none()
            && (PV || cut)
        {
            depth -= 1;
        }
        self.stack.clear_replies(ply);
        let doubles = self.stack.at(ply).doubles;
        let context = self.stack.context(position, ply);
        let [first, second] = self.stack.at(ply).killers;
        let counter = self.histories.counter_move(context.earlier[0]);
        let hints = self.shared.hints.of(position.key());
        let arm = self.shared.policies.root_bias;
        let check_squares = position.check_squares();
        let mut picker = MovePicker::all(hash_move, [first, second, counter])
            .hinted(hints, arm)
            .ordered(&constants, &check_squares);
        let mut best_move = None;
        let window = alpha;
        let mut tried = 0;
        let mut quiets: ArrayVec<(Role, Move), 64> = ArrayVec::new();
        let mut captures: ArrayVec<(Role, Move), 32> = ArrayVec::new();
        let table_capture =
            hash_move.is_some_and(|mv| mv.promotion().is_some() || position.is_capture(mv));
        let table_pv = PV || view.known.is_some_and(|entry| entry.pv);
        let policies = self.shared.policies;
        self.path.push(position);
        while let Some((role, mv)) = picker.next(position, self.histories, &context) {
            if Some(mv) == excluded {
                continue;
            }
            let quiet = mv.promotion().is_none() && !position.is_capture(mv);
            let history = match (quiet, position.captured(mv)) {
                (true, _) => self.histories.quiet(&context, role, mv),
                (false, victim) => victim.map_or(0, |v| self.histories.capture(role, mv, v)),
            };
            let quiet_check = quiet && check_squares.gives(role, mv);
            let mut late = LateMove {
                depth,
                tried,
                quiet,
                history,
                pv: PV,
                cut,
                improving: view.improving,
                hash_move: Some(mv) == hash_move,
                checks: quiet_check,
                evasion: view.in_check,
                first_quiet: quiet && is_first_quiet(&quiets, hash_move),
                refutation: quiet && [first, second, counter].contains(&Some(mv)),
                table_capture,
                table_pv,
                cutoffs: self.stack.at(ply + 1).cutoffs > CUTOFFS_MANY,
                best,
            };
            if best > -DECISIVE && tried > 0 && has_pieces(position) {
                let lowered = depth - reductions::reduction(&late, &constants);
                if quiet {
                    let seen = Quiet {
                        depth,
                        lowered,
                        tried,
                        improving: view.improving,
                        pv: PV,
                        in_check: view.in_check,
                        checks: quiet_check,
                        eval: view.eval,
                        alpha,
                        history,
                    };
                    let loses = || !see_at_least(position, mv, 0);
                    match policies.futility.skips(&seen, &constants, loses) {
                        Skip::No => {}
                        Skip::One => continue,
                        Skip::OneWorth(value) => {
                            best = best.max(value);
                            continue;
                        }
                        Skip::All => {
                            picker.skip_quiets();
                            continue;
                        }
                    }
                    if lowered <= HISTORY_PRUNING_DEPTH
                        && history < -constants.history_pruning * depth
                    {
                        continue;
                    }
                }
                self.shared.tt.prefetch(tt::likely_table_key(position, role, mv));
                let floor = if quiet {
                    -constants.see_quiet * lowered.max(1) * lowered.max(1)
                } else {
                    -constants.see_capture * depth
                };
                if depth <= SEE_PRUNING_DEPTH && !see_at_least(position, mv, floor) {
                    continue;
                }
            }
            let piece_to = PieceTo::new(position.turn(), role, mv);
            self.histories.prefetch_correction([piece_to, context.earlier[0]]);
            let next = position.after_as(role, mv);
            self.shared.tt.prefetch(tt::table_key(&next));
            let checks = next.in_check();
            let extension = match self.extension(position, depth, ply, beta, cut, mv, &view)? {
                Extension::Cut(value) => {
                    self.path.pop();
                    return Ok(value);
                }
                Extension::Plies(plies) => plies,
            };
            let lately = self.stack.extended_recently(ply);
            let safe = || see_at_least(position, mv, 0);
            let (extension, check_extended) =
                policies.quiescence.extension(extension, checks, lately, safe);
            self.stack.at_mut(ply).check_extended = check_extended;
            tried += 1;
            self.stack.set_move(ply, piece_to, quiet.then_some((role, mv)));
            self.stack.at_mut(ply + 1).doubles = doubles + u8::from(extension >= 2);
            let deeper = depth - 1 + extension;
            (late.tried, late.checks) = (tried, checks);
            let value = self.try_move::<PV>(&next, ply, alpha, beta, deeper, &late)?;
            match quiet {
                true => drop(quiets.try_push((role, mv))),
                false => drop(captures.try_push((role, mv))),
            }
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
        if tried == 0 {
            return Ok(match (excluded, view.in_check) {
                (Some(_), _) => alpha,
                (None, true) => -MATE + ply as Value,
                (None, false) => draw,
            });
        }
        best = best.min(most);
        self.statistics.expanded += 1;
        if let Some(mv) = best_move.filter(|_| best >= beta) {
            self.statistics.fail_high += 1;
            self.stack.at_mut(ply).cutoffs += 1;
            self.statistics.first_fail_high += u64::from(tried == 1);
            let tried = Tried { quiets: &quiets, captures: &captures, hash_move };
            self.update_histories(position, depth, ply, mv, &tried);
        }
        if best <= window && excluded.is_none() {
            self.reward_prior_move(position, depth, ply);
        }
        if excluded.is_none() {
            let bound = match () {
                () if best >= beta => Bound::Lower,
                () if PV && best > window => Bound::Exact,
                () => Bound::Upper,
            };
            if best_move.is_none_or(|mv| !position.is_capture(mv)) {
                self.learn_correction(position, depth, ply, view.raw, best, bound);
            }
            let pv = PV || view.known.is_some_and(|entry| entry.pv);
            let best_move = best_move.or(hash_move.filter(|_| bound == Bound::Upper));
            let value = tt::score_to_tt(best, ply);
            let entry = Entry { best: best_move, value, eval: view.raw, depth, bound, pv };
            self.shared.store(position, entry);
        }
        Ok(best)
    }

    fn probe_and_evaluate<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        excluded: Option<Move>,
    ) -> NodeInfo {
        let in_check = position.in_check();
        let correction = if in_check { 0 } else { self.correction(position, ply) };
        let known = match excluded {
            None => self.shared.tt.probe(tt::table_key(position)),
            Some(_) => None,
        };
        self.statistics.probes += u64::from(excluded.is_none());
        self.statistics.hits += u64::from(known.is_some());
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

    /// Searches one move: late ones first at reduced depth, all but the first with a null window.
    pub(super) fn try_move<const PV: bool>(
        &mut self,
        next: &Position,
        ply: usize,
        alpha: Value,
        beta: Value,
        mut deeper: i32,
        late: &LateMove,
    ) -> Result<Value, Stopped> {
        let mut value = -INFINITE;
        let mut full = !PV || late.tried > 1;
        if late.depth >= 3 && late.tried > 1 + usize::from(PV) {
            let constants = &self.shared.constants;
            let plies = self.shared.policies.reduction.plies(late, constants);
            let less = plies.clamp(0, (deeper - 1).max(0));
            if less > 0 {
                self.stack.at_mut(ply).reduction = less;
                let searched =
                    self.node::<false>(next, deeper - less, ply + 1, -alpha - 1, -alpha, true);
                self.stack.at_mut(ply).reduction = 0;
                value = -searched?;
                full = value > alpha;
                if full && constants.deeper_margin > 0 && value.abs() < DECISIVE {
                    deeper += i32::from(value > late.best + constants.deeper_margin);
                    deeper -= i32::from(value < late.best + constants.shallower_margin);
                }
            }
        }
        if full {
            value = -self.node::<false>(next, deeper, ply + 1, -alpha - 1, -alpha, !late.cut)?;
        }
        if PV && (late.tried == 1 || (value > alpha && value < beta)) {
            value = -self.node::<true>(next, deeper, ply + 1, -beta, -alpha, false)?;
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests;
