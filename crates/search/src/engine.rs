//! State of the engine that survives from one search to the next.

use super::clock::TimeBudget;
use super::evaluate::{Evaluator, is_left_to_hand};
use super::history::Histories;
use super::limits::{Limits, SearchParams, SearchRequest};
use super::network::Network;
use super::policy::Policies;
use super::policy::time_clamp::Unstable;
use super::score::{Bound, Score};
use super::sources::{Library, ReadFile, SourceError, Sources};
use super::statistics::SearchStatistics;
use super::tt::TranspositionTable;
use super::worker::PathState;
use super::{Ended, PvLine, SearchAnswer, SearchInfo};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use umbrail_chess::{Move, Position};
use umbrail_control::Control;
use umbrail_control::lock;

/// State that a worker keeps from one search to the next.
#[derive(Debug, Default)]
pub(super) struct ThreadState {
    pub(super) histories: Histories,
    pub(super) evaluator: Evaluator,
    pub(super) path: PathState,
}

/// State that survives from one search to the next: the transposition table and the workers'
/// histories.
#[derive(Debug)]
pub struct Engine {
    pub(super) tt: TranspositionTable,
    pub(super) hash_mib: usize,
    pub(super) thread_states: Mutex<Vec<Mutex<ThreadState>>>,
    /// Set if the last search changed its best move late or had no time at all.
    pub(super) unstable: AtomicBool,
    pub(super) sources: Mutex<Sources>,
    /// State of the random number generator for book moves and weak levels.
    pub(super) chance: AtomicU64,
    /// Nodes left in this game and nodes at its start, when nodes stand for time.
    pub(super) bank: Mutex<Option<(u64, u64)>>,
    pub(super) statistics: Mutex<SearchStatistics>,
}

/// Budget of nodes that stand for time.
pub(super) struct NodesTimeBank {
    pub(super) per_ms: u64,
    pub(super) left: u64,
    pub(super) base: u64,
}

impl Engine {
    /// Creates an engine with a transposition table of `hash_mib` MiB.
    pub fn new(hash_mib: usize) -> Self {
        let tt = TranspositionTable::new(hash_mib);
        let chance = RandomState::new().build_hasher().finish() | 1;
        Self {
            tt,
            hash_mib,
            thread_states: Mutex::default(),
            unstable: AtomicBool::new(false),
            sources: Mutex::default(),
            chance: AtomicU64::new(chance),
            bank: Mutex::default(),
            statistics: Mutex::default(),
        }
    }

    /// Opens the book, the experience file and the tables that the parameters name; returns the
    /// errors.
    pub fn configure(&self, params: &SearchParams, read: ReadFile<'_>) -> Vec<SourceError> {
        let mut sources = self.sources();
        let faults = sources.configure(params, read);
        self.use_sources(sources);
        faults
    }

    /// Returns the book, the experience file and the tables that searches use; the copy shares
    /// them.
    pub fn sources(&self) -> Sources {
        lock(&self.sources).clone()
    }

    /// Replaces the sources for all searches that start after this call.
    pub fn use_sources(&self, sources: Sources) {
        *lock(&self.sources) = sources;
    }

    /// Returns the static evaluation of a position for the side to move, centipawns, as in a search
    /// with these parameters: by the open network or by the hand-written evaluation.
    pub fn evaluate(&self, position: &Position, params: &SearchParams) -> i32 {
        let mut evaluator = Evaluator::default();
        let terms = Policies::from(&params.experiments).terms;
        evaluator.begin(terms, self.network().as_ref());
        evaluator.evaluate(position, 0)
    }

    /// Returns the network that replaces the hand-written evaluation, if one is open.
    pub fn network(&self) -> Option<Arc<Network>> {
        lock(&self.sources).library().network
    }

    /// Returns the network that evaluates this position; none against a bare king, where the
    /// hand-written evaluation knows more.
    pub fn network_for(&self, position: &Position) -> Option<Arc<Network>> {
        self.network().filter(|_| !is_left_to_hand(position))
    }

    /// Returns the statistics of all searches so far.
    pub fn statistics(&self) -> SearchStatistics {
        *lock(&self.statistics)
    }

