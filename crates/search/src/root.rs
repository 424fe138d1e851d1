//! Root of the search: iterative deepening, aspiration windows, several best lines (MultiPV) and
//! reports.

use super::history::PieceTo;
use super::limits::SearchRequest;
use super::movepick::{Threats, is_quiet};
use super::quiesce::corrected;
use super::reductions::LateMove;
use super::score::{Bound, DECISIVE, INFINITE, MATE_BOUND, PLY_MAX, Score, Value};
use super::sources::probe::RankedMove;
use super::statistics::SearchStatistics;
use super::time::Stability;
use super::worker::{Pv, Shared, Worker};
use super::{Ended, PvLine, SearchInfo};
use std::time::Duration;
use umbrail_chess::Move;
use umbrail_control::Stopped;

/// Age of a search from which bounds are reported. Shorter iterations report their scores soon
/// enough.
const BOUNDS_FROM: Duration = Duration::from_secs(1);

/// Move of the root position with its results.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    /// Rank by the endgame tables.
    rank: i32,
    /// Score by the endgame tables.
    table_value: Option<Value>,
    /// Score in this iteration; −[`INFINITE`] if another move was better or the move was not
    /// searched.
    value: Value,
    /// True if the score lies inside the search window and the variation belongs to the score.
    exact: bool,
    /// Variation that starts with this move, from the last time that it was among the best.
    pv: Pv,
    /// Nodes spent on this move in this search.
    nodes: u64,
    seldepth: usize,
    /// Bias from book and experience, centipawns.
    bias: i32,
}

/// Line with the score of the search, which an endgame table may replace in the report.
#[derive(Debug)]
pub(super) struct ScoredLine {
    pub line: PvLine,
    pub value: Value,
}

/// Result of one worker.
#[derive(Debug)]
pub(super) struct WorkerResult {
    pub line: Option<PvLine>,
    /// Score of the line by the search.
    pub value: Value,
    /// Best lines of the last complete iteration, the best first.
    pub lines: Vec<ScoredLine>,
    pub ended: Ended,
    /// Number of changes of the best move in the last four iterations.
    pub late_changes: u32,
    pub statistics: SearchStatistics,
}

