//! State of the engine that survives from one search to the next.

use super::evaluate::{Evaluator, is_left_to_hand};
use super::limits::SearchParams;
use super::network::{Network, Replicas};
use super::policy::Policies;
use super::sources::{Library, ReadFile, SourceError, Sources};
use super::statistics::{SearchStatistics, StatisticsTotal};
use super::time::GameTime;
use super::tt::{TranspositionTable, table_key};
use super::worker::ThreadState;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Arc, Mutex, MutexGuard};
use umbrail_chess::{Position, SplitMix64};
use umbrail_control::lock;

/// State that survives from one search to the next: the transposition table and the workers'
/// histories.
#[derive(Debug)]
pub struct Engine {
    tt: TranspositionTable,
    hash_mib: usize,
    thread_states: Mutex<Vec<Mutex<ThreadState>>>,
    time: GameTime,
    sources: Mutex<Sources>,
    replicas: Mutex<Replicas>,
    random: Mutex<SplitMix64>,
    statistics: StatisticsTotal,
}

impl Engine {
    /// Creates an engine with a transposition table of `hash_mib` MiB.
    pub fn new(hash_mib: usize) -> Self {
        Self {
            tt: TranspositionTable::new(hash_mib),
            hash_mib,
            thread_states: Mutex::default(),
            time: GameTime::default(),
            sources: Mutex::default(),
            replicas: Mutex::default(),
            random: Mutex::new(SplitMix64::new(RandomState::new().build_hasher().finish())),
            statistics: StatisticsTotal::default(),
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
        self.library().network
    }

    /// Returns the network that evaluates this position; none against a bare king, where the
    /// hand-written evaluation knows more.
    pub fn network_for(&self, position: &Position) -> Option<Arc<Network>> {
        self.network().filter(|_| !is_left_to_hand(position))
    }

    /// Returns the statistics of all searches so far.
    pub fn statistics(&self) -> SearchStatistics {
        self.statistics.get()
    }

    /// Returns the sources that a search uses.
    pub(super) fn library(&self) -> Library {
        lock(&self.sources).library()
    }

    /// Returns the copy of a network for a node of memory. The first caller of a node makes it,
    /// so that its memory is near.
    pub(super) fn network_on(&self, node: usize, network: &Arc<Network>) -> Arc<Network> {
        lock(&self.replicas).on(node, network)
    }

    /// Returns true if the transposition table has an entry of this position.
    pub fn knows(&self, position: &Position) -> bool {
        self.tt.probe(table_key(position)).is_some()
    }

    /// Returns the transposition table.
    pub(super) fn tt(&self) -> &TranspositionTable {
        &self.tt
    }

    /// Returns the time of the current game.
    pub(super) fn time(&self) -> &GameTime {
        &self.time
    }

    /// Returns the states of at least `size` workers, for one search.
    pub(super) fn thread_states(&self, size: usize) -> MutexGuard<'_, Vec<Mutex<ThreadState>>> {
        let mut states = lock(&self.thread_states);
        let size = size.max(states.len());
        states.resize_with(size, Mutex::default);
        states
    }

    /// Adds the statistics of the workers of one search.
    pub(super) fn count<'a>(&self, workers: impl IntoIterator<Item = &'a SearchStatistics>) {
        self.statistics.add(workers);
    }

    /// Returns a random number from [0, 1), for book moves and weak levels.
    pub(super) fn random(&self) -> f64 {
        (lock(&self.random).draw() >> 11) as f64 / (1_u64 << 53) as f64
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
        self.time = GameTime::default();
    }
}
