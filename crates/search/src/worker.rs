//! Search thread: its own state, and the bookkeeping on entering a node.

use super::SearchInfo;
use super::constants::SearchConstants;
use super::evaluate::Evaluator;
use super::history::{Context, Histories, PieceTo};
use super::limits::SearchRequest;
use super::policy::Policies;
use super::score::{Bound, PLY_MAX, TABLE_WIN, Value};
use super::sources::hints::Hints;
use super::sources::syzygy::{TableVerdict, Tables};
use super::statistics::SearchStatistics;
use super::time::Allowance;
use super::tt::TranspositionTable;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use umbrail_chess::geometry::Color;
use umbrail_chess::{Move, Position, Role};
use umbrail_control::{Cancel, Control, Stopped};

/// State shared by all workers of one search.
pub(super) struct Shared<'a> {
    pub control: &'a Control<'a, SearchInfo>,
    pub tt: &'a TranspositionTable,
    pub request: &'a SearchRequest,
    pub policies: Policies,
    pub constants: SearchConstants,
    pub hints: Hints,
    pub syzygy: Option<SyzygyProbe>,
    /// Value of a draw for the side to move at the root.
    pub draw: Value,
    /// Set when the first worker is done or the control stops.
    pub done: Cancel,
    /// Limits of time and nodes.
    pub allowance: Allowance,
    /// Limit of nodes after the first iteration: weak levels still search every root move.
    pub weak_limit: u64,
    /// Number of best lines that are searched; the next field is the number of lines that are
    /// reported.
    pub lines: usize,
    pub reported_lines: usize,
    /// Nodes of all workers, updated every [`POLL`] nodes.
    pub nodes: AtomicU64,
}

/// Endgame tables and the conditions of a probe.
pub(super) struct SyzygyProbe {
    pub tables: Arc<Tables>,
    /// Smallest depth for positions with as many pieces as the largest tables.
    pub depth: i32,
    /// Largest number of pieces.
    pub pieces: u32,
    /// True if wins that the fifty-move rule prevents count as draws.
    pub fifty: bool,
}

impl SyzygyProbe {
    /// Returns the score of a verdict where a draw has the score `draw`: ± [`TABLE_WIN`] or next to
    /// a draw.
    pub(super) fn value(&self, verdict: TableVerdict, draw: Value) -> Value {
        match verdict {
            TableVerdict::Win => TABLE_WIN,
            TableVerdict::Loss => -TABLE_WIN,
            TableVerdict::SpoiledWin if !self.fifty => TABLE_WIN,
            TableVerdict::SavedLoss if !self.fifty => -TABLE_WIN,
            TableVerdict::SpoiledWin => draw + 1,
            TableVerdict::SavedLoss => draw - 1,
            TableVerdict::Draw => draw,
        }
    }
}

/// Nodes between two checks of clock and signals, about 0.5 ms.
const POLL: u64 = 512;

/// Nodes of all workers between two samples of the occupancy of the transposition table. A sample
/// reads 250 cache lines.
const FULLNESS_NODES: u64 = 1 << 14;

/// Worker state for each ply from the root.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StackEntry {
    /// Corrected static evaluation; none when in check.
    pub eval: Option<Value>,
    /// Move from here to the next ply, as an index of continuation tables.
    pub piece_to: PieceTo,
    /// Move from here if it is neither capture nor promotion, with the role of the moving piece.
    pub quiet: Option<(Role, Move)>,
    /// Current reduction of that move, plies.
    pub reduction: i32,
    /// Number of replies, at nodes one ply deeper, that reached beta.
    pub cutoffs: u32,
    /// Move excluded in a test for singularity.
    pub excluded: Option<Move>,
    pub killers: [Option<Move>; 2],
    /// Double extensions on the path to this node.
    pub doubles: u8,
    /// True if the move from here was extended because it gave check.
    pub check_extended: bool,
}

/// Principal variation.
pub(super) type Pv = arrayvec::ArrayVec<Move, PLY_MAX>;

/// Worker state for the plies of the path. It is kept between searches, since allocation would
/// dominate the time of a short search.
#[derive(Debug)]
pub(super) struct PathState {
    /// Indexed by ply + [`STACK_OFFSET`].
    stack: Vec<StackEntry>,
    pvs: Vec<Pv>,
}

impl Default for PathState {
    fn default() -> Self {
        Self {
            stack: vec![StackEntry::default(); PLY_MAX + STACK_OFFSET + 4],
            pvs: vec![Pv::new(); PLY_MAX + 4],
        }
    }
}

/// One search thread.
pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    /// 0 for the worker that reports and decides.
    pub index: usize,
    pub histories: &'a mut Histories,
    pub evaluator: &'a mut Evaluator,
    /// Indexed by ply + [`STACK_OFFSET`].
    stack: &'a mut [StackEntry],
    pub pvs: &'a mut [Pv],
    /// Keys of the game and of the path, oldest first, without the current position.
    keys: Vec<u64>,
    /// Number of keys that belong to the game.
    game: usize,
    pub nodes: u64,
    reported: u64,
    pub seldepth: usize,
    pub statistics: SearchStatistics,
    /// First ply at which null moves are allowed (verification of a null-move cutoff).
    pub null_from: usize,
    /// Side that may not pass before ply `null_from`; none for both sides.
    pub null_side: Option<Color>,
    /// Depth of the current iteration.
    pub root_depth: i32,
}

/// Stack entries before the root, so that the root can read earlier plies.
const STACK_OFFSET: usize = 4;

