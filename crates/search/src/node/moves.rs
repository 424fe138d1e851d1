//! Loop over the moves of a node: pruning, extensions, and the search of one move.

use super::super::history::{Context, PieceTo};
use super::super::movepick::{MovePicker, Threats, is_quiet};
use super::super::policy::futility::{Quiet, Skip};
use super::super::policy::null_move::has_pieces;
use super::super::reductions::{self, LateMove};
use super::super::score::{DECISIVE, INFINITE, Value};
use super::super::tt;
use super::super::worker::Worker;
use super::extension::Extension;
use super::update::{Searched, is_first_quiet};
use super::{Node, NodeInfo};
use umbrail_chess::exchange::see_at_least;
use umbrail_chess::{Move, Position, Role};
use umbrail_control::Stopped;

/// Largest reduced depth of history pruning, plies.
const HISTORY_PRUNING_DEPTH: i32 = 4;
/// Largest depth at which moves are pruned by static exchange, plies.
const SEE_PRUNING_DEPTH: i32 = 9;
/// Number of cutoffs among the replies that counts as few; more are many.
const CUTOFFS_MANY: u32 = 3;

impl Worker<'_> {
    /// Searches the moves of a node. Returns its value if several moves reach beta (multi-cut).
    pub(super) fn search_moves<const PV: bool>(
        &mut self,
        node: &Node<'_>,
        searched: &mut Searched,
    ) -> Result<Option<Value>, Stopped> {
        let (&Node { position, ply, .. }, shared) = (node, self.shared);
        let hash_move = node.info.hash_move();
        self.stack.clear_replies(ply);
        let doubles = self.stack.at(ply).doubles;
        let threats = Threats::new(position);
        self.stack.at_mut(ply).attacked = threats.all;
        let context = self.stack.context(position, ply);
        let [first, second] = self.stack.at(ply).killers;
        let refutations = [first, second, self.histories.counter_move(context.earlier[0])];
        let check_squares = position.check_squares();
        let mut picker = MovePicker::all(position, hash_move, refutations)
            .hinted(shared.hints.of(position.key()), shared.policies.root_bias)
            .ordered(&shared.constants, &check_squares, &threats);
        let any_move = any_move::<PV>(node);
        self.path.push(position);
        while let Some((role, mv)) = picker.next(position, self.histories, &context) {
            if Some(mv) == node.excluded {
                continue;
            }
            let quiet = is_quiet(position, mv);
            let mut late = LateMove {
                tried: searched.tried,
                quiet,
                history: self.history(&context, position, role, mv),
                hash_move: Some(mv) == hash_move,
                checks: quiet && check_squares.gives(role, mv),
                first_quiet: quiet && is_first_quiet(&searched.quiets, hash_move),
                refutation: quiet && refutations.contains(&Some(mv)),
                cutoffs: self.stack.at(ply + 1).cutoffs > CUTOFFS_MANY,
                best: searched.best,
                ..any_move
            };
            match self.skips(node, &late, role, mv, searched.alpha) {
                Skip::No => {}
                Skip::One => continue,
                Skip::OneWorth(value) => {
                    searched.best = searched.best.max(value);
                    continue;
                }
                Skip::All => {
                    picker.skip_quiets();
                    continue;
                }
            }
            let piece_to = PieceTo::new(position.turn(), role, mv);
            self.histories.prefetch_correction([piece_to, context.earlier[0]]);
            let next = position.after_as(role, mv);
            shared.tt.prefetch(tt::table_key(&next));
            self.histories.prefetch_structures(&next);
            let special =
                mv.promotion().is_some() || position.is_castle(mv) || position.is_en_passant(mv);
            let checks = if special { next.in_check() } else { check_squares.gives(role, mv) };
            debug_assert_eq!(checks, next.in_check());
            let plies = match self.extension(node, mv, checks)? {
                Extension::Cut(value) => {
                    self.path.pop();
                    return Ok(Some(value));
                }
                Extension::Plies(plies) => plies,
            };
            self.stack.set_move(ply, piece_to, quiet.then_some((role, mv)));
            self.stack.at_mut(ply + 1).doubles = doubles + u8::from(plies >= 2);
            searched.tried += 1;
            (late.tried, late.checks) = (searched.tried, checks);
            let (alpha, deeper) = (searched.alpha, node.depth - 1 + plies);
            let value = self.try_move::<PV>(&next, ply, alpha, node.beta, deeper, &late)?;
            if searched.add(role, mv, quiet, value) {
                if PV {
                    self.stack.extend_pv(ply, mv);
                }
                if value >= node.beta {
                    break;
                }
            }
        }
        self.path.pop();
        Ok(None)
    }

    /// Returns the history score of a move.
    #[inline]
    fn history(&self, context: &Context, position: &Position, role: Role, mv: Move) -> i32 {
        if is_quiet(position, mv) {
            return self.histories.quiet(context, role, mv);
        }
        position.captured(mv).map_or(0, |victim| self.histories.capture(role, mv, victim))
    }

    /// Decides whether to skip a move, by its history, by the static evaluation and by exchanges.
    /// No move is skipped before one that does not lose.
    #[inline]
    fn skips(&self, node: &Node<'_>, late: &LateMove, role: Role, mv: Move, alpha: Value) -> Skip {
        let (position, constants) = (node.position, &self.shared.constants);
        if late.best <= -DECISIVE || late.tried == 0 || !has_pieces(position) {
            return Skip::No;
        }
        let mut lowered = late.depth;
        if late.quiet {
            lowered -= reductions::reduction(late, constants);
            let seen = Quiet { late, lowered, eval: node.info.eval, alpha };
            let loses = || !see_at_least(position, mv, 0);
            match self.shared.policies.futility.skips(&seen, constants, loses) {
                Skip::No => {}
                skip => return skip,
            }
            if lowered <= HISTORY_PRUNING_DEPTH
                && late.history < -constants.history_pruning * late.depth
            {
                return Skip::One;
            }
        }
        self.shared.tt.prefetch(tt::likely_table_key(position, role, mv));
        let floor = if late.quiet {
            -constants.see_quiet * lowered.max(1) * lowered.max(1)
        } else {
            -constants.see_capture * late.depth
        };
        let loses = late.depth <= SEE_PRUNING_DEPTH && !see_at_least(position, mv, floor);
        if loses { Skip::One } else { Skip::No }
    }

    /// Searches one move: late ones first at reduced depth, all but the first with a null window.
    pub(crate) fn try_move<const PV: bool>(
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

/// Returns the properties that all moves of a node share.
#[inline]
fn any_move<const PV: bool>(node: &Node<'_>) -> LateMove {
    let NodeInfo { known, in_check, improving, .. } = node.info;
    let noisy = |mv| !is_quiet(node.position, mv);
    LateMove {
        depth: node.depth,
        pv: PV,
        cut: node.cut,
        improving,
        evasion: in_check,
        table_capture: node.info.hash_move().is_some_and(noisy),
        table_pv: PV || known.is_some_and(|entry| entry.pv),
        ..LateMove::default()
    }
}