impl Worker<'_> {
    /// Searches with increasing depth until a limit is reached. Requires at least one root move,
    /// and the moves in the order of their ranks.
    pub(super) fn deepen(mut self, moves: &[RankedMove]) -> WorkerResult {
        let limits = &self.shared.request.limits;
        let hints = self.shared.hints.of(self.shared.request.position.key());
        let bias = |mv: Move| hints.iter().find(|(hinted, _)| *hinted == mv).map_or(0, |h| h.1);
        let mut moves: Vec<RootMove> = (moves.iter())
            .map(|&RankedMove { mv, rank, value }| RootMove {
                mv,
                rank,
                table_value: value,
                value: -INFINITE,
                exact: false,
                pv: Pv::from_iter([mv]),
                nodes: 0,
                seldepth: 0,
                bias: bias(mv),
            })
            .collect();
        moves.sort_by_key(|root| std::cmp::Reverse((root.rank, root.bias)));
        let lines = self.shared.lines.clamp(1, moves.len());
        let depth_max =
            limits.depth.map_or(PLY_MAX as u32 - 1, |depth| depth.clamp(1, PLY_MAX as u32 - 1));
        let mut result = WorkerResult {
            line: None,
            value: -INFINITE,
            lines: vec![],
            ended: Ended::Complete,
            late_changes: 0,
            statistics: SearchStatistics::default(),
        };
        let mut changes = 0u32;
        let mut stability = Stability::default();
        for depth in 1..=depth_max as i32 {
            self.counter.begin_iteration(depth);
            let before = result.line.as_ref().and_then(|line| line.pv.first().copied());
            let last = moves[0].value;
            let reported = self.iterate(&mut moves, lines, depth, &mut result);
            self.counter.report();
            if reported.is_err() {
                result.ended = Ended::Stopped;
                break;
            }
            changes = changes << 1 | u32::from(before.is_some_and(|mv| mv != moves[0].mv));
            result.late_changes = (changes & 15).count_ones();
            stability.steady = if before == Some(moves[0].mv) { stability.steady + 1 } else { 0 };
            stability.share = moves[0].nodes as f64 / self.counter.nodes().max(1) as f64;
            stability.fall = if depth > 1 { last - moves[0].value } else { 0 };
            if self.counter.is_first() && self.is_enough(&stability, moves[0].value, depth) {
                break;
            }
        }
        if let Some(line) = &mut result.line {
            (line.nodes, line.time) =
                (self.counter.all_nodes(), self.shared.control.clock.elapsed());
            line.hashfull = self.shared.tt.hashfull();
        }
        result.statistics = self.statistics;
        result
    }

    /// Returns true if no further iteration should start.
    fn is_enough(&self, stability: &Stability, value: Value, depth: i32) -> bool {
        let Shared { request: SearchRequest { limits, .. }, allowance, control, .. } = self.shared;
        if let (Score::Mate(moves), Some(asked)) = (Score::from(value), limits.mate)
            && moves != 0
            && moves.unsigned_abs() <= asked
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|soft| self.counter.all_nodes() >= soft) {
            return true;
        }
        let nodes = self.counter.all_nodes();
        if let Some(hard) = allowance.hard().filter(|_| !control.clock.is_running()) {
            // Pondering goes on until the opponent moves. If it took as long as a move, the search ends at that moment.
            let is_spent = allowance.is_spent(nodes, control.clock, stability, value);
            control.clock.limit(if is_spent { Duration::ZERO } else { hard });
            return false;
        }
        if !allowance.is_running(control.clock) {
            return false;
        }
        // A mate seen at more than twice its length will not get shorter.
        let proven = matches!(Score::from(value), Score::Mate(m) if m.abs() * 4 + 4 < depth);
        proven || allowance.is_spent(nodes, control.clock, stability, value)
    }

    /// Runs one iteration: the best lines in order, each with its own aspiration window.
    fn iterate(
        &mut self,
        moves: &mut [RootMove],
        lines: usize,
        depth: i32,
        result: &mut WorkerResult,
    ) -> Result<(), Stopped> {
        let guesses: Vec<Value> = moves.iter().map(|root| root.value).collect();
        for first in 0..lines {
            // Moves of a lower rank are no alternatives, whatever their search score.
            let rank = moves[first].rank;
            let rest = moves[first..].iter().take_while(|root| root.rank == rank).count();
            let group = &mut moves[first..first + rest];
            for root in &mut *group {
                (root.value, root.exact) = (-INFINITE, false);
            }
            self.counter.begin_line();
            let searched = self.aspire(group, first, depth, guesses[first]);
            // An unfinished iteration counts once the previous best line has been searched again
            // with an exact score. A bound does not count: the variation would be an old one, not
            // the one of the score.
            if searched.is_ok() || (first == 0 && group[0].exact) {
                group.sort_by_key(|root| std::cmp::Reverse(root.value));
                if first == 0 {
                    result.line = Some(self.line(&group[0], reported(&group[0]), depth, 1));
                    result.value = group[0].value;
                }
            }
            searched?;
            self.notify_line(moves, first, depth);
        }
        // A later line may have a better score than an earlier one.
        moves[..lines].sort_by_key(|root| std::cmp::Reverse((root.rank, root.value)));
        result.lines.clear();
        let shown = reported_in_order(&moves[..lines]);
        for (at, (root, shown)) in moves.iter().zip(shown).enumerate() {
            let line = self.line(root, shown, depth, at + 1);
            if self.counter.is_first() && at < self.shared.request.multipv {
                self.shared.control.notify(SearchInfo::Depth(line.clone()));
            }
            if at == 0 {
                (result.line, result.value) = (Some(line.clone()), root.value);
            }
            result.lines.push(ScoredLine { line, value: root.value });
        }
        Ok(())
    }

    /// Searches a window around the last score and widens it until the score lies inside. `first` is
    /// the index of the first move among all root moves.
    fn aspire(
        &mut self,
        moves: &mut [RootMove],
        first: usize,
        depth: i32,
        guess: Value,
    ) -> Result<(), Stopped> {
        let widening = self.shared.policies.widening;
        let mut window = widening.first(guess, depth, self.shared.constants.aspiration);
        self.statistics.iterations += 1;
        loop {
            let deep = (depth - window.lower).max(1);
            let value = self.root_node(moves, first, deep, window.alpha, window.beta)?;
            let Some(next) = widening.next(window, value) else { return Ok(()) };
            let bound = if value >= window.beta { Bound::Lower } else { Bound::Upper };
            if bound == Bound::Lower {
                moves.sort_by_key(|root| std::cmp::Reverse(root.value));
            }
            self.notify_bound(&moves[0], value, bound, (depth, first));
            self.statistics.researches += 1;
            window = next;
        }
    }

    fn root_node(
        &mut self,
        moves: &mut [RootMove],
        first: usize,
        depth: i32,
        mut alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        let position = self.shared.request.position;
        self.counter.enter_root();
        let raw = (!position.in_check()).then(|| self.evaluator.evaluate(&position, 0));
        let eval = raw.map(|raw| corrected(&position, raw, self.correction(&position, 0)));
        self.stack.at_mut(0).eval = eval;
        self.stack.clear_replies(0);
        self.stack.at_mut(1).doubles = 0;
        self.stack.at_mut(0).attacked = Threats::new(&position).all;
        let context = self.stack.context(&position, 0);
        let indifference = self.shared.policies.root_bias.indifference();
        let mut best = -INFINITE;
        let mut leader: Option<usize> = None;
        for at in 0..moves.len() {
            let mv = moves[at].mv;
            // A move with a better hint may be slightly worse than the one it replaces.
            let hinted = leader.is_some_and(|leader| moves[at].bias > moves[leader].bias);
            let floor = if hinted && alpha.abs() < DECISIVE { alpha - indifference } else { alpha };
            let Some(role) = position.role_at(mv.from()) else { continue };
            self.notify_current(depth, mv, first + at + 1);
            let quiet = is_quiet(&position, mv);
            let history = if quiet { self.histories.quiet(&context, role, mv) } else { 0 };
            let late = LateMove {
                depth,
                tried: at + 1,
                quiet,
                history,
                pv: true,
                cut: false,
                improving: true,
                hash_move: at == 0,
                checks: position.gives_check(mv),
                evasion: raw.is_none(),
                best,
                ..LateMove::default()
            };
            let next = position.after_as(role, mv);
            self.shared.tt.prefetch(super::tt::table_key(&next));
            self.stack.set_move(
                0,
                PieceTo::new(position.turn(), role, mv),
                quiet.then_some((role, mv)),
            );
            let before = self.counter.nodes();
            self.path.push(&position);
            let result = self.try_move::<true>(&next, 0, floor, beta, depth - 1, &late);
            self.path.pop();
            let root = &mut moves[at];
            root.nodes += self.counter.nodes() - before;
            let value = result?;
            (root.value, root.exact) = (-INFINITE, false);
            if at == 0 || value > floor {
                (root.value, root.exact) = (value, value > floor && value < beta);
                root.seldepth = self.counter.seldepth();
                self.stack.extend_pv(0, mv);
                // A move that fails low has no variation of its own.
                root.pv = if value > floor { self.stack.pv(0).clone() } else { root.pv.clone() };
            }
            if value > floor {
                if let Some(leader) = leader.filter(|_| value <= best) {
                    (moves[leader].value, moves[leader].exact) = (-INFINITE, false);
                }
                (best, alpha, leader) = (value, value, Some(at));
                if value >= beta {
                    break;
                }
            }
            best = best.max(value);
        }
        Ok(best)
    }

    fn notify_current(&self, depth: i32, mv: Move, number: usize) {
        if self.counter.is_first() {
            self.shared.control.notify(SearchInfo::CurrentMove { depth: depth as u32, mv, number });
        }
    }

    /// Reports a line as soon as it is searched, if the others may take long.
    fn notify_line(&self, moves: &[RootMove], first: usize, depth: i32) {
        let wanted = self.shared.request.multipv;
        let is_late = self.shared.control.clock.elapsed() >= BOUNDS_FROM;
        if self.counter.is_first() && is_late && wanted > 1 && first < wanted {
            let shown = reported_in_order(&moves[..=first])[first];
            let line = self.line(&moves[first], shown, depth, first + 1);
            self.shared.control.notify(SearchInfo::Depth(line));
        }
    }

    /// Reports a score outside the window, since the search of the next window may take long.
    fn notify_bound(
        &self,
        root: &RootMove,
        value: Value,
        bound: Bound,
        (depth, first): (i32, usize),
    ) {
        let clear = first < self.shared.request.multipv
            && root.table_value.is_none()
            && value.abs() < DECISIVE
            && self.shared.control.clock.elapsed() >= BOUNDS_FROM;
        if self.counter.is_first() && clear {
            let line = PvLine { bound, ..self.line(root, value, depth, first + 1) };
            self.shared.control.notify(SearchInfo::Depth(line));
        }
    }

    fn line(&self, root: &RootMove, reported: Value, depth: i32, multipv: usize) -> PvLine {
        PvLine {
            depth: depth as u32,
            seldepth: root.seldepth.max(1) as u32,
            multipv,
            score: reported.into(),
            bound: Bound::Exact,
            nodes: self.counter.all_nodes(),
            time: self.shared.control.clock.elapsed(),
            hashfull: self.shared.tt.hashfull(),
            tbhits: self.shared.control.progress.table_hits.get(),
            pv: root.pv.to_vec(),
        }
    }
}

/// Returns the reported score of a root move. The score of a table is better than that of a
/// search, unless the search found a mate.
fn reported(root: &RootMove) -> Value {
    match root.table_value {
        Some(value) if root.value.abs() < MATE_BOUND => value,
        _ => root.value,
    }
}

/// Returns the reported scores of several lines. Endgame tables give the order, and a mate that the
/// search found for a later line only is reported as a win: scores never rise from line to line.
fn reported_in_order(lines: &[RootMove]) -> Vec<Value> {
    let mut reported: Vec<Value> = lines.iter().map(reported).collect();
    for at in 1..reported.len() {
        if reported[at] > 0 {
            reported[at] = reported[at].min(reported[at - 1]);
        }
    }
    for at in (1..reported.len()).rev() {
        if reported[at - 1] < 0 {
            reported[at - 1] = reported[at - 1].max(reported[at]);
        }
    }
    reported
}
