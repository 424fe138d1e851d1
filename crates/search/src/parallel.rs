//! Lazy SMP: every worker searches the whole tree, and the shared table makes them help each other.
//!
//! (Daniel Homan's and Martin Sedlák's scheme of 2013.) The first worker reports and decides; the
//! others only fill the table, and stop when it does.

use super::evaluate::Evaluator;
use super::handicap::{CANDIDATES, Handicap};
use super::history::Histories;
use super::limits::{GameClock, Limits, Params, Request};
use super::policy::Policies;
use super::policy::time_clamp::Unstable;
use super::root::WorkerResult;
use super::score::{Bound, Score};
use super::sources::experience::ExperienceRecord;
use super::sources::hints::Hints;
use super::sources::{Library, Sources};
use super::statistics::SearchStatistics;
use super::time::TimeBudget;
use super::tt::TranspositionTable;
use super::worker::{Shared, SyzygyProbe, Worker};
use super::{Answer, Ended, Fact, Line, mate};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use umbrail_chess::Move;
use umbrail_control::Control;

/// What a worker keeps from one search to the next.
#[derive(Debug, Default)]
struct ThreadState {
    histories: Histories,
    evaluator: Evaluator,
}

/// What survives from one search to the next: the transposition table and the workers' histories.
#[derive(Debug)]
pub struct Engine {
    tt: TranspositionTable,
    hash_mib: usize,
    thread_states: Mutex<Vec<Mutex<ThreadState>>>,
    /// The last search changed its mind late, or had no time at all.
    unstable: AtomicBool,
    sources: Mutex<Sources>,
    /// The state of a random number generator: books and weak players choose by chance.
    chance: AtomicU64,
    /// Nodes left of this game and at its start, when nodes stand for time.
    bank: Mutex<Option<(u64, u64)>>,
    statistics: Mutex<SearchStatistics>,
}

/// Nodes that stand for time.
struct NodesTimeBank {
    per_ms: u64,
    left: u64,
    base: u64,
}