    /// Returns a random number from [0, 1).
    pub(super) fn random(&self) -> f64 {
        // Relaxed: two concurrent searches may draw the same number, which is harmless.
        let mut state = self.chance.load(Ordering::Relaxed);
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        self.chance.store(state, Ordering::Relaxed);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a book move, chosen by weight, if the parameters and limits allow book moves here.
    pub(super) fn book_move(
        &self,
        request: &SearchRequest,
        params: &SearchParams,
        library: &Library,
        moves: &[Move],
        control: &Control<'_, SearchInfo>,
    ) -> Option<SearchAnswer> {
        let SearchRequest { position, limits, .. } = request;
        let playing = params.own_book && !limits.infinite && limits.mate.is_none();
        if !playing || u32::from(position.fullmoves()) > params.book_depth {
            return None;
        }
        let mut known = library.book.as_ref()?.moves(position);
        known.retain(|(mv, weight)| *weight > 0 && moves.contains(mv));
        let sum: f64 = known.iter().map(|&(_, weight)| f64::from(weight)).sum();
        let mut left = self.random() * sum;
        let (best, _) = *known.iter().find(|&&(_, weight)| {
            left -= f64::from(weight);
            left < 0.0
        })?;
        let line = PvLine {
            depth: 1,
            seldepth: 1,
            multipv: 1,
            score: Score::Cp(0),
            bound: Bound::Exact,
            nodes: 0,
            time: control.clock.elapsed(),
            hashfull: self.tt.hashfull(),
            tbhits: 0,
            pv: vec![best],
        };
        control.notify(SearchInfo::Depth(line.clone()));
        Some(SearchAnswer {
            best: Some(best),
            ponder: None,
            line: Some(line),
            ended: Ended::Complete,
        })
    }

    /// Returns the nodes left in this game when nodes stand for time. With a move count to the next
    /// control, the clock sets the budget again at every move.
    pub(super) fn bank(&self, limits: &Limits, params: &SearchParams) -> Option<NodesTimeBank> {
        let per_ms = u64::from(params.nodestime);
        if per_ms == 0 {
            return None;
        }
        let Some(clock) = limits.clock else {
            return Some(NodesTimeBank { per_ms, left: 0, base: 0 });
        };
        let shown = clock.left.as_millis() as u64 * per_ms;
        let mut bank = lock(&self.bank);
        let (left, base) = match *bank {
            Some(kept) if clock.moves_to_go.is_none() => kept,
            _ => (shown, shown),
        };
        *bank = Some((left, base));
        Some(NodesTimeBank { per_ms, left, base })
    }

    /// Subtracts the nodes of a search from the bank and adds the increment.
    pub(super) fn pay(&self, bank: NodesTimeBank, nodes: u64, limits: &Limits) {
        let Some(clock) = limits.clock else { return };
        let gain = clock.increment.as_millis() as u64 * bank.per_ms;
        *lock(&self.bank) = Some((bank.left.saturating_sub(nodes) + gain, bank.base));
    }

    /// Returns the time that a move may take, if time limits it.
    pub(super) fn budget(
        &self,
        limits: &Limits,
        params: &SearchParams,
        policies: &Policies,
        played: u32,
        forced: bool,
    ) -> Option<TimeBudget> {
        let budget = TimeBudget::new(limits, params, played)?;
        let budget = if forced { budget.hurried() } else { budget };
        let unstable = Unstable(self.unstable.load(Ordering::Relaxed));
        Some(match limits {
            Limits { clock: Some(clock), movetime: None, nodes: None, depth: None, .. } => {
                let overhead = Duration::from_millis(params.move_overhead_ms);
                policies.time.apply(budget, clock, overhead, unstable, forced)
            }
            _ => budget,
        })
    }

    /// Returns the requested size of the transposition table, MiB.
    pub fn hash_mib(&self) -> usize {
        self.hash_mib
    }

    /// Returns the allocated size, MiB; smaller than [`Engine::hash_mib`] if the system had less
    /// memory.
    pub fn granted_mib(&self) -> usize {
        self.tt.mib()
    }

    /// Makes the operating system provide the memory of the table now rather than during the next
    /// search. Takes about a tenth of a second for each GiB and processor, once for a table.
    pub fn touch_memory(&self) {
        self.tt.touch();
    }

    /// Resizes the table, which is empty afterwards.
    pub fn resize(&mut self, hash_mib: usize) {
        if hash_mib != self.hash_mib {
            // Frees the memory of the old table first.
            self.tt = TranspositionTable::new(1);
            self.tt = TranspositionTable::new(hash_mib);
            self.hash_mib = hash_mib;
        }
    }

    /// Clears everything learned from earlier searches.
    pub fn clear(&mut self) {
        // A new table is untouched memory; clearing the old one would write all of it.
        self.tt = TranspositionTable::new(1);
        self.tt = TranspositionTable::new(self.hash_mib);
        lock(&self.thread_states).clear();
        self.unstable.store(false, Ordering::Relaxed);
        *lock(&self.bank) = None;
    }
}
