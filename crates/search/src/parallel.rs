//! Lazy SMP: every worker searches the whole tree, and the workers help each other through the
//! shared table.
//!
//! The scheme is Daniel Homan's and Martin Sedlák's of 2013. The first worker reports and decides;
//! the others only fill the table and stop with the first.

use super::clock::GameClock;
use super::engine::{Engine, ThreadState};
use super::handicap::Handicap;
use super::limits::{Limits, SearchParams, SearchRequest};
use super::policy::Policies;
use super::root::{RankedMove, WorkerResult};
use super::score::{Score, Value};
use super::sources::Library;
use super::sources::experience::ExperienceRecord;
use super::sources::hints::Hints;
use super::worker::{Shared, SyzygyProbe, Worker};
use super::{Ended, PvLine, SearchAnswer, SearchInfo};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use umbrail_chess::Move;
use umbrail_chess::geometry::Color;
use umbrail_control::Control;
use umbrail_control::lock;

/// Runs the ordinary search.
pub(super) fn play(
    engine: &Engine,
    request: &SearchRequest,
    params: &SearchParams,
    control: &Control<'_, SearchInfo>,
) -> SearchAnswer {
    let moves = root_moves(request);
    if moves.is_empty() {
        return SearchAnswer { best: None, ponder: None, line: None, ended: Ended::Complete };
    }
    let library = lock(&engine.sources).library();
    if let Some(answer) = engine.book_move(request, params, &library, &moves, control) {
        return answer;
    }
    let syzygy = library.tables.clone().map(|tables| SyzygyProbe {
        pieces: tables.pieces().min(params.syzygy_probe_limit),
        tables,
        depth: params.syzygy_probe_depth as i32,
        fifty: params.syzygy_fifty,
    });
    let moves = rank(moves, request, syzygy.as_ref(), params.contempt, control);
    let best_rank = moves.iter().take_while(|root| root.rank == moves[0].rank).count();
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
    let black = u32::from(request.position.turn() == Color::Black);
    let played = 2 * u32::from(request.position.fullmoves()).saturating_sub(1) + black;
    let budget = engine.budget(&limits, params, &policies, played, moves.len() == 1);
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
    let reported_lines = request.multipv;
    let shared = Shared {
        control,
        tt: &engine.tt,
        request,
        policies,
        constants: params.constants,
        hints: Hints::gather(&request.position, &library),
        syzygy,
        draw: -params.contempt,
        done: control.cancel.child(),
        node_limit,
        weak_limit: handicap.map_or(u64::MAX, Handicap::nodes),
        nodes_per_ms: bank.as_ref().map(|bank| bank.per_ms),
        lines: reported_lines.max(handicap.map_or(1, Handicap::candidates)),
        reported_lines,
        nodes: AtomicU64::new(0),
    };
    let thread_states = &*thread_states;
    let results = control.pool.broadcast(|index| {
        let mut state = lock(&thread_states[index]);
        let ThreadState { histories, evaluator, path } = &mut *state;
        histories.begin(policies.ordering, &params.constants);
        evaluator.begin(policies.terms, library.network.as_ref());
        let result =
            Worker::new(&shared, index, histories, evaluator, path).deepen(&moves, budget.as_ref());
        if index == 0 {
            shared.done.raise();
        }
        result
    });
    // Relaxed: one search at a time writes and reads the flag.
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
        // A weak level keeps the result that the endgame tables give.
        let lines = result.lines.iter().take(best_rank);
        let scores: Vec<_> = lines.map(|(_, value)| *value).collect();
        let chosen = handicap.choose(&scores, || engine.random());
        if let Some((line, _)) = result.lines.get(chosen) {
            result.line = Some(PvLine { multipv: 1, ..line.clone() });
        }
    }
    let answer = answer(results, moves[0].mv, control);
    if let Some(tables) = &library.tables {
        tables.take_faults().into_iter().for_each(|why| control.notify(SearchInfo::Fault(why)));
    }
    if handicap.is_none() && !request.limits.infinite {
        remember(&library, request, &answer, control);
    }
    answer
}

/// Smallest depth of a search that is recorded as experience, plies.
const EXPERIENCE_DEPTH: u32 = 8;

/// Appends the result of a search to the experience file, if there is one.
fn remember(
    library: &Library,
    request: &SearchRequest,
    answer: &SearchAnswer,
    control: &Control<'_, SearchInfo>,
) {
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
        control.notify(SearchInfo::Fault(why));
    }
}

pub(super) fn root_moves(request: &SearchRequest) -> Vec<Move> {
    let legal = request.position.legal_moves();
    let wanted = |mv: &Move| request.root_moves.as_ref().is_none_or(|moves| moves.contains(mv));
    legal.into_iter().filter(wanted).collect()
}

/// Ranks the root moves by the endgame tables, the best first; without tables all ranks are equal.
/// Keeps whole ranks, as many as the reported lines need: a move that loses the result of the best
/// one is searched only as a further line.
fn rank(
    moves: Vec<Move>,
    request: &SearchRequest,
    syzygy: Option<&SyzygyProbe>,
    contempt: Value,
    control: &Control<'_, SearchInfo>,
) -> Vec<RankedMove> {
    let position = &request.position;
    let ranked = syzygy
        .filter(|syzygy| position.occupied().len() <= syzygy.pieces)
        .and_then(|s| Some((s, s.tables.rank_moves(position, &moves, s.fifty)?)));
    let Some((syzygy, ranked)) = ranked else {
        let unranked = |mv| RankedMove { mv, rank: 0, value: None };
        return moves.into_iter().map(unranked).collect();
    };
    control.progress.table_hits.add(ranked.len() as u64);
    let value = |verdict| Some(syzygy.value(verdict, -contempt));
    let mut ranked: Vec<_> = (ranked.into_iter())
        .map(|(mv, rank, verdict)| RankedMove { mv, rank, value: value(verdict) })
        .collect();
    ranked.sort_by_key(|root| std::cmp::Reverse(root.rank));
    let last = ranked[request.multipv.clamp(1, ranked.len()) - 1].rank;
    ranked.retain(|root| root.rank >= last);
    ranked
}

fn answer(
    results: Vec<WorkerResult>,
    first: Move,
    control: &Control<'_, SearchInfo>,
) -> SearchAnswer {
    let nodes = control.progress.nodes.get();
    let Some(result) = results.into_iter().next() else {
        return SearchAnswer { best: Some(first), ponder: None, line: None, ended: Ended::Stopped };
    };
    let line = result.line.map(|line| PvLine { nodes: nodes.max(line.nodes), ..line });
    let pv = line.as_ref().map_or(&[] as &[Move], |line| &line.pv);
    SearchAnswer {
        best: pv.first().copied().or(Some(first)),
        ponder: pv.get(1).copied(),
        ended: result.ended,
        line,
    }
}