/// Locks in spite of a panic in another search: the contents are only heuristics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engine {
    /// An engine with a transposition table of this many MiB.
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

    /// Opens the book, the experience and the tables that are asked for; says what cannot be used.
    pub fn configure(&self, params: &Params) -> Vec<String> {
        lock(&self.sources).configure(params)
    }

    /// The key statistics of all searches so far.
    pub fn statistics(&self) -> SearchStatistics {
        *lock(&self.statistics)
    }

    /// A random number from [0, 1).
    fn random(&self) -> f64 {
        // Relaxed: two concurrent searches may draw the same number, which is harmless.
        let mut state = self.chance.load(Ordering::Relaxed);
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        self.chance.store(state, Ordering::Relaxed);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A move of the book, chosen by weight, when moves shall be played from it here.
    fn book_move(
        &self,
        request: &Request,
        params: &Params,
        library: &Library,
        moves: &[Move],
        control: &Control<'_, Fact>,
    ) -> Option<Answer> {
        let Request { position, limits, .. } = request;
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
        let line = Line {
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
        control.tell(Fact::Depth(line.clone()));
        Some(Answer { best: Some(best), ponder: None, line: Some(line), ended: Ended::Complete })
    }

    /// What is left of the game's nodes when they stand for time. With a move count to the next
    /// control the clock is believed again at every move.
    fn bank(&self, limits: &Limits, params: &Params) -> Option<NodesTimeBank> {
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

    /// Takes the nodes of a search out of the bank and puts the increment in.
    fn pay(&self, bank: NodesTimeBank, nodes: u64, limits: &Limits) {
        let Some(clock) = limits.clock else { return };
        let gain = clock.increment.as_millis() as u64 * bank.per_ms;
        *lock(&self.bank) = Some((bank.left.saturating_sub(nodes) + gain, bank.base));
    }

    /// The time that a move may take, if time limits it.
    fn budget(
        &self,
        limits: &Limits,
        params: &Params,
        policies: &Policies,
        forced: bool,
    ) -> Option<TimeBudget> {
        let budget = TimeBudget::new(limits, params)?;
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

    /// Size of the transposition table that was asked for, MiB.
    pub fn hash_mib(&self) -> usize {
        self.hash_mib
    }

    /// Size that the system gave, MiB; smaller than [`Engine::hash_mib`] when it had no more.
    pub fn granted_mib(&self) -> usize {
        self.tt.mib()
    }

    /// Gives the table another size; it is empty afterwards.
    pub fn resize(&mut self, hash_mib: usize) {
        if hash_mib != self.hash_mib {
            self.tt = TranspositionTable::new(hash_mib);
            self.hash_mib = hash_mib;
        }
    }

    /// Forgets everything learned from earlier searches.
    pub fn clear(&mut self) {
        // A new table is untouched memory; emptying the old one would write all of it.
        self.tt = TranspositionTable::new(1);
        self.tt = TranspositionTable::new(self.hash_mib);
        lock(&self.thread_states).clear();
        self.unstable.store(false, Ordering::Relaxed);
        *lock(&self.bank) = None;
    }
}

/// Finds the best move. Always answers; `best` is none only when the position has no legal move (or
/// none of the asked-for root moves is legal).
pub fn solve(
    engine: &Engine,
    request: &Request,
    params: &Params,
    control: &Control<'_, Fact>,
) -> Answer {
    match request.limits.mate {
        Some(moves) => mate::solve(engine, request, params, moves, control),
        None => play(engine, request, params, control),
    }
}

/// The ordinary search.
pub(super) fn play(
    engine: &Engine,
    request: &Request,
    params: &Params,
    control: &Control<'_, Fact>,
) -> Answer {
    let mut moves = root_moves(request);
    if moves.is_empty() {
        return Answer { best: None, ponder: None, line: None, ended: Ended::Complete };
    }
    let library = lock(&engine.sources).library();
    if let Some(answer) = engine.book_move(request, params, &library, &moves, control) {
        return answer;
    }
    let syzygy = library.tables.clone().map(|tables| SyzygyProbe {
        men: tables.men().min(params.syzygy_probe_limit),
        tables,
        depth: params.syzygy_probe_depth as i32,
        fifty: params.syzygy_fifty,
    });
    let mut root_value = None;
    if let Some(syzygy) = syzygy.as_ref().filter(|l| request.position.occupied().len() <= l.men)
        && let Some(kept) = syzygy.tables.best_moves(&request.position, &moves, syzygy.fifty)
    {
        control.progress.table_hits.add(moves.len() as u64);
        root_value = Some(syzygy.value(kept.1, -params.contempt));
        moves = kept.0;
    }
    let handicap = Handicap::new(params);
    let bank = engine.bank(&request.limits, params);
    let limits = match (&bank, &request.limits.clock) {
        (Some(bank), Some(clock)) => {
            let left = Duration::from_millis(bank.left / bank.per_ms);
            let base = Duration::from_millis(bank.base / bank.per_ms);
            Limits { clock: Some(GameClock { left, base, ..*clock }), ..request.limits.clone() }
        }
        _ => request.limits.clone(),
    };
    let policies = Policies::from(&params.experiments);
    let budget = engine.budget(&limits, params, &policies, moves.len() == 1);
    let mut node_limit = limits.nodes.unwrap_or(u64::MAX);
    match (&budget, &bank) {
        (Some(budget), Some(bank)) => {
            let nodes = budget.hard.as_micros() as u64 * bank.per_ms / 1_000;
            node_limit = node_limit.min(nodes.max(1));
        }
        (Some(budget), None) => control.clock.limit(budget.hard),
        (None, _) => {}
    }
    engine.tt.next_generation();
    let mut thread_states = lock(&engine.thread_states);
    let size = control.pool.size().max(thread_states.len());
    thread_states.resize_with(size, Mutex::default);
    let told_lines = request.multipv;
    let shared = Shared {
        control,
        tt: &engine.tt,
        request,
        policies,
        hints: Hints::gather(&request.position, &library),
        syzygy,
        draw: -params.contempt,
        root_value,
        done: control.cancel.child(),
        node_limit,
        weak_limit: handicap.map_or(u64::MAX, Handicap::nodes),
        nodes_per_ms: bank.as_ref().map(|bank| bank.per_ms),
        lines: if handicap.is_some() { told_lines.max(CANDIDATES) } else { told_lines },
        told_lines,
        nodes: AtomicU64::new(0),
    };
    let thread_states = &*thread_states;
    let results = control.pool.broadcast(|index| {
        let mut state = lock(&thread_states[index]);
        let ThreadState { histories, evaluator } = &mut *state;
        histories.begin(policies.ordering);
        evaluator.begin(policies.terms);
        let result =
            Worker::new(&shared, index, histories, evaluator).deepen(&moves, budget.as_ref());
        if index == 0 {
            shared.done.raise();
        }
        result
    });
    // Relaxed: one search at a time writes and reads it.
    let changes = results.first().map_or(0, |result| result.late_changes);
    let idle = control.progress.nodes.get() == 0;
    engine.unstable.store(idle || changes >= 2, Ordering::Relaxed);
    if let Some(bank) = bank {
        engine.pay(bank, shared.nodes.load(Ordering::Relaxed), &limits);
    }
    let mut results = results;
    let mut statistics = lock(&engine.statistics);
    results.iter().for_each(|result| statistics.add(&result.statistics));
    drop(statistics);
    if let (Some(handicap), Some(result)) = (handicap, results.first_mut()) {
        let scores: Vec<_> = result.lines.iter().map(|(_, value)| *value).collect();
        let chosen = handicap.choose(&scores, || engine.random());
        if let Some((line, _)) = result.lines.get(chosen) {
            result.line = Some(Line { multipv: 1, ..line.clone() });
        }
    }
    let answer = answer(results, &moves, control);
    if handicap.is_none() && !request.limits.infinite {
        remember(&library, request, &answer);
    }
    answer
}

/// Searches shallower than this are no experience.
const EXPERIENCE_DEPTH: u32 = 8;

/// Appends the result of a search to the experience file, if there is one.
fn remember(library: &Library, request: &Request, answer: &Answer) {
    let (Some(experience), Some(best), Some(line)) =
        (&library.experience, answer.best, &answer.line)
    else {
        return;
    };
    if line.depth < EXPERIENCE_DEPTH || line.pv.first() != Some(&best) {
        return;
    }
    let score = match line.score {
        Score::Cp(cp) => cp.clamp(-30_000, 30_000) as i16,
        Score::Mate(moves) => 30_000 * moves.signum() as i16,
    };
    let record = ExperienceRecord { mv: best, score, depth: line.depth.min(255) as u8, count: 1 };
    if let Err(why) = lock(experience).learn(request.position.key(), record) {
        tracing::warn!(why, "the experience file cannot be written");
    }
}

pub(super) fn root_moves(request: &Request) -> Vec<Move> {
    let legal = request.position.legal_moves();
    let wanted = |mv: &Move| request.root_moves.as_ref().is_none_or(|moves| moves.contains(mv));
    legal.into_iter().filter(wanted).collect()
}

fn answer(results: Vec<WorkerResult>, moves: &[Move], control: &Control<'_, Fact>) -> Answer {
    let nodes = control.progress.nodes.get();
    let Some(result) = results.into_iter().next() else {
        return Answer { best: Some(moves[0]), ponder: None, line: None, ended: Ended::Stopped };
    };
    let line = result.line.map(|line| Line { nodes: nodes.max(line.nodes), ..line });
    let pv = line.as_ref().map_or(&[] as &[Move], |line| &line.pv);
    Answer {
        best: pv.first().copied().or_else(|| moves.first().copied()),
        ponder: pv.get(1).copied(),
        ended: result.ended,
        line,
    }
}
