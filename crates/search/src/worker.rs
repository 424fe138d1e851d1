//! Search thread: what all workers of a search share, and the state of one worker in its parts.

mod counter;
mod path;
mod stack;

use super::SearchInfo;
use super::constants::SearchConstants;
use super::evaluate::Evaluator;
use super::history::Histories;
use super::limits::SearchRequest;
use super::network::Network;
use super::policy::Policies;
use super::policy::null_move::NullMoveBan;
use super::score::{Bound, Value};
use super::sources::hints::Hints;
use super::sources::probe::SyzygyProbe;
use super::statistics::SearchStatistics;
use super::time::Allowance;
use super::tt::{self, Entry, TranspositionTable};
pub(super) use counter::{NodeCounter, NodeTotal};
pub(super) use path::SearchPath;
pub(super) use stack::{Pv, SearchStack, StackEntry, StackMemory};
use std::sync::Arc;
use umbrail_chess::Position;
use umbrail_control::{Cancel, Control};

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
    pub nodes: NodeTotal,
    /// Number of best lines that are searched; at least as many as the request asks for.
    pub lines: usize,
}

impl Shared<'_> {
    /// Returns the value of a draw for the side to move.
    #[inline]
    pub(super) fn draw(&self, position: &Position) -> Value {
        let own = position.turn() == self.request.position.turn();
        if own { self.draw } else { -self.draw }
    }

    /// Stores an entry of the transposition table; its value is counted from the root.
    #[inline]
    pub(super) fn store(&self, position: &Position, ply: usize, entry: Entry) {
        let entry = Entry { value: tt::score_to_tt(entry.value, ply), ..entry };
        self.tt.store(tt::table_key(position), entry, self.policies.replacement);
    }

    /// Prefetches the entry of the position after the table move, which is tried first.
    #[inline]
    pub(super) fn prefetch_table_move(&self, position: &Position, known: Option<Entry>) {
        let best = known.and_then(|entry| entry.best);
        if let Some((mv, role)) = best.and_then(|mv| Some((mv, position.role_at(mv.from())?))) {
            self.tt.prefetch(tt::likely_table_key(position, role, mv));
        }
    }

    /// Returns the score of a position by the endgame tables, if they may be probed.
    pub(super) fn probe_tables(
        &self,
        position: &Position,
        depth: i32,
        ply: usize,
    ) -> Option<(Value, Bound)> {
        let syzygy = self.syzygy.as_ref()?;
        let found = syzygy.probe(position, depth, ply, self.draw(position))?;
        self.control.progress.table_hits.add(1);
        Some(found)
    }
}

/// State that a worker keeps from one search to the next.
#[derive(Debug, Default)]
pub(super) struct ThreadState {
    histories: Histories,
    evaluator: Evaluator,
    stack: StackMemory,
}

/// One search thread.
pub(super) struct Worker<'a> {
    pub shared: &'a Shared<'a>,
    pub counter: NodeCounter<'a>,
    pub stack: SearchStack<'a>,
    pub path: SearchPath,
    pub histories: &'a mut Histories,
    pub evaluator: &'a mut Evaluator,
    pub null_ban: NullMoveBan,
    pub statistics: SearchStatistics,
}

impl<'a> Worker<'a> {
    /// Creates the worker of this index; the first one reports and decides.
    pub(super) fn new(
        shared: &'a Shared<'a>,
        index: usize,
        state: &'a mut ThreadState,
        network: Option<&Arc<Network>>,
    ) -> Self {
        let ThreadState { histories, evaluator, stack } = state;
        histories.begin(shared.policies.ordering, &shared.constants);
        evaluator.begin(shared.policies.terms, network);
        Self {
            shared,
            counter: NodeCounter::new(shared, index == 0),
            stack: SearchStack::new(stack),
            path: SearchPath::new(&shared.request.history),
            histories,
            evaluator,
            null_ban: NullMoveBan::default(),
            statistics: SearchStatistics::default(),
        }
    }

    /// Returns the correction of the static evaluation at this ply. Its reads often miss the cache;
    /// if it is computed before the table is probed, they overlap with the read of the table's
    /// entry.
    #[inline]
    pub(super) fn correction(&self, position: &Position, ply: usize) -> Value {
        self.histories.correction(position, self.stack.last_moves(ply))
    }
}