impl<'a> Worker<'a> {
    pub(super) fn new(
        shared: &'a Shared<'a>,
        index: usize,
        histories: &'a mut Histories,
        evaluator: &'a mut Evaluator,
        path: &'a mut PathState,
    ) -> Self {
        let keys = shared.request.history.clone();
        let PathState { stack, pvs } = path;
        stack.fill(StackEntry::default());
        pvs.iter_mut().for_each(Pv::clear);
        Self {
            shared,
            index,
            histories,
            evaluator,
            stack,
            pvs,
            game: keys.len(),
            keys,
            nodes: 0,
            reported: 0,
            seldepth: 0,
            statistics: SearchStatistics::default(),
            null_from: 0,
            null_side: None,
            root_depth: 0,
        }
    }

    pub(super) fn stack(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.stack[ply + STACK_OFFSET]
    }

    /// Returns the evaluation `back` plies before this ply, if there is one.
    pub(super) fn earlier_eval(&self, ply: usize, back: usize) -> Option<Value> {
        self.stack[ply + STACK_OFFSET - back].eval
    }

    /// Returns the move made `back` plies before this ply; 1 is the move that led here.
    pub(super) fn earlier_move(&self, ply: usize, back: usize) -> PieceTo {
        self.stack[ply + STACK_OFFSET - back].piece_to
    }

    /// Returns true if one of the last two moves before this ply was extended for giving check.
    pub(super) fn extended_recently(&self, ply: usize) -> bool {
        (1..=2).any(|back| self.stack[ply + STACK_OFFSET - back].check_extended)
    }

    pub(super) fn context(&self, position: &Position, ply: usize) -> Context {
        let earlier = [1, 2, 4].map(|back| self.earlier_move(ply, back));
        Context { color: position.turn(), earlier }
    }

    /// Counts a node, and checks for a stop every [`POLL`] nodes. Limits of nodes and time hold from
    /// the second iteration on, so that every root move has a score.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize) -> Result<(), Stopped> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes - self.reported >= POLL {
            self.report_nodes();
            self.poll()?;
        }
        let limit = self.shared.allowance.node_limit().min(self.shared.weak_limit);
        // One worker counts exactly; several stop within a poll of each other.
        if self.nodes >= limit && self.root_depth > 1 { Err(Stopped) } else { Ok(()) }
    }

    fn poll(&mut self) -> Result<(), Stopped> {
        let Shared { control, done, nodes, allowance, .. } = self.shared;
        if done.is_raised() {
            return Err(Stopped);
        }
        if self.root_depth <= 1 {
            return Ok(());
        }
        if nodes.load(Ordering::Relaxed) >= allowance.node_limit() {
            return Err(Stopped);
        }
        if self.index == 0 { control.check() } else { Ok(()) }
    }

    /// Adds the nodes since the last report to the gauges.
    pub(super) fn report_nodes(&mut self) {
        let fresh = self.nodes - self.reported;
        self.reported = self.nodes;
        // Relaxed: a sum for display and limits.
        let before = self.shared.nodes.fetch_add(fresh, Ordering::Relaxed);
        self.shared.control.progress.nodes.add(fresh);
        if self.index == 0 && before / FULLNESS_NODES != (before + fresh) / FULLNESS_NODES {
            self.shared.control.progress.fullness.set(u64::from(self.shared.tt.hashfull()));
        }
    }

    /// Returns the reported nodes of all workers plus the unreported ones of this worker.
    pub(super) fn all_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + (self.nodes - self.reported)
    }

    /// Returns the value of a draw for the side to move.
    #[inline]
    pub(super) fn draw(&self, position: &Position) -> Value {
        let own = position.turn() == self.shared.request.position.turn();
        if own { self.shared.draw } else { -self.shared.draw }
    }

    /// Returns the score of a position by the endgame tables, if they may be probed.
    pub(super) fn probe_tables(
        &self,
        position: &Position,
        depth: i32,
        ply: usize,
    ) -> Option<(Value, Bound)> {
        let syzygy = self.shared.syzygy.as_ref()?;
        let pieces = position.occupied().len();
        if pieces > syzygy.pieces || (pieces == syzygy.tables.pieces() && depth < syzygy.depth) {
            return None;
        }
        let verdict = syzygy.tables.verdict(position)?;
        self.shared.control.progress.table_hits.add(1);
        let value = syzygy.value(verdict, self.draw(position));
        Some(match value {
            TABLE_WIN => (value - ply as Value, Bound::Lower),
            v if v == -TABLE_WIN => (value + ply as Value, Bound::Upper),
            _ => (value, Bound::Exact),
        })
    }

    /// Adds the position's key to the path while its successors are searched.
    pub(super) fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Removes the last key from the path.
    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Returns true if the side to move can draw by returning to a position of the searched path,
    /// or to one that occurred twice in the game before it.
    pub(super) fn can_repeat(&self, position: &Position) -> bool {
        position.may_return(&self.keys, |index| {
            index >= self.game || self.keys[..index].contains(&self.keys[index])
        })
    }

    /// Returns true if the game is drawn here: no mate possible, fifty moves, a repetition inside
    /// the searched path, or the third occurrence counting the game before it.
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        if position.is_dead() {
            return true;
        }
        let reach = usize::from(position.halfmoves()).min(self.keys.len());
        if position.halfmoves() >= 100 {
            // A mate on the last move comes first (FIDE 9.3 with 5.1.1).
            return position.has_legal_move() || !position.in_check();
        }
        let mut seen = 0;
        let end = self.keys.len();
        for back in (2..=reach).step_by(2) {
            if self.keys[end - back] == position.key() {
                seen += 1;
                if end - back >= self.game || seen == 2 {
                    return true;
                }
            }
        }
        false
    }
}
